"""What a duel's page says of ratings and stakes: before the start, and beside the result (P13, P17)."""

from typing import Any

from engine.games import registry
from engine.platform import rated, stakes
from engine.platform.duels.records import NEVER_BEGUN, Duel, Player
from engine.platform.rivalries import winnable
from engine.times import later
from functions.duel_ratings import KINDS
from functions.duel_stakes import paid_out
from functions.pairing import balance, rivalry, staker, will_be_rated
from functions.web.visit import Visit
from infra.records import RATED

Data = dict[str, Any]


def counted(visit: Visit, duel: Duel, you: Player | None) -> Data:
    """Whether the duel is rated and why not, and what it moved; {} for games that have an answer of their own, and to
    strangers while a secret game runs (P14).

    Before the start that takes four reads at most, after the end one.
    """
    if duel.kind not in KINDS or _secret(duel, you):
        return {}
    if duel.stage in ("proposed", "ready"):
        member = visit.member.id if visit.member else None
        will, why = will_be_rated(visit.site, duel, member, visit.received)
        return {"rated": will is not False, "unrated_why": why, "moved": []}
    if duel.stage == "playing" or duel.result is None or duel.result.by in NEVER_BEGUN:
        return {"rated": bool(duel.rated), "unrated_why": duel.unrated_why, "moved": []}
    row = visit.site.store.get(RATED, duel.id)
    why = row.value.why if row else rated.verdict(duel)
    if row and row.value.undone:
        why = "voided"
    moved = row.value.moved if row and not row.value.undone else ()
    return {
        "rated": not why,
        "unrated_why": why,
        "moved": [{"member": m.member, "points": m.points / 10} for m in moved if m.board == duel.game],
    }


def at_stake(visit: Visit, duel: Duel, you: Player | None) -> Data | None:
    """The duel's stake, and what the reader must know of it: their balance, or what became of it; None without, and to
    strangers while a secret game runs (P14)."""
    if not duel.stake or _secret(duel, you):
        return None
    asked = duel.stage == "proposed" and visit.member is not None and visit.member.id != duel.proposer
    shares = paid_out(visit.site, duel) if duel.stage == "ended" else None
    return {
        "each": duel.stake,
        "balance": balance(visit.site, visit.member.id) if asked and visit.member else None,
        "left": _left(visit, duel) if asked else None,
        "winner": stakes.winner(duel, shares) if shares else None,
        "paid": shares is not None,
    }


def may_stake(visit: Visit) -> Data | None:
    """What the form for a proposal says of the reader's stake: the balance, and why there may be none yet; None to
    who is not signed in. Two reads."""
    if visit.member is None:
        return None
    found = staker(visit.site, visit.member.id)
    return {
        "balance": found.balance,
        "why": stakes.may_stake(found, visit.received),
        "from": later(found.joined, stakes.AGE),
        "missing": max(0, stakes.OPPONENTS - found.opponents),
        "most": stakes.MOST,
    }


def _secret(duel: Duel, you: Player | None) -> bool:
    return you is None and duel.stage in ("ready", "playing") and registry.game(duel.game).SPEC.secret


def _left(visit: Visit, duel: Duel) -> int | None:
    """What each could still win from the other in 30 days, before this duel."""
    if visit.member is None:
        return None
    row = rivalry(visit.site, visit.member.id, duel.proposer)
    pair = (visit.member.id, duel.proposer)
    return max(0, min(winnable(row.value if row else None, one, visit.received) for one in pair))
