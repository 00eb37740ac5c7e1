"""Announcing a siege, entering and leaving it before it opens (T1, P21b)."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.decisions import Change, Decision, Drop, Put
from engine.errors import Malformed, Problem, Refusal
from engine.games import registry
from engine.platform.ledger.moving import Debts, move, unless_halted
from engine.platform.ledger.records import HOUSE, Account, Line, escrow, purse
from engine.platform.members import MemberId
from engine.platform.sieges import notices
from engine.platform.sieges.records import (
    LATEST_OPENING,
    LONGEST_NAME,
    MOST_FEE,
    SOONEST_OPENING,
    Entry,
    Player,
    Siege,
    SiegeId,
)
from engine.times import HOUR, Instant, later


@dataclass(frozen=True, slots=True)
class Announce:
    """A member announces a siege and is the first to enter. `request` names the form."""

    member: MemberId
    game: str
    name: str
    seats: int
    pace: str
    zone: str
    fee: int
    opens: Instant
    request: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who would enter: what the purse holds, whether ratings are frozen, and who is not to sit with them.

    `linked` accounts (P28) and members `blocked` by either side (P5b).
    """

    member: MemberId
    balance: int
    frozen: bool = False
    linked: Collection[MemberId] = field(default=())
    blocked: Collection[MemberId] = field(default=())


def siege_id(command: Announce) -> SiegeId:
    """The id of the siege that this command announces: the same for the same request."""
    return SiegeId(hashlib.sha256(f"siege/{command.member}/{command.request}".encode()).hexdigest()[:16])


def announce(
    command: Announce, entrant: Entrant, there: Siege | None, seed: bytes, counted: tuple[Change, ...], now: Instant
) -> Decision[Siege]:
    """Announce a siege. Raises Malformed with every problem of the form; refused as `join` is.

    Problems: `title_missing`, `title_long`, `game_unknown`, `seats_unknown`, `turns_unknown`, `zone_unknown`,
    `fee_unreadable`, `opening_unfit`. `counted` is what counts the announcement.
    """
    if there is not None:
        return Decision((), there)
    problems = tuple(_problems(command, now))
    if problems:
        raise Malformed(*problems)
    siege = Siege(
        siege_id(command),
        command.game,
        " ".join(command.name.split()),
        command.member,
        command.seats,
        command.pace,
        command.zone,
        command.fee,
        now,
        command.opens,
        seed.hex(),
        (Player(command.member, now),),
        moves=1,
    )
    _refuse(siege, entrant, ())
    changes = (Put(siege, 0), *_enter(siege, command.member, 0, now), *counted)
    return Decision((*changes, Put(notices.clock(siege.id, siege.opens), None)), siege)


def join(siege: Siege, was: int, entrant: Entrant, now: Instant) -> Decision[Siege]:
    """Take a seat and pay the fee into escrow.

    Refused: `siege_closed`, `siege_full`, `frozen`, `linked_entrant`, `blocked_entrant`, `credits_short`.
    """
    if siege.player(entrant.member) is not None:
        return Decision((), siege)
    if siege.stage != "open" or now >= siege.opens:
        raise Refusal("siege_closed")
    if siege.full:
        raise Refusal("siege_full")
    _refuse(siege, entrant, siege.members)
    joined = replace(siege, players=(*siege.players, Player(entrant.member, now)), moves=siege.moves + 1)
    return Decision((Put(joined, was), *_enter(siege, entrant.member, siege.moves, now)), joined)


def withdraw(siege: Siege, was: int, member: MemberId, debts: Debts, now: Instant) -> Decision[Siege]:
    """Give the seat up before the opening; the fee comes back, unless payouts are stopped. Refused: `siege_closed`.

    A siege that nobody is left in is cancelled.
    """
    if siege.player(member) is None:
        return Decision((), siege)
    if siege.stage != "open":
        raise Refusal("siege_closed")
    players = tuple(p for p in siege.players if p.member != member)
    left = replace(siege, players=players, moves=siege.moves + 1)
    gone: tuple[Change, ...] = ()
    if not players:
        left = replace(left, stage="cancelled", ended=now)
        gone = (Drop(notices.clock(siege.id, now), None),)
    back = fees_back(siege, f"siege/{siege.id}/left/{member}/{siege.moves}", (member,), (), debts, now)
    return Decision((Put(left, was), *back, Drop(Entry(member, siege.id, now), None), *gone), left)


