"""What a store is, whichever holds the records: values by key, bounded pages by index, one transaction a commit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.decisions import Decision

T = TypeVar("T")
Part = str | int  # of a key
Order = tuple["str | int | Down", ...]  # of an index: compared part by part


@dataclass(frozen=True, slots=True)
class Down:
    """An order that runs from the highest number to the lowest."""

    number: int


def down(number: int) -> Down:
    """`number`, sorted from the highest to the lowest."""
    return Down(number)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an index lists a record: in which part, and in what order there (equal orders: by key)."""

    within: tuple[Part, ...]
    order: Order


@dataclass(frozen=True, slots=True)
class Index(Generic[T]):
    """A sparse index: `entry` gives the record's place in it, or None if it is not listed."""

    name: str
    entry: Callable[[T], Entry | None]


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """A kind of record, declared once for every store.

    `key` names the fields that make its key: the first is the partition, the others order the records within it.
    A counter's fields are all key, and its value is a number. `expires` gives the second (Unix time) after which a
    store may forget the record (None: it must not yet): housekeeping, never meaning.
    """

    name: str
    type: type[T]
    key: tuple[str, ...]
    indexes: tuple[Index[T], ...] = ()
    table: Literal["club", "ledger"] = "club"
    counter: bool = False
    expires: Callable[[T], int | None] | None = None
    dump: Callable[[T], Mapping[str, Any]] | None = None  # None: the dataclass codec
    load: Callable[[Mapping[str, Any]], T] | None = field(default=None)


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A record as stored, with the version that a later `Put`, `Drop` or `Hold` names. Versions are above zero."""

    value: T
    version: int


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of an index in order, and where the next ones begin ("" if there are none)."""

    rows: tuple[Row[T], ...]
    after: str


class StoreError(Exception):
    """Why a commit or a read did not succeed."""


class Conflict(StoreError):
    """Another commit came first (or a floor stands in the way): nothing was written. `kinds` names what differed."""

    def __init__(self, *kinds: str) -> None:
        super().__init__(", ".join(kinds))
        self.kinds = kinds


class Busy(StoreError):
    """The store is too busy; nothing was written; the same commit may be tried again."""


class Unknown(StoreError):
    """The answer was lost: the commit may or may not have been written. Read and decide again."""


class TooLarge(StoreError):
    """Over 100 items in a commit, two actions on one item, or an item over 400 KB: nothing was written."""


class Store(Protocol):
    """Records by key and by index. Reads by key are consistent; an index may be a moment behind."""

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        """The record with this whole key."""
        ...

    def query(
        self,
        kind: Kind[T],
        index: str,
        *within: Part,
        limit: int,
        after: str = "",
        start: Order | None = None,
        upto: Order | None = None,
    ) -> Page[T]:
        """At most `limit` records of one part of an index, in its order; index "" is the key itself.

        `within` of index "" is the partition (the key's first field) and its order the other key fields. `start` and
        `upto` bound the order, both inclusive, by as many leading parts as are given. `after` continues a page.
        """
        ...

    def count(self, counter: object) -> int:
        """A counter's value; 0 if nothing was ever added. Consistent."""
        ...

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        """The first `limit` counters of a partition in key order, with their values."""
        ...

    def commit(self, decision: Decision[Any]) -> None:
        """Write all of a decision's changes, or none: raises Conflict, Busy, Unknown or TooLarge.

        Every write gives its record a new version, never seen before for that key. A decision without changes
        writes nothing and succeeds.
        """
        ...
