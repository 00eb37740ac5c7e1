"""The back ends of the contract: every test that takes `store` runs on each of them."""

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from moto import mock_aws

from infra.dynamodb import DynamoStore
from infra.dynamodb.model import create_tables
from infra.sqlite import SqliteStore
from infra.store import Store
from tests.store.kinds import KINDS
from tests.support.ministack import ENVIRONMENT, REGION, Ministack, running

CLOUD = pytest.param("ministack", marks=pytest.mark.cloud)
_names = itertools.count(1)


def fresh_versions() -> Callable[[], int]:
    """Versions that grow, so that a test that fails can be read."""
    return itertools.count(random.randrange(1, 2**40)).__next__


@pytest.fixture(scope="session", autouse=True)
def aws_environment() -> Iterator[None]:
    """Credentials that open nothing."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def ministack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ministack]:
    """MiniStack, started when first needed."""
    with running(tmp_path_factory.mktemp("ministack")) as stack:
        yield stack


def dynamo(host: str | None = None) -> DynamoStore:
    """A store over two new tables."""
    name = f"t{next(_names)}"
    store = DynamoStore(f"{name}-club", f"{name}-ledger", fresh_versions(), REGION, host, KINDS, pause=lambda _: None)
    create_tables(*store.models.values())
    return store


def emptied(store: DynamoStore) -> DynamoStore:
    """The store, without its records: quicker than a new one."""
    for model in store.models.values():
        with model.batch_write() as batch:
            for item in model.scan():
                batch.delete(item)
    return store


@pytest.fixture(scope="module")
def moto_store() -> Iterator[DynamoStore]:
    """The module's store on moto."""
    with mock_aws():
        yield dynamo()


@pytest.fixture(scope="session")
def ministack_store(ministack: Ministack) -> DynamoStore:
    """The session's store on MiniStack."""
    return dynamo(ministack.endpoint)


@contextmanager
def sqlite(folder: Path) -> Iterator[SqliteStore]:
    """A store over a new file."""
    store = SqliteStore(folder / "club.db", fresh_versions(), KINDS)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "moto", CLOUD])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store, on each back end."""
    yield from _on(request, tmp_path)


@pytest.fixture(params=["sqlite", CLOUD])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store, on each back end that threads may share (moto loses updates)."""
    yield from _on(request, tmp_path)


@pytest.fixture
def cloud(ministack_store: DynamoStore) -> DynamoStore:
    """An empty store on MiniStack."""
    return emptied(ministack_store)


def _on(request: pytest.FixtureRequest, folder: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        with sqlite(folder) as found:
            yield found
    else:
        yield emptied(request.getfixturevalue(f"{request.param}_store"))
