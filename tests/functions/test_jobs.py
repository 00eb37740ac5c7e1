"""Jobs: each when it is due, as often as it takes, to effect once (P6)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from engine.decisions import Decision, Job, Json, Put
from engine.platform.duels import closing
from engine.platform.duels.records import GRACE
from engine.times import HOUR, MINUTE, SECOND, Instant, later
from functions import tick, worker
from functions.jobs import clock as clock_job
from functions.jobs import mail as mail_job
from infra.faults import Crash, Fault
from infra.records import DUEL, JOB
from tests.support.duelling import Duelling, duel, member, run_due
from tests.support.jobs import Script, job_named, jobs, state, ticked, turns
from tests.support.site import TestSite, site_in

SOMETHING: Final[Json] = {"predict": "centre"}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def site(tmp_path: Path, script: Script) -> TestSite:
    return site_in(tmp_path, plan=script)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"))


class TestWakeUps:
    def test_an_early_one_is_sent_again_and_changes_nothing(self, site: TestSite, game: Duelling) -> None:
        site.queue.jobs.clear()
        before = site.calm.store.get(DUEL, game.id)
        assert worker.run_job(site.site, f"clock/{game.id}")
        assert [job.id for job in site.queue.jobs] == [f"clock/{game.id}"]
        assert site.calm.store.get(DUEL, game.id) == before

    def test_a_late_one_closes_the_turn_and_one_more_does_nothing(self, site: TestSite, game: Duelling) -> None:
        deadline = state(game).deadline or 0
        tick.tick(site.site)
        ticked(site, deadline + HOUR)
        for _ in range(3):
            worker.run_job(site.site, f"clock/{game.id}")
        assert [turn.number for turn in turns(game)] == [1]
        assert state(game).turn == 2

    def test_not_before_the_grace_for_orders_on_their_way(self, site: TestSite, game: Duelling) -> None:
        deadline = state(game).deadline or Instant(0)
        job = job_named(site, f"clock/{game.id}")
        assert job is not None and job.due == later(deadline, GRACE)

    def test_after_the_end_nothing_is_left_to_wake(self, site: TestSite, game: Duelling) -> None:
        game.send("a", SOMETHING)
        game.b.post(f"{game.path}/abandon")
        assert job_named(site, f"clock/{game.id}") is None
        before = state(game)
        assert worker.run_job(site.site, f"clock/{game.id}")
        assert state(game) == before

    def test_it_is_asked_for_before_the_commit_that_it_is_for(self, site: TestSite, script: Script) -> None:
        """A crash between the two costs nothing; the other order could lose a wake-up."""
        anna, beth = member(site, "Anna"), member(site, "Beth")
        game = duel(site, anna, beth, pace="blitz")
        game.send("a", SOMETHING)
        site.queue.jobs.clear()
        page = game.page("b")
        script.faults = [Fault.CRASH_BEFORE]
        with pytest.raises(Crash):
            game.b.post(f"{game.path}/orders", {"turn:int": str(page["duel"]["turn"])})
        assert f"clock/{game.id}" in [job.id for job in site.queue.jobs]

    @pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.STALE])
    def test_whatever_befalls_the_commit_the_turn_is_closed_once(
        self, site: TestSite, script: Script, game: Duelling, fault: Fault
    ) -> None:
        deadline = state(game).deadline or 0
        tick.tick(site.site)
        ticked(site, deadline + GRACE)
        script.faults = [fault]
        for _ in range(2):
            try:
                worker.run_job(site.site, f"clock/{game.id}")
            except Crash:
                continue
        assert [turn.number for turn in turns(game)] == [1]
        assert (state(game).played, state(game).turn) == (1, 2)

    def test_one_that_waits_for_a_tick_leaves_the_wake_up_of_a_turn_opened_meanwhile(
        self, site: TestSite, game: Duelling, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """P7b: ticks are missing across the deadline, orders still count, and the last ones come beside the wake-up."""
        tick.tick(site.site)
        ticked(site, (state(game).deadline or 0) - MINUTE)
        site.sources.time = later(state(game).deadline or Instant(0), 10 * MINUTE)
        assert game.send("a", SOMETHING).status == 200
        wake = closing.wake

        def beside(*args: Any) -> Any:
            decided = wake(*args)
            monkeypatch.setattr(clock_job, "wake", wake)
            assert game.send("b", SOMETHING).json["closed"]
            return decided

        monkeypatch.setattr(clock_job, "wake", beside)
        worker.run_job(site.site, f"clock/{game.id}")
        left = job_named(site, f"clock/{game.id}")
        assert left is not None and left.due == (state(game).deadline or 0) + GRACE

    def test_a_page_that_meets_an_overdue_turn_wakes_it_and_no_more(self, site: TestSite, game: Duelling) -> None:
        site.sources.time = later(state(game).deadline or Instant(0), 5 * SECOND)
        site.queue.jobs.clear()
        before = len(site.store.written)
        game.a.get(game.path)
        assert {job.id for job in site.queue.jobs} == {f"clock/{game.id}"}
        assert set(site.store.written[before:]) <= {"load", "shown"}  # counters


class TestWorker:
    def test_messages_name_jobs_and_gone_ones_are_acknowledged(self, site: TestSite, game: Duelling) -> None:
        event = {"Records": [{"messageId": "1", "body": json.dumps({"job": "clock/none"})}]}
        assert worker.handler(event, None) == {"batchItemFailures": []}

    def test_one_that_can_t_be_run_comes_again_and_the_others_of_its_batch_are_run(
        self, site: TestSite, game: Duelling, script: Script
    ) -> None:
        names = [job.id for job in jobs(site, "mail")]
        records = [{"messageId": name, "body": json.dumps({"job": name})} for name in names]
        nonsense = {"messageId": "x", "body": "no JSON"}
        # the first mail's own commits go well, then its job can't be dropped
        script.faults = [None, None, None, Fault.BUSY]
        failed = worker.handler({"Records": [nonsense, *records]}, None)["batchItemFailures"]
        assert failed == [{"itemIdentifier": "x"}, {"itemIdentifier": names[0]}]
        assert len(site.post.letters) == len(names) == 2

    def test_a_job_that_fails_is_tried_later_and_later_then_parked(self, site: TestSite) -> None:
        job = Job("mail/x", site.sources.now(), "mail", {"notice": "nothing"})
        site.calm.store.commit(Decision((Put(replace(job, task="nonsense"), 0),), None))
        pauses = []
        for _ in range(worker.TRIES):
            before = site.sources.time
            assert worker.run_job(site.site, job.id)
            again = job_named(site, job.id)
            assert again is not None
            pauses.append((again.due - before) // MINUTE)
            site.sources.time = again.due
        assert pauses == [1, 2, 4, 8, 16, 32, 64, 128]
        assert again is not None and again.parked
        assert jobs(site) == []
        assert [row.value.id for row in site.calm.store.query(JOB, "parked", limit=5).rows] == [job.id]

    def test_other_jobs_go_on_beside_one_that_fails(self, site: TestSite, game: Duelling) -> None:
        bad = Job("bad", site.sources.now(), "nonsense")
        site.calm.store.commit(Decision((Put(bad, 0),), None))
        run_due(site)
        assert len(site.post.letters) == 2

    def test_one_written_anew_while_it_ran_stays(
        self, site: TestSite, game: Duelling, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = jobs(site, "mail")[0]

        def meanwhile(*_: Any) -> None:
            site.calm.store.commit(Decision((Put(replace(job, about={**job.about, "new": True}), None),), None))

        monkeypatch.setattr(mail_job, "run", meanwhile)
        worker.run_job(site.site, job.id)
        left = job_named(site, job.id)
        assert left is not None and left.about["new"] is True
