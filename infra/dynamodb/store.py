"""The store protocol on two DynamoDB tables of one layout."""

import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from pynamodb.exceptions import PynamoDBException
from pynamodb.expressions.operand import Path

from engine.decisions import Decision
from infra import items
from infra.dynamodb.errors import failed_commit, failed_read
from infra.dynamodb.model import INDEX_NAMES, SORT_NAMES, Item, connect, model
from infra.dynamodb.writes import Writes
from infra.records import BY_TYPE
from infra.store import Busy, Kind, Order, Page, Part, Row

T = TypeVar("T")
X = TypeVar("X")

READ_TRIES: Final = 3
READ_PAUSE: Final = 0.05  # s, before the second try; twice as long before the third


class DynamoStore:
    """Records in the tables named `club` and `ledger`: make one of these per process.

    `versions` gives numbers from 1 to 2^53, none of them ever twice. `host` is the endpoint's address if it isn't
    AWS's own. Credentials come from where botocore finds them.
    """

    def __init__(
        self,
        club: str,
        ledger: str,
        versions: Callable[[], int],
        region: str,
        host: str | None = None,
        kinds: items.Kinds = BY_TYPE,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self.connection = connect(region, host)
        self.models = {"club": model(club, self.connection), "ledger": model(ledger, self.connection)}
        self._versions = versions
        self._kinds = items.checked(kinds)
        self._pause = pause

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        """See `Store.get`."""
        found = self._item(kind, key)
        return _row(kind, found) if found else None

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
        """See `Store.query`. Reads one record more than it gives, to tell whether there are any."""
        span = items.span(kind, index, within, after, start, upto)
        number = items.index_number(kind, index)
        found = self._span(kind, span, number, limit + 1)
        rows = tuple(_row(kind, item) for item in found[:limit])
        after = getattr(found[limit - 1], SORT_NAMES[number]) if len(found) > limit else ""
        return Page(rows, after)

    def count(self, counter: object) -> int:
        """See `Store.count`."""
        kind = self._kinds[type(counter)]
        found = self._item(kind, items.key_of(kind, counter))
        return int(found.num or 0) if found else 0

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        """See `Store.counts`."""
        span = items.span(kind, "", within, "", start, upto)
        found = self._span(kind, span, -1, limit)
        return tuple((items.value_of(kind, item.body or b""), int(item.num or 0)) for item in found)

    def commit(self, decision: Decision[Any]) -> None:
        """See `Store.commit`. One lone record or counter is written by itself, all else in a transaction."""
        actions = items.plan(decision, self._kinds)
        if not actions:
            return
        writes = Writes(self.models, self._versions, actions)
        try:
            if not writes.alone():
                writes.together(self.connection)
        except PynamoDBException as error:
            raise failed_commit(error, actions, writes.sent) or error from error

    def _item(self, kind: Kind[Any], key: tuple[Part, ...]) -> Item | None:
        where = items.place(kind, key)
        table = self.models[kind.table]

        def read() -> Item | None:
            try:
                return table.get(where.partition, where.sort, consistent_read=True)
            except table.DoesNotExist:
                return None

        return self._patiently(read) if items.fits(where) else None

    def _span(self, kind: Kind[Any], span: items.Span, number: int, limit: int) -> list[Item]:
        if span.empty:
            return []
        table = self.models[kind.table]
        within = Path(SORT_NAMES[number]).between(span.low, span.high)
        name = INDEX_NAMES[number] if number >= 0 else None
        return self._patiently(
            lambda: list(table.query(span.partition, within, consistent_read=not name, index_name=name, limit=limit))
        )

    def _patiently(self, read: Callable[[], X]) -> X:
        """The result of a read, which may be asked for again; raises Busy."""
        for attempt in range(READ_TRIES):
            try:
                return read()
            except PynamoDBException as error:
                failure = failed_read(error)
                if failure is None:
                    raise
                if attempt == READ_TRIES - 1:
                    raise failure from error
                self._pause(READ_PAUSE * 2**attempt)
        raise Busy


def _row(kind: Kind[T], item: Item) -> Row[T]:
    return Row(items.value_of(kind, item.body or b""), int(item.ver or 0))
