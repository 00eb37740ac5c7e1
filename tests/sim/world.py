"""A world for the site to run in: its clock, its queue, its mail server, and all that can go wrong with them."""

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.decisions import Decision, Job
from engine.times import HOUR, MINUTE, SECOND, Instant, later
from functions import tick, worker
from functions.web.boards import TOOLS
from infra.faults import Crash, Fault, Faulty, Plan, Trouble, seeded
from infra.mail import Letter, MailRefused, MailUnknown
from infra.pages import Pages
from infra.settings import Settings
from infra.site import Site, install
from infra.sqlite import SqliteStore
from infra.store import Store, StoreError
from tests.support.watching import Watched

START: Final = Instant(1_792_600_000_000)  # 2026-10-21, four days before the clocks go back
LONGEST_DELAY: Final = 900 * SECOND
REDELIVERY: Final = 30 * SECOND
PAGES: Final = Pages(tools=TOOLS)
ODDS: Final = {
    Fault.CRASH_BEFORE: 0.02,
    Fault.CRASH_AFTER: 0.02,
    Fault.LOST_REQUEST: 0.02,
    Fault.LOST_ANSWER: 0.03,
    Fault.CONFLICT: 0.03,
    Fault.BUSY: 0.02,
    Fault.STALE: 0.1,
}


@dataclass(frozen=True, slots=True)
class Weather:
    """How often things go wrong: the store's faults by kind, and the share of messages that meet with anything."""

    odds: Mapping[Fault, float]
    share: float = 1.0


STORM: Final = Weather(ODDS)


@dataclass(order=True)
class Event:
    """Something that will happen."""

    at: int
    number: int
    act: Callable[[], None] = field(compare=False)


class Sources:
    """The virtual clock; ids, seeds and versions follow from the world's seed."""

    def __init__(self, random: Random, start: Instant = START) -> None:
        self.time = start
        self._random = random
        self._versions = itertools.count(1)

    def now(self) -> Instant:
        return self.time

    def pause(self, seconds: float) -> None:
        self.time = later(self.time, int(1000 * seconds))

    def id(self) -> str:
        return f"{self._random.getrandbits(80):020x}"

    def seed(self) -> bytes:
        return self._random.randbytes(32)

    def version(self) -> int:
        return next(self._versions)

    def jitter(self) -> float:
        return self._random.random()


