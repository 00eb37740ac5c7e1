"""The end of a Daily Front's day: once its last possible game is over, everything of it is shown (P24, P25)."""

from typing import Final

from engine.decisions import Decision, Job
from engine.platform import daily_front
from engine.platform.daily_front import FrontGame
from engine.platform.unsettled import holds_up
from functions.acting import act
from infra.records import FRONT, FRONT_GAME, JOB
from infra.site import Site

LOOKED_AT: Final = 50  # games that go on, to tell whether all of them have failed for good


def run(site: Site, job: Job) -> None:
    """Make the day final, unless a game of it still goes on.

    One that failed for good is waited for as long as moderators may see to it.
    """
    day = job.about["day"]

    def decide() -> Decision[None]:
        row = site.store.get(FRONT, day)
        if row is None:
            return Decision((), None)
        page = site.store.query(FRONT_GAME, "running", day, limit=LOOKED_AT)
        parked = [_parked(site, game.value) for game in page.rows]
        now = site.sources.now()
        waits = bool(page.after) or any(job is None or holds_up(job, row.value.closes, now) for job in parked)
        return daily_front.finish(row, waits, now, slowly=bool(parked) and None not in parked)

    act(site, decide)


def _parked(site: Site, game: FrontGame) -> Job | None:
    """The job of a game that failed too often, so that the game can't go on by itself; two reads."""
    for id in (f"settle/{game.game}", f"clock/{game.game}"):
        row = site.store.get(JOB, id)
        if row is not None and row.value.parked:
            return row.value
    return None
