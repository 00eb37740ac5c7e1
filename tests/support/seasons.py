"""October, with four members who have places in it, and its closure."""

from pathlib import Path
from typing import Any

from engine.decisions import Decision, Put
from engine.platform.challenge_months import ChallengeMonth
from engine.platform.daily_front import Front, Monthly
from engine.platform.doctrines import Contender
from engine.platform.elo import Rating
from engine.platform.local_days import begins
from engine.platform.members import MemberId
from engine.platform.ratings.records import Board, Standing
from engine.times import DAY, Instant
from functions import nightly
from infra.records import SEASON
from tests.support.duelling import member, run_due
from tests.support.site import TestSite, site_in

MONTH = "2026-10"  # the clocks go back on the 25th
END = begins("2026-11-01", "Europe/Paris")
NAMES = ("Anna", "Beth", "Chris", "Dora")


def october(folder: Path) -> TestSite:
    """A site at the month's beginning, with what its members will have reached in it: Anna first, then Beth…"""
    site = site_in(folder)
    site.sources.time = Instant(END - 30 * DAY)
    for name in NAMES:
        member(site, name)
    rows: list[Any] = []
    for n, name in enumerate(NAMES):
        id = MemberId(name.lower())
        joined = Instant(END - 30 * DAY)
        rows.append(Standing(id, Board("feinthold"), MONTH, joined, Rating(10_400 - 100 * n), Rating(10_000), won=8))
        rows.append(ChallengeMonth(MONTH, id, joined, None, Rating(10_000 + n), 8))
        rows.append(Monthly(MONTH, id, joined, points=3 * n, won=n, days=8))
    rows.append(ChallengeMonth(MONTH, MemberId("beth:1"), joined, MemberId("beth"), Rating(11_000), 10))
    opened = (Instant(END - 20 * DAY),)
    rows.append(Contender(MemberId("beth:1"), MemberId("beth"), "Hammer", published=True, switched=opened))
    site.site.store.commit(Decision(tuple(Put(row, 0) for row in rows), None))
    return site


def front(site: TestSite, final: Instant | None) -> None:
    """The month's last Front, final since then or not yet."""
    day = Front("2026-10-31", 1, "a", "ram", 1, "00", Instant(END - DAY), END, final)
    site.site.store.commit(Decision((Put(day, None),), None))


def closed(site: TestSite) -> Any:
    """The season as closed, None before."""
    row = site.site.store.get(SEASON, MONTH)
    return row.value if row else None


def night(site: TestSite, at: Instant) -> None:
    """It is now this instant: what the night begins is done."""
    site.sources.time = at
    nightly.nightly(site.site)
    run_due(site)
