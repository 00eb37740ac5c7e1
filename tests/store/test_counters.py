"""Counters: sums without reading, floors, listing."""

import pytest

from engine.decisions import Add, Decision, Put
from infra.store import Conflict, Store
from tests.store.kinds import TALLY, Note, Purse, Tally


def add(store: Store, *adds: Add) -> None:
    store.commit(Decision(adds, None))


def test_a_counter_starts_at_zero_and_sums(store: Store) -> None:
    assert store.count(Tally("t")) == 0
    for by in (5, -7, 0, 2**40):
        add(store, Add(Tally("t"), by))
    assert store.count(Tally("t")) == 2**40 - 2


def test_adds_to_one_counter_are_one_action(store: Store) -> None:
    add(store, *[Add(Tally("t"), 1)] * 150, Add(Tally("u"), 2))
    assert (store.count(Tally("t")), store.count(Tally("u"))) == (150, 2)


@pytest.mark.parametrize("together", [False, True])
def test_a_sum_never_falls_below_its_floor(store: Store, *, together: bool) -> None:
    def change(by: int, floor: int) -> None:
        other = (Put(Note("n"), None),) if together else ()
        store.commit(Decision((Add(Purse("p"), by, floor), *other), None))

    with pytest.raises(Conflict) as raised:
        change(-1, 0)
    assert raised.value.kinds == ("purse",)
    change(10, 0)
    change(-10, 0)
    with pytest.raises(Conflict):
        change(-1, 0)
    change(-5, -5)
    with pytest.raises(Conflict):
        change(-1, -5)
    with pytest.raises(Conflict):
        change(4, 0)
    change(5, 0)
    assert store.count(Purse("p")) == 0


def test_a_counter_that_is_absent_counts_as_zero_for_its_floor(store: Store) -> None:
    with pytest.raises(Conflict):
        add(store, Add(Tally("t"), 3, 4))
    add(store, Add(Tally("t"), -3, -3))
    assert store.count(Tally("t")) == -3


def test_the_highest_floor_of_merged_adds_holds_for_their_sum(store: Store) -> None:
    add(store, Add(Tally("t"), -5, 0), Add(Tally("t"), 7, -100), Add(Tally("t"), 1))
    assert store.count(Tally("t")) == 3
    with pytest.raises(Conflict):
        add(store, Add(Tally("t"), -5, -100), Add(Tally("t"), 1, 0))


def test_counters_of_a_partition_are_listed_in_key_order(store: Store) -> None:
    for seat, turn in (("b", 2), ("a", 10), ("a", 9), ("a", -1)):
        add(store, Add(Tally("t", seat, turn), turn))
    add(store, Add(Tally("u", "a", 3), 1))
    listed = store.counts(TALLY, "t", limit=10)
    assert listed == (
        (Tally("t", "a", -1), -1),
        (Tally("t", "a", 9), 9),
        (Tally("t", "a", 10), 10),
        (Tally("t", "b", 2), 2),
    )
    assert store.counts(TALLY, "t", limit=2) == listed[:2]
    assert store.counts(TALLY, "t", limit=9, start=("a", 9), upto=("a", 10)) == listed[1:3]
    assert store.counts(TALLY, "t", limit=9, start=("b",)) == listed[3:]
    assert store.counts(TALLY, "t", limit=9, upto=("a",)) == listed[:3]
    assert store.counts(TALLY, "nowhere", limit=9) == ()
