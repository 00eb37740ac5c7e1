"""Marks: what was found of a member, in a queue for the moderators (P29)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.decisions import Decision, Kept, Put, was
from engine.errors import NOTHING, Scalar
from engine.platform.fair_play.records import Finding, Sign
from engine.platform.members import MemberId
from engine.times import Instant

KEPT: Final = 12  # pieces of evidence shown; how many there were is counted


@dataclass(frozen=True, slots=True)
class Evidence:
    """A game that shows it, with the figures."""

    game: str
    at: Instant
    detail: Mapping[str, Scalar] = field(default_factory=lambda: NOTHING)
    series: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign found of a member (`about` another one, where it is about two), with all the evidence there is for it.

    `at` is the latest; `known` names the games that have been evidence, so that none counts twice. A mark that was
    dismissed comes back with new evidence only.
    """

    member: MemberId
    sign: Sign
    about: str
    at: Instant
    evidence: tuple[Evidence, ...] = ()
    known: tuple[str, ...] = ()
    open: bool = True


def enter(kept: Kept[Mark] | None, found: Finding) -> Decision[bool]:
    """Put a finding into the queue, once; whether it is new."""
    before = kept.value if kept else Mark(found.member, found.sign, found.about, found.at)
    if found.game in before.known:
        return Decision((), answer=False)
    evidence = (*before.evidence, Evidence(found.game, found.at, found.detail, found.series))[-KEPT:]
    after = replace(
        before, at=max(before.at, found.at), evidence=evidence, known=(*before.known, found.game), open=True
    )
    return Decision((Put(after, was(kept)),), answer=True)


def dismiss(kept: Kept[Mark] | None) -> tuple[Put, ...]:
    """What takes a mark out of the queue: it comes back only with new evidence."""
    if kept is None or not kept.value.open:
        return ()
    return (Put(replace(kept.value, open=False), kept.version),)


def reopen(kept: Kept[Mark] | None) -> tuple[Put, ...]:
    """What puts a dismissed mark back into the queue."""
    if kept is None or kept.value.open:
        return ()
    return (Put(replace(kept.value, open=True), kept.version),)