def cancel(siege: Siege, was: int, now: Instant) -> Decision[Siege]:
    """Too few have come: the siege is off, everybody is told, and a job gives the fees back."""
    cancelled = replace(siege, stage="cancelled", ended=now, deadline=None, awaits=())
    letters = tuple(Put(notices.told(cancelled, m, "siege_cancelled", now), None) for m in cancelled.members)
    return Decision((Put(cancelled, was), Put(notices.settle(siege.id, now), None), *letters), cancelled)


def pot(siege: Siege) -> Account:
    """Where the fees wait."""
    return escrow("tournament", siege.id)


def payout(siege: Siege) -> str:
    """The cause of what becomes of the pot: there is one for each siege (P18)."""
    return f"siege/{siege.id}"


def about(siege: Siege) -> dict[str, str]:
    """What a statement says of its movements."""
    return {"siege": siege.id, "name": siege.name}


def fees_back(
    siege: Siege, cause: str, members: Iterable[MemberId], gone: Collection[MemberId], debts: Debts, now: Instant
) -> tuple[Change, ...]:
    """The fees of these members out of escrow; of members who are `gone` they fall to the house (P5)."""
    owners = tuple(members)
    lost = sum(member in gone for member in owners)
    lines = [Line(pot(siege), -siege.fee * len(owners))]
    lines += [Line(purse(member), siege.fee) for member in owners if member not in gone]
    lines += [Line(HOUSE, siege.fee * lost)]
    moved = move(cause, "fee_back", now, lines, about(siege), debts)
    return (*moved, unless_halted(cause)) if moved else ()


def _enter(siege: Siege, member: MemberId, number: int, now: Instant) -> tuple[Change, ...]:
    lines = (Line(purse(member), -siege.fee), Line(pot(siege), siege.fee))
    paid = move(f"siege/{siege.id}/fee/{member}/{number}", "fee", now, lines, about(siege))
    return (*paid, Put(Entry(member, siege.id, now), None))


def _refuse(siege: Siege, entrant: Entrant, others: Collection[MemberId]) -> None:
    if entrant.frozen:
        raise Refusal("frozen")
    if any(member in entrant.linked for member in others):
        raise Refusal("linked_entrant")
    if any(member in entrant.blocked for member in others):
        raise Refusal("blocked_entrant")
    if entrant.balance < siege.fee:
        raise Refusal("credits_short", stake=siege.fee, n=entrant.balance)


def _problems(command: Announce, now: Instant) -> Iterable[Problem]:
    name = " ".join(command.name.split())
    if not name:
        yield Problem("title_missing", field="name")
    elif len(name) > LONGEST_NAME or not name.isprintable():
        yield Problem("title_long", field="name", detail={"most": LONGEST_NAME})
    if command.game not in registry.FORUMS:
        yield Problem("game_unknown", field="game")
        return
    spec = registry.game(command.game).SPEC
    if not spec.fewest <= command.seats <= len(spec.seats):
        yield Problem("seats_unknown", field="seats", detail={"fewest": spec.fewest, "most": len(spec.seats)})
    if command.pace not in spec.paces:
        yield Problem("turns_unknown", field="pace")
    if not _is_zone(command.zone):
        yield Problem("zone_unknown", field="zone", detail={"zone": command.zone})
    if not 0 <= command.fee <= MOST_FEE:
        yield Problem("fee_unreadable", field="fee", detail={"most": MOST_FEE})
    if not later(now, SOONEST_OPENING) <= command.opens <= later(now, LATEST_OPENING):
        detail = {"hours": SOONEST_OPENING // HOUR, "days": LATEST_OPENING // (24 * HOUR)}
        yield Problem("opening_unfit", field="opens", detail=detail)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
