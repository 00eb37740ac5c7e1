"""Members: who they are and what they prefer (P4)."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal, NewType

from engine.times import Instant

MemberId = NewType("MemberId", str)
Lang = Literal["fr", "en"]

MAILS: Final = ("proposal", "accepted", "turn", "warning", "result", "tournament", "moderation", "news")


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiet hours, in minutes after midnight of the member's zone; they may run over midnight."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """A member. `muted` holds the kinds of mail not wanted (of `MAILS`); `bounced` says why the address is paused.

    Sessions begun under another `epoch` are over: signing out everywhere is one write.
    """

    id: MemberId
    name: str
    address: str
    lang: Lang
    zone: str
    joined: Instant
    theme: Literal["auto", "light", "dark"] = "auto"
    muted: tuple[str, ...] = ()
    quiet: Quiet | None = None
    bounced: str | None = None
    deleted: bool = False
    roles: tuple[str, ...] = field(default=())
    epoch: int = 0
    guest: bool = False  # plays without an account (P3)
    freezes: tuple[Instant, ...] = ()  # when the ratings were frozen, unfrozen, frozen again…
    frozen: Instant | None = None  # since when the ratings are (P29): no duels, no prizes
    frozen_by: str = ""  # the moderators' act

    def frozen_at(self, at: Instant) -> bool:
        """Whether the ratings were frozen at an instant (P26)."""
        return sum(when <= at for when in self.freezes) % 2 == 1


def freeze(member: Member, now: Instant, by: str = "") -> Member:
    """The member with ratings frozen by an act; once is enough."""
    if member.frozen is not None:
        return member
    return replace(member, frozen=now, frozen_by=by, freezes=(*member.freezes, now))


def unfreeze(member: Member, now: Instant) -> Member:
    """The member whose ratings may move again."""
    return (
        member if member.frozen is None else replace(member, frozen=None, frozen_by="", freezes=(*member.freezes, now))
    )


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Whose address it is. `key` is a keyed hash of the address, lower case: the address itself is the member's."""

    key: str
    member: MemberId
