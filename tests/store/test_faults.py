"""The faulty store fails as its plan says, and otherwise is the store beneath."""

import random

import pytest

from engine.decisions import Add, Change, Decision, Drop, Put
from infra.faults import Crash, Fault, Faulty, Moment, Trouble, seeded
from infra.store import Busy, Conflict, Store, Unknown
from tests.store.kinds import CARD, KINDS, NOTE, TALLY, Card, Note, Tally


class Plan:
    """Troubles by moment, none once they are used up."""

    def __init__(self) -> None:
        self.commits: list[Fault] = []
        self.behind = 0

    def __call__(self, moment: Moment) -> Trouble | None:
        if moment == "query":
            return Trouble(Fault.STALE, self.behind) if self.behind else None
        return Trouble(self.commits.pop(0)) if self.commits else None


def commit(store: Store, *changes: Change) -> None:
    store.commit(Decision(changes, None))


@pytest.mark.parametrize(
    ("fault", "raised", "written"),
    [
        (Fault.CRASH_BEFORE, Crash, False),
        (Fault.CRASH_AFTER, Crash, True),
        (Fault.LOST_REQUEST, Unknown, False),
        (Fault.LOST_ANSWER, Unknown, True),
        (Fault.CONFLICT, Conflict, False),
        (Fault.BUSY, Busy, False),
    ],
)
def test_each_fault_does_what_it_says_once(
    store: Store, fault: Fault, raised: type[BaseException], *, written: bool
) -> None:
    plan = Plan()
    faulty = Faulty(store, plan, KINDS)
    plan.commits = [fault]
    with pytest.raises(raised):
        commit(faulty, Put(Note("n"), 0), Add(Tally("t"), 1))
    assert ((store.get(NOTE, "n") is not None), store.count(Tally("t"))) == (written, int(written))
    commit(faulty, Put(Note("m"), 0))
    assert faulty.get(NOTE, "m")


def test_a_conflict_that_was_made_up_names_the_kinds(store: Store) -> None:
    faulty = Faulty(store, lambda _: Trouble(Fault.CONFLICT), KINDS)
    with pytest.raises(Conflict) as raised:
        commit(faulty, Add(Tally("t"), 1), Put(Note("n"), None), Add(Tally("t"), 1))
    assert raised.value.kinds == ("tally", "note")


def test_nothing_to_commit_never_fails(store: Store) -> None:
    commit(Faulty(store, lambda _: Trouble(Fault.CRASH_BEFORE), KINDS))


def test_a_stale_index_answers_as_of_an_earlier_moment(store: Store) -> None:
    plan = Plan()
    faulty = Faulty(store, plan, KINDS)
    commit(faulty, Put(Card("b", 1, "one", 1), 0), Put(Card("b", 2, "two", 2), 0))
    commit(faulty, Put(Card("b", 1, "one", 9), None))
    commit(faulty, Drop(Card("b", 2), None), Put(Card("b", 3, "three", 3), 0))

    def names() -> list[str]:
        return [f"{row.value.name} {row.value.rank}" for row in faulty.query(CARD, "ranked", "b", limit=9).rows]

    seen = []
    for plan.behind in (0, 1, 2, 3, 4):
        seen.append(names())
    assert seen == [["one 9", "three 3"], ["one 9", "two 2"], ["two 2", "one 1"], [], []]
    assert [row.value.place for row in faulty.query(CARD, "", "b", limit=9).rows] == [1, 3]
    assert faulty.counts(TALLY, "t", limit=1) == ()


def test_pages_of_a_stale_index_are_whole(store: Store) -> None:
    plan = Plan()
    faulty = Faulty(store, plan, KINDS)
    commit(faulty, *[Put(Card("b", i, f"n{i}"), 0) for i in range(8)])
    commit(faulty, *[Drop(Card("b", i), None) for i in (0, 1, 4, 7)], Put(Card("b", 9, "n9"), 0))
    plan.behind = 1
    found: list[list[int]] = []
    after = ""
    while len(found) < 9:
        page = faulty.query(CARD, "ranked", "b", limit=3, after=after)
        found.append([row.value.place for row in page.rows])
        after = page.after
        if not after:
            break
    assert found == [[0, 1, 2], [3, 4, 5], [6, 7]]


def test_the_same_seed_makes_the_same_plan_with_the_given_odds() -> None:
    odds = {Fault.CRASH_AFTER: 0.2, Fault.STALE: 0.5, Fault.BUSY: 0.1}
    moments: list[Moment] = ["commit", "query"] * 2000

    def drawn(seed: int) -> list[Trouble | None]:
        plan = seeded(random.Random(seed), odds)
        return [plan(moment) for moment in moments]

    faults = [trouble.fault for trouble in drawn(1) if trouble]
    assert drawn(1) == drawn(1) != drawn(2)
    assert {fault: round(faults.count(fault) / 2000, 1) for fault in Fault if fault in faults} == odds