class World:
    """Everything around the site. `run` lets events happen in the order of their times until none is left."""

    def __init__(
        self,
        random: Random,
        folder: Path,
        tick_every: int,
        saw: Callable[[Decision[Any]], None],
        judge_mail: Callable[[Letter], None],
        start: Instant = START,
        weather: Weather = STORM,
        admins: tuple[str, ...] = (),
    ) -> None:
        self.random = random
        self.sources = Sources(self.random, start)
        self.calm = True
        self.down_until = Instant(0)
        self.mail_down_until = Instant(0)
        self.meanwhile: list[Callable[[], None]] = []
        self.crashes = 0
        self._saw, self._judge_mail = saw, judge_mail
        self._broken: AssertionError | None = None
        self._events: list[Event] = []
        self._numbers = itertools.count()
        self._weather = weather
        self._troubles = seeded(self.random, weather.odds)
        self._sqlite = SqliteStore(folder / "site.db", self.sources.version)
        store = Watched(self._sqlite, self._watch)
        faulty = Faulty(store, self._plan, stale=Fault.STALE in weather.odds)
        settings = Settings("http://localhost:8000", b"a world's secret", admins=admins, tick=tick_every)
        self.site = Site(settings, self.sources, faulty, self, self, PAGES)
        self.truth: Store = store
        install(self.site)

    def at(self, when: int, act: Callable[[], None]) -> None:
        """Let something happen at an instant (now, if that has passed)."""
        heapq.heappush(self._events, Event(max(when, self.sources.time), next(self._numbers), act))

    def run(self, until: int, done: Callable[[], bool]) -> None:
        """Let things happen until all is done or the time is up."""
        while self._events and self._events[0].at <= until and not done():
            event = heapq.heappop(self._events)
            self.sources.time = Instant(max(event.at, self.sources.time))
            event.act()
            if self._broken is not None:
                raise self._broken

    def start_ticking(self) -> None:
        """Have the tick called from now on, as often as it should be, while the site is up."""

        def again() -> None:
            if self.up:
                with self.crashing():
                    tick.handler({}, None)
            self.at(self.sources.time + self.site.settings.tick, again)

        again()

    @property
    def up(self) -> bool:
        """Whether the site runs at all."""
        return self.sources.time >= self.down_until

    @contextmanager
    def crashing(self) -> Iterator[None]:
        """What happens within may end like a process that is killed, or whose store is out of reach."""
        try:
            yield
        except (Crash, StoreError):
            self.crashes += 1

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """No faults while this lasts."""
        before, self.calm = self.calm, True
        try:
            yield
        finally:
            self.calm = before

    def wake(self, jobs: Iterable[Job], now: Instant) -> None:
        """The queue: messages may be lost until the tick, early, late, or delivered twice."""
        for job in jobs:
            if job.due > now + LONGEST_DELAY:
                continue
            fate = self._fate()
            if fate < 0.05:
                continue
            for _ in range(2 if fate < 0.15 else 1):
                delay = 0 if fate >= 0.35 else self.random.randint(-60 * SECOND, 120 * SECOND)
                self._deliver(job.id, max(now, job.due + delay))

    def waiting(self) -> int:
        return 0

    def send(self, letter: Letter) -> None:
        """The mail server: down at times, and some of its answers are lost."""
        if self.sources.time < self.mail_down_until:
            raise MailRefused
        fate = self._fate()
        if fate < 0.03:
            raise MailRefused
        if fate < 0.05:
            raise MailUnknown
        self._heed(self._judge_mail, letter)
        if fate < 0.07:
            raise MailUnknown

    def _deliver(self, job_id: str, when: int) -> None:
        def act() -> None:
            if not self.up:
                self.at(self.down_until, act)
                return
            event = {"Records": [{"messageId": "m", "body": f'{{"job": "{job_id}"}}'}]}
            try:
                failed = worker.handler(event, None)["batchItemFailures"]
            except (Crash, StoreError):
                self.crashes += 1
                failed = [event]
            if failed:
                self.at(self.sources.time + REDELIVERY, act)

        self.at(when, act)

    def forget(self) -> None:
        """Let the records go whose kind says that they may, as both stores do now and then."""
        self._sqlite.forget(self.sources.time // SECOND)

    def fall(self, span: int) -> None:
        """The whole site is down from now on, for so long (ms)."""
        self.down_until = later(self.sources.time, span)

    def lose_mail(self, span: int) -> None:
        """The mail server is down from now on, for so long (ms)."""
        self.mail_down_until = later(self.sources.time, span)

    def _watch(self, decision: Decision[Any]) -> None:
        self._heed(self._saw, decision)

    def _heed(self, judge: Callable[[Any], None], what: object) -> None:
        """Let it be judged; a promise not kept is told by `run`, as handlers answer any exception by a page."""
        try:
            judge(what)
        except AssertionError as broken:
            self._broken = self._broken or broken

    def _fate(self) -> float:
        """What becomes of a message: the lower, the worse."""
        share = self._weather.share
        spared = self.calm or (share < 1 and self.random.random() >= share)
        return 1.0 if spared else self.random.random()

    def _plan(self, moment: Any) -> Trouble | None:
        if self.meanwhile and moment == "commit":
            self.meanwhile.pop()()
        return None if self.calm else self._troubles(moment)


def plan_outages(world: World, until: int) -> None:
    """One world in three has the whole site down for a while, one in three the mail server."""
    if world.random.random() < 0.34:
        start = world.random.randint(START, until)
        span = world.random.choice((2 * MINUTE, 12 * MINUTE, 3 * HOUR))
        world.at(start, lambda: world.fall(span))
    if world.random.random() < 0.34:
        start = world.random.randint(START, until)
        world.at(start, lambda: world.lose_mail(world.random.randint(MINUTE, 3 * HOUR)))


__all__ = ("START", "Plan", "Weather", "World", "plan_outages")
