"""Closes a month, as soon as its last Front is final."""

from typing import Final

from engine.decisions import Decision, Job, Put
from engine.times import MINUTE, later
from functions import seasons
from functions.acting import act
from infra.site import Site

AGAIN: Final = 10 * MINUTE


def run(site: Site, job: Job) -> None:
    """Close the month, or look again in ten minutes."""
    if not seasons.close(site, job.about["month"]):
        again = Job(job.id, later(site.sources.now(), AGAIN), job.task, job.about)
        act(site, lambda: Decision((Put(again, None),), None))
