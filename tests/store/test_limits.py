"""What is too large for one store is too large for all."""

import random

import pytest

from engine.decisions import Add, Change, Decision, Drop, Hold, Put
from infra.store import Store, TooLarge
from tests.store.kinds import NOTE, Card, Note, Tally


def noise(size: int) -> str:
    """Text that compresses to 0.57 of its size."""
    return random.Random(1).randbytes(size // 2).hex()


def test_a_hundred_items_are_the_most(store: Store) -> None:
    store.commit(Decision(tuple(Put(Note(f"n{i}"), 0) for i in range(100)), None))
    assert store.get(NOTE, "n99")
    with pytest.raises(TooLarge):
        store.commit(Decision(tuple(Put(Note(f"m{i}"), 0) for i in range(101)), None))
    assert store.get(NOTE, "m0") is None


def test_400_kb_are_the_most(store: Store) -> None:
    store.commit(Decision((Put(Note("large", noise(700_000)), 0),), None))
    row = store.get(NOTE, "large")
    assert row
    assert row.value.text == noise(700_000)
    for was in (row.version, None):
        with pytest.raises(TooLarge):
            store.commit(Decision((Put(Note("large", noise(740_000)), was), Put(Note("n"), 0)), None))
    assert store.get(NOTE, "large") == row


def test_a_commit_has_4_mb_at_most(store: Store) -> None:
    text = noise(700_000)
    with pytest.raises(TooLarge):
        store.commit(Decision(tuple(Put(Note(f"n{i}", text), 0) for i in range(13)), None))
    assert store.get(NOTE, "n0") is None


@pytest.mark.parametrize("value", [Note("k" * 2048), Card("b", 1, "n" * 1024)])
def test_a_key_has_its_limit_too(store: Store, value: object) -> None:
    with pytest.raises(TooLarge):
        store.commit(Decision((Put(value, 0),), None))


@pytest.mark.parametrize(
    "changes",
    [
        (Put(Note("n"), 0), Put(Note("n"), 0)),
        (Put(Note("n"), None), Drop(Note("n"), None)),
        (Hold(Note("n"), 0), Put(Note("n"), 0)),
        (Hold(Note("n"), 0), Add(Tally("t"), 1), Hold(Note("n"), 1)),
    ],
)
def test_an_item_has_one_action_in_a_commit(store: Store, changes: tuple[Change, ...]) -> None:
    with pytest.raises(TooLarge):
        store.commit(Decision(changes, None))
    assert store.get(NOTE, "n") is None


def test_the_same_hold_twice_is_one_action(store: Store) -> None:
    store.commit(Decision((Hold(Note("n"), 0), Add(Tally("t"), 1), Hold(Note("n"), 0)), None))
    assert store.count(Tally("t")) == 1
