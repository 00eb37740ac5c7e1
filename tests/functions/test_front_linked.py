"""One ranked Front for linked accounts, the first started, however close together they press Start (P24, P28)."""

from functools import partial
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.daily_front import FrontGame
from engine.platform.links import Link
from engine.platform.members import Member, MemberId
from engine.times import SECOND
from functions import fronts, solo_games
from infra.records import DUEL, FRONT_GAME, MEMBER
from tests.support.duelling import member
from tests.support.interleaving import just_before_the_commit
from tests.support.jobs import at_once
from tests.support.site import TestSite, site_in
from tests.support.solo import SoloGame, begin

NAMES = ("Anna", "Beth", "Chris")


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def linked(site: TestSite, *pairs: tuple[str, str]) -> None:
    now = site.sources.now()
    links = [Link(MemberId(a), MemberId(b), now) for pair in pairs for a, b in (pair, pair[::-1])]
    site.calm.store.commit(Decision(tuple(Put(link, 0) for link in links), None))


def today(site: TestSite) -> str:
    return fronts.today(site.site, site.sources.now())


def account(site: TestSite, id: str) -> Member:
    row = site.calm.store.get(MEMBER, id)
    assert row is not None
    return row.value


def start(site: TestSite, id: str) -> None:
    solo_games.front(site.site, account(site, id), today(site), site.sources.now())


def entries(site: TestSite) -> dict[str, FrontGame]:
    rows = {name.lower(): site.calm.store.get(FRONT_GAME, today(site), name.lower()) for name in NAMES}
    return {id: row.value for id, row in rows.items() if row is not None}


def test_of_two_starts_between_each_others_reading_and_writing_the_first_is_ranked(site: TestSite) -> None:
    for name in NAMES[:2]:
        member(site, name)
    linked(site, ("anna", "beth"))
    with just_before_the_commit(site, FrontGame, lambda: start(site, "beth")):
        start(site, "anna")
    assert {id: entry.why for id, entry in entries(site).items()} == {"anna": "linked", "beth": ""}


def test_linked_over_a_third_account_too(site: TestSite) -> None:
    for name in NAMES:
        member(site, name)
    linked(site, ("anna", "beth"), ("beth", "chris"))
    with just_before_the_commit(site, FrontGame, lambda: start(site, "chris")):
        start(site, "anna")
    assert {id: entry.why for id, entry in entries(site).items()} == {"anna": "linked", "chris": ""}


def test_accounts_that_are_not_linked_do_not_get_in_each_others_way(site: TestSite) -> None:
    for name in NAMES[:2]:
        member(site, name)
    with just_before_the_commit(site, FrontGame, lambda: start(site, "beth")):
        start(site, "anna")
    assert {entry.why for entry in entries(site).values()} == {""}


@pytest.mark.parametrize("round", range(6))
def test_at_the_same_instant_one_of_them_is_ranked(site: TestSite, round: int) -> None:
    for name in NAMES:
        member(site, name)
    linked(site, ("anna", "beth"), ("beth", "chris"), ("anna", "chris"))
    fronts.make_ready(site.site)
    at_once([partial(start, site, name.lower()) for name in NAMES])
    found = entries(site)
    assert sorted(entry.why for entry in found.values()) == ["", "linked", "linked"]
    assert all(site.calm.store.get(DUEL, entry.game) is not None for entry in found.values())


def test_a_start_that_an_outage_took_back_lets_the_other_account_be_first(site: TestSite) -> None:
    browsers = {name: member(site, name) for name in NAMES[:2]}
    linked(site, ("anna", "beth"))
    start(site, "anna")
    row = site.calm.store.get(FRONT_GAME, today(site), "anna")
    assert row is not None
    lost = FrontGame(today(site), MemberId("anna"), row.value.game, row.value.at, site.sources.now(), by="outage")
    site.calm.store.commit(Decision((Put(lost, row.version),), None))
    site.sources.move(SECOND)
    assert browsers["Beth"].data("/front")["unranked_why"] == ""
    begun: SoloGame = begin(site, browsers["Beth"], "/front", {"day": today(site)})
    assert browsers["Anna"].data("/front")["unranked_why"] == "linked"
    again = begin(site, browsers["Anna"], "/front", {"day": today(site)})
    assert {id: (e.game, e.why) for id, e in entries(site).items()} == {
        "anna": (again.id, "linked"),
        "beth": (begun.id, ""),
    }
