"""The site as `template.yaml` sets it up, on MiniStack."""

import io
import json
import subprocess
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import boto3

from tests.support.ministack import ENVIRONMENT, PYTHON, REGION, ROOT, Ministack, install

TEMPLATE: Final = ROOT / "template.yaml"
STACK: Final = "site"
SENDER: Final = "games@example.org"
_BUCKET: Final = "code"
_CODE: Final = "site.zip"
_PARAMETERS: Final = {"MailFrom": SENDER, "AlarmMail": "keeper@example.org"}


@dataclass(frozen=True, slots=True)
class Cloud:
    """A deployed site: its outputs, by name, and clients of the services under it."""

    stack: Ministack
    outputs: Mapping[str, str]

    def client(self, service: Any) -> Any:
        """A boto3 client for a service of this MiniStack."""
        return boto3.client(service, endpoint_url=self.stack.endpoint, region_name=REGION)

    def mails(self, to: str) -> list[Any]:
        """What SES was given for this address, the oldest first: `Subject`, `BodyText`, `BodyHtml`…"""
        sent = json.loads(self.stack.call("GET", "/_ministack/ses/messages"))
        return [mail for mails in sent["messages"].values() for mail in mails if to in mail["To"]]

    def records(self) -> dict[str, Any]:
        """All items of the table `club`, by partition and sort key."""
        found = self.client("dynamodb").scan(TableName=self.outputs["Club"])["Items"]
        return {f"{item['part']['S']}{item['sort']['S']}": item for item in found}


def transformed() -> dict[str, Any]:
    """The template as CloudFormation gets it, the functions' code being what `deploy` uploads."""
    install()
    program = str(ROOT / "tests" / "support" / "transform.py")
    command = [str(PYTHON), program, str(TEMPLATE), f"s3://{_BUCKET}/{_CODE}"]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def deploy(stack: Ministack, folder: Path) -> Cloud:
    """Create the stack with this folder as its code; AssertionError if it does not come up."""
    s3, formation = (
        boto3.client(name, endpoint_url=stack.endpoint, region_name=REGION) for name in ("s3", "cloudformation")
    )
    s3.create_bucket(Bucket=_BUCKET)
    s3.put_object(Bucket=_BUCKET, Key=_CODE, Body=_zipped(folder))
    formation.create_stack(
        StackName=STACK,
        TemplateBody=json.dumps(_without_dkim(transformed())),
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in _PARAMETERS.items()],
        Capabilities=["CAPABILITY_IAM"],
    )
    while (found := formation.describe_stacks(StackName=STACK)["Stacks"][0])["StackStatus"] == "CREATE_IN_PROGRESS":
        time.sleep(0.1)
    events = formation.describe_stack_events(StackName=STACK)["StackEvents"]
    failed = [
        (e["LogicalResourceId"], e.get("ResourceStatusReason")) for e in events if "FAILED" in e["ResourceStatus"]
    ]
    assert found["StackStatus"] == "CREATE_COMPLETE", failed
    return Cloud(stack, {output["OutputKey"]: output["OutputValue"] for output in found["Outputs"]})


def _without_dkim(template: dict[str, Any]) -> dict[str, Any]:
    """MiniStack makes no keys to sign mails with, so there are no DNS records to name."""
    outputs = {name: out for name, out in template["Outputs"].items() if not name.startswith("MailRecord")}
    return {**template, "Outputs": outputs}


def _zipped(folder: Path) -> bytes:
    """All files of a folder as a zip file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder))
    return data.getvalue()
