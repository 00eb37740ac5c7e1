"""Stakes in duels: taken on both sides, won or returned once, and reversed (P17, P17b, P17c)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from engine.decisions import Change, Kept
from engine.errors import Malformed, Problem, Refusal, Scalar
from engine.games import registry
from engine.platform.duels.records import Duel
from engine.platform.ledger.moving import Debts, lend, move, unless_halted
from engine.platform.ledger.records import Debt, Line, Movement, escrow, holder, owed_by, purse
from engine.platform.members import MemberId
from engine.platform.rivalries import WON_FROM_ONE, Rivalry, winnable
from engine.times import DAY, Instant

MOST: Final = 100  # credits
AGE: Final = 7 * DAY
OPPONENTS: Final = 3  # members with whom a duel is finished

Shares = Mapping[MemberId, int]


@dataclass(frozen=True, slots=True)
class Staker:
    """A member who would stake: what the purse holds, since when a member, and how many opponents they have had."""

    member: MemberId
    balance: int
    joined: Instant
    opponents: int


def amount(text: str) -> int:
    """The stake as typed, nothing being none; raises Malformed (`stake_unreadable`, field "stake")."""
    typed = text.strip() or "0"
    if not (typed.isascii() and typed.isdigit() and len(typed) < 4 and int(typed) <= MOST):
        raise Malformed(Problem("stake_unreadable", field="stake", detail={"most": MOST}))
    return int(typed)


def allowed_in(game: str) -> bool:
    """Whether duels of a game may have a stake."""
    return registry.game(game).SPEC.staked


def may_stake(staker: Staker, now: Instant) -> str:
    """Why this member may not stake yet, "" if they may: "stake_young", "stake_new" (P17)."""
    if now < staker.joined + AGE:
        return "stake_young"
    return "stake_new" if staker.opponents < OPPONENTS else ""


def refuse(stake: int, game: str, staker: Staker | None, now: Instant) -> None:
    """Raises Refusal if this member may not put so much into a duel (P17): `stake_game`, `stake_young` (with `until`),
    `stake_new` (with `most` and `n`, those still missing), `credits_short` (with `stake` and `n`, the balance)."""
    if not stake:
        return
    if not allowed_in(game) or staker is None or not 0 < stake <= MOST:
        raise Refusal("stake_game")
    why = may_stake(staker, now)
    if why == "stake_young":
        raise Refusal(why, until=staker.joined + AGE)
    if why:
        raise Refusal(why, most=OPPONENTS, n=OPPONENTS - staker.opponents)
    if staker.balance < stake:
        raise Refusal("credits_short", stake=stake, n=staker.balance)


def refuse_too_much(stake: int, rivalry: Rivalry | None, one: MemberId, other: MemberId, now: Instant) -> None:
    """Raises Refusal(`stake_won`, most=, n=) if either could then win over 100 net of the other in 30 days (P17)."""
    left = max(0, min(winnable(rivalry, one, now), winnable(rivalry, other, now)))
    if stake > left:
        raise Refusal("stake_won", most=WON_FROM_ONE, n=left)


def take(duel: Duel, member: MemberId, now: Instant) -> tuple[Change, ...]:
    """The member's stake, into the duel's escrow."""
    other = duel.opponent(member) or ""
    lines = (Line(purse(member), -duel.stake, other=other), Line(escrow("duel", duel.id), duel.stake))
    return move(f"stake/{duel.id}/{member}", "stake", now, lines, {"duel": duel.id})


def payout(duel: Duel) -> str:
    """The cause of what becomes of a duel's stakes: there is one for each duel (P18)."""
    return f"duel/{duel.id}"


