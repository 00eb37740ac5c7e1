"""What only DynamoDB does: its own errors, lost connections, which operations are sent."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import BotoCoreError, ConnectTimeoutError, ReadTimeoutError
from pynamodb.exceptions import PynamoDBException

from engine.decisions import Add, Change, Decision, Drop, Hold, Put
from infra.commit import settle
from infra.dynamodb import DynamoStore
from infra.store import Busy, Conflict, StoreError, TooLarge, Unknown
from tests.store.kinds import CARD, LEAF, NOTE, Card, Leaf, Note, Purse, Tally

pytestmark = pytest.mark.cloud
Hook = Callable[..., Any]
Register = Callable[[str, Hook], None]


@pytest.fixture
def on(cloud: DynamoStore) -> Iterator[Register]:
    """Hooks into the client's calls, taken out again at the end."""
    events = cloud.connection.client.meta.events
    hooks: list[tuple[str, Hook]] = []

    def register(event: str, hook: Hook) -> None:
        events.register_first(event, hook)
        hooks.append((event, hook))

    yield register
    for event, hook in hooks:
        events.unregister(event, hook)


def refused(code: str, status: int = 400, **more: object) -> Hook:
    """An answer of DynamoDB's in place of its own."""
    parsed = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}, **more}
    return lambda **_: (AWSResponse("", status, HTTPHeaders(), None), parsed)


