"""Members who want nothing to do with each other, and what they report to the moderators (P5b)."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.decisions import Add, Change, Decision, Drop, Kept, Put
from engine.errors import Malformed, Problem, Refusal
from engine.platform.members import MemberId
from engine.times import Instant

LONGEST_REASON: Final = 1000  # characters
Subject = Literal["member", "text", "doctrine"]


@dataclass(frozen=True, slots=True)
class Block:
    """`member` has blocked `other`, called `name` at the time: no proposals between them, in either direction."""

    member: MemberId
    other: MemberId
    name: str
    since: Instant


@dataclass(frozen=True, slots=True)
class Report:
    """What a member told the moderators about a member, a text or a doctrine: one report for each, the latest."""

    about: Subject
    subject: str
    by: MemberId
    reason: str
    at: Instant
    open: bool = True


def block(mine: Kept[Block] | None, wanted: Block, counted: tuple[Add, ...]) -> Decision[None]:
    """Block a member; raises Refusal("block_self")."""
    if wanted.member == wanted.other:
        raise Refusal("block_self")
    changes: tuple[Change, ...] = () if mine else (Put(wanted, 0), *counted)
    return Decision(changes, None)


def unblock(mine: Kept[Block] | None) -> Decision[None]:
    """Have nothing against a member any more."""
    return Decision((Drop(mine.value, None),) if mine else (), None)


def report(mine: Kept[Report] | None, wanted: Report, counted: tuple[Add, ...]) -> Decision[None]:
    """Tell the moderators; the same words again change nothing.

    Raises Refusal("report_self") and Malformed ("reason_missing", "reason_long", field "reason").
    """
    if wanted.about == "member" and wanted.subject == wanted.by:
        raise Refusal("report_self")
    if not wanted.reason.strip():
        raise Malformed(Problem("reason_missing", field="reason"))
    if len(wanted.reason) > LONGEST_REASON:
        raise Malformed(Problem("reason_long", field="reason", detail={"most": LONGEST_REASON}))
    if mine and mine.value.open and mine.value.reason == wanted.reason:
        return Decision((), None)
    return Decision((Put(wanted, mine.version if mine else 0), *counted), None)
