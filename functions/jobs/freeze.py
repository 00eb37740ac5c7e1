"""After ratings were frozen: proposals withdrawn, duels ended without result, matches forfeited (P21, P29)."""

from typing import Any

from engine.decisions import Decision, Job, Put
from engine.platform.duels.closing import end
from engine.platform.duels.records import Duel, Result
from engine.platform.members import MemberId
from engine.platform.moderation.records import ActId, Forfeit
from engine.times import Instant
from functions.winding_up import go_on
from infra.records import MEMBER
from infra.site import Site
from infra.store import Row


def run(site: Site, job: Job) -> None:
    """End the next twenty things; nothing, if the ratings move again meanwhile."""
    member = site.store.get(MEMBER, job.about["member"])
    if member is None or member.value.frozen is None:
        return
    go_on(site, job, lambda row, frozen, now: _end(row, frozen, ActId(job.about["act"]), now))


def _end(row: Row[Duel], frozen: MemberId, act: ActId, now: Instant) -> Decision[Any]:
    """Games against doctrines go on, and count for nothing."""
    duel = row.value
    if duel.stage not in ("ready", "playing") or duel.kind not in ("duel", "match"):
        return Decision((), None)
    if duel.kind == "duel":
        return end(duel, row.version, Result(None, "stopped"), now)
    winner = next((p.seat for p in duel.players if p.member != frozen), None)
    ended = end(duel, row.version, Result(winner, "forfeit"), now)
    return Decision((*ended.changes, Put(Forfeit(act, duel.id), None)), None)
