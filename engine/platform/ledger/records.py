"""What is kept of credits: accounts with their balances, movements, and each account's postings (P17)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NewType

from engine.errors import NOTHING, Scalar
from engine.platform.members import MemberId
from engine.times import Instant

Account = NewType("Account", str)

HOUSE: Final = Account("house")
BOOKS: Final = 8  # parts in which the accounts are listed, and copies of the stop of all payouts


def purse(member: MemberId) -> Account:
    """A member's own account."""
    return Account(f"member/{member}")


def escrow(of: Literal["duel", "tournament"], id: str) -> Account:
    """Where a duel's stakes or a tournament's fees wait for its end."""
    return Account(f"escrow/{of}/{id}")


def owed_by(member: MemberId) -> Account:
    """What a member owes the house, below zero (P17c)."""
    return Account(f"debt/{member}")


def holder(account: Account) -> MemberId | None:
    """Whose purse it is, if it is one."""
    kind, _, member = account.partition("/")
    return MemberId(member) if kind == "member" else None


def may_be_negative(account: Account) -> bool:
    """Whether the account may fall below zero: the house's may, and what the house lends out."""
    return account == HOUSE or account.startswith("debt/")


def part(text: str) -> int:
    """In which of the `BOOKS` parts something stands: the same for the same text, always."""
    return sum(text.encode()) % BOOKS


@dataclass(frozen=True, slots=True)
class Line:
    """What a movement does to one account: credits in, or out if below zero.

    `why` is told on the account's statement (of the movement, if blank), with the `other` member it is about.
    """

    account: Account
    credits: int
    why: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Movement:
    """Credits moved, once for its cause, which is permanent and made of nothing that is recomputed (P17)."""

    cause: str
    why: str
    at: Instant
    lines: tuple[Line, ...]
    about: Mapping[str, Scalar] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Posting:
    """A movement on one account's statement. `kept` is what a debt has absorbed of the credits that came (P17c)."""

    account: Account
    cause: str
    at: Instant
    why: str
    credits: int
    kept: int = 0
    other: str = ""
    about: Mapping[str, Scalar] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Balance:
    """A counter: the credits on an account."""

    account: Account

    @property
    def book(self) -> int:
        """The part in which the account is listed."""
        return part(self.account)


@dataclass(frozen=True, slots=True)
class Debt:
    """What a member owes the house; `number` counts the times it has changed, so that each has a name.

    `gone`: the account is deleted, and what would come into the purse falls to the house (P5).
    """

    member: MemberId
    owed: int
    number: int
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Halt:
    """No payouts any more: the books did not balance. One for each part, so that payouts do not wait for each other."""

    part: int
    at: Instant
    why: str
