"""Creating a tournament, joining and leaving it while it is open, and its lapse (P19)."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace

from engine.decisions import Add, Change, Decision, Drop, Job, Put
from engine.errors import Malformed, Problem, Refusal
from engine.platform.ledger.moving import Debts, move, unless_halted
from engine.platform.ledger.records import Line, escrow, purse
from engine.platform.members import MemberId
from engine.platform.tournaments.records import (
    MOST_FEE,
    MOST_OPEN,
    OPEN_LASTS,
    SIZES,
    Entry,
    OpenCups,
    Tournament,
    TournamentId,
)
from engine.times import DAY, Instant, later


@dataclass(frozen=True, slots=True)
class Create:
    """A member opens a tournament and is its first entrant. `request` names the form."""

    member: MemberId
    size: int
    fee: int
    request: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who would enter: what the purse holds, whether ratings are frozen, and the accounts linked to this one.

    `opened`: how many open tournaments of theirs there are already.
    """

    member: MemberId
    balance: int
    frozen: bool = False
    linked: Collection[MemberId] = ()
    opened: int = 0


def tournament_id(command: Create) -> TournamentId:
    """The id of the tournament that this command opens: the same for the same request."""
    return TournamentId(hashlib.sha256(f"tournament/{command.member}/{command.request}".encode()).hexdigest()[:16])


def create(command: Create, entrant: Entrant, there: Tournament | None, now: Instant) -> Decision[Tournament]:
    """Open a tournament for a week. Raises Malformed (`size_unknown`, `fee_unreadable`).

    Refused as `join` is, and `too_many_tournaments` (with the `most` that one may have open).
    """
    if there is not None:
        return Decision((), there)
    if command.size not in SIZES:
        raise Malformed(Problem("size_unknown", field="size"))
    if not 0 <= command.fee <= MOST_FEE:
        raise Malformed(Problem("fee_unreadable", field="fee", detail={"most": MOST_FEE}))
    if entrant.opened >= MOST_OPEN:
        raise Refusal("too_many_tournaments", most=MOST_OPEN)
    id, entrants = tournament_id(command), (command.member,)
    opened = Tournament(id, command.member, command.size, command.fee, now, entrants, counted=True)
    _refuse(opened, entrant, others=())
    counted = Add(OpenCups(opened.creator), -1, -MOST_OPEN)
    changes = (Put(opened, 0), *_enter(opened, command.member, now), Put(_lapse_job(opened), None), counted)
    return Decision(changes, opened)


def join(tournament: Tournament, was: int, entrant: Entrant, now: Instant) -> Decision[Tournament]:
    """Take a place and pay the fee into escrow.

    The last place filled asks for the start (job `bracket`). Refused: `tournament_closed`, `frozen`, `linked_entrant`,
    `credits_short`.
    """
    if entrant.member in tournament.entrants:
        return Decision((), tournament)
    if tournament.stage != "open" or tournament.full:
        raise Refusal("tournament_closed")
    _refuse(tournament, entrant, tournament.entrants)
    joined = replace(tournament, entrants=(*tournament.entrants, entrant.member), moves=tournament.moves + 1)
    changes: list[Change] = [Put(joined, was), *_enter(joined, entrant.member, now)]
    if joined.full:
        changes.append(Put(bracket_job(joined.id, now), None))
    return Decision(tuple(changes), joined)


