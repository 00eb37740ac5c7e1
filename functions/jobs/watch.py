"""Looks whether both players of a live game are still there (L14)."""

from engine.decisions import Decision, Job
from engine.platform.duels.absence import watch
from functions.acting import act, ground
from functions.presence import seen
from infra.records import DUEL
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """End the game that a player has left, or look again later."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, job.about["duel"])
        if row is None:
            return Decision((), None)
        return Decision(watch(row.value, row.version, seen(site, row.value), ground(site)).changes, None)

    act(site, decide)
