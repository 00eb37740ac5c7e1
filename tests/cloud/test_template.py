"""What `template.yaml` promises, read from what CloudFormation makes of it."""

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import pytest

from infra.dynamodb.model import Item
from infra.items import place
from infra.records import DUEL, MAILBOX, MEMBER, PULSE
from tests.support.cloud import TEMPLATE, transformed
from tests.support.ministack import ENVIRONMENT, ROOT

pytestmark = pytest.mark.cloud

FUNCTIONS: Final = ("Web", "Tick", "Worker", "Nightly", "Feedback")
WRITES: Final = frozenset(f"dynamodb:{name}" for name in ("PutItem", "UpdateItem", "DeleteItem"))


@functools.cache
def resources() -> dict[str, Any]:
    """The template's resources by name."""
    found: dict[str, Any] = transformed()["Resources"]
    return found


def of_type(kind: str) -> dict[str, Any]:
    """The properties of the resources of a type, by name."""
    return {name: r.get("Properties", {}) for name, r in resources().items() if r["Type"] == kind}


def statements(function: str) -> list[Any]:
    """What the policies of a function's role allow."""
    role = resources()[f"{function}FunctionRole"]["Properties"]
    return [s for policy in role["Policies"] for s in policy["PolicyDocument"]["Statement"]]


def listed(value: Any) -> list[Any]:
    """One or several, as several."""
    return value if isinstance(value, list) else [value]


def allowed(function: str, about: str) -> Iterator[tuple[str, Any]]:
    """Each action that a function may do to a resource whose description holds this, with its condition."""
    for statement in statements(function):
        if about in str(statement["Resource"]):
            yield from ((action, statement.get("Condition")) for action in listed(statement["Action"]))


def test_cfn_lint_finds_nothing() -> None:
    run = [str(Path(sys.executable).with_name("cfn-lint")), str(TEMPLATE)]
    done = subprocess.run(run, capture_output=True, text=True, check=False, env={**os.environ, **ENVIRONMENT})
    assert done.returncode == 0, done.stdout


def test_sam_finds_it_valid() -> None:
    sam = ".venv-sam/bin/sam"
    subprocess.run(["make", "--silent", sam], cwd=ROOT, check=True)
    environment = {**os.environ, **ENVIRONMENT, "SAM_CLI_TELEMETRY": "0"}
    done = subprocess.run(
        [str(ROOT / sam), "validate", "--lint", "--template", str(TEMPLATE), "--region", "eu-west-3"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_function_has_a_policy_of_its_own_without_wildcards() -> None:
    roles = {str(properties["Role"]) for properties in of_type("AWS::Lambda::Function").values()}
    assert len(roles) == len(FUNCTIONS) == len(of_type("AWS::Lambda::Function"))
    for function in FUNCTIONS:
        for statement in statements(function):
            assert not [action for action in listed(statement["Action"]) if "*" in action]
            assert "*" not in listed(statement["Resource"])


@pytest.mark.parametrize("function", ["Tick", "Nightly", "Feedback"])
def test_schedules_and_feedback_do_not_reach_the_ledger(function: str) -> None:
    assert not list(allowed(function, "LedgerTable"))


@pytest.mark.parametrize("function", ["Web", "Worker"])
def test_nothing_leaves_the_ledger(function: str) -> None:
    actions = {action for action, _ in allowed(function, "LedgerTable")}
    assert "dynamodb:UpdateItem" in actions
    assert "dynamodb:DeleteItem" not in actions


def test_only_the_worker_sends_mail_and_as_the_sites_sender_alone() -> None:
    sending = [(f, s) for f in FUNCTIONS for s in statements(f) if "ses:SendEmail" in listed(s["Action"])]
    assert [function for function, _ in sending] == ["Worker"]
    assert sending[0][1]["Condition"] == {"StringEquals": {"ses:FromAddress": {"Ref": "MailFrom"}}}


def test_only_the_worker_takes_messages() -> None:
    taking = [f for f in FUNCTIONS for s in statements(f) if "sqs:ReceiveMessage" in listed(s["Action"])]
    assert taking == ["Worker"]


@pytest.mark.parametrize(("function", "kind"), [("Tick", PULSE), ("Feedback", MEMBER)])
def test_tick_and_feedback_write_one_kind_of_record_only(function: str, kind: Any) -> None:
    conditions = [condition for action, condition in allowed(function, "ClubTable") if action in WRITES]
    assert len(conditions) == 1
    patterns = listed(conditions[0]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"])
    others = [k for k in (PULSE, MEMBER, MAILBOX, DUEL) if k is not kind]
    assert all(fnmatchcase(place(kind, ("x",)).partition, pattern) for pattern in patterns)
    assert not any(fnmatchcase(place(k, ("x",)).partition, pattern) for k in others for pattern in patterns)


def test_the_tables_are_laid_out_as_the_store_writes_them() -> None:
    schema: Any = Item._get_schema()
    tables = of_type("AWS::DynamoDB::Table")
    assert tables.keys() == {"ClubTable", "LedgerTable"}
    for table in tables.values():
        assert _sorted(table["AttributeDefinitions"]) == _sorted(schema["attribute_definitions"])
        assert _sorted(table["KeySchema"]) == _sorted(schema["key_schema"])
        assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == ["gsi0", "gsi1", "gsi2"]
        for index, wanted in zip(table["GlobalSecondaryIndexes"], schema["global_secondary_indexes"], strict=True):
            assert index["IndexName"] == wanted["index_name"]
            assert _sorted(index["KeySchema"]) == _sorted(wanted["key_schema"])
            assert index["Projection"] == wanted["projection"]


def test_the_tables_can_be_had_back() -> None:
    for name, table in of_type("AWS::DynamoDB::Table").items():
        assert resources()[name]["DeletionPolicy"] == resources()[name]["UpdateReplacePolicy"] == "Retain"
        assert table["DeletionProtectionEnabled"] is True
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
    assert resources()["SiteSecret"]["DeletionPolicy"] == "Retain"


def test_each_queue_has_dead_letters_and_an_alarm_for_them() -> None:
    queues = of_type("AWS::SQS::Queue")
    watched = str(
        [alarm["Dimensions"] for alarm in of_type("AWS::CloudWatch::Alarm").values() if "Dimensions" in alarm]
    )
    working = {name: queue for name, queue in queues.items() if not name.endswith("DeadLetters")}
    assert working.keys() == {"ClocksQueue", "SlowQueue"}
    for queue in working.values():
        dead = queue["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0]
        assert queues.keys() >= {dead}
        assert dead in watched


def test_clocks_and_slow_jobs_have_their_own_concurrency() -> None:
    sources = of_type("AWS::Lambda::EventSourceMapping")
    most = {
        source["EventSourceArn"]["Fn::GetAtt"][0]: (source["BatchSize"], source["ScalingConfig"]["MaximumConcurrency"])
        for source in sources.values()
    }
    assert most == {"ClocksQueue": (1, 20), "SlowQueue": (4, 10)}
    assert all(s["FunctionResponseTypes"] == ["ReportBatchItemFailures"] for s in sources.values())


def test_logs_are_not_kept_for_ever() -> None:
    for function in of_type("AWS::Lambda::Function").values():
        group = function["LoggingConfig"]["LogGroup"]["Ref"]
        assert resources()[group]["Properties"]["RetentionInDays"] == 30


def _sorted(entries: list[Any]) -> list[Any]:
    return sorted(entries, key=str)
