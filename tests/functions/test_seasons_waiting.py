"""A month waits for the games that ended in it and are not settled yet: a late settlement counts (P25, P26)."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.decisions import Add, Decision, Job, Put
from engine.platform.duels import closing
from engine.platform.duels.records import Result
from engine.platform.gifts import give
from engine.platform.members import MemberId
from engine.platform.rivalries import Opponents
from engine.platform.unsettled import PATIENCE
from engine.times import DAY, HOUR, MINUTE, Instant, later
from functions import reconcile
from functions.worker import TRIES, run_job
from infra.records import DUEL, FRONT, FRONT_GAME, JOB, MEMBER, SEASON
from tests.support.browser import Browser
from tests.support.clubs import done, moderator, staked
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.jobs import job_named
from tests.support.seasons import END, MONTH, closed, front, night, october
from tests.support.site import TestSite, site_in
from tests.support.solo import begin

CLOSING = later(END, 20 * MINUTE)
ANNA, BETH = (Browser(cookies={"session": f"cookie of {name}"}) for name in ("anna", "beth"))


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    """October is over, and so is its last Front."""
    site = october(tmp_path)
    front(site, later(END, 9 * MINUTE))
    return site


def beaten(site: TestSite, at: Instant, delayed: Instant | None = None, *, parked: bool = False) -> Duelling:
    """Beth beats Anna at that instant: settled she is before her. The settlement is delayed, or parked."""
    site.sources.time = Instant(at - HOUR)
    for browser in (ANNA, BETH):
        browser.data("/duels")
    game = duel(site, ANNA, BETH)
    for seat in game.seats:
        assert game.send(seat, {}).status == 200
    site.sources.time = at
    assert post_json(ANNA, f"{game.path}/abandon", {}).status == 303
    job = job_named(site, f"settle/{game.id}")
    assert job is not None and job.about["ended"] == at
    if delayed is not None:
        later_on = replace(job, due=delayed, tries=TRIES if parked else 3, parked=parked)
        site.calm.store.commit(Decision((Put(later_on, None),), None))
    return game


def places(site: TestSite) -> list[str]:
    season = closed(site)
    return [place.member for place in season.places[:2]] if season else []


@pytest.mark.parametrize("delay", [None, HOUR, 30 * HOUR, 20 * DAY])
def test_a_settlement_after_the_closures_time_gives_the_places_of_a_timely_one(
    site: TestSite, delay: int | None
) -> None:
    beaten(site, Instant(END - HOUR), later(CLOSING, delay) if delay else None)
    night(site, CLOSING)
    assert places(site) == (["beth", "anna"] if delay is None else [])
    if delay is not None:
        site.sources.time = later(CLOSING, delay)
        run_due(site)
        site.sources.move(10 * MINUTE)
        run_due(site)
    assert places(site) == ["beth", "anna"]


def test_only_games_that_ended_in_the_month_or_before_are_waited_for(site: TestSite) -> None:
    beaten(site, later(END, 1), later(END, 5 * DAY))
    night(site, CLOSING)
    assert places(site) == ["anna", "beth"]


def test_a_game_of_the_months_last_instant_is_one_of_its_games(site: TestSite) -> None:
    beaten(site, Instant(END - 1), later(END, 5 * HOUR))
    night(site, CLOSING)
    assert closed(site) is None


def test_stakes_that_are_put_off_hold_nothing_up_as_the_ratings_have_moved(site: TestSite) -> None:
    for id in (MemberId("anna"), MemberId("beth")):
        row = site.calm.store.get(MEMBER, id)
        assert row is not None
        old = Put(replace(row.value, joined=later(site.sources.now(), -365 * DAY)), row.version)
        rich = (*give(None, f"gift of {id}", id, site.sources.now()), Add(Opponents(id), 4))
        site.calm.store.commit(Decision((old, *rich), None))
    site.sources.time = Instant(END - 2 * HOUR)
    for browser in (ANNA, BETH):
        browser.data("/duels")
    game = staked(site, ANNA, BETH, 20)
    reconcile.stop(site.site, "test")
    for seat in game.seats:
        assert game.send(seat, {}).status == 200
    assert post_json(ANNA, f"{game.path}/abandon", {}).status == 303
    run_due(site)
    left = job_named(site, f"settle/{game.id}")
    assert left is not None and left.due > site.sources.now()
    site.calm.store.commit(Decision((Put(replace(left, due=later(END, DAY)), None),), None))
    night(site, CLOSING)
    assert places(site) == ["beth", "anna"]


class TestParked:
    def test_moderators_read_that_the_closure_waits_and_until_when(self, site: TestSite) -> None:
        game = beaten(site, Instant(END - HOUR), Instant(END - HOUR), parked=True)
        night(site, CLOSING)
        assert closed(site) is None
        mod = moderator(site, "Mona")
        (line,) = mod.data("/moderation?of=jobs")["lines"]
        assert line["id"] == f"settle/{game.id}"
        assert line["holds"] == {"month": MONTH, "until": END + PATIENCE}
        assert f"The closure of {MONTH} waits for it" in mod.get("/moderation?of=jobs").seen
        done(site, mod, "unpark", line["id"])
        site.sources.move(10 * MINUTE)
        run_due(site)
        assert places(site) == ["beth", "anna"]
        assert mod.data("/moderation?of=jobs")["lines"] == []

    def test_after_a_week_the_month_is_closed_without_it_for_good(self, site: TestSite) -> None:
        game = beaten(site, Instant(END - HOUR), Instant(END - HOUR), parked=True)
        for days in range(7):
            night(site, later(CLOSING, days * DAY))
            assert closed(site) is None
        night(site, later(CLOSING, 7 * DAY))
        assert places(site) == ["anna", "beth"]
        mod = moderator(site, "Mona")
        (line,) = mod.data("/moderation?of=jobs")["lines"]
        assert line["holds"] is None
        done(site, mod, "unpark", f"settle/{game.id}")
        assert job_named(site, f"settle/{game.id}") is None
        assert places(site) == ["anna", "beth"]

    def test_moderators_have_their_week_after_a_long_outage_too(self, site: TestSite) -> None:
        beaten(site, Instant(END - HOUR), later(END, 20 * DAY), parked=True)
        night(site, later(END, 21 * DAY))
        assert closed(site) is None
        night(site, later(END, 27 * DAY))
        assert closed(site) is not None

    def test_many_that_were_given_up_do_not_hide_one_that_is_tried(self, site: TestSite) -> None:
        old = [
            Job(f"settle/old{n}", Instant(END - 20 * DAY), "settle", {"duel": f"old{n}", "ended": END - 20 * DAY},
                tries=TRIES, parked=True)
            for n in range(99)
        ]  # fmt: skip
        for first in range(0, 99, 33):
            site.calm.store.commit(Decision(tuple(Put(job, 0) for job in old[first : first + 33]), None))
        beaten(site, Instant(END - HOUR), later(END, 9 * DAY))
        night(site, later(END, 8 * DAY))
        assert closed(site) is None
        night(site, later(END, 9 * DAY))
        site.sources.move(10 * MINUTE)
        run_due(site)
        assert places(site) == ["beth", "anna"]


class TestTheLastFront:
    def test_one_that_can_not_be_settled_holds_up_its_day_and_month_for_a_week(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        site.sources.time = Instant(END - HOUR)
        anna = member(site, "Anna")
        game = begin(site, anna, "/front", {"day": "2026-10-31"})
        game.send()
        row = site.calm.store.get(DUEL, game.id)
        assert row is not None
        over = closing.end(row.value, row.version, Result(None, "positions"), site.sources.now())
        site.calm.store.commit(over)
        job = job_named(site, f"settle/{game.id}")
        assert job is not None
        site.calm.store.commit(Decision((Put(replace(job, tries=TRIES, parked=True), None),), None))
        for days in range(7):
            night(site, later(CLOSING, days * DAY))
            assert not self.final(site)
        front_job = job_named(site, "front/2026-10-31")
        assert front_job is not None and front_job.due >= site.sources.now() + 9 * MINUTE
        night(site, later(CLOSING, 7 * DAY))
        assert self.final(site)
        unsettled = site.calm.store.get(FRONT_GAME, "2026-10-31", "anna")
        assert unsettled is not None and unsettled.value.ended is None

    def test_one_still_played_is_waited_for_however_long(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        site.sources.time = Instant(END - HOUR)
        game = begin(site, member(site, "Anna"), "/front", {"day": "2026-10-31"})
        row = site.calm.store.get(JOB, f"clock/{game.id}")
        assert row is not None
        site.calm.store.commit(Decision((Put(replace(row.value, due=later(END, 30 * DAY)), None),), None))
        for days in (1, 9):
            site.sources.time = later(END, days * DAY)
            assert run_job(site.site, "front/2026-10-31")
            assert not self.final(site)
        assert site.calm.store.query(SEASON, "latest", limit=1).rows == ()

    def final(self, site: TestSite) -> bool:
        row = site.calm.store.get(FRONT, "2026-10-31")
        return row is not None and row.value.final is not None
