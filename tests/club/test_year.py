"""Ten weeks of a small club keep every promise; a year of a large one is `make year`."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.decisions import Add, Decision, Drop, Job, Put
from engine.platform.ledger.records import Balance, purse
from engine.platform.local_days import Day, following
from engine.times import DAY, later
from infra.records import STANDING
from tests.club.year import checks
from tests.club.year.club import FIRST, YearClub
from tests.club.year.year import live, simulate
from tests.sim.judge import Broken

BEFORE_SUMMER_TIME: Day = "2027-02-01"
TODAY: Day = following(FIRST, 8)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[YearClub]:
    """A small club, eight days old."""
    with quiet():
        yield live(tmp_path_factory.mktemp("club"), 20, 8, seed=2)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """The site's own log goes nowhere."""
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


def test_ten_weeks_with_two_closures_and_a_change_of_the_clocks_keep_every_promise() -> None:
    with quiet():
        year = simulate(20, 70, 1, BEFORE_SUMMER_TIME).figures
    assert (year["fronts"], year["closures"]) == (70, 2)
    assert year["prizes"] and year["crashes"] and year["mails"]
    assert min(year[what] for what in ("duels", "front games", "challenges", "cups", "sieges", "acts")) > 1


def test_the_same_seed_lives_the_same_days() -> None:
    with quiet():
        one, other = (simulate(8, 4, 5) for _ in range(2))
    assert one.details == other.details


def test_credits_from_nowhere_are_noticed(club: YearClub) -> None:
    member = club.members[0]
    club.world.truth.commit(Decision((Add(Balance(purse(member)), 1),), None))
    with pytest.raises(Broken, match="the books sum to 1"):
        checks.daily(club, TODAY)
    with pytest.raises(AssertionError, match=member):
        checks.fully(club)
    club.world.truth.commit(Decision((Add(Balance(purse(member)), -1),), None))


def test_a_job_that_nobody_runs_is_noticed(club: YearClub) -> None:
    job = Job("nobody runs it", later(club.now, -DAY), "clock", {"duel": ""})
    club.world.truth.commit(Decision((Put(job, 0),), None))
    with pytest.raises(Broken, match="overdue"):
        checks.daily(club, TODAY)
    club.world.truth.commit(Decision((Drop(job, None),), None))


def test_a_day_with_two_fronts_or_none_is_noticed(club: YearClub) -> None:
    day = following(FIRST)
    checks.front(club, day)
    for made in (0, 2):
        club.chronicle.fronts[day] = made
        with pytest.raises(Broken, match=f"{made} Fronts"):
            checks.front(club, day)
    club.chronicle.fronts[day] = 1


def test_a_rating_that_its_records_do_not_make_is_noticed(club: YearClub) -> None:
    store = club.world.truth
    rows = [row for member in club.members for row in store.query(STANDING, "", member, limit=1).rows]
    before = rows[0].value
    store.commit(Decision((Put(type(before)(before.member, before.board, before.month, before.joined), None),), None))
    with pytest.raises(AssertionError):
        checks.fully(club)
    store.commit(Decision((Put(before, None),), None))
