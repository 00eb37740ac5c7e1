"""What a mailbox is remembered by: the credits given on signing up, once each, and the accounts it has had (P17)."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Change, Kept, Put, was
from engine.platform.ledger.moving import move
from engine.platform.ledger.records import HOUSE, Line, purse
from engine.platform.members import MemberId
from engine.times import DAY, Instant

GIFT: Final = 100  # credits
REMEMBERED: Final = 365 * DAY  # after an account was deleted
MOST_OWNERS: Final = 100  # of one mailbox, by its tags or one after the other: the latest


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has an account by the mailbox, or had one; `freed` is when it was deleted."""

    member: MemberId
    freed: Instant | None = None

    def remembered(self, now: Instant) -> bool:
        """Whether it is there, or was deleted less than 12 months ago."""
        return self.freed is None or now < self.freed + REMEMBERED


@dataclass(frozen=True, slots=True)
class Gift:
    """A mailbox that has had its credits, by the keyed hash of its address, with its owners, the oldest first.

    Records made before several owners were kept have one, `member`, `freed` when the account was deleted.
    """

    key: str
    owners: tuple[Owner, ...] = ()
    member: MemberId | None = None
    freed: Instant | None = None

    @property
    def had(self) -> tuple[Owner, ...]:
        """Who has had an account by the mailbox, the oldest first."""
        return self.owners or ((Owner(self.member, self.freed),) if self.member else ())

    @property
    def forgotten(self) -> Instant | None:
        """When it need not be remembered any more; None while one of its accounts is there."""
        freed = [owner.freed for owner in self.had if owner.freed is not None]
        return Instant(max(freed) + REMEMBERED) if len(freed) == len(self.had) else None

    def former(self, now: Instant) -> tuple[MemberId, ...]:
        """The accounts deleted less than 12 months ago, the oldest first."""
        return tuple(a.member for a in self.had if a.freed is not None and a.remembered(now))


def gift_key(secret: bytes, address: str) -> str:
    """What a mailbox is remembered by: the same for any case and any +tag; tells nothing without `secret` (P17)."""
    local, _, domain = address.lower().rpartition("@")
    return hmac.digest(secret, f"gift/{local.partition('+')[0]}@{domain}".encode(), hashlib.sha256).hex()


def give(there: Kept[Gift] | None, key: str, member: MemberId, now: Instant) -> tuple[Change, ...]:
    """The changes that remember a new member's mailbox and give them 100 credits; no credits if the mailbox has an
    account, or had one less than 12 months ago."""
    known = tuple(a for a in there.value.had if a.remembered(now)) if there else ()
    remembered = Put(Gift(key, (*known, Owner(member))[-MOST_OWNERS:]), was(there))
    if known:
        return (remembered,)
    lines = (Line(HOUSE, -GIFT), Line(purse(member), GIFT))
    return (remembered, *move(f"gift/{member}", "gift", now, lines, debts={member: None}))


def remember(there: Kept[Gift] | None, member: MemberId, now: Instant) -> tuple[Change, ...]:
    """What the deletion of an account changes: its mailbox is remembered for 12 months more."""
    if there is None or Owner(member) not in there.value.had:
        return ()
    owners = tuple(replace(a, freed=now) if a == Owner(member) else a for a in there.value.had)
    return (Put(Gift(there.value.key, owners), there.version),)
