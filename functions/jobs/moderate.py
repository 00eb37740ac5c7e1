"""Carries out what a moderator has decided (P29)."""

from engine.decisions import Job
from functions.effects import carry_out
from infra.records import ACT
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Do what the act asks for, or undo it, as it stands now."""
    row = site.store.get(ACT, job.about["act"])
    if row is not None:
        carry_out(site, row.value)
