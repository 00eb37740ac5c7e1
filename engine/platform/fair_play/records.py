"""Facts that are kept for fair play, and what is found in them (P27)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.errors import NOTHING, Scalar
from engine.platform.duels.records import DuelId
from engine.platform.local_days import Day, Month
from engine.platform.members import MemberId
from engine.times import MINUTE, Instant

Sign = Literal[
    "superhuman",
    "pooled",
    "regular",
    "loads",
    "one_opponent",
    "young_opponents",
    "same_front",
    "linked",
    "network",
    "match",  # a tournament's, for a moderator to decide
]
SIGNS: Final[tuple[Sign, ...]] = (
    "superhuman",
    "pooled",
    "regular",
    "loads",
    "one_opponent",
    "young_opponents",
    "same_front",
    "linked",
    "network",
    "match",
)


@dataclass(frozen=True, slots=True)
class Shown:
    """When anything of a turn was first shown to one of its players. Written once, if absent, and never changed."""

    duel: DuelId
    turn: int
    member: MemberId
    at: Instant


@dataclass(frozen=True, slots=True)
class Load:
    """A counter: how often a player loaded the game's page in one minute (minutes since 1970)."""

    duel: DuelId
    member: MemberId
    minute: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What the facts of a game show of a member. `series` are the figures behind it, in ms unless said otherwise.

    `about` is what it is about besides the member: another member, or nothing. `game` is where it was found.
    """

    sign: Sign
    member: MemberId
    game: DuelId
    at: Instant
    about: str = ""
    detail: Mapping[str, Scalar] = field(default_factory=lambda: NOTHING)
    series: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Paced:
    """How fast a member's full sheets came in one game: a delay (ms) for each."""

    game: DuelId
    ended: Instant
    delays: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tempo:
    """The last ten games in which a member sent full sheets, the oldest first."""

    member: MemberId
    games: tuple[Paced, ...] = ()


@dataclass(frozen=True, slots=True)
class Gain:
    """What one rated game moved, in tenths; `young`: the opponent's account was under 30 days old."""

    game: DuelId
    other: MemberId
    tenths: int
    young: bool


@dataclass(frozen=True, slots=True)
class Gains:
    """A member's rated games of a month on one board."""

    member: MemberId
    month: Month
    board: str
    games: tuple[Gain, ...] = ()


@dataclass(frozen=True, slots=True)
class FrontSheets:
    """A Front played with these sheets: `digest` is the same for the same orders in the same turns."""

    day: Day
    digest: str
    member: MemberId
    game: DuelId


def minute_of(at: Instant) -> int:
    """The minute in which something happened, as `Load` counts them."""
    return at // MINUTE
