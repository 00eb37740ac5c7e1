"""Closing a month over the store: read by index, committed once, paid once, on time or late (P18, P26)."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.doctrines import Contender
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import MemberId, freeze
from engine.times import DAY, HOUR, MINUTE, Instant, later
from functions import nightly, seasons
from infra.faults import Fault, Faulty, Trouble
from infra.records import CONTENDER, HONOUR, JOB, MEMBER, SEASON
from infra.store import StoreError
from tests.support.browser import Browser
from tests.support.duelling import member, run_due
from tests.support.seasons import END, MONTH, NAMES, closed, front, october
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    """Four members with places in October, and its last Front over but not final yet."""
    return october(tmp_path)


def credits(site: TestSite) -> list[int]:
    return [site.site.store.count(Balance(purse(MemberId(name.lower())))) for name in NAMES]


def test_it_waits_for_the_last_front_and_then_pays(site: TestSite) -> None:
    front(site, None)
    site.sources.time = later(END, 1)
    nightly.nightly(site.site)
    run_due(site)
    assert closed(site) is None
    front(site, later(END, 9 * MINUTE))
    site.sources.move(11 * MINUTE)
    run_due(site)
    season = closed(site)
    assert [(p.member, p.credits) for p in season.places] == [
        ("anna", 150), ("beth", 100), ("chris", 60), ("dora", 25)
    ]  # fmt: skip
    assert {title.of: title.member for title in season.titles} == {
        "commander": "dora", "doctrine": "beth", "front": "dora"
    }  # fmt: skip
    assert credits(site) == [150, 100, 60, 25]
    assert [row.value.what for row in site.site.store.query(HONOUR, "", "dora", limit=9).rows] == [
        "commander", "duels", "front"
    ]  # fmt: skip
    won = site.post.last("dora@example.org")
    assert "2026-10" in won.subject
    assert "25 credits" in won.text and "Front of the month" in won.text


def test_five_days_late_it_gives_the_same_places_whatever_has_changed_since(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, 5 * DAY)
    row = site.site.store.get(MEMBER, "anna")
    gone = site.site.store.get(MEMBER, "chris")
    doctrine = Contender(
        MemberId("beth:1"), MemberId("beth"), "Hammer", published=False,
        switched=(Instant(END - 20 * DAY), later(END, DAY)),
    )  # fmt: skip
    assert row is not None and gone is not None
    frozen_since = freeze(row.value, later(END, HOUR))
    changes = (
        Put(frozen_since, row.version),
        Put(replace(gone.value, deleted=True), gone.version),
        Put(doctrine, None),
    )
    site.site.store.commit(Decision(changes, None))
    nightly.nightly(site.site)
    run_due(site)
    assert [p.member for p in closed(site).places] == ["anna", "beth", "dora"]
    assert {title.of: title.member for title in closed(site).titles}["doctrine"] == "beth"
    assert credits(site) == [150, 100, 0, 60]


def test_ratings_frozen_at_the_months_end_have_no_place(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    row = site.site.store.get(MEMBER, "anna")
    assert row is not None
    site.site.store.commit(Decision((Put(freeze(row.value, Instant(END - DAY)), row.version),), None))
    site.sources.time = later(END, HOUR)
    nightly.nightly(site.site)
    run_due(site)
    assert [p.member for p in closed(site).places] == ["beth", "chris", "dora"]


def test_any_number_of_times_and_a_crash_anywhere_pay_each_once(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, HOUR)
    calm = site.site.store
    for broken in range(1, 12):
        left = [broken]

        def plan(moment: str, left: list[int] = left) -> Trouble | None:
            left[0] -= moment == "commit"
            return Trouble(Fault.LOST_ANSWER if left[0] == 0 else Fault.BUSY) if left[0] <= 0 else None

        object.__setattr__(site.site, "store", Faulty(calm, plan))
        try:
            seasons.begin(site.site)
            seasons.close(site.site, MONTH)
            seasons.pay(site.site, MONTH)
        except StoreError:
            pass
        finally:
            object.__setattr__(site.site, "store", calm)
    for _ in range(3):
        nightly.nightly(site.site)
        run_due(site)
        seasons.pay(site.site, MONTH)
    assert credits(site) == [150, 100, 60, 25]


def test_a_month_of_nothing_is_not_closed(tmp_path: Path) -> None:
    site = site_in(tmp_path)
    nightly.nightly(site.site)
    run_due(site)
    assert site.site.store.query(SEASON, "latest", limit=9).rows == ()
    assert site.site.store.get(JOB, f"close/{MONTH}") is None


def test_the_results_are_public_and_bounded(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, HOUR)
    nightly.nightly(site.site)
    run_due(site)
    reader = member(site, "Eve")
    site.store.reads = 0
    page = reader.data(f"/seasons/{MONTH}")
    assert site.store.reads <= 11  # three for whether the doctrine is hidden
    assert page["places"][0]["member"]["name"] == "Anna"
    assert reader.data("/seasons")["seasons"] == [{"month": MONTH, "first": {"id": "anna", "name": "Anna"}}]
    assert reader.get("/seasons/2026-99").status == 404
    assert reader.get("/seasons/x").status == 404


def test_titles_and_prizes_stay_on_the_members_page(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, HOUR)
    nightly.nightly(site.site)
    run_due(site)
    reader = member(site, "Eve")
    honours = reader.data("/members/dora")["record"]["honours"]
    assert {(h["what"], h["place"]) for h in honours} == {("commander", 0), ("duels", 4), ("front", 0)}
    assert "Commander of the month" in reader.get("/members/dora").seen


def test_a_doctrine_hidden_since_is_named_on_no_page_of_results(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, HOUR)
    nightly.nightly(site.site)
    run_due(site)
    path = f"/seasons/{MONTH}"
    assert "Hammer" in Browser().get(path).seen
    row = site.site.store.get(CONTENDER, "beth:1")
    assert row is not None
    site.site.store.commit(Decision((Put(replace(row.value, hidden=True), row.version),), None))
    assert "Hammer" not in Browser().get(path).text
    assert "(name hidden)" in Browser().get(path).seen
