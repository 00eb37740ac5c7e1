"""Wake-ups within one process."""

import threading
import time
from pathlib import Path

import pytest

from engine.decisions import Job
from engine.times import SECOND, Instant, later
from infra.local.loop import Loop
from infra.local.queue import LONGEST, LocalQueue
from infra.site import Site
from infra.sources import SystemSources
from tests.support.site import NOON, FixedSources, TestSite, site_in


def job(id: str, due: Instant, queue: str = "clocks") -> Job:
    return Job(id, due, "clock", queue="slow" if queue == "slow" else "clocks")


def test_jobs_are_named_in_the_order_of_their_due_times() -> None:
    queue = LocalQueue(FixedSources())
    queue.wake([job("b", later(NOON, -1)), job("a", later(NOON, -9)), job("c", NOON)], NOON)
    assert [queue.take("clocks") for _ in range(3)] == ["a", "b", "c"]
    assert queue.waiting() == 0


def test_a_job_asked_for_twice_is_named_once_at_its_earlier_time() -> None:
    queue = LocalQueue(FixedSources())
    queue.wake([job("a", later(NOON, 5000)), job("a", NOON), job("a", later(NOON, 9000))], NOON)
    assert (queue.waiting(), queue.take("clocks"), queue.waiting()) == (1, "a", 0)


def test_the_two_queues_do_not_wait_for_each_other() -> None:
    queue = LocalQueue(FixedSources())
    queue.wake([job("mail", NOON, "slow"), job("clock", NOON)], NOON)
    assert (queue.take("clocks"), queue.take("slow")) == ("clock", "mail")


def test_what_is_far_ahead_is_left_to_the_tick() -> None:
    queue = LocalQueue(FixedSources())
    queue.wake([job("a", later(NOON, LONGEST)), job("b", later(NOON, LONGEST + 1))], NOON)
    assert queue.waiting() == 1


def test_a_taker_is_woken_at_the_due_time_and_not_before() -> None:
    sources = SystemSources(speed=20)
    queue = LocalQueue(sources, speed=20)
    due = later(sources.now(), 3 * SECOND)
    queue.wake([job("a", due)], sources.now())
    begun = time.monotonic()
    assert queue.take("clocks") == "a"
    assert due <= sources.now() < due + 10 * SECOND
    assert time.monotonic() - begun < 1


def test_an_earlier_job_wakes_a_taker_that_waits_for_a_later_one() -> None:
    sources = SystemSources()
    queue = LocalQueue(sources)
    queue.wake([job("late", later(sources.now(), 60 * SECOND))], sources.now())
    threading.Timer(0.1, lambda: queue.wake([job("now", sources.now())], sources.now())).start()
    assert queue.take("clocks") == "now"


def test_closing_sends_takers_home() -> None:
    queue = LocalQueue(SystemSources())
    threading.Timer(0.1, queue.close).start()
    assert queue.take("slow") is None


class Worker:
    """Runs jobs by noting them; the first `failures` runs of each fail, by an exception or by saying so."""

    def __init__(self, failures: int = 0, raising: bool = False) -> None:
        self.ran: list[str] = []
        self.enough = threading.Event()
        self._failures = failures
        self._raising = raising

    def run(self, _: Site, job_id: str) -> bool:
        self.ran.append(job_id)
        if self.ran.count(job_id) <= self._failures:
            if self._raising:
                raise RuntimeError
            return False
        self.enough.set()
        return True


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestSite:
    monkeypatch.setattr("infra.local.loop._PAUSE", 20)
    return site_in(tmp_path)


@pytest.mark.parametrize("raising", [False, True])
def test_a_job_that_can_t_be_run_comes_again(quick: TestSite, raising: bool) -> None:
    sources = SystemSources()
    queue, worker = LocalQueue(sources), Worker(failures=2, raising=raising)
    site = Site(quick.site.settings, sources, quick.store, queue, quick.post, quick.site.pages)
    loop = Loop(site, queue, worker.run, lambda _: None)
    loop.start()
    queue.wake([job("a", sources.now())], sources.now())
    assert worker.enough.wait(5)
    loop.stop()
    assert worker.ran == ["a", "a", "a"]


def test_a_slow_mail_keeps_no_clock_waiting(quick: TestSite) -> None:
    sources, release, done = SystemSources(), threading.Event(), threading.Event()
    queue = LocalQueue(sources)
    site = Site(quick.site.settings, sources, quick.store, queue, quick.post, quick.site.pages)

    def run(_: Site, job_id: str) -> bool:
        if job_id == "mail":
            return release.wait(5)
        done.set()
        return True

    loop = Loop(site, queue, run, lambda _: None)
    loop.start()
    queue.wake([job("mail", sources.now(), "slow")], sources.now())
    time.sleep(0.1)
    queue.wake([job("clock", sources.now())], sources.now())
    assert done.wait(2)
    release.set()
    loop.stop()


def test_ticks_go_on_after_one_that_failed(quick: TestSite) -> None:
    ticks: list[int] = []
    twice = threading.Event()

    def tick(_: Site) -> None:
        ticks.append(1)
        if len(ticks) == 2:
            twice.set()
        raise RuntimeError

    site = quick.site
    settings = type(site.settings)(site.settings.base_url, b"x", tick=50)
    sources = SystemSources()
    queue = LocalQueue(sources)
    loop = Loop(Site(settings, sources, site.store, queue, site.mailer, site.pages), queue, Worker().run, tick)
    loop.start()
    assert twice.wait(5)
    loop.stop()


def test_mails_to_a_server_that_does_not_answer_keep_no_computers_move_waiting(quick: TestSite) -> None:
    sources, release, done = SystemSources(), threading.Event(), threading.Event()
    queue, mails = LocalQueue(sources), []
    site = Site(quick.site.settings, sources, quick.store, queue, quick.post, quick.site.pages)

    def run(_: Site, job_id: str) -> bool:
        if job_id == "move":
            done.set()
            return True
        mails.append(job_id)
        return release.wait(5)

    loop = Loop(site, queue, run, lambda _: None)
    loop.start()
    queue.wake([job("mail 1", sources.now(), "slow"), job("mail 2", sources.now(), "slow")], sources.now())
    time.sleep(0.1)
    queue.wake([job("mail 1", sources.now(), "slow"), job("move", sources.now(), "slow")], sources.now())
    assert done.wait(2)
    assert sorted(mails) == ["mail 1", "mail 2"]  # what a tick names again is run by one thread at a time
    release.set()
    loop.stop()
