"""The site put together from a Lambda function's environment."""

from typing import Any

import pytest
from botocore.session import Session

from engine.decisions import Job
from engine.times import Instant
from infra.aws.site import build
from infra.mail import Letter, MailRefused

ENVIRONMENT = {
    "AWS_REGION": "eu-west-3",
    "BASE_URL": "https://example.org",
    "SITE_SECRET": "not really",
    "MAIL_FROM": "games@example.org",
    "CLUB_TABLE": "club",
    "LEDGER_TABLE": "ledger",
    "CLOCKS_QUEUE": "https://sqs.example.org/clocks",
    "SLOW_QUEUE": "https://sqs.example.org/slow",
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The services for which clients are made, as they are."""
    services: list[str] = []
    create = Session.create_client

    def noted(self: Session, service_name: Any, *args: Any, **kwargs: Any) -> Any:
        services.append(service_name)
        return create(self, service_name, *args, **kwargs)

    monkeypatch.setattr(Session, "create_client", noted)
    return services


def test_one_client_is_made_at_the_start(made: list[str]) -> None:
    site = build(ENVIRONMENT, {})
    assert made == ["dynamodb"]
    assert site.settings.secure


def test_the_others_are_made_once_when_first_needed(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.httpsession.URLLib3Session.send", _no_network)
    site = build(ENVIRONMENT, {})
    letter = Letter("ada@example.org", "Hello", "text", "<p>html</p>", None, "mail/1")
    for _ in range(2):
        site.queue.wake((Job("mail/1", Instant(0), "mail"),), Instant(0))
        with pytest.raises(MailRefused):
            site.mailer.send(letter)
    assert made == ["dynamodb", "sqs", "sesv2"]


def test_what_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="SLOW_QUEUE"):
        build({name: value for name, value in ENVIRONMENT.items() if name != "SLOW_QUEUE"}, {})


def _no_network(*_: Any) -> Any:
    from botocore.exceptions import EndpointConnectionError

    raise EndpointConnectionError(endpoint_url="https://example.org")