def leave(tournament: Tournament, was: int, member: MemberId, debts: Debts, now: Instant) -> Decision[Tournament]:
    """Give the place up before the start; the fee comes back, unless payouts are stopped. Refused: `tournament_closed`.

    The tournament that its last entrant leaves is cancelled.
    """
    if member not in tournament.entrants:
        return Decision((), tournament)
    if tournament.stage != "open" or tournament.full:
        raise Refusal("tournament_closed")
    others = tuple(m for m in tournament.entrants if m != member)
    left = replace(tournament, entrants=others, moves=tournament.moves + 1)
    over: tuple[Change, ...] = ()
    if not left.entrants:
        left, over = replace(left, stage="cancelled", ended=now), no_longer_open(left)
    cause = f"tournament/{tournament.id}/left/{left.moves}"
    lines = (Line(escrow("tournament", tournament.id), -tournament.fee), Line(purse(member), tournament.fee))
    back = move(cause, "fee_back", now, lines, {"tournament": tournament.id}, debts)
    held = (unless_halted(cause),) if back else ()
    return Decision((Put(left, was), *back, *held, Drop(Entry(member, tournament.id, now), None), *over), left)


def lapse(tournament: Tournament, was: int, debts: Debts, now: Instant) -> Decision[Tournament]:
    """A tournament not full after a week is cancelled, and all fees come back; earlier, nothing happens."""
    if tournament.stage != "open" or tournament.full or now < tournament.created + OPEN_LASTS:
        return Decision((), tournament)
    cancelled = replace(tournament, stage="cancelled", ended=now)
    jobs = tuple(Put(letter(cancelled, member, "cup_cancelled", now), None) for member in cancelled.entrants)
    changes = (Put(cancelled, was), *fees_back(cancelled, debts, now), *no_longer_open(cancelled), *jobs)
    return Decision(changes, cancelled)


def no_longer_open(tournament: Tournament) -> tuple[Change, ...]:
    """What makes room for another of its creator's, once it has started or is cancelled."""
    return (Add(OpenCups(tournament.creator), 1),) if tournament.counted else ()


def fees_back(tournament: Tournament, debts: Debts, now: Instant) -> tuple[Change, ...]:
    """Every entrant's fee out of escrow: the tournament's one payout when it has no champion (P18, P20)."""
    if not tournament.fee:
        return ()
    cause = payout(tournament)
    lines = [Line(escrow("tournament", tournament.id), -tournament.fee * len(tournament.entrants))]
    lines += [Line(purse(member), tournament.fee) for member in tournament.entrants]
    moved = move(cause, "fee_back", now, lines, {"tournament": tournament.id}, debts)
    return (*moved, unless_halted(cause))


def payout(tournament: Tournament) -> str:
    """The cause of what becomes of the pot: there is one for each tournament (P18)."""
    return f"tournament/{tournament.id}"


def bracket_job(tournament: TournamentId, now: Instant) -> Job:
    """What brings the bracket forward: the start, the games to be made, the end."""
    return Job(f"bracket/{tournament}", now, "bracket", {"tournament": tournament})


def letter(tournament: Tournament, to: MemberId, notice: str, now: Instant) -> Job:
    """A mail about the tournament to one of its entrants, for a week."""
    about = {"notice": notice, "tournament": tournament.id, "to": to}
    return Job(f"mail/{tournament.id}/{to}/{notice}", now, "mail", about, until=later(now, 7 * DAY))


def _refuse(tournament: Tournament, entrant: Entrant, others: Collection[MemberId]) -> None:
    if entrant.frozen:
        raise Refusal("frozen")
    if any(member in entrant.linked for member in others):
        raise Refusal("linked_entrant")
    if entrant.balance < tournament.fee:
        raise Refusal("credits_short", stake=tournament.fee, n=entrant.balance)


def _enter(tournament: Tournament, member: MemberId, now: Instant) -> tuple[Change, ...]:
    lines = (Line(purse(member), -tournament.fee), Line(escrow("tournament", tournament.id), tournament.fee))
    cause = f"tournament/{tournament.id}/fee/{tournament.moves}"
    paid = move(cause, "fee", now, lines, {"tournament": tournament.id})
    return (*paid, Put(Entry(member, tournament.id, now), None))


def _lapse_job(tournament: Tournament) -> Job:
    due = later(tournament.created, OPEN_LASTS)
    return Job(f"lapse/{tournament.id}", due, "bracket", {"tournament": tournament.id})
