"""A duel's wake-up: whatever is due for it now."""

from engine.decisions import Decision, Job
from engine.platform.duels.closing import wake
from functions.acting import act, ground
from infra.records import DUEL
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Close the turn, the ready room or the proposal, if its time has come."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, job.about["duel"])
        return Decision(wake(row.value, row.version, ground(site)).changes, None) if row else Decision((), None)

    act(site, decide)
