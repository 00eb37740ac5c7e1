"""The credits given on signing up, once for each mailbox (P17)."""

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
REMEMBERED: Final = 365 * DAY  # after the account was deleted


@dataclass(frozen=True, slots=True)
class Gift:
    """A mailbox that has had its credits, by the keyed hash of its address; `freed` is when the account was deleted."""

    key: str
    member: MemberId
    freed: Instant | None = None


def gift_key(secret: bytes, address: str) -> str:
    """What a mailbox is remembered by: the same for any case and any +tag; tells nothing without `secret` (P17)."""
    local, _, domain = address.lower().rpartition("@")
    return hmac.digest(secret, f"gift/{local.partition('+')[0]}@{domain}".encode(), hashlib.sha256).hex()


def give(there: Kept[Gift] | None, key: str, member: MemberId, now: Instant) -> tuple[Change, ...]:
    """The changes that give a new member 100 credits; none if the mailbox has had them, or its account went less than
    12 months ago."""
    if there is not None and (there.value.freed is None or now < there.value.freed + REMEMBERED):
        return ()
    lines = (Line(HOUSE, -GIFT), Line(purse(member), GIFT))
    return (Put(Gift(key, member), was(there)), *move(f"gift/{member}", "gift", now, lines, debts={member: None}))


def remember(there: Kept[Gift] | None, member: MemberId, now: Instant) -> tuple[Change, ...]:
    """What the deletion of an account changes: the mailbox is remembered for 12 months more."""
    if there is None or there.value.member != member or there.value.freed is not None:
        return ()
    return (Put(replace(there.value, freed=now), there.version),)
