"""The one item model of both tables, with its three overloaded sparse indexes."""

from typing import Any, Final

from pynamodb.attributes import BinaryAttribute, NumberAttribute, TTLAttribute, UnicodeAttribute
from pynamodb.connection import Connection
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection
from pynamodb.models import Model

CONNECT_SECONDS: Final = 1.0
READ_SECONDS: Final = 3.0
CONNECTIONS: Final = 32
INDEX_NAMES: Final = ("gsi0", "gsi1", "gsi2")
_LISTED: Final = ["ver", "body"]  # all a page needs: indexes hold small records only


class First(GlobalSecondaryIndex[Any]):  # type: ignore[no-untyped-call]  # PynamoDB's own
    """Where a kind's first index lists its records."""

    class Meta:
        """The index."""

        index_name = INDEX_NAMES[0]
        projection = IncludeProjection(_LISTED)

    part0 = UnicodeAttribute(hash_key=True)
    sort0 = UnicodeAttribute(range_key=True)


class Second(GlobalSecondaryIndex[Any]):  # type: ignore[no-untyped-call]  # PynamoDB's own
    """Where a kind's second index lists its records."""

    class Meta:
        """The index."""

        index_name = INDEX_NAMES[1]
        projection = IncludeProjection(_LISTED)

    part1 = UnicodeAttribute(hash_key=True)
    sort1 = UnicodeAttribute(range_key=True)


class Third(GlobalSecondaryIndex[Any]):  # type: ignore[no-untyped-call]  # PynamoDB's own
    """Where a kind's third index lists its records."""

    class Meta:
        """The index."""

        index_name = INDEX_NAMES[2]
        projection = IncludeProjection(_LISTED)

    part2 = UnicodeAttribute(hash_key=True)
    sort2 = UnicodeAttribute(range_key=True)


class Item(Model):
    """A record or a counter. `ver` is a record's version, `num` a counter's value."""

    part = UnicodeAttribute(hash_key=True)
    sort = UnicodeAttribute(range_key=True)
    ver = NumberAttribute(null=True)
    num = NumberAttribute(null=True)
    body = BinaryAttribute(null=True, legacy_encoding=False)
    expires = TTLAttribute(null=True)
    part0 = UnicodeAttribute(null=True)
    sort0 = UnicodeAttribute(null=True)
    part1 = UnicodeAttribute(null=True)
    sort1 = UnicodeAttribute(null=True)
    part2 = UnicodeAttribute(null=True)
    sort2 = UnicodeAttribute(null=True)
    first = First()
    second = Second()
    third = Third()


SORT_NAMES: Final = ("sort0", "sort1", "sort2", "sort")  # the last: the table's own


def connect(region: str, host: str | None) -> Connection:
    """The connection of a process, with its client: made once, as it takes 60 ms.

    Nothing is sent twice by itself: the store knows what may be. Times out within what a web request may take.
    """
    connection = Connection(
        region=region,
        host=host,
        connect_timeout_seconds=CONNECT_SECONDS,
        read_timeout_seconds=READ_SECONDS,
        max_retry_attempts=0,
        max_pool_connections=CONNECTIONS,
    )
    _ = connection.client
    return connection


def model(table: str, connection: Connection) -> type[Item]:
    """The item model bound to a table, over this connection."""
    bound: type[Item] = type("Item", (Item,), {"Meta": type("Meta", (), {"table_name": table})})
    own = bound._get_connection()
    connection.add_meta_table(own.get_meta_table())
    own.connection = connection
    return bound


def create_tables(*models: type[Item]) -> None:
    """Create the tables that are missing, paid by request, with time to live. On AWS the template does it."""
    for each in models:
        each.create_table(wait=True, billing_mode="PAY_PER_REQUEST")
