"""Whether the books balance: every balance is the sum of its postings, and all postings sum to zero (P17)."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.platform.ledger.records import Account, may_be_negative
from engine.times import MINUTE, Instant

UNDER_WAY: Final = 10 * MINUTE  # movements made so lately may still be on their way into the store

Wrong = Literal["balance", "negative", "debt", "total"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not balance: an account (blank: all together), how, what the balance is and what it should be."""

    account: str
    wrong: Wrong
    is_: int
    should_be: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How far a reconciliation has come: accounts and postings seen, and the sum of those made until `upto`."""

    upto: Instant
    accounts: int = 0
    postings: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Audited:
    """One account as it was read: its balance, what its postings sum to, how many, and the sum of those until then."""

    account: Account
    balance: int
    postings: int
    total: int
    upto: int


def counted(tally: Tally, seen: Audited) -> Tally:
    """The tally with one more account."""
    return replace(
        tally,
        accounts=tally.accounts + 1,
        postings=tally.postings + seen.postings,
        total=tally.total + seen.upto,
    )


def judged(seen: Audited) -> Finding | None:
    """What is wrong with an account whose balance stood still while its postings were read."""
    if seen.balance != seen.total:
        return Finding(seen.account, "balance", seen.balance, seen.total)
    if seen.balance < 0 and not may_be_negative(seen.account):
        return Finding(seen.account, "negative", seen.balance, 0)
    if seen.balance > 0 and seen.account.startswith("debt/"):
        return Finding(seen.account, "debt", seen.balance, 0)
    return None


def closed(tally: Tally) -> Finding | None:
    """What is wrong with all accounts together: movements are whole, so that their postings sum to zero."""
    return Finding("", "total", tally.total, 0) if tally.total else None
