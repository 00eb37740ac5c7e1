"""What follows the draw and the end: fees, the pot with its honours, the members' lists (P18, P21b)."""

from collections.abc import Collection, Mapping, Sequence

from engine.decisions import Change, Decision, Put
from engine.platform.ledger.moving import Debts, move, unless_halted
from engine.platform.ledger.records import Line, purse
from engine.platform.members import MemberId
from engine.platform.sieges.entering import about, fees_back, payout, pot
from engine.platform.sieges.records import Entry, Siege
from engine.times import Instant


def absent_cause(siege: Siege) -> str:
    """The cause under which those who never began have their fees back."""
    return f"siege/{siege.id}/absent"


def absentees(siege: Siege) -> tuple[MemberId, ...]:
    """Who entered and never began, once that is known: their fee comes back."""
    begun = siege.turn > 0 or siege.stage in ("ended", "cancelled")
    return tuple(p.member for p in siege.players if not p.began) if begun else ()


def give_back(siege: Siege, debts: Debts, gone: Collection[MemberId], now: Instant) -> Decision[None]:
    """The fees of those who did not prepare; everybody's after a cancellation. To be done once for its cause."""
    if siege.started is None and siege.ended is None:
        return Decision((), None)
    return Decision(fees_back(siege, absent_cause(siege), absentees(siege), gone, debts, now), None)


def pay(siege: Siege, debts: Debts, gone: Collection[MemberId], now: Instant) -> Decision[None]:
    """The pot of a siege that was played, to be done once for its cause (P18, P21b).

    Equal parts to the honours, one that nobody has to the others; within an honour equal shares, the remainder to the
    earlier entry. Members who are `gone` get no prize (P5). Not one shot in the whole game: everybody's fee comes back.
    """
    began = tuple(p for p in siege.players if p.began)
    if siege.result is None or siege.ended is None or not began:
        return Decision((), None)
    won = prizes(siege, gone)
    if not won:
        members = tuple(p.member for p in began)
        return Decision(fees_back(siege, payout(siege), members, gone, debts, now), None)
    total = siege.fee * len(began)
    lines = [Line(pot(siege), -total), *(Line(purse(member), credits) for member, credits in won.items())]
    moved = move(payout(siege), "pot", now, lines, about(siege), debts)
    return Decision((*moved, unless_halted(payout(siege))) if moved else (), None)


def prizes(siege: Siege, gone: Collection[MemberId] = ()) -> Mapping[MemberId, int]:
    """What each honoured member gets of the pot; nothing to anybody if no shot was fired in the whole game."""
    began = tuple(p for p in siege.players if p.began)
    if siege.result is None or not any(p.shots for p in began):
        return {}
    honours = [
        winners
        for seats in siege.result.honours.values()
        if (winners := [p for p in siege.players if p.seat in seats and p.member not in gone])
    ]
    won: dict[MemberId, int] = {}
    for part, winners in zip(_parts(siege.fee * len(began), len(honours)), honours, strict=True):
        for player, share in zip(winners, _parts(part, len(winners)), strict=True):
            won[player.member] = won.get(player.member, 0) + share
    return won


def listed(siege: Siege) -> tuple[Change, ...]:
    """The siege among those that are over, in every member's list."""
    if siege.ended is None:
        return ()
    return tuple(Put(Entry(p.member, siege.id, siege.ended, over=True), None) for p in siege.players)


def _parts(total: int, number: int) -> Sequence[int]:
    """The total in equal whole parts, the remainder to the first; none of nothing."""
    if not number:
        return ()
    share = total // number
    return (total - share * (number - 1), *[share] * (number - 1))
