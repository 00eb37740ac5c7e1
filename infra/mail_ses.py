"""Mails by Amazon SES."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, EndpointConnectionError
from botocore.session import get_session

from engine.times import Instant
from infra.mail import Letter, MailRefused, MailUnknown
from infra.mail_message import message

if TYPE_CHECKING:
    from mypy_boto3_sesv2.client import SESV2Client
    from mypy_boto3_sesv2.type_defs import SendEmailRequestTypeDef

# One attempt: a second one after a lost answer would send a letter twice.
_ONCE: Final = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 1, "mode": "standard"})
_NOT_SENT: Final = (ConnectTimeoutError, EndpointConnectionError)


class SesMailer:
    """Sends letters as they are, through one client; bounces and complaints come by the configuration set."""

    def __init__(
        self,
        sender: str,
        name: str,
        now: Callable[[], Instant],
        configuration_set: str = "",
        endpoint: str | None = None,
    ) -> None:
        client = get_session().create_client("sesv2", config=_ONCE, endpoint_url=endpoint)
        self._client = cast("SESV2Client", client)
        self._sender = sender
        self._name = name
        self._now = now
        self._set = configuration_set

    def send(self, letter: Letter) -> None:
        """See `Mailer.send`: what SES answers is a refusal, what it does not answer is unknown."""
        try:
            data = message(letter, self._sender, self._name, self._now()).as_bytes()
        except ValueError as error:
            raise MailRefused("not a message") from error
        try:
            self._client.send_email(**self._request(letter, data))
        except ClientError as error:
            if error.response["ResponseMetadata"].get("HTTPStatusCode", 500) >= 500:
                raise MailUnknown(error.response["Error"].get("Code", "")) from error
            raise MailRefused(error.response["Error"].get("Code", "")) from error
        except _NOT_SENT as error:
            raise MailRefused(type(error).__name__) from error
        except BotoCoreError as error:
            raise MailUnknown(type(error).__name__) from error

    def _request(self, letter: Letter, data: bytes) -> "SendEmailRequestTypeDef":
        request: SendEmailRequestTypeDef = {
            "FromEmailAddress": self._sender,
            "Destination": {"ToAddresses": [letter.to]},
            "Content": {"Raw": {"Data": data}},
        }
        if self._set:
            request["ConfigurationSetName"] = self._set
        return request
