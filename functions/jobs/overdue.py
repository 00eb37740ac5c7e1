"""A tournament match that goes on beyond its five days is for the moderators to decide (P20)."""

from engine.decisions import Job
from engine.platform.tournaments.playing import late
from functions.fair_play import enter, match_waits
from infra.records import DUEL, TOURNAMENT
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Put the match into the moderators' queue, if it is not decided yet."""
    row, number = site.store.get(TOURNAMENT, job.about["tournament"]), int(job.about["match"])
    if row is None or not late(row.value, number, site.sources.now()):
        return
    duel = site.store.get(DUEL, row.value.matches[number].duel or "")
    if duel is not None:
        enter(site, match_waits(duel.value, late=True, at=site.sources.now()))
