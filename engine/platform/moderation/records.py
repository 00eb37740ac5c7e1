"""What is kept of moderation (P29)."""

from dataclasses import dataclass
from typing import Final, Literal, NewType

from engine.platform.members import MemberId
from engine.times import Instant

ActId = NewType("ActId", str)
What = Literal[
    "stop",  # a game in progress
    "stop_siege",  # one announced or in progress
    "void",  # a duel that is over
    "remove_front",  # a Front from its leaderboard
    "hide_doctrine",
    "hide_name",
    "hide_text",  # of a siege
    "freeze",
    "unfreeze",
    "link",
    "unlink",
    "dismiss",  # a mark
    "dismiss_report",
    "decide_match",
    "unpark",  # a job that had failed too often
    "appoint",
    "dismiss_moderator",
]
State = Literal["done", "answered", "upheld", "undone"]

MODERATOR: Final = "moderator"
TOLD: Final[frozenset[What]] = frozenset(
    (
        "stop",
        "stop_siege",
        "void",
        "remove_front",
        "hide_doctrine",
        "hide_name",
        "hide_text",
        "freeze",
        "unfreeze",
        "link",
        "unlink",
        "decide_match",
    )
)  # to the members concerned, who may answer
FINAL: Final[frozenset[What]] = frozenset(("stop", "stop_siege", "decide_match"))  # what undoing puts right in no way
LONGEST: Final = 2_000  # characters of a reason or an answer


@dataclass(frozen=True, slots=True)
class Answer:
    """What a member concerned says to an act, once."""

    member: MemberId
    text: str
    at: Instant


@dataclass(frozen=True, slots=True)
class Act:
    """A moderator's act. `by` is blank for what the site did by itself (linking by a browser's use).

    `about` names the game, member, doctrine, mark or job, `other` whatever else it takes. `concerns` are the members
    it is told to. `judge` is the moderator who judged the answers, with a `verdict`. `carried`: what it asked for has
    been done.
    """

    id: ActId
    what: What
    about: str
    by: MemberId
    reason: str
    at: Instant
    other: str = ""
    concerns: tuple[MemberId, ...] = ()
    state: State = "done"
    answers: tuple[Answer, ...] = ()
    judge: MemberId | None = None
    verdict: str = ""
    judged: Instant | None = None
    carried: bool = False

    @property
    def waits(self) -> bool:
        """Whether somebody concerned has answered and no other moderator has judged yet."""
        return self.state == "answered"

    def may_answer(self, member: MemberId) -> bool:
        """Whether this member may still answer: once, and as long as the act stands."""
        told = member in self.concerns and self.what in TOLD and self.state != "undone"
        return told and all(answer.member != member for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Concern:
    """An act in the list of a member whom it concerns, the latest first."""

    member: MemberId
    act: ActId
    at: Instant


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A tournament match that a freeze made a member lose: its points come back if the freeze is undone."""

    act: ActId
    duel: str
