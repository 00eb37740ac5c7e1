"""One-click unsubscribe (RFC 8058, P4): GET shows a button, POST needs nothing but the link, twice is once."""

from pathlib import Path

import pytest

from engine.platform.members import MAILS, MemberId
from functions.mail_links import sign_in_url, unsubscribe_url
from infra.records import MEMBER
from tests.support.browser import Browser
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in

ONE_CLICK = "List-Unsubscribe=One-Click"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def ada(site: TestSite) -> str:
    return sign_up(Browser(), site, "ada@example.org", "Ada")


def link(site: TestSite, member: str, kind: str) -> str:
    url = unsubscribe_url(site.site.settings, MemberId(member), kind)
    return url.removeprefix(site.site.settings.base_url)


def muted(site: TestSite, member: str) -> tuple[str, ...]:
    row = site.store.get(MEMBER, member)
    assert row is not None
    return row.value.muted


def test_looking_at_the_link_changes_nothing_and_shows_a_button(site: TestSite, ada: str) -> None:
    for _ in range(10):
        page = Browser().get(link(site, ada, "turn"))
        assert "<button" in page.text
        assert "A turn has opened" in page.seen
    assert muted(site, ada) == ()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/x-www-form-urlencoded", ONE_CLICK),
        (
            "multipart/form-data; boundary=b",
            '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--',
        ),
    ],
)
def test_a_mail_providers_post_without_cookies_stops_that_kind_only(
    site: TestSite, ada: str, content_type: str, body: str
) -> None:
    for kind in MAILS:
        before = muted(site, ada)
        answer = Browser().send("POST", link(site, ada, kind), {"content-type": content_type}, body)
        assert answer.status == 200
        assert set(muted(site, ada)) == {*before, kind}


def test_unsubscribing_twice_is_once(site: TestSite, ada: str) -> None:
    Browser().send("POST", link(site, ada, "news"), FORM, ONE_CLICK)
    commits = site.store.commits
    assert Browser().send("POST", link(site, ada, "news"), FORM, ONE_CLICK).status == 200
    assert site.store.commits == commits
    assert "We send you no more" in Browser().get(link(site, ada, "news")).seen


def test_forged_links_and_links_for_other_ends_stop_nothing(site: TestSite, ada: str) -> None:
    token = sign_in_url(site.site.settings, ada).rpartition("/")[2]
    strange = link(site, ada, "sign_in"), link(site, "nobody", "turn"), f"/unsubscribe/{token}", "/unsubscribe/x"
    for path in strange:
        assert Browser().get(path).status == 404
        assert Browser().send("POST", path, FORM, ONE_CLICK).status == 404
    assert muted(site, ada) == ()
