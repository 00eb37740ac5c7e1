"""Decide, commit, decide again: nothing is lost and nothing happens twice."""

import random
import threading
import time
from collections.abc import Callable

import pytest

from engine.decisions import Add, Decision, Put
from engine.errors import Refusal
from infra.commit import LONGEST_PAUSES, TRIES, settle
from infra.faults import Fault, Faulty, Trouble
from infra.store import Busy, Conflict, Store, StoreError, TooLarge, Unknown
from tests.store.kinds import KINDS, NOTE, Note, Tally

THREADS, COMMITS = 16, 50
SUMS = ("a", "b", "c", "d", "e", "f", "g", "h")  # with one alone, most of the time goes into deciding again


class Scripted:
    """A decision to make, over a store whose commits fail as listed."""

    def __init__(self, *failures: StoreError | None) -> None:
        self.failures = list(failures)
        self.decided = 0
        self.pauses: list[float] = []

    def decide(self) -> Decision[int]:
        self.decided += 1
        return Decision((), self.decided)

    def commit(self, _: Decision[object]) -> None:
        failure = self.failures.pop(0)
        if failure:
            raise failure

    def settle(self, chance: Callable[[], float] = lambda: 1.0) -> int:
        return settle(self, self.decide, self.pauses.append, chance)  # type: ignore[arg-type]  # only commits


@pytest.mark.parametrize("failure", [Conflict("note"), Busy(), Unknown()])
def test_decides_again_after(failure: StoreError) -> None:
    script = Scripted(failure, failure, None)
    assert script.settle(lambda: 0.5) == 3
    assert script.pauses == [LONGEST_PAUSES[0] / 2, LONGEST_PAUSES[1] / 2]


def test_gives_up_with_the_last_error_after_eight_tries_and_two_seconds() -> None:
    script = Scripted(*[Busy()] * (TRIES - 1), Conflict("last"))
    with pytest.raises(Conflict, match="last"):
        script.settle()
    assert script.decided == 8
    assert sum(script.pauses) == pytest.approx(2.0)


def test_what_can_never_be_committed_is_not_tried_again() -> None:
    script = Scripted(TooLarge())
    with pytest.raises(TooLarge):
        script.settle()


def test_a_refusal_passes_through(store: Store) -> None:
    def refuse() -> Decision[None]:
        raise Refusal("duel.over")

    with pytest.raises(Refusal, match=r"duel\.over"):
        settle(store, refuse, lambda _: None, lambda: 0.0)


def test_the_committed_decision_is_handed_on(store: Store) -> None:
    decision = Decision((Put(Note("n"), 0),), "answer")
    handed: list[Decision[str]] = []
    assert settle(store, lambda: decision, lambda _: None, lambda: 0.0, then=handed.append) == "answer"
    assert handed == [decision]


@pytest.mark.parametrize("fault", [Fault.LOST_ANSWER, Fault.LOST_REQUEST])
def test_a_lost_answer_is_settled_by_deciding_again(store: Store, fault: Fault) -> None:
    troubles = [Trouble(fault), None]
    faulty = Faulty(store, lambda _: troubles.pop(0), KINDS)

    def decide() -> Decision[str]:
        done = faulty.get(NOTE, "request")
        if done:
            return Decision((), done.value.text)
        return Decision((Put(Note("request", "receipt"), 0), Add(Tally("t"), 1)), "receipt")

    assert settle(faulty, decide, lambda _: None, lambda: 0.0) == "receipt"
    assert store.count(Tally("t")) == 1


def test_sixteen_threads_with_fifty_conflicting_commits_each_lose_nothing(shared: Store) -> None:
    shared.commit(Decision(tuple(Put(Note(sum_), 0) for sum_ in SUMS), None))
    failures: list[BaseException] = []
    decisions: list[int] = []

    def work(name: int) -> None:
        try:
            chance = random.Random(name)
            for turn in range(COMMITS):
                decisions.append(_insist(shared, SUMS[(name + turn) % len(SUMS)], f"{name}/{turn}", chance.random))
        except BaseException as error:  # noqa: BLE001  # a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sum(decisions) > THREADS * COMMITS, "nobody was in anybody's way"
    rows = [shared.get(NOTE, sum_) for sum_ in SUMS]
    assert sum(row.value.number for row in rows if row) == shared.count(Tally("t")) == THREADS * COMMITS
    assert all(shared.get(NOTE, f"{name}/{COMMITS - 1}") for name in range(THREADS))


def _insist(store: Store, sum_: str, request: str, chance: Callable[[], float]) -> int:
    """Count one up, once: the request's own record tells whether it was done. Returns how often it was decided."""
    decided = 0

    def decide() -> Decision[None]:
        nonlocal decided
        decided += 1
        if decided > 1 and store.get(NOTE, request):
            return Decision((), None)
        row = store.get(NOTE, sum_)
        assert row
        more = Put(Note(sum_, number=row.value.number + 1), row.version)
        return Decision((more, Put(Note(request), 0), Add(Tally("t"), 1)), None)

    while True:
        try:
            settle(store, decide, time.sleep, chance)
        except (Conflict, Busy):
            continue
        return decided
