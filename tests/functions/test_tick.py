"""Ticks: what is due goes to the queue; what was missing moves deadlines (P7b)."""

from pathlib import Path
from typing import Final

import pytest

from engine.decisions import Decision, Job, Json, Put
from engine.platform.clocks import PULSE
from engine.times import HOUR, MINUTE, SECOND, Instant, later
from functions import tick, worker
from infra.records import PULSE as PULSES
from tests.support.duelling import Duelling, duel, member
from tests.support.jobs import state, ticked
from tests.support.site import TestSite, site_in

SOMETHING: Final[Json] = {"predict": "centre"}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"))


def test_what_is_due_within_150_seconds_goes_to_the_queue_oldest_first(site: TestSite) -> None:
    spans = (149, 10, 151, -30)
    for span in spans:
        job = Job(f"j{span}", later(site.sources.now(), span * SECOND), "settle")
        site.calm.store.commit(Decision((Put(job, 0),), None))
    assert tick.handler.__module__ == "functions.tick"
    assert tick.tick(site.site) == 3
    assert [job.id for job in site.queue.jobs] == ["j-30", "j10", "j149"]


def test_more_than_a_page_of_jobs_is_sent(site: TestSite) -> None:
    many = [Job(f"j{n}", site.sources.now(), "settle") for n in range(3 * tick.BATCH)]
    for start in range(0, len(many), 100):
        site.calm.store.commit(Decision(tuple(Put(job, 0) for job in many[start : start + 100]), None))
    assert tick.tick(site.site) == len(many)


def test_a_full_queue_gets_no_more(site: TestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    site.calm.store.commit(Decision((Put(Job("j", site.sources.now(), "settle"), 0),), None))
    monkeypatch.setattr(site.queue, "waiting", lambda: tick.FULL)
    assert tick.tick(site.site) == 0


def test_a_wake_up_that_was_lost_is_found_by_the_next(site: TestSite, game: Duelling) -> None:
    tick.tick(site.site)
    deadline = state(game).deadline or 0
    ticked(site, deadline + MINUTE)
    site.queue.jobs.clear()
    tick.tick(site.site)
    assert f"clock/{game.id}" in [job.id for job in site.queue.jobs]


def test_ticks_that_were_missing_leave_a_gap_and_two_at_once_do_not(site: TestSite) -> None:
    tick.tick(site.site)
    tick.tick(site.site)
    site.sources.move(3 * HOUR)
    tick.tick(site.site)
    row = site.calm.store.get(PULSES, PULSE)
    assert row is not None
    assert [gap.length for gap in row.value.gaps] == [3 * HOUR - MINUTE]


def test_an_outage_across_a_deadline_moves_it_and_nobody_misses_the_turn(site: TestSite, game: Duelling) -> None:
    """P7b: the site was down from five minutes before the deadline to two hours after it."""
    deadline = state(game).deadline or Instant(0)
    tick.tick(site.site)
    ticked(site, deadline - 5 * MINUTE)
    site.sources.time = later(deadline, 2 * HOUR)
    worker.run_job(site.site, f"clock/{game.id}")
    assert state(game).turn == 1  # the tick that measures the gap has not come yet
    tick.tick(site.site)
    site.sources.move(10 * SECOND)
    worker.run_job(site.site, f"clock/{game.id}")
    assert state(game).turn == 1
    assert state(game).deadline == deadline + 2 * HOUR + 4 * MINUTE
    for seat in ("a", "b"):
        assert game.send(seat, SOMETHING).status == 200
    assert state(game).turn == 2


def test_in_a_live_game_it_ends_the_game_without_consequence(site: TestSite) -> None:
    game = duel(site, member(site, "Anna"), member(site, "Beth"), pace="blitz")
    game.send("a", SOMETHING)
    tick.tick(site.site)
    site.sources.time = later(state(game).deadline or Instant(0), 10 * MINUTE)
    tick.tick(site.site)
    worker.run_job(site.site, f"clock/{game.id}")
    result = state(game).result
    assert result is not None and (result.winner, result.by) == (None, "outage")
