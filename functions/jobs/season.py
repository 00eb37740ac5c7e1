"""Pays a closed month's prizes."""

from engine.decisions import Job
from functions import seasons
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Pay every prize of the month that has not been paid."""
    seasons.pay(site, job.about["month"])
