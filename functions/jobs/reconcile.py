"""The books are gone through, some accounts at a time."""

from engine.decisions import Job
from functions.reconcile import go_on
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """The next accounts."""
    go_on(site, job.about)
