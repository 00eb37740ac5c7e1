"""A debt is paid from what its member's purse holds: credits may have come in the very moment it was made (P17c)."""

from engine.decisions import Decision, Job
from engine.platform.ledger.moving import collect
from engine.platform.members import MemberId
from functions.acting import act
from functions.pairing import balance
from infra.records import DEBT
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Take what is there for the debt."""
    member = MemberId(job.about["member"])

    def decide() -> Decision[int]:
        return collect(site.store.get(DEBT, member), balance(site, member), site.sources.now())

    act(site, decide)
