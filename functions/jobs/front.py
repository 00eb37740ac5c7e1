"""The end of a Daily Front's day: once its last possible game is over, everything of it is shown (P24, P25)."""

from engine.decisions import Decision, Job
from engine.platform import daily_front
from functions.acting import act
from infra.records import FRONT, FRONT_GAME
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Make the day final, unless a game of it still goes on."""
    day = job.about["day"]

    def decide() -> Decision[None]:
        row = site.store.get(FRONT, day)
        if row is None:
            return Decision((), None)
        running = bool(site.store.query(FRONT_GAME, "running", day, limit=1).rows)
        return daily_front.finish(row, running, site.sources.now())

    act(site, decide)
