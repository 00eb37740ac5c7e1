"""What a game is: a handful of functions over its own state, orders and view.

A module (a game's folder) that has these names is a game; mypy checks it in `registry.py`, one driver and one contract
test run them all. States, orders and views are frozen values; no function changes what it is given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.decisions import Json
from engine.errors import Problem, Scalar
from engine.games.draws import Dice

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")
S_co = TypeVar("S_co", covariant=True)
O_co = TypeVar("O_co", covariant=True)

Seat = str
Eyes = str  # a seat, "public" (who plays nothing) or "all" (after the end)


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a game is played, in milliseconds.

    Either each turn has its own span (`turn`, the first one `first`), or each seat has `total` for the whole game,
    running in its own turns only. Live games start from the ready room; `absence` ends one if a player's page falls
    silent.
    """

    live: bool
    turn: int = 0
    first: int = 0
    total: int | None = None
    absence: int | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """What the platform needs to know of a game beforehand."""

    name: str
    seats: tuple[Seat, ...]  # all seats in order; a game of n has the first n
    fewest: int
    paces: Mapping[str, Pace]
    missed: Literal["pass", "lose"]  # what a turn without orders means
    policies: tuple[str, ...]  # names `think` takes; "random" is always one
    agreed_draw: bool = False
    staked: bool = False  # duels may have a stake
    secret: bool = True  # running games are hidden from all but their players (P14)
    texts: bool = False
    dated: tuple[str, ...] = ()  # keys of the orders whose last change counts by the day (T7)
    spans: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))  # of stages apart (ms)
    turns: int | None = None  # how many turns there are at most, where a page should count them down
    options: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))  # a friend may choose
    rivals: Mapping[str, Json] = field(
        default_factory=lambda: MappingProxyType({})
    )  # policies to play against, unrated
    thinks_later: bool = False  # policies take seconds: a job makes their orders, not the decision that opens the turn
    friendly: bool = False  # proposals to one member or by a link are between friends: unrated, without stake (L16)
    guests: bool = False  # may be played without an account (P3)
    word: str = ""  # the one key of its orders, if these are a word: then a game is a list of words, its notation


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by its own rules. `honours` names the seats of each honour where there are several (T14)."""

    winner: Seat | None
    by: str
    honours: Mapping[str, tuple[Seat, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands: the turn in play (at the end the last played), its stage, who is awaited, how it ended.

    `tallies` are what breaks a tie in a tournament, the first number first (P21).
    """

    turn: int
    stage: str
    awaits: tuple[Seat, ...]
    outcome: Outcome | None
    tallies: Mapping[Seat, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Sent(Generic[O]):
    """A seat's orders, and the local date on which what `Spec.dated` names was last changed ("" where nothing is)."""

    orders: O
    day: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened, and who may know it: `known_to` names seats; None means everybody at once."""

    code: str
    detail: Mapping[str, Scalar]
    known_to: tuple[Seat, ...] | None


@dataclass(frozen=True, slots=True)
class Resolved(Generic[S]):
    """The state after a turn, and what happened in it, in the order it is told."""

    state: S
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Thought(Generic[O]):
    """Orders found by a policy, always legal, and the policy's notes for its owner."""

    orders: O
    notes: tuple[Mapping[str, Any], ...] = ()


class Game(Protocol[S, O, V]):
    """A game. Every function is pure; `dice` are the only chance."""

    SPEC: Spec

    def start(self, options: Json, seats: int, dice: Dice, /) -> S:
        """The state before the first turn; options left out are drawn."""
        ...

    def standing(self, state: S, /) -> Standing:
        """Where the game stands."""
        ...

    def view(self, state: S, eyes: Eyes, /) -> V:
        """What these eyes may see, with all they need to choose legal orders: nothing else leaves a state."""
        ...

    def parse(self, raw: object, /) -> O:
        """Orders from JSON; raises Malformed with every problem, each with its field."""
        ...

    def write(self, orders: O, /) -> Json:
        """Orders as canonical JSON: equal orders give equal text."""
        ...

    def judge(self, view: V, raw: object, /) -> tuple[Problem, ...]:
        """Everything wrong with orders as they were sent, unreadable parts and illegal ones together (F10)."""
        ...

    def check(self, view: V, orders: O, /) -> tuple[Problem, ...]:
        """Everything illegal about the orders, judged from the view alone."""
        ...

    def think(self, view: V, policy: Json, dice: Dice, /) -> Thought[O]:
        """Orders by a policy (`{"policy": "random"}` always works), from the view alone."""
        ...

    def resolve(self, state: S, sent: Mapping[Seat, Sent[O]], dice: Dice, /) -> Resolved[S]:
        """Play the turn. A seat left out sent nothing. Orders must be legal."""
        ...

    def retire(self, state: S, seat: Seat, why: str, /) -> Resolved[S]:
        """Take a seat out of the game between turns (P5, T5); games of two return the state as it is."""
        ...

    def dump(self, state: S, /) -> Json:
        """The whole state as JSON."""
        ...

    def load(self, raw: Json, /) -> S:
        """The state that `dump` wrote; raises Malformed."""
        ...

    def show(self, view: V, /) -> Json:
        """A view as JSON: what pages, the JSON answers and bots read."""
        ...
