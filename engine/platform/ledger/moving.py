"""Moving credits: changes for a decision, refused by the store if they come twice or an account falls short (P17)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.decisions import Add, Change, Decision, Drop, Hold, Kept, Put, was
from engine.errors import NOTHING, Scalar
from engine.platform.ledger.records import (
    BOOKS,
    HOUSE,
    Account,
    Balance,
    Debt,
    Halt,
    Line,
    Movement,
    Posting,
    holder,
    may_be_negative,
    owed_by,
    part,
    purse,
)
from engine.platform.members import MemberId
from engine.times import Instant

Debts = Mapping[MemberId, Kept[Debt] | None]
NOBODY: Final[Debts] = MappingProxyType({})


def move(
    cause: str,
    why: str,
    at: Instant,
    lines: Iterable[Line],
    about: Mapping[str, Scalar] = NOTHING,
    debts: Debts = NOBODY,
) -> tuple[Change, ...]:
    """The changes that move credits: a movement, its postings, the balances, and debts that absorb what comes (P17c).

    `at` is now: one in the past would stop all payouts if the books are being gone through (`ledger.books`). Lines of
    no credits are left out; without any line there is no change. `debts` must name every member who is credited, with
    what they owe or None: it is held, so that no credits pass a debt that has just been made, or a purse that has just
    been closed: what would come into it falls to the house. ValueError if the lines are not whole numbers that sum to
    zero, one for each account. The store refuses a cause it knows (`Conflict` on the movement) and a purse or escrow
    that would fall below zero (on the balance).
    """
    moved = tuple(line for line in lines if line.credits)
    _check(cause, moved)
    if not moved:
        return ()
    whole, kept, changes = _absorb(moved, debts)
    movement = Movement(cause, why, at, whole, about)
    postings = (
        Posting(x.account, cause, at, x.why or why, x.credits, kept.get(x.account, 0), x.other, about) for x in whole
    )
    floors = {x.account: None if may_be_negative(x.account) or x.credits > 0 else 0 for x in whole}
    return (
        Put(movement, 0),
        *(Put(posting, 0) for posting in postings),
        *(Add(Balance(x.account), x.credits, floors[x.account]) for x in whole),
        *changes,
    )


def unless_halted(cause: str) -> Hold:
    """What every payout holds: nobody has stopped payouts."""
    return Hold(Halt(part(cause), Instant(0), ""), 0)


def halt(why: str, at: Instant, there: Mapping[int, Kept[Halt] | None]) -> tuple[Change, ...]:
    """Stop all payouts, unless they are stopped already; `there` has the stop of each part."""
    return tuple(Put(Halt(number, at, why), 0) for number in range(BOOKS) if there.get(number) is None)


def resume(there: Iterable[Kept[Halt]]) -> tuple[Change, ...]:
    """Let payouts go on."""
    return tuple(Drop(stop.value, stop.version) for stop in there)


def lend(debt: Kept[Debt] | None, member: MemberId, credits: int) -> tuple[Change, ...]:
    """The record of a debt that grows by what the house has laid out for a member (P17c)."""
    if not credits:
        return ()
    before = debt.value if debt else Debt(member, 0, 0)
    grown = replace(before, owed=before.owed + credits, number=before.number + 1)
    return (Put(grown, was(debt)),)


def close_purse(debt: Kept[Debt] | None, member: MemberId) -> tuple[Change, ...]:
    """From now on what would come into this purse falls to the house, however late: its member is gone (P5)."""
    before = debt.value if debt else Debt(member, 0, 0)
    return () if before.gone else (Put(replace(before, gone=True, number=before.number + 1), was(debt)),)


def collect(debt: Kept[Debt] | None, balance: int, at: Instant) -> Decision[int]:
    """Take what a purse holds for the debt: what came in the very moment it was made. The credits taken."""
    taken = min(balance, debt.value.owed) if debt else 0
    if debt is None or taken <= 0:
        return Decision((), 0)
    member = debt.value.member
    lines = (Line(purse(member), -taken), Line(owed_by(member), taken))
    moved = move(f"debt/{member}/{debt.value.number}", "debt", at, lines)
    return Decision((*moved, _less(debt, taken)), taken)


def _check(cause: str, lines: Sequence[Line]) -> None:
    if any(type(line.credits) is not int for line in lines):
        raise ValueError(f"{cause}: not whole credits")
    if sum(line.credits for line in lines):
        raise ValueError(f"{cause}: does not sum to zero")
    if len({line.account for line in lines}) < len(lines):
        raise ValueError(f"{cause}: two lines of one account")


def _absorb(lines: Sequence[Line], debts: Debts) -> tuple[tuple[Line, ...], dict[Account, int], list[Change]]:
    """The lines with what debts absorb taken off, how much by account, and the changes of the debts."""
    whole: list[Line] = []
    fallen: list[Line] = []
    kept: dict[Account, int] = {}
    changes: list[Change] = []
    for line in lines:
        member = holder(line.account)
        if member is None or line.credits < 0:
            whole.append(line)
            continue
        debt = debts[member]
        taken = min(line.credits, debt.value.owed) if debt else 0
        if debt is None or not taken:
            changes.append(Hold(Debt(member, 0, 0), was(debt)))
        else:
            kept[line.account] = taken
            changes.append(_less(debt, taken))
            whole.append(Line(owed_by(member), taken, "debt", member))
        left = replace(line, credits=line.credits - taken)
        if debt is None or not debt.value.gone:
            whole.append(left)
        elif left.credits:
            fallen.append(Line(HOUSE, left.credits, "gone", member))
    return _with_fallen(whole, fallen), kept, changes


def _with_fallen(lines: Sequence[Line], fallen: Sequence[Line]) -> tuple[Line, ...]:
    """The lines with one more of the house's for what falls to it, or with its own grown by that."""
    if not fallen:
        return tuple(lines)
    credits = sum(line.credits for line in fallen)
    own = next((line for line in lines if line.account == HOUSE), None)
    if own is not None:
        return tuple(replace(line, credits=line.credits + credits) if line is own else line for line in lines)
    return (*lines, fallen[0] if len(fallen) == 1 else Line(HOUSE, credits, "gone"))


def _less(debt: Kept[Debt], by: int) -> Change:
    return Put(replace(debt.value, owed=debt.value.owed - by, number=debt.value.number + 1), debt.version)
