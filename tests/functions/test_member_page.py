"""A member's page: who they are, blocking, reporting (P5b)."""

from pathlib import Path

import pytest

from engine.platform.rates import REPORTS
from infra.records import BLOCK, REPORT
from tests.support.browser import Browser
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def people(site: TestSite) -> tuple[Browser, str, Browser, str]:
    ada, bea = Browser(), Browser()
    return ada, sign_up(ada, site, "ada@example.org", "Ada"), bea, sign_up(bea, site, "bea@example.org", "Bea O'Hara")


def test_anybody_sees_name_and_since_when_and_no_address(
    site: TestSite, people: tuple[Browser, str, Browser, str]
) -> None:
    page = Browser().get(f"/members/{people[3]}")
    assert page.status == 200
    assert "Bea O'Hara" in page.seen
    assert "Member since Mon 21 Sep 2026" in page.seen
    assert "example.org" not in page.text
    assert "Block" not in page.seen
    assert Browser().get("/members/nobody").status == 404


def test_a_member_is_blocked_once_and_unblocked(site: TestSite, people: tuple[Browser, str, Browser, str]) -> None:
    ada, me, _, other = people
    ada.get(f"/members/{other}")
    for _ in range(2):
        assert ada.post(f"/members/{other}/block").status == 303
    assert site.store.get(BLOCK, me, other) is not None
    assert "You have blocked Bea O'Hara" in ada.get(f"/members/{other}").seen
    assert "Bea O'Hara" in ada.get("/preferences").seen
    for _ in range(2):
        assert ada.post(f"/members/{other}/unblock").status == 303
    assert site.store.get(BLOCK, me, other) is None
    assert ada.post(f"/members/{me}/block").status == 422


def test_a_report_needs_a_reason_and_reaches_the_moderators_once(
    site: TestSite, people: tuple[Browser, str, Browser, str]
) -> None:
    ada, me, _, other = people
    ada.get(f"/members/{other}")
    answer = ada.post(f"/members/{other}/report", {"reason": " "})
    assert answer.status == 422
    assert "Say what is wrong." in answer.seen
    long = ada.post(f"/members/{other}/report", {"reason": "<b>" * 500})
    assert long.status == 422
    assert "&lt;b&gt;&lt;b&gt;" in long.text
    for _ in range(2):
        answer = ada.post(f"/members/{other}/report", {"reason": "insults"})
        assert "The moderators have your report" in ada.follow(answer).seen
    row = site.store.get(REPORT, "member", other, me)
    assert row is not None
    assert row.value.reason == "insults"
    assert len(site.store.query(REPORT, "open", limit=9).rows) == 1


def test_reports_are_limited(site: TestSite, people: tuple[Browser, str, Browser, str]) -> None:
    ada, _, _, other = people
    ada.get(f"/members/{other}")
    answers = [ada.post(f"/members/{other}/report", {"reason": f"n {n}"}).status for n in range(REPORTS.most + 1)]
    assert answers == [303] * REPORTS.most + [429]


def test_who_is_signed_out_blocks_and_reports_nobody(site: TestSite, people: tuple[Browser, str, Browser, str]) -> None:
    stranger = Browser()
    stranger.get("/sign-in")
    for action in ("block", "unblock", "report"):
        assert stranger.post(f"/members/{people[3]}/{action}", {"reason": "x"}).status == 401


def test_the_page_reads_little(site: TestSite, people: tuple[Browser, str, Browser, str]) -> None:
    ada, _, _, other = people
    reads = site.store.reads
    ada.get(f"/members/{other}")
    assert site.store.reads - reads <= 8
