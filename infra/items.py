"""What both stores write: a decision as one action per item, with its key, body and places in the indexes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine.decisions import Add, Change, Decision, Drop, Hold
from infra import codec
from infra.store import Kind, Order, Part, TooLarge

T = TypeVar("T")
Kinds = Mapping[type, Kind[Any]]

MOST_ITEMS: Final = 100  # in one commit
LARGEST_ITEM: Final = 400 * 1024  # bytes
LARGEST_COMMIT: Final = 4 * 1024 * 1024
LONGEST_PARTITION: Final = 2048
LONGEST_SORT: Final = 1024
INDEXES: Final = 3  # of one kind
_OVERHEAD: Final = 100  # attribute names and the version


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands, in its table or in an index: a partition, and its sort key there (unique in it)."""

    partition: str
    sort: str


@dataclass(frozen=True, slots=True)
class Action:
    """The one thing a commit does to one item. Only a `Put` has index places, only a `Put` and an `Add` a body."""

    change: Change
    kind: Kind[Any]
    place: Place
    body: bytes = b""
    listed: tuple[Place | None, ...] = ()
    expires: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one partition, from `low` to `high` in sort keys, both included."""

    partition: str
    low: str
    high: str

    @property
    def empty(self) -> bool:
        """Whether no sort key can lie in it."""
        return self.low > self.high


def plan(decision: Decision[Any], kinds: Kinds) -> list[Action]:
    """The actions of a decision, in its order, adds to the same counter and equal holds merged; raises TooLarge."""
    actions: dict[tuple[str, Place], Action] = {}
    for change in decision.changes:
        action = _action(change, kinds)
        key = (action.kind.table, action.place)
        earlier = actions.get(key)
        actions[key] = action if earlier is None else _merged(earlier, action)
    if len(actions) > MOST_ITEMS:
        raise TooLarge(f"{len(actions)} items in a commit")
    if sum(map(_size, actions.values())) > LARGEST_COMMIT:
        raise TooLarge("over 4 MB in a commit")
    return list(actions.values())


def place(kind: Kind[Any], key: tuple[Part, ...]) -> Place:
    """Where the record with this whole key stands in its table."""
    if len(key) != len(kind.key):
        raise ValueError(f"a {kind.name}'s key is {kind.key}")
    return Place(_partition(kind, "", key[:1]), codec.order(key[1:]) or ".")


def fits(where: Place) -> bool:
    """Whether an item may stand there at all: keys have at most 2,048 and 1,024 bytes, and are text that UTF-8 has."""
    try:
        return len(where.partition.encode()) <= LONGEST_PARTITION and len(where.sort.encode()) <= LONGEST_SORT
    except UnicodeEncodeError:
        return False


def listing(kind: Kind[T], value: T) -> tuple[Place | None, ...]:
    """Where each of the kind's indexes lists the record: by its order there, equal orders by key."""
    key = codec.order(key_of(kind, value))
    entries = [(index.name, index.entry(value)) for index in kind.indexes]
    return tuple(
        Place(_partition(kind, name, e.within), codec.order(e.order) + key) if e else None for name, e in entries
    )


def span(
    kind: Kind[Any], index: str, within: tuple[Part, ...], after: str, start: Order | None, upto: Order | None
) -> Span:
    """What a query reads: see `Store.query`. An unusable `after`, or one where no key fits, gives an empty span."""
    low, high = codec.bounds(start, upto)
    if after:
        low = max(low, codec.beyond(after))
    found = Span(_partition(kind, index, within), low, high)
    return found if fits(Place(found.partition, low)) and fits(Place("", high)) else Span("", codec.ABOVE, "")


def index_number(kind: Kind[Any], index: str) -> int:
    """Which of the overloaded indexes holds this index of the kind, from 0; -1 for "", the table itself."""
    return [i.name for i in kind.indexes].index(index) if index else -1


def value_of(kind: Kind[T], body: bytes) -> T:
    """The record in an item's body."""
    raw = codec.unpack(body)
    return kind.load(raw) if kind.load else codec.load(kind.type, raw)


def key_of(kind: Kind[T], value: T) -> tuple[Part, ...]:
    """A record's whole key."""
    return tuple([getattr(value, name) for name in kind.key])


def checked(kinds: Kinds) -> Kinds:
    """The kinds, if the stores can hold them; raises ValueError."""
    for kind in kinds.values():
        if len(kind.indexes) > INDEXES or (kind.counter and kind.indexes):
            raise ValueError(f"too many indexes: {kind.name}")
    if len({kind.name for kind in kinds.values()}) < len(kinds):
        raise ValueError("two kinds of one name")
    return kinds


def conflicts(actions: list[Action], failed: Callable[[Action], bool]) -> list[str]:
    """The kinds of the actions whose condition failed, each once, in the decision's order."""
    return list(dict.fromkeys([a.kind.name for a in actions if failed(a)]))


def _partition(kind: Kind[Any], index: str, within: tuple[Part, ...]) -> str:
    return f"{kind.name} {index} {codec.order(within)}" if index else f"{kind.name} {codec.order(within)}"


def _action(change: Change, kinds: Kinds) -> Action:
    value = change.counter if isinstance(change, Add) else change.value
    kind = kinds[type(value)]
    if kind.counter is not isinstance(change, Add):
        raise TypeError(f"not a change for a {kind.name}: {change!r}")
    where = place(kind, key_of(kind, value))
    if isinstance(change, Drop | Hold):
        action = Action(change, kind, where)
    else:
        body = codec.pack(kind.dump(value) if kind.dump else codec.dump(value))
        action = Action(change, kind, where, body, listing(kind, value), kind.expires(value) if kind.expires else None)
    if not all(fits(p) for p in (where, *action.listed) if p):
        raise TooLarge(f"too long a key of a {kind.name}")
    if _size(action) > LARGEST_ITEM:
        raise TooLarge(f"a {kind.name} over 400 KB")
    return action


def _merged(earlier: Action, later: Action) -> Action:
    a, b = earlier.change, later.change
    if isinstance(a, Hold) and a == b:
        return earlier
    if not isinstance(a, Add) or not isinstance(b, Add):
        raise TooLarge(f"two actions on one {earlier.kind.name}")
    floors = [f for f in (a.floor, b.floor) if f is not None]
    both = Add(a.counter, a.by + b.by, max(floors, default=None))
    return Action(both, earlier.kind, earlier.place, earlier.body, expires=earlier.expires)


def _size(action: Action) -> int:
    places = [p for p in (action.place, *action.listed) if p]
    return len(action.body) + _OVERHEAD + sum(len(p.partition.encode()) + len(p.sort.encode()) for p in places)
