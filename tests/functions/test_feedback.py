"""Bounces and complaints (P4): the address is paused, whichever way the mail service tells of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from functions.feedback import handler
from infra.records import MEMBER
from tests.support.browser import Browser
from tests.support.people import sign_in, sign_up
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def ada(site: TestSite) -> str:
    return sign_up(Browser(), site, "ada@example.org", "Ada")


def bounce(kind: str, *addresses: str) -> dict[str, Any]:
    return {"bounce": {"bounceType": kind, "bouncedRecipients": [{"emailAddress": a} for a in addresses]}}


def complaint(*addresses: str, kind: str = "abuse") -> dict[str, Any]:
    return {
        "complaint": {"complaintFeedbackType": kind, "complainedRecipients": [{"emailAddress": a} for a in addresses]}
    }


def by_sns(told: Mapping[str, Any]) -> dict[str, Any]:
    return {"Records": [{"Sns": {"Message": json.dumps(told)}}]}


def by_event_bridge(told: Mapping[str, Any]) -> dict[str, Any]:
    return {"source": "aws.ses", "detail": told}


def bounced(site: TestSite, member: str) -> str | None:
    row = site.store.get(MEMBER, member)
    assert row is not None
    return row.value.bounced


@pytest.mark.parametrize("wrap", [by_sns, by_event_bridge])
@pytest.mark.parametrize(
    ("told", "why"),
    [
        (bounce("Permanent", "x@example.org", "Ada <ADA@Example.org>"), "bounce"),
        (complaint("ada@example.org"), "complaint"),
        (bounce("Transient", "ada@example.org"), None),
        (complaint("ada@example.org", kind="not-spam"), None),
        (bounce("Permanent", "bea@example.org", "no address"), None),
        ({"delivery": {"recipients": ["ada@example.org"]}}, None),
        ({}, None),
    ],
)
def test_only_what_fails_for_good_pauses_the_address(
    site: TestSite, ada: str, wrap: Any, told: dict[str, Any], why: str | None
) -> None:
    handler(wrap(told), None)
    assert bounced(site, ada) == why


def test_a_notification_that_comes_twice_counts_once(site: TestSite, ada: str) -> None:
    handler(by_sns(bounce("Permanent", "ada@example.org")), None)
    commits = site.store.commits
    handler(by_sns(bounce("Permanent", "ada@example.org")), None)
    assert site.store.commits == commits


def test_nothing_of_the_address_is_logged(site: TestSite, ada: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    handler(by_sns(bounce("Permanent", "ada@example.org")), None)
    assert "ada" not in capsys.readouterr().out


def test_who_is_paused_can_still_sign_in_and_try_again(site: TestSite, ada: str) -> None:
    handler(by_sns(complaint("ada@example.org")), None)
    browser = Browser()
    assert sign_in(browser, site, "ada@example.org").status == 303
    browser.get("/preferences")
    browser.post("/preferences/try-again")
    assert bounced(site, ada) is None
