"""A whole site in a folder: SQLite, a clock that stands still until it is moved, mails kept in a list."""

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from engine.decisions import Add, Change, Decision, Job
from engine.times import Instant, later
from functions.jobs import mail
from functions.web.boards import TOOLS
from infra.faults import Faulty, Plan
from infra.mail import Letter, MailRefused
from infra.pages import Pages
from infra.records import BY_TYPE, JOB
from infra.settings import Settings
from infra.site import Site, install
from infra.sqlite import SqliteStore
from infra.store import Kind, Order, Page, Row, Store
from tests.support.watching import Watched

T = TypeVar("T")

NOON = Instant(1_790_000_000_000)  # 2026-09-21, 14:13:20 UTC


class FixedSources:
    """Time stands still; ids and secrets are counted."""

    def __init__(self, now: Instant = NOON) -> None:
        self.time = now
        self._numbers = itertools.count(1)

    def now(self) -> Instant:
        return self.time

    def move(self, span: int) -> None:
        """Let time pass (ms)."""
        self.time = later(self.time, span)

    def pause(self, seconds: float) -> None:
        self.move(int(1000 * seconds))

    def id(self) -> str:
        return f"id{next(self._numbers):014}"

    def seed(self) -> bytes:
        return next(self._numbers).to_bytes(32, "big")

    def version(self) -> int:
        return next(self._numbers)

    def jitter(self) -> float:
        return 0.5


@dataclass
class Wakes:
    """A queue that only remembers what it was to wake."""

    jobs: list[Job] = field(default_factory=list)

    def wake(self, jobs: Iterable[Job], now: Instant) -> None:
        self.jobs += jobs

    def waiting(self) -> int:
        return 0


@dataclass
class Postbox:
    """A mailer that keeps the letters; `down` makes it refuse them."""

    letters: list[Letter] = field(default_factory=list)
    down: bool = False

    def send(self, letter: Letter) -> None:
        if self.down:
            raise MailRefused
        self.letters.append(letter)

    def last(self, to: str) -> Letter:
        """The latest letter to an address."""
        return next(letter for letter in reversed(self.letters) if letter.to == to)


class CountingStore:
    """A store that counts what it is asked: `reads`, the records they found, and `commits` that change something.

    `written` names the kind of every record written or deleted, in order.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0
        self.found = 0
        self.commits = 0
        self.written: list[str] = []

    def get(self, kind: Kind[T], *key: str | int) -> Row[T] | None:
        self.reads += 1
        row = self._store.get(kind, *key)
        self.found += row is not None
        return row

    def query(
        self,
        kind: Kind[T],
        index: str,
        *within: str | int,
        limit: int,
        after: str = "",
        start: Order | None = None,
        upto: Order | None = None,
    ) -> Page[T]:
        self.reads += 1
        page = self._store.query(kind, index, *within, limit=limit, after=after, start=start, upto=upto)
        self.found += len(page.rows)
        return page

    def count(self, counter: object) -> int:
        self.reads += 1
        return self._store.count(counter)

    def counts(
        self,
        kind: Kind[T],
        *within: str | int,
        limit: int,
        start: Order | None = None,
        upto: Order | None = None,
    ) -> tuple[tuple[T, int], ...]:
        self.reads += 1
        return self._store.counts(kind, *within, limit=limit, start=start, upto=upto)

    def commit(self, decision: Decision[Any]) -> None:
        self.commits += bool(decision.changes)
        self.written += [_kind_of(change) for change in decision.changes]
        self._store.commit(decision)


def _kind_of(change: Change) -> str:
    return BY_TYPE[type(change.counter if isinstance(change, Add) else change.value)].name


@dataclass(frozen=True)
class TestSite:
    """The site, and its parts as tests move and look at them."""

    __test__ = False

    site: Site
    calm: Site  # the same, its store without faults
    sources: FixedSources
    store: CountingStore
    queue: Wakes
    post: Postbox

    def deliver(self) -> None:
        """Send the mails that are due, as the worker does."""
        for shard in range(4):
            for row in self.calm.store.query(JOB, "due", shard, limit=50, upto=(self.sources.now(),)).rows:
                if row.value.task == "mail":
                    mail.run(self.calm, row.value)


@functools.cache
def pages() -> Pages:
    """The templates, compiled once for all tests."""
    return Pages(tools=TOOLS)


def site_in(
    folder: Path,
    base_url: str = "http://localhost:8000",
    plan: Plan | None = None,
    saw: Callable[[Decision[Any]], None] | None = None,
) -> TestSite:
    """A new site with its files in this folder, installed as the process's one; its store fails as `plan` says.

    `saw` is shown every decision that is committed.
    """
    sources = FixedSources()
    sqlite: Store = SqliteStore(folder / "site.db", sources.version)
    sqlite = Watched(sqlite, saw) if saw else sqlite
    store = CountingStore(Faulty(sqlite, plan) if plan else sqlite)
    queue, post = Wakes(), Postbox()
    site = Site(Settings(base_url, b"a test's secret"), sources, store, queue, post, pages())
    install(site)
    return TestSite(site, dataclasses.replace(site, store=sqlite), sources, store, queue, post)
