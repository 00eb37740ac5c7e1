"""Coming back: what an account takes over from one of the same mailbox that was deleted less than a year ago (P5, P29).

A freeze of ratings goes on, and so do links to other accounts: by acts of the site's own, told to the member, who may
answer them as any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.decisions import Change
from engine.platform import linking
from engine.platform.linking import RETURNED, Pair
from engine.platform.members import Member, MemberId, freeze
from engine.platform.moderation.acting import Take, act_id, take
from engine.times import Instant

BY_ITSELF: Final = MemberId("")  # who acts


@dataclass(frozen=True, slots=True)
class Former:
    """A deleted account of the mailbox: whether its ratings are frozen, and whether it is linked to others."""

    member: MemberId
    frozen: bool = False
    linked: bool = False


def back(new: Member, formers: Iterable[Former], now: Instant) -> tuple[Member, tuple[Change, ...]]:
    """The new member as the deleted accounts leave them, and what else that changes; nothing for who left in peace.

    The account is linked to those that were frozen or linked: over them it belongs to whoever they belonged to.
    """
    member, changes = new, list[Change]()
    for former in formers:
        if former.frozen and member.frozen is None:
            command = Take("freeze", new.id, BY_ITSELF, RETURNED, f"{RETURNED}/{former.member}", "", (new.id,))
            member = freeze(new, now, act_id(command))
            changes += take(command, None, (), now).changes
        if former.frozen or former.linked:
            pair = Pair(new.id, former.member, None, None)
            request = f"{RETURNED}/{former.member}"
            command = Take("link", new.id, BY_ITSELF, RETURNED, request, former.member, (new.id,))
            changes += [*linking.link(pair, RETURNED, now), *take(command, None, (), now).changes]
    return member, tuple(changes)
