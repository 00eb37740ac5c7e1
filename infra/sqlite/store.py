"""The store protocol on one SQLite file, for one process with many threads."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.decisions import Add, Decision
from infra import items
from infra.records import BY_TYPE
from infra.sqlite import schema
from infra.sqlite.writes import FORGET, conflicting, write
from infra.store import Busy, Conflict, Kind, Order, Page, Part, Row, Unknown

T = TypeVar("T")

_READ: Final = "SELECT body, version FROM item WHERE partition = ? AND sort = ?"
_NUMBER: Final = "SELECT number FROM item WHERE partition = ? AND sort = ?"
_COUNTS: Final = (
    "SELECT body, number FROM item WHERE partition = ? AND sort BETWEEN ? AND ? ORDER BY partition, sort LIMIT ?"
)
_PAGES: Final = tuple(
    f"SELECT body, version, sort{n} FROM item WHERE partition{n} = ? AND sort{n} BETWEEN ? AND ?"
    f" ORDER BY partition{n}, sort{n} LIMIT ?"
    for n in ("0", "1", "2", "")
)


class SqliteStore:
    """Records in the file at `path`, which this process alone writes.

    One connection writes and checkpoints, under a lock; readers have connections of their own and never wait for it.
    `versions` gives numbers from 1 to 2^53, none of them ever twice.
    """

    def __init__(self, path: Path | str, versions: Callable[[], int], kinds: items.Kinds = BY_TYPE) -> None:
        self._path = Path(path)
        self._versions = versions
        self._kinds = items.checked(kinds)
        self._lock = threading.Lock()
        self._writer = schema.open_writer(self._path)
        self._idle: list[sqlite3.Connection] = []

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        """See `Store.get`."""
        where = items.place(kind, key)
        for body, version in self._select(_READ, where.partition, where.sort) if items.fits(where) else ():
            return Row(items.value_of(kind, body), version)
        return None

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
        """See `Store.query`."""
        span = items.span(kind, index, within, after, start, upto)
        found = self._select(_PAGES[items.index_number(kind, index)], span.partition, span.low, span.high, limit + 1)
        rows = tuple(Row(items.value_of(kind, body), version) for body, version, _ in found[:limit])
        return Page(rows, found[limit - 1][2] if len(found) > limit else "")

    def count(self, counter: object) -> int:
        """See `Store.count`."""
        kind = self._kinds[type(counter)]
        where = items.place(kind, items.key_of(kind, counter))
        for (number,) in self._select(_NUMBER, where.partition, where.sort) if items.fits(where) else ():
            return int(number)
        return 0

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        """See `Store.counts`."""
        span = items.span(kind, "", within, "", start, upto)
        found = self._select(_COUNTS, span.partition, span.low, span.high, limit)
        return tuple((items.value_of(kind, body), number) for body, number in found)

    def commit(self, decision: Decision[Any]) -> None:
        """See `Store.commit`."""
        actions = items.plan(decision, self._kinds)
        if not actions:
            return
        with self._lock, self._transaction() as db:
            differing = conflicting(db, actions)
            if differing:
                raise Conflict(*differing)
            for action in actions:
                write(db, action, 0 if isinstance(action.change, Add) else self._versions())

    def forget(self, second: int) -> int:
        """Delete the records whose kind lets them go by this second (Unix time); how many there were."""
        with self._lock, self._transaction() as db:
            return db.execute(FORGET, (second,)).rowcount

    def backup(self, path: Path | str) -> None:
        """Write a consistent copy of everything committed to a new file, while work goes on."""
        target = Path(path)
        unfinished = target.with_name(target.name + ".unfinished")
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as db:
            db.execute("VACUUM INTO ?", (str(unfinished),))
        unfinished.replace(target)

    def close(self) -> None:
        """Let go of the file. Nothing may be running."""
        while self._idle:
            self._idle.pop().close()
        self._writer.close()

    def _select(self, statement: str, *given: object) -> list[tuple[Any, ...]]:
        try:
            db = self._idle.pop()
        except IndexError:
            db = schema.open_reader(self._path)
        try:
            return db.execute(statement, given).fetchall()
        finally:
            self._idle.append(db)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """The writer within a transaction; the caller has the lock."""
        db = self._writer
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise Busy(str(error)) from error
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        try:
            db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise Unknown(str(error)) from error
