"""A siege's wake-up: its opening, or a turn to close."""

from engine.decisions import Job
from functions.sieges import wake
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Open the siege or close its turn, if the time has come."""
    wake(site, job.about["siege"])