def shares(duel: Duel, superhuman: Collection[MemberId] = ()) -> Shares:
    """Who gets how much of the stakes of a duel that is over (P17, P17b).

    The winner takes both; a draw, no result, linked accounts: each their own. `superhuman` names the members whose
    orders came faster than a human's: the other one takes both, even after losing, unless by forfeit.
    """
    result = duel.result
    own = {p.member: duel.stake for p in duel.members}
    if result is None or not result.counts or duel.unrated_why == "linked" or len(own) < 2:
        return own
    fast = [p for p in duel.members if p.member in superhuman]
    if len(fast) > 1:
        return own
    if fast:
        other = next(p for p in duel.members if p is not fast[0])
        gave_up = result.by == "forfeit" and result.winner == fast[0].seat
        return own if gave_up else {other.member: 2 * duel.stake}
    if result.winner is None:
        return own
    return {next(p.member for p in duel.members if p.seat == result.winner): 2 * duel.stake}


def winner(duel: Duel, parts: Shares) -> MemberId | None:
    """Who has won the other's stake, if anybody has."""
    return next((member for member, credits in parts.items() if credits > duel.stake), None)


def pay(duel: Duel, parts: Shares, debts: Debts, now: Instant) -> tuple[Change, ...]:
    """The stakes out of escrow, unless payouts are stopped."""
    if not duel.stake:
        return ()
    won = winner(duel, parts)
    lines = [Line(escrow("duel", duel.id), -sum(parts.values()))]
    for member, credits in parts.items():
        why = "won" if member == won else "returned"
        lines.append(Line(purse(member), credits, why, duel.opponent(member) or ""))
    cause = payout(duel)
    return (*move(cause, "paid", now, lines, {"duel": duel.id}, debts), unless_halted(cause))


def paid(movement: Movement) -> Shares:
    """Who got how much by a payout, with what their debts absorbed of it or fell to the house once they were gone."""
    parts: dict[MemberId, int] = {}
    for line in movement.lines:
        member = MemberId(line.other) if line.why in ("debt", "gone") else holder(line.account)
        if member:
            parts[member] = parts.get(member, 0) + line.credits
    return parts


@dataclass(frozen=True, slots=True)
class Reversal:
    """Credits that go back from one member to another because a duel was voided, or a voiding undone.

    `cause` is permanent, `balance` what the purse of `of` holds, `owes` what they owe already.
    """

    cause: str
    why: str
    duel: Duel
    of: MemberId
    to: MemberId
    credits: int
    balance: int
    owes: Kept[Debt] | None


def reverse(reversal: Reversal, debts: Debts, now: Instant) -> tuple[Change, ...]:
    """Take what the purse holds; the house completes the other's refund, and the shortfall is a debt (P17c).

    A job that collects (`ledger.moving.collect`) should follow: credits may come in the very same moment.
    """
    taken = min(max(0, reversal.balance), reversal.credits)
    short = reversal.credits - taken
    lines = (
        Line(purse(reversal.of), -taken, f"{reversal.why}_taken", reversal.to),
        Line(owed_by(reversal.of), -short, f"{reversal.why}_lent", reversal.of),
        Line(purse(reversal.to), reversal.credits, f"{reversal.why}_back", reversal.of),
    )
    about: dict[str, Scalar] = {"duel": reversal.duel.id, "short": short}
    moved = move(reversal.cause, reversal.why, now, lines, about, debts)
    return (*moved, *lend(reversal.owes, reversal.of, short), unless_halted(reversal.cause))


def void(duel: Duel, paid: Shares, balance: int, owes: Kept[Debt] | None, number: int) -> Reversal | None:
    """The reversal that returns both stakes of a duel that was paid out as `paid`; None if they were returned (P17c).

    `number` counts the voidings of this duel.
    """
    won = winner(duel, paid)
    if won is None:
        return None
    lost = next(p.member for p in duel.members if p.member != won)
    return Reversal(f"void/{duel.id}/{number}", "void", duel, won, lost, duel.stake, balance, owes)


def pay_again(duel: Duel, paid: Shares, balance: int, owes: Kept[Debt] | None, number: int) -> Reversal | None:
    """The reversal that undoes the `number`th voiding; `balance` and `owes` are the loser's."""
    back = void(duel, paid, balance, owes, number)
    if back is None:
        return None
    return Reversal(f"void/{duel.id}/{number}/undone", "unvoid", duel, back.to, back.of, duel.stake, balance, owes)
