"""Members' rights: leaving for good (P5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.decisions import Change, Decision, Drop, Job, Kept, Put
from engine.errors import Refusal
from engine.platform.gifts import Gift, remember
from engine.platform.ledger.moving import move
from engine.platform.ledger.records import HOUSE, Line, purse
from engine.platform.members import Mailbox, Member, MemberId
from engine.platform.names import Name, free
from engine.times import MINUTE, Instant

FRESH: Final = 10 * MINUTE  # how long ago a sign-in may be


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of who a member is: the mailbox, its gift, and who holds the forms of the name."""

    mailbox: Kept[Mailbox] | None
    gift: Kept[Gift] | None
    forms: Iterable[str]
    held: Mapping[str, Kept[Name] | None]


def is_fresh(started: Instant, now: Instant, lasts: int = FRESH) -> bool:
    """Whether a session began so lately that its member may do what can't be undone."""
    return now < started + lasts


def delete(member: Kept[Member], known: Known, job: Job, now: Instant, *, fresh: bool) -> Decision[MemberId]:
    """Delete an account: name, address and preferences go at once, sessions end, and `job` ends what is under way.

    The name is kept back for a year, and that the mailbox has had its credits is remembered for 12 months (P17).
    Results stay. Refused: `sign_in_again`.
    """
    before = member.value
    if before.deleted:
        return Decision((), before.id)
    if not fresh:
        raise Refusal("sign_in_again")
    gone = Member(
        before.id,
        "",
        "",
        before.lang,
        "UTC",
        before.joined,
        deleted=True,
        epoch=before.epoch + 1,
        freezes=before.freezes,
        frozen=before.frozen,
        frozen_by=before.frozen_by,
    )
    mailbox: tuple[Change, ...] = ()
    if known.mailbox is not None and known.mailbox.value.member == before.id:
        mailbox = (Drop(known.mailbox.value, known.mailbox.version),)
    changes = (
        Put(gone, member.version),
        *mailbox,
        *free(before.id, known.forms, known.held, now),
        *remember(known.gift, before.id, now),
        Put(job, None),
    )
    return Decision(changes, before.id)


def empty(member: MemberId, balance: int, number: int, now: Instant) -> tuple[Change, ...]:
    """What is left in the purse of a member who is gone, to the house; `number` counts the times that was looked at."""
    if balance <= 0:
        return ()
    lines = (Line(purse(member), -balance), Line(HOUSE, balance))
    return move(f"gone/{member}/{number}", "gone", now, lines)
