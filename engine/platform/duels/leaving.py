"""Abandoning, and asking for another game (P12, P14b)."""

import hashlib

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.duels.closing import end
from engine.platform.duels.records import Duel, DuelId, Result
from engine.platform.members import MemberId
from engine.times import Instant


def abandon(duel: Duel, was: int, member: MemberId, now: Instant) -> Decision[Duel]:
    """Leave the game: a loss by forfeit, or no result if no orders were ever sent and it is no match (P12).

    Refused: `not_playing`, `game_over`.
    """
    player = duel.player(member)
    if player is None:
        raise Refusal("not_playing")
    if duel.stage == "ended" and duel.result in (Result(_other(duel, member), "forfeit"), Result(None, "cancelled")):
        return Decision((), duel)
    if duel.stage not in ("ready", "playing"):
        raise Refusal("game_over")
    begun = duel.kind == "match" or any(p.sheets or (p.sheet and p.sheet.by == "member") for p in duel.players)
    result = Result(_other(duel, member), "forfeit") if begun else Result(None, "cancelled")
    return end(duel, was, result, now)


def rematch_request(duel: DuelId, time: int = 0) -> str:
    """The request of the rematch of this duel: each player's is one proposal, however often it is asked for.

    `time` counts those that came to nothing before it.
    """
    name = f"{duel}/{time}" if time else duel
    return "rematch/" + hashlib.sha256(name.encode()).hexdigest()[:12]


def _other(duel: Duel, member: MemberId) -> str | None:
    return next((p.seat for p in duel.players if p.member != member), None)
