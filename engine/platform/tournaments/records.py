"""What is kept of a tournament."""

from dataclasses import dataclass
from typing import Final, Literal, NewType

from engine.games.registry import DOCTRINED
from engine.platform.duels.records import DuelId
from engine.platform.members import MemberId
from engine.times import DAY, Instant

TournamentId = NewType("TournamentId", str)
Stage = Literal["open", "playing", "ended", "cancelled"]

GAME: Final = DOCTRINED
PACE: Final = "half_day"
SIZES: Final = (4, 8)
MOST_FEE: Final = 100  # credits
OPEN_LASTS: Final = 7 * DAY
MOST_OPEN: Final = 5  # created by one member and not begun yet
MATCH_LASTS: Final = 5 * DAY


@dataclass(frozen=True, slots=True)
class Match:
    """One match of the bracket; numbers run through the rounds, the final is the last.

    `by` is blank until it is decided: "won", "draw" (broken by predictions, combats or seed), "sent" (only one side
    sent orders), "forfeit", "frozen", "walkover" (nobody to play against), "moderators", "fair_play", or "nobody".
    """

    number: int
    one: MemberId | None = None
    other: MemberId | None = None
    duel: DuelId | None = None
    begun: Instant | None = None
    winner: MemberId | None = None
    by: str = ""

    @property
    def decided(self) -> bool:
        """Whether it is known who goes on, or that nobody does."""
        return bool(self.by)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament. `entrants` stand in the order of their entry, `seeds` from the first seed once it has started.

    `counted`: it stands among its creator's open ones as long as it is open (`OpenCups`).
    """

    id: TournamentId
    creator: MemberId
    size: int
    fee: int
    created: Instant
    entrants: tuple[MemberId, ...]
    moves: int = 0  # entries and departures, so that each fee has a name
    stage: Stage = "open"
    started: Instant | None = None
    seeds: tuple[MemberId, ...] = ()
    matches: tuple[Match, ...] = ()
    ended: Instant | None = None
    champion: MemberId | None = None
    counted: bool = False

    @property
    def full(self) -> bool:
        """Whether every place is taken."""
        return len(self.entrants) == self.size

    def seed(self, member: MemberId) -> int:
        """The member's seed, from 1."""
        return self.seeds.index(member) + 1


@dataclass(frozen=True, slots=True)
class OpenCups:
    """A counter: minus the open tournaments that a member has created; its floor keeps them at five."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class Entry:
    """A tournament in a member's list, the latest first."""

    member: MemberId
    tournament: TournamentId
    at: Instant
