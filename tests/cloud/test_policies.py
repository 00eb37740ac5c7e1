"""What the functions that may do little ask of the store is what `template.yaml` lets them do."""

import functools
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from engine.decisions import Add, Decision, Drop, Hold, Job, Put
from engine.times import DAY, MINUTE, later
from functions import feedback, nightly, tick
from infra import items
from infra.records import BY_TYPE, MEMBER
from infra.site import Site, install
from infra.store import Kind, Order, Page, Part, Row, Store
from tests.support.browser import Browser
from tests.support.cloud import transformed
from tests.support.people import sign_up
from tests.support.seasons import END, front, october
from tests.support.site import TestSite

pytestmark = pytest.mark.cloud

T = TypeVar("T")
ACTIONS: Final[dict[type, str]] = {Hold: "ConditionCheckItem", Drop: "DeleteItem", Put: "PutItem", Add: "UpdateItem"}


@functools.cache
def statements(function: str) -> tuple[Any, ...]:
    """What a function's role allows."""
    role = transformed()["Resources"][f"{function}FunctionRole"]["Properties"]
    return tuple(s for policy in role["Policies"] for s in policy["PolicyDocument"]["Statement"])


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Guarded:
    """A store that refuses what the function's policies do not allow, as DynamoDB does."""

    def __init__(self, store: Store, function: str) -> None:
        self._store = store
        self._function = function
        self.asked: set[str] = set()

    def get(self, kind: Kind[T], *key: Part) -> Row[T] | None:
        self._check("GetItem", kind, items.place(kind, key).partition)
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
        span = items.span(kind, index, within, after, start, upto)
        number = items.index_number(kind, index)
        self._check("Query", kind, span.partition, f"/index/gsi{number}" if index else "")
        return self._store.query(kind, index, *within, limit=limit, after=after, start=start, upto=upto)

    def count(self, counter: object) -> int:
        kind = BY_TYPE[type(counter)]
        self._check("GetItem", kind, items.place(kind, items.key_of(kind, counter)).partition)
        return self._store.count(counter)

    def counts(
        self, kind: Kind[T], *within: Part, limit: int, start: Order | None = None, upto: Order | None = None
    ) -> tuple[tuple[T, int], ...]:
        self._check("Query", kind, items.span(kind, "", within, "", start, upto).partition)
        return self._store.counts(kind, *within, limit=limit, start=start, upto=upto)

    def commit(self, decision: Decision[Any]) -> None:
        for action in items.plan(decision, BY_TYPE):
            self._check(ACTIONS[type(action.change)], action.kind, action.place.partition)
        self._store.commit(decision)

    def _check(self, action: str, kind: Kind[Any], partition: str, part: str = "") -> None:
        table = {"club": "ClubTable", "ledger": "LedgerTable"}[kind.table]
        self.asked.add(f"{action} {kind.name}")
        assert any(self._allows(s, action, f"{table}.Arn", partition, part) for s in statements(self._function)), (
            f"{self._function} may not {action} {partition!r}{part}"
        )

    @staticmethod
    def _allows(statement: Any, action: str, table: str, partition: str, part: str) -> bool:
        resources = [str(resource) for resource in listed(statement["Resource"]) if table in str(resource)]
        keys = statement.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", "*")
        whole = [resource for resource in resources if "/index/" not in resource]
        return (
            f"dynamodb:{action}" in listed(statement["Action"])
            and bool(whole or [resource for resource in resources if part and part in resource])
            and any(fnmatchcase(partition, pattern) for pattern in listed(keys))
        )


def guarded(site: TestSite, function: str) -> Site:
    """The site as one of its functions has it, installed as the process's own."""
    found = replace(site.site, store=Guarded(site.calm.store, function))
    install(found)
    return found


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return october(tmp_path)


def asked(site: Site) -> set[str]:
    assert isinstance(site.store, Guarded)
    return site.store.asked


def test_the_nights_function_makes_fronts_and_has_months_closed(site: TestSite) -> None:
    front(site, later(END, 9 * MINUTE))
    site.sources.time = later(END, DAY)
    night = guarded(site, "Nightly")
    nightly.handler({}, None)
    assert {"PutItem front", "PutItem job", "GetItem season", "Query standing"} <= asked(night)


def test_in_months_that_nobody_played_it_looks_at_all_of_their_lists(site: TestSite) -> None:
    night = guarded(site, "Nightly")
    nightly.handler({}, None)
    assert {"Query standing", "Query front_month", "Query challenge_month"} <= asked(night)


def test_the_tick_finds_what_is_due_and_notes_itself(site: TestSite) -> None:
    site.calm.store.commit(Decision((Put(Job("j", site.sources.now(), "mail"), 0),), None))
    each = guarded(site, "Tick")
    assert tick.handler({}, None)["sent"] >= 1
    assert asked(each) == {"GetItem pulse", "PutItem pulse", "Query job"}


def test_feedback_pauses_a_members_address(site: TestSite) -> None:
    sign_up(Browser(), site, "ada@example.org", "Ada")
    told = guarded(site, "Feedback")
    bounced = {"bounceType": "Permanent", "bouncedRecipients": [{"emailAddress": "ada@example.org"}]}
    feedback.handler({"detail": {"bounce": bounced}}, None)
    assert asked(told) == {"GetItem mailbox", "GetItem member", "PutItem member"}


def test_what_a_policy_does_not_allow_is_refused_here_too(site: TestSite) -> None:
    with pytest.raises(AssertionError, match="Tick may not PutItem 'job"):
        guarded(site, "Tick").store.commit(Decision((Put(Job("j", site.sources.now(), "mail"), 0),), None))
    with pytest.raises(AssertionError, match="Nightly may not GetItem 'member"):
        guarded(site, "Nightly").store.get(MEMBER, "anna")
