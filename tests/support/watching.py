"""A store that is watched."""

from collections.abc import Callable
from typing import Any

from engine.decisions import Decision
from infra.store import Store


class Watched:
    """A store that shows every decision it has committed."""

    def __init__(self, store: Store, saw: Callable[[Decision[Any]], None]) -> None:
        self._store = store
        self._saw = saw
        self.get, self.query, self.count, self.counts = store.get, store.query, store.count, store.counts

    def commit(self, decision: Decision[Any]) -> None:
        self._store.commit(decision)
        self._saw(decision)
