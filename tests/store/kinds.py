"""Kinds of records for the tests of the stores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from infra.store import Entry, Index, Kind, down


@dataclass(frozen=True, slots=True)
class Note:
    """A record of one key."""

    id: str
    text: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A record of a partition and a place in it, listed three times."""

    box: str
    place: int
    name: str = ""
    rank: int = 0
    listed: bool = True
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A record that may be forgotten."""

    id: str
    until: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A counter."""

    board: str
    seat: str = ""
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Purse:
    """A counter in the other table."""

    account: str


NOTE: Final = Kind("note", Note, ("id",), indexes=(Index("number", lambda n: Entry((), (n.number,))),))
CARD: Final = Kind(
    "card",
    Card,
    ("box", "place"),
    indexes=(
        Index("ranked", lambda c: Entry((c.box,), (down(c.rank), c.name)) if c.listed else None),
        Index("named", lambda c: Entry((c.name,), ())),
        Index("all", lambda c: Entry((), (c.rank,))),
    ),
)
LEAF: Final = Kind("leaf", Leaf, ("id",), expires=lambda leaf: leaf.until)
TALLY: Final = Kind("tally", Tally, ("board", "seat", "turn"), counter=True)
PURSE: Final = Kind("purse", Purse, ("account",), table="ledger", counter=True)
KINDS: Final[dict[type, Kind[Any]]] = {kind.type: kind for kind in (NOTE, CARD, LEAF, TALLY, PURSE)}
