"""What members prefer, and whether mail reaches them (P4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from engine.decisions import Add, Decision, Kept, Put
from engine.errors import Refusal
from engine.platform.members import MAILS, Lang, Member, Quiet
from engine.platform.names import Name, free, take
from engine.times import DAY, Instant

MINUTES_A_DAY: Final = 24 * 60
Theme = Literal["auto", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Preferences:
    """The command to prefer this, all of it at once; `forms` are the folded forms of the name."""

    name: str
    forms: tuple[str, ...]
    lang: Lang
    zone: str
    muted: tuple[str, ...]
    quiet: Quiet | None
    theme: Theme


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a change of name needs to know: the forms of the old name, who holds old and new ones, what counts it."""

    old: tuple[str, ...]
    held: Mapping[str, Kept[Name] | None]
    counted: tuple[Add, ...]


def change(member: Kept[Member], wanted: Preferences, renaming: Renaming | None, now: Instant) -> Decision[Member]:
    """Prefer what is wanted; nothing to write if it is so already. Raises Refusal("name_taken").

    `renaming` is needed if the name differs. The old name's forms are kept back for a year, for this member only.
    """
    before = member.value
    after = replace(
        before,
        name=wanted.name,
        lang=wanted.lang,
        zone=wanted.zone,
        muted=tuple(kind for kind in MAILS if kind in wanted.muted),
        quiet=wanted.quiet,
        theme=wanted.theme,
    )
    if after == before:
        return Decision((), before)
    names: tuple[Put | Add, ...] = ()
    if wanted.name != before.name:
        if renaming is None:
            raise ValueError("a change of name without who holds names")
        lost = set(renaming.old) - set(wanted.forms)
        taken = take(before.id, wanted.name, wanted.forms, renaming.held, now)
        names = (*taken, *free(before.id, lost, renaming.held, now), *renaming.counted)
    return Decision((Put(after, member.version), *names), after)


def unsubscribe(member: Kept[Member], kind: str) -> Decision[Member]:
    """Send no more mails of this kind (RFC 8058); once is enough. Raises Refusal("mail_kind_unknown")."""
    if kind not in MAILS:
        raise Refusal("mail_kind_unknown")
    if kind in member.value.muted:
        return Decision((), member.value)
    after = replace(member.value, muted=tuple(k for k in MAILS if k == kind or k in member.value.muted))
    return Decision((Put(after, member.version),), after)


def pause(member: Kept[Member], why: Literal["bounce", "complaint"]) -> Decision[Member]:
    """Send nothing to this address for now: mail came back from it, or was complained about."""
    if member.value.bounced == why or member.value.bounced == "complaint":
        return Decision((), member.value)
    after = replace(member.value, bounced=why)
    return Decision((Put(after, member.version),), after)


def try_again(member: Kept[Member]) -> Decision[Member]:
    """Send mails to the member's address again."""
    if member.value.bounced is None:
        return Decision((), member.value)
    after = replace(member.value, bounced=None)
    return Decision((Put(after, member.version),), after)


def wants(member: Member, kind: str) -> bool:
    """Whether mails of this kind are to be sent to the member: not muted, and the address is not paused. Guests have
    none."""
    return not member.guest and kind not in member.muted and member.bounced is None and not member.deleted


def quiet_since(quiet: Quiet | None, zone: str, at: Instant) -> Instant | None:
    """When the quiet hours began into which `at` falls, None if it falls into none.

    Hours are local: on a day without the begin's time (the clocks went forward) they begin when the clocks do.
    """
    if quiet is None or quiet.start == quiet.end:
        return None
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    for days in (0, 1):
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0) - timedelta(days=days)
        over_midnight = MINUTES_A_DAY if quiet.end < quiet.start else 0
        begin = _instant(midnight, quiet.start)
        if begin <= at < _instant(midnight, quiet.end + over_midnight) and at - begin < DAY + DAY // 12:
            return begin
    return None


def _instant(midnight: datetime, minutes: int) -> Instant:
    """The instant of a local time: `datetime` adds to the clock's hands, as people do."""
    return Instant(round((midnight + timedelta(minutes=minutes)).timestamp() * 1000))


def kinds(wanted: Iterable[str]) -> tuple[str, ...]:
    """The kinds of mail that are muted if only these are wanted."""
    chosen = set(wanted)
    return tuple(kind for kind in MAILS if kind not in chosen)
