"""A store for one request: a record read again costs nothing until something is committed."""

from dataclasses import replace
from typing import Any, TypeVar

from engine.decisions import Decision
from infra.site import Site
from infra.store import Kind, Order, Page, Part, Row, Store

T = TypeVar("T")


class Remembering:
    """A store over another that keeps what it has read by key. For one request, in one thread.

    Every commit, failed or not, makes it forget: whoever decides again after a conflict reads anew.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, tuple[Part, ...]], Row[Any] | None] = {}

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        """See `Store.get`; the same row again for the same key."""
        place = (kind.name, key)
        if place not in self._known:
            self._known[place] = self._store.get(kind, *key)
        return self._known[place]

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
        """See `Store.query`: asked anew each time."""
        return self._store.query(kind, index, *within, limit=limit, after=after, start=start, upto=upto)

    def count(self, counter: object) -> int:
        """See `Store.count`: asked anew each time."""
        return self._store.count(counter)

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        """See `Store.counts`: asked anew each time."""
        return self._store.counts(kind, *within, limit=limit, start=start, upto=upto)

    def commit(self, decision: Decision[Any]) -> None:
        """See `Store.commit`."""
        self._known.clear()
        self._store.commit(decision)


def remembering(site: Site) -> Site:
    """The site for one request."""
    return replace(site, store=Remembering(site.store))
