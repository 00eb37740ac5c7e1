"""What is kept of a siege."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from engine.decisions import Json
from engine.games import registry
from engine.games.protocol import Seat
from engine.platform.duels.records import StoredFact
from engine.platform.members import MemberId
from engine.times import DAY, SECOND, Instant, later

SiegeId = NewType("SiegeId", str)
Stage = Literal["open", "playing", "ended", "cancelled"]

GRACE: Final = 2 * SECOND  # orders on their way when the deadline passes (P6)
SUBMISSIONS: Final = 30  # of one turn
MOST_FEE: Final = 100  # credits
LONGEST_NAME: Final = 60  # characters
LONGEST_TEXT: Final = 20_000  # characters (T16)
EPILOGUE: Final = 7 * DAY  # how long reactions may follow the last turn (T16)
SOONEST_OPENING: Final = DAY // 24
LATEST_OPENING: Final = 60 * DAY


@dataclass(frozen=True, slots=True)
class Sheet:
    """Orders as sent, in canonical form.

    `day` is the local date on which what `Spec.dated` names was last changed (T7). `text` tells whether a text goes
    with them, `follow` that it is still to come: the turn waits for it (T5). `number` counts the submissions of the
    turn, `requests` names them all, so that one sent twice is known.
    """

    orders: Json
    day: str
    received: Instant
    number: int
    requests: tuple[str, ...]
    text: bool = False
    follow: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A member in a siege. `entered` says when, `seat` is theirs once it has opened.

    `began`: a turn of the game was opened for them, setting up is not one. `shots` counts the turns they sent orders
    for, `left` is when they went of their own will or were removed.
    """

    member: MemberId
    entered: Instant
    seat: Seat = ""
    sheet: Sheet | None = None
    began: bool = False
    shots: int = 0
    left: Instant | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended, by the game's own words, and who has which honour (T14)."""

    by: str
    honours: Mapping[str, tuple[Seat, ...]]


@dataclass(frozen=True, slots=True)
class Siege:
    """A siege, the whole of it but past turns and texts. `seed`, `state` and the sheets are secret while it runs.

    `opens` is when entering closes and the first orders are asked for. Players stand in the order of their entry,
    which is that of the seats. `turn` is the game's: below 1 it is being set up; `resolved` are the turns resolved so
    far, in their order. `awaits`, `opened` and `deadline` belong to the turn in play. `news` is what has happened since
    the last one: departures. `moves` counts entries and departures, so that each fee has a name.
    """

    id: SiegeId
    game: str
    name: str
    creator: MemberId
    seats: int
    pace: str
    zone: str
    fee: int
    created: Instant
    opens: Instant
    seed: str
    players: tuple[Player, ...]
    moves: int = 0
    stage: Stage = "open"
    state: Json | None = None
    turn: int = 0
    resolved: tuple[int, ...] = ()
    awaits: tuple[Seat, ...] = ()
    opened: Instant | None = None
    deadline: Instant | None = None
    news: tuple[StoredFact, ...] = ()
    started: Instant | None = None
    ended: Instant | None = None
    result: Result | None = None
    wakes: int = 0  # deadlines moved by outages (P7b)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.players) == self.seats

    @property
    def members(self) -> tuple[MemberId, ...]:
        """Who has entered, in the order of entry."""
        return tuple(p.member for p in self.players)

    @property
    def last(self) -> int | None:
        """The turn resolved last; None before the first."""
        return self.resolved[-1] if self.resolved else None

    @property
    def setting_up(self) -> bool:
        """Whether the turn in play comes before the first of the game proper."""
        return self.turn < 1

    @property
    def talking_ends(self) -> Instant | None:
        """When the topic closes for good; None while the siege goes on (T16)."""
        return later(self.ended, EPILOGUE) if self.ended is not None else None

    def player(self, member: MemberId | None) -> Player | None:
        """This member's part in it."""
        return next((p for p in self.players if p.member == member), None)

    def seat(self, seat: Seat) -> Player | None:
        """Who has this seat."""
        return next((p for p in self.players if p.seat == seat), None) if seat else None

    def waits_for(self, player: Player) -> bool:
        """Whether the turn in play stands still until this player sends orders, or the text announced."""
        return self.stage == "playing" and player.seat in self.awaits and (player.sheet is None or player.sheet.follow)

    def out(self, player: Player) -> bool:
        """Whether the player has no part in what is still to come."""
        return self.stage != "open" and player.seat not in self.awaits


@dataclass(frozen=True, slots=True)
class SiegeTurn:
    """A turn resolved: its sheets by seat, what happened, the state after it, every roll as (sides, value).

    Never changed. `rolls` are secret until the siege has ended (T17).
    """

    siege: SiegeId
    turn: int
    opened: Instant
    closed: Instant
    by: Literal["sent", "deadline"]
    sheets: Mapping[Seat, Sheet]
    facts: tuple[StoredFact, ...]
    state: Json
    rolls: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A siege in a member's list: written when entering and when it ends."""

    member: MemberId
    siege: SiegeId
    at: Instant
    over: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """A text of a siege's topic, by who has this seat (T16).

    `id` orders the texts of a turn: first "0.<seat>", the texts that went with its orders, public once that turn is
    resolved; then "1.<instant>.<seat>", the reactions to its results. `hidden` is the moderators' reason,
    `hidden_by` the act that gave it.
    """

    siege: SiegeId
    turn: int
    id: str
    seat: Seat
    text: str
    at: Instant
    hidden: str = ""
    hidden_by: str = ""

    @property
    def prelude(self) -> bool:
        """Whether it went with orders: secret until its turn is resolved."""
        return self.id.startswith("0.")


@dataclass(frozen=True, slots=True)
class Voice:
    """What a player has said to the results of one turn: the requests, so that one sent twice is known."""

    siege: SiegeId
    seat: Seat
    turn: int
    requests: tuple[str, ...]


def prelude_id(seat: Seat) -> str:
    """The id of the text that goes with a seat's orders: one a turn."""
    return f"0.{seat}"


def dated(game: str, orders: Json) -> Json:
    """The part of the orders whose last change counts by the day (T7)."""
    return {key: orders.get(key) for key in registry.game(game).SPEC.dated}
