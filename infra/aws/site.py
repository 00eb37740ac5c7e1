"""The site as it is on AWS, put together from a function's environment."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from botocore.config import Config

from infra.aws.queue import SqsQueue
from infra.dynamodb import DynamoStore
from infra.i18n import translator
from infra.mail import Letter, Mailer
from infra.pages import Pages
from infra.settings import from_environment
from infra.site import Site
from infra.sources import SystemSources

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient

_PATIENCE: Final = Config(connect_timeout=1, read_timeout=3, retries={"total_max_attempts": 3, "mode": "standard"})


def build(environ: Mapping[str, str], tools: Mapping[str, Any]) -> Site:
    """The site that these variables describe, its templates with these tools; KeyError names what is missing.

    Makes the one client that every call needs, for DynamoDB; those for SQS and SES are made at their first use.
    """
    settings = from_environment(environ)
    sources = SystemSources()
    region = environ["AWS_REGION"]
    store = DynamoStore(environ["CLUB_TABLE"], environ["LEDGER_TABLE"], sources.version, region)
    session = store.connection.session

    def sqs() -> "SQSClient":
        return cast("SQSClient", session.create_client("sqs", region, config=_PATIENCE))

    def ses() -> Mailer:
        from infra.mail_ses import SesMailer  # 70 ms that only the function that sends mails has to spend

        name = translator("en")("shell.site")
        return SesMailer(settings.mail_from, name, sources.now, environ.get("MAIL_EVENTS", ""))

    queue = SqsQueue({"clocks": environ["CLOCKS_QUEUE"], "slow": environ["SLOW_QUEUE"]}, sqs)
    return Site(settings, sources, store, queue, _Later(ses), Pages(compiled=True, tools=tools))


class _Later:
    """A mailer made when the first letter leaves."""

    def __init__(self, make: Callable[[], Mailer]) -> None:
        self._make = make

    def send(self, letter: Letter) -> None:
        """See `Mailer.send`."""
        self._mailer.send(letter)

    @cached_property
    def _mailer(self) -> Mailer:
        return self._make()
