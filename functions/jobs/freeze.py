"""After ratings were frozen: proposals withdrawn, duels ended without result, matches forfeited (P21, P29)."""

from typing import Any

from engine.decisions import Decision, Job
from engine.platform.duels.closing import end
from engine.platform.duels.records import Duel, Result
from engine.times import Instant
from functions import tournaments
from functions.winding_up import go_on
from infra.records import MEMBER
from infra.site import Site
from infra.store import Row


def run(site: Site, job: Job) -> None:
    """End the next twenty things; nothing, if the ratings move again meanwhile or another act froze them."""
    member = site.store.get(MEMBER, job.about["member"])
    if member is None or member.value.frozen is None or member.value.frozen_by != job.about["act"]:
        return
    go_on(site, job, lambda row, frozen, now: _end(site, row, now))


def _end(site: Site, row: Row[Duel], now: Instant) -> Decision[Any]:
    """Games against doctrines go on, and count for nothing."""
    duel = row.value
    if duel.stage not in ("ready", "playing") or duel.kind not in ("duel", "match"):
        return Decision((), None)
    if duel.kind == "duel":
        return end(duel, row.version, Result(None, "stopped"), now)
    return tournaments.forfeit(site, row, now)
