"""What is kept of a season that is closed."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.platform.elo import Rating
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.times import Instant

PRIZES: Final = (150, 100, 60, 25, 25, 25, 25, 25, 25, 25)  # credits, from the first to the tenth
DUELS: Final = 8  # rated in the month, for a place
CHALLENGES: Final = 8
MET: Final = 10  # rated challenges that a doctrine has faced
DAYS: Final = 8  # ranked Fronts

Of = Literal["commander", "doctrine", "front"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the month's duels, and the credits it pays."""

    place: int
    member: MemberId
    tenths: Rating
    games: int
    credits: int


@dataclass(frozen=True, slots=True)
class Title:
    """A title of the month: `member` bears it; `doctrine` names whose it is for; `figure` is a rating or points."""

    of: Of
    member: MemberId
    figure: int
    games: int
    doctrine: str = ""


@dataclass(frozen=True, slots=True)
class Season:
    """A closed month: its places and titles, never changed. Payouts read nothing else (P18)."""

    month: Month
    closed: Instant
    places: tuple[Place, ...]
    titles: tuple[Title, ...]


@dataclass(frozen=True, slots=True)
class Honour:
    """A prize or title in a member's list, the latest month first."""

    member: MemberId
    month: Month
    what: str
    place: int = 0