def cancelled(*codes: str) -> Hook:
    """A cancelled transaction, with a code for each item in the order they were sent."""
    return refused("TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes])


def broken(error: BotoCoreError) -> Hook:
    """A connection that breaks here."""

    def hook(**_: object) -> None:
        raise error

    return hook


TIMEOUT = ReadTimeoutError(endpoint_url="http://localhost")
ONE = (Put(Note("n"), 0),)
TWO: tuple[Change, ...] = (Add(Tally("t"), 1), Hold(Card("b", 1), 0), Put(Note("n"), 0))


def commit(store: DynamoStore, *changes: Change) -> None:
    store.commit(Decision(changes, None))


@pytest.mark.parametrize(
    ("codes", "error", "kinds"),
    [
        (("None", "TransactionConflict", "None"), Busy, None),
        (("ThrottlingError", "None", "None"), Busy, None),
        (("None", "None", "ProvisionedThroughputExceeded"), Busy, None),
        (("None", "TransactionConflict", "ConditionalCheckFailed"), Conflict, ("tally",)),
        (("ConditionalCheckFailed", "ConditionalCheckFailed", "None"), Conflict, ("card", "note")),
        (("None", "ValidationError", "None"), TooLarge, None),
    ],
)
def test_reasons_of_a_cancelled_transaction(
    cloud: DynamoStore, on: Register, codes: tuple[str, ...], error: type[StoreError], kinds: tuple[str, ...] | None
) -> None:
    on("before-call.dynamodb.TransactWriteItems", cancelled(*codes))
    with pytest.raises(error) as raised:
        commit(cloud, *TWO)
    assert getattr(raised.value, "kinds", None) == kinds


@pytest.mark.parametrize(
    ("hook", "error"),
    [
        (refused("TransactionConflictException"), Busy),
        (refused("ProvisionedThroughputExceededException"), Busy),
        (refused("ThrottlingException"), Busy),
        (refused("InternalServerError", 500), Unknown),
        (refused("Whatever", 503), Unknown),
        (refused("TransactionInProgressException"), Unknown),
        (refused("ValidationException"), TooLarge),
        (refused("AccessDeniedException"), PynamoDBException),
        (broken(TIMEOUT), Unknown),
        (broken(ConnectTimeoutError(endpoint_url="http://localhost")), Busy),
    ],
)
@pytest.mark.parametrize(("changes", "operation"), [(ONE, "PutItem"), (TWO, "TransactWriteItems")])
def test_errors_of_a_commit(
    cloud: DynamoStore,
    on: Register,
    changes: tuple[Change, ...],
    operation: str,
    hook: Hook,
    error: type[Exception],
) -> None:
    on(f"before-call.dynamodb.{operation}", hook)
    with pytest.raises(error):
        commit(cloud, *changes)


@pytest.mark.parametrize("changes", [ONE, (*ONE, Add(Tally("t"), 1))])
def test_an_answer_lost_on_its_way_is_settled_by_deciding_again(
    cloud: DynamoStore, on: Register, changes: tuple[Change, ...]
) -> None:
    losses = iter((TIMEOUT,))

    def lose(**_: object) -> None:
        for error in losses:
            raise error

    on("after-call.dynamodb.PutItem", lose)
    on("after-call.dynamodb.TransactWriteItems", lose)
    decided = []

    def decide() -> Decision[None]:
        decided.append(cloud.get(NOTE, "n") is None)
        return Decision(changes if decided[-1] else (), None)

    settle(cloud, decide, lambda _: None, lambda: 0.0)
    assert decided == [True, False]
    assert cloud.count(Tally("t")) == len(changes) - 1


def test_a_commit_is_sent_once_and_a_read_up_to_three_times(cloud: DynamoStore, on: Register) -> None:
    sent: list[str] = []

    def note(model: Any, **_: object) -> None:
        sent.append(model.name)
        raise TIMEOUT

    on("before-call.dynamodb", note)
    with pytest.raises(Unknown):
        commit(cloud, *ONE)
    with pytest.raises(Busy):
        cloud.get(NOTE, "n")
    with pytest.raises(Busy):
        cloud.query(CARD, "ranked", "b", limit=1)
    assert sent == ["PutItem"] + ["GetItem"] * 3 + ["Query"] * 3


def test_a_read_that_fails_once_succeeds(cloud: DynamoStore, on: Register) -> None:
    commit(cloud, *ONE)
    losses = iter((TIMEOUT,))

    def lose(**_: object) -> None:
        for error in losses:
            raise error

    on("before-call.dynamodb.GetItem", lose)
    assert cloud.get(NOTE, "n")


def test_a_read_that_may_not_be_made_is_an_error_at_once(cloud: DynamoStore, on: Register) -> None:
    on("before-call.dynamodb.GetItem", refused("AccessDeniedException"))
    with pytest.raises(PynamoDBException):
        cloud.get(NOTE, "n")


@pytest.mark.parametrize(
    ("changes", "operation"),
    [
        ((Put(Note("n"), 0),), "PutItem"),
        ((Add(Tally("t"), 1, 0),), "UpdateItem"),
        ((Drop(Note("n"), None),), "TransactWriteItems"),
        ((Put(Note("n"), 0), Add(Tally("t"), 1)), "TransactWriteItems"),
    ],
)
def test_one_request_writes_a_commit(
    cloud: DynamoStore, on: Register, changes: tuple[Change, ...], operation: str
) -> None:
    sent: list[str] = []
    on("before-call.dynamodb", lambda model, **_: sent.append(model.name))
    commit(cloud, *changes)
    assert sent == [operation]


def test_reads_by_key_are_consistent_and_those_by_index_are_one_request(cloud: DynamoStore, on: Register) -> None:
    commit(cloud, Put(Card("b", 1), 0), Put(Card("b", 2), 0))
    sent: list[tuple[str, bool]] = []
    on(
        "before-parameter-build.dynamodb",
        lambda params, model, **_: sent.append((model.name, params.get("ConsistentRead", False))),
    )
    cloud.get(CARD, "b", 1)
    cloud.count(Tally("t"))
    cloud.query(CARD, "", "b", limit=1)
    cloud.query(CARD, "ranked", "b", limit=1)
    assert sent == [("GetItem", True), ("GetItem", True), ("Query", True), ("Query", False)]


def test_the_second_of_forgetting_is_the_tables_time_to_live(cloud: DynamoStore) -> None:
    commit(cloud, Put(Leaf("n", 1_900_000_000), 0))
    client: Any = cloud.connection.client
    table = cloud.models["club"].Meta.table_name
    items = client.scan(TableName=table)["Items"]
    assert [item["expires"] for item in items] == [{"N": "1900000000"}]
    found = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    assert found == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    assert cloud.get(LEAF, "n")


def test_the_ledger_has_its_own_table(cloud: DynamoStore) -> None:
    commit(cloud, Add(Purse("p"), 5), Add(Tally("t"), 1))
    client: Any = cloud.connection.client
    counted = {name: client.scan(TableName=model.Meta.table_name)["Count"] for name, model in cloud.models.items()}
    assert counted == {"club": 1, "ledger": 1}
