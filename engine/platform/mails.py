"""What is known of a mail: claimed before it is sent, so that none goes out twice (P8)."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.decisions import Decision, Drop, Kept, Put
from engine.times import MINUTE, Instant

LONGEST_SENDING: Final = 5 * MINUTE


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail by its job's id: on its way (`claimed`), `sent`, or `unknown` if the mail server's answer was lost.

    `owner` names the one attempt that may send it: who claimed it and lost the answer finds their own name there.
    """

    id: str
    notice: str
    to: str
    state: Literal["claimed", "sent", "unknown"]
    at: Instant
    owner: str = ""


def claim(there: Kept[Mail] | None, mail: Mail) -> Decision[bool]:
    """Whether this attempt may send the mail: nobody else has claimed it."""
    if there is not None:
        return Decision((), there.value.owner == mail.owner and there.value.state == "claimed")
    return Decision((Put(mail, 0),), answer=True)


def under_way(mail: Mail, now: Instant, longest: int = LONGEST_SENDING) -> bool:
    """Whether another attempt may be sending the mail just now; after `longest` (ms) it is never heard of again."""
    return mail.state == "claimed" and now - mail.at < longest


def give_up(there: Kept[Mail] | None, owner: str) -> Decision[None]:
    """The mail server would not have it: the next attempt may claim it."""
    if there is None or there.value.owner != owner:
        return Decision((), None)
    return Decision((Drop(there.value, there.version),), None)
