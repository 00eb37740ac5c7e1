"""Linking accounts that are one person's: by the moderators, or by how a browser was used (P28)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Change, Decision, Kept, Put, was
from engine.platform.links import Link
from engine.platform.local_days import Day
from engine.platform.members import MemberId
from engine.times import Instant

DAYS: Final = 2  # different ones on which each account was signed in from the browser
DAYS_KEPT: Final = 6
NETWORKS_KEPT: Final = 6
BROWSER: Final = "browser"  # why: how a browser was used
MODERATORS: Final = "moderators"
RETURNED: Final = "returned"  # to a deleted account of the same mailbox


@dataclass(frozen=True, slots=True)
class BrowserUse:
    """Full sign-ins of one member from one browser: on which local days, from which networks (keyed hashes)."""

    browser: str
    member: MemberId
    at: Instant
    days: tuple[Day, ...] = ()
    networks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two members with what is kept of their link, under both."""

    one: MemberId
    other: MemberId
    kept: Kept[Link] | None
    mirror: Kept[Link] | None


def signed_in(kept: Kept[BrowserUse] | None, use: BrowserUse) -> Decision[BrowserUse]:
    """Enter a full sign-in; on the same day from the same network it is known already. `use` has one of each."""
    before = kept.value if kept else replace(use, days=(), networks=())
    days = tuple(sorted({*before.days, *use.days}))[-DAYS_KEPT:]
    networks = tuple(dict.fromkeys((*before.networks, *use.networks)))[-NETWORKS_KEPT:]
    after = replace(before, at=use.at, days=days, networks=networks)
    if kept and (after.days, after.networks) == (before.days, before.networks):
        return Decision((), before)
    return Decision((Put(after, was(kept)),), after)


def suspects(uses: Sequence[BrowserUse]) -> tuple[tuple[MemberId, MemberId], ...]:
    """The pairs that a browser's use may link: each of the two signed in there on two different days (P28).

    Orders must have been sent in both accounts besides; a turn mail's link is no sign-in, so that nobody is linked by
    opening one that was sent to them.
    """
    often = sorted(use.member for use in uses if len(use.days) >= DAYS)
    return tuple((one, other) for n, one in enumerate(often) for other in often[n + 1 :])


def link(pair: Pair, why: str, now: Instant) -> tuple[Change, ...]:
    """The changes that link two accounts for games that start from now on; none if they are, or if moderators have
    ended the link and it is not they who link."""
    there = pair.kept.value if pair.kept else None
    if there is not None and (there.acts or why == BROWSER):
        return ()
    return (
        Put(Link(pair.one, pair.other, now, why), was(pair.kept)),
        Put(Link(pair.other, pair.one, now, why), was(pair.mirror)),
    )


def unlink(pair: Pair, now: Instant) -> tuple[Change, ...]:
    """The changes that end a link, for good unless moderators link the two again."""
    rows = [row for row in (pair.kept, pair.mirror) if row is not None and row.value.acts]
    return tuple(Put(replace(row.value, ended=now), row.version) for row in rows)


def linked(links: Iterable[Link]) -> Collection[MemberId]:
    """The members that these links of one member name, for games that start now."""
    return frozenset(link.other for link in links if link.acts)


def shared(one: Iterable[BrowserUse], other: Iterable[BrowserUse]) -> bool:
    """Whether two members have signed in from one network: no more than a mark."""
    return bool({n for use in one for n in use.networks} & {n for use in other for n in use.networks})
