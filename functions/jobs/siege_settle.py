"""What follows the draw and the end of a siege: fees, the pot, the members' lists."""

from engine.decisions import Job
from functions.sieges import settle
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Settle what can be settled by now."""
    settle(site, job.about["siege"])
