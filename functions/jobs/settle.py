"""What follows the end of a duel."""

from engine.decisions import Decision, Job
from engine.platform.duels.settling import settle
from functions.acting import act
from infra.records import DUEL
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Enter the result in the members' lists."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, job.about["duel"])
        return settle(row.value) if row else Decision((), None)

    act(site, decide)
