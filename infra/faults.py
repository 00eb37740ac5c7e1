"""A store that fails as stores do, when and how a plan says; the same plan fails in the same way again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, Final, Literal, TypeVar

from engine.decisions import Add, Decision, Hold
from infra import items
from infra.records import BY_TYPE
from infra.store import Busy, Conflict, Kind, Order, Page, Part, Row, Store, Unknown

T = TypeVar("T")

MEMORY: Final = 50  # commits that a stale index can be behind


class Crash(BaseException):
    """The process ends here. Not an Exception: nothing but the simulator may catch it."""


class Fault(Enum):
    """What can go wrong at a commit, and (`STALE`) at a query."""

    CRASH_BEFORE = "crash before the commit"
    CRASH_AFTER = "crash after the commit"
    LOST_REQUEST = "Unknown, and nothing was written"
    LOST_ANSWER = "Unknown, and all was written"
    CONFLICT = "Conflict, as if another commit came first"
    BUSY = "Busy"
    STALE = "an index misses the last commits"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault; a stale index misses the last `behind` commits."""

    fault: Fault
    behind: int = 1


Moment = Literal["commit", "query"]
Plan = Callable[[Moment], Trouble | None]


def seeded(random: Random, odds: Mapping[Fault, float]) -> Plan:
    """Each fault with its probability per commit (`STALE`: per query of an index); the sum per moment is at most 1."""

    def plan(moment: Moment) -> Trouble | None:
        drawn = random.random()
        for fault, probability in odds.items():
            if (fault is Fault.STALE) == (moment == "query"):
                if drawn < probability:
                    return Trouble(fault, random.randint(1, 3) if fault is Fault.STALE else 1)
                drawn -= probability
        return None

    return plan


class Faulty:
    """A store over another that fails as `plan` says, which is asked once for each commit and each query of an index.

    For one thread. It reads what a commit is about to change, to be able to show indexes as they were before; not if
    `stale` says that they never are.
    """

    def __init__(self, store: Store, plan: Plan, kinds: items.Kinds = BY_TYPE, *, stale: bool = True) -> None:
        self._store = store
        self._plan = plan
        self._kinds = kinds
        self._stale = stale
        self._past: list[dict[tuple[str, tuple[Part, ...]], Row[Any] | None]] = []  # by commit: what it changed, before

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        """See `Store.get`: never fails."""
        return self._store.get(kind, *key)

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
        """See `Store.query`: an index may be behind; the key itself never is."""
        trouble = self._plan("query") if index else None
        if trouble is None:
            return self._store.query(kind, index, *within, limit=limit, after=after, start=start, upto=upto)
        before = self._before(kind, trouble.behind)
        number = items.index_number(kind, index)
        span = items.span(kind, index, within, after, start, upto)
        listed = [(place.sort, row) for row in before.values() if row and (place := _listed(kind, row, number, span))]
        for row in self._unchanged(kind, index, within, limit, after, start, upto, set(before)):
            place = items.listing(kind, row.value)[number]
            listed.append((place.sort if place else "", row))
        listed.sort(key=lambda found: found[0])
        return Page(tuple(row for _, row in listed[:limit]), listed[limit - 1][0] if len(listed) > limit else "")

    def count(self, counter: object) -> int:
        """See `Store.count`: never fails."""
        return self._store.count(counter)

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        """See `Store.counts`: never fails."""
        return self._store.counts(kind, *within, limit=limit, start=start, upto=upto)

    def commit(self, decision: Decision[Any]) -> None:
        """See `Store.commit`; raises Crash too. A decision without changes never fails."""
        trouble = self._plan("commit") if decision.changes else None
        fault = trouble.fault if trouble else None
        match fault:
            case Fault.CRASH_BEFORE:
                raise Crash
            case Fault.LOST_REQUEST:
                raise Unknown("the request was lost")
            case Fault.BUSY:
                raise Busy("too busy")
            case Fault.CONFLICT:
                raise Conflict(*dict.fromkeys(action.kind.name for action in items.plan(decision, self._kinds)))
        changed = self._about_to_change(decision) if self._stale else {}
        self._store.commit(decision)
        self._past = [*self._past, changed][-MEMORY:]
        if fault is Fault.CRASH_AFTER:
            raise Crash
        if fault is Fault.LOST_ANSWER:
            raise Unknown("the answer was lost")

    def _about_to_change(self, decision: Decision[Any]) -> dict[tuple[str, tuple[Part, ...]], Row[Any] | None]:
        found: dict[tuple[str, tuple[Part, ...]], Row[Any] | None] = {}
        for change in decision.changes:
            if not isinstance(change, Hold | Add) and (kind := self._kinds[type(change.value)]).indexes:
                key = items.key_of(kind, change.value)
                found[kind.name, key] = self._store.get(kind, *key)
        return found

    def _before(self, kind: Kind[T], behind: int) -> dict[tuple[Part, ...], Row[T] | None]:
        """The kind's records that the last commits changed, as they were before those."""
        earlier = self._past[-behind:][::-1] if behind else []
        return {key: row for changed in earlier for (name, key), row in changed.items() if name == kind.name}

    def _unchanged(
        self,
        kind: Kind[T],
        index: str,
        within: tuple[Part, ...],
        limit: int,
        after: str,
        start: Order | None,
        upto: Order | None,
        changed: set[tuple[Part, ...]],
    ) -> list[Row[T]]:
        """The first rows but those changed lately: one more than `limit`, if there are so many."""
        found: list[Row[T]] = []
        while True:
            page = self._store.query(kind, index, *within, limit=limit + 1, after=after, start=start, upto=upto)
            found += [row for row in page.rows if items.key_of(kind, row.value) not in changed]
            after = page.after
            if not after or len(found) > limit:
                return found


def _listed(kind: Kind[T], row: Row[T], number: int, span: items.Span) -> items.Place | None:
    """Where the index lists the row within the span, if it does."""
    place = items.listing(kind, row.value)[number]
    if place and place.partition == span.partition and span.low <= place.sort <= span.high:
        return place
    return None
