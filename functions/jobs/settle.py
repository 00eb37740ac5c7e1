"""What follows the end of a duel."""

from engine.decisions import Decision, Job
from engine.platform.duels.settling import settle
from functions import settlements
from functions.acting import act
from infra.records import DUEL
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Enter the result in the members' lists, then what the game's kind asks for."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, job.about["duel"])
        return settle(row.value) if row else Decision((), None)

    act(site, decide)
    over = site.store.get(DUEL, job.about["duel"])
    if over is not None:
        settlements.settle(site, over.value)
