"""Brings a tournament forward: its lapse, its start, its matches."""

from engine.decisions import Job
from engine.errors import Refusal
from functions.tournaments import bring_forward
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Do what the tournament waits for; nothing, if it waits for nothing."""
    try:
        bring_forward(site, job.about["tournament"])
    except Refusal as refusal:
        if refusal.code != "no_such_tournament":
            raise
