"""Looks whether a browser's use links accounts (P28)."""

from engine.decisions import Job
from functions import linking
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Link what is to be linked; accounts that moderators have unlinked stay so."""
    linking.look(site, str(job.about["browser"]))
