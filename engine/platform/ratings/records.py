"""What is kept of ratings (P15, P16)."""

from dataclasses import dataclass
from typing import Final, NewType

from engine.platform.duels.records import DuelId
from engine.platform.elo import START, Rating, Score
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.times import Instant

Board = NewType("Board", str)  # a game's name, for its duel rating, or COMMON

COMMON: Final = Board("common")  # the common duel Elo of all games (P15)
EVER: Final[Month] = ""  # the standing now, of no month
QUALIFIED: Final = 8  # rated duels in a month for a place of that month (P26)


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose rating it is: since when a member, and whether the account is gone, so that no list shows it any more."""

    joined: Instant
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's rating on a board: now (`month` is `EVER`), or as it was when the month ended.

    `began` is the rating before the month's first change, `games` counts the rated games that ended in it. `gone`: the
    account is deleted, or was a guest's that a member took over; lists leave it out.
    """

    member: MemberId
    board: Board
    month: Month
    joined: Instant
    tenths: Rating = START
    began: Rating = START
    won: int = 0
    drawn: int = 0
    lost: int = 0
    gone: bool = False

    @property
    def games(self) -> int:
        """How many games counted."""
        return self.won + self.drawn + self.lost

    @property
    def placed(self) -> bool:
        """Whether it has a place on its board: of a month only with eight games (P26)."""
        return self.listed and self.games >= (QUALIFIED if self.month else 1)

    @property
    def listed(self) -> bool:
        """Whether it stands on its board at all."""
        return self.games > 0 and not self.gone


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a game did to one rating, `number` 0; undone and done again it has more numbers (P16)."""

    member: MemberId
    board: Board
    game: DuelId
    number: int
    at: Instant
    other: MemberId
    before: Rating
    after: Rating
    score: Score


@dataclass(frozen=True, slots=True)
class Moved:
    """The points that a game moved on one member's board; `score` in halves."""

    member: MemberId
    board: Board
    points: int
    score: Score


@dataclass(frozen=True, slots=True)
class Rated:
    """Whether a game counted, once it was settled: what it moved, or `why` it moved nothing (P13).

    `undone`: taken back by the moderators. `number` counts the times that was done or undone.
    """

    game: DuelId
    at: Instant
    why: str
    moved: tuple[Moved, ...] = ()
    undone: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class Band:
    """A counter: how many are placed on a list (a board in a month) with a rating in a band `width` tenths wide."""

    list: str
    width: int
    at: int
