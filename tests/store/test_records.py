"""Records by key: versions, conditions, and one transaction a commit."""

from typing import Any

import pytest

from engine.decisions import Add, Change, Decision, Drop, Hold, Put
from infra.store import Conflict, Kind, Part, Store
from tests.store.kinds import CARD, LEAF, NOTE, TALLY, Card, Leaf, Note, Tally


def commit(store: Store, *changes: Change) -> None:
    store.commit(Decision(changes, None))


def version(store: Store, key: str) -> int:
    row = store.get(NOTE, key)
    assert row
    return row.version


def test_what_was_put_is_read_back(store: Store) -> None:
    card = Card("b", -3, "Ève “ \U0001f3af", 7, False, {"deep": [1, 2.5, None, {"ü": True}]})
    commit(store, Put(card, 0))
    row = store.get(CARD, "b", -3)
    assert row
    assert row.value == card
    assert row.version > 0


def test_what_was_never_put_is_absent(store: Store) -> None:
    assert store.get(NOTE, "nobody") is None


@pytest.mark.parametrize("key", ["", " ", "!", "a/b#c|d", "é", "\U0001f600", "\x00", "a b", "A" * 900])
def test_any_text_is_a_key(store: Store, key: str) -> None:
    commit(store, Put(Note(key, "mine"), 0), Put(Note(key + "!", "other"), 0))
    row = store.get(NOTE, key)
    assert row
    assert row.value == Note(key, "mine")


@pytest.mark.parametrize("key", ["k" * 3000, "\ud800"])
def test_an_impossible_key_is_absent(store: Store, key: str) -> None:
    assert store.get(NOTE, key) is None


def test_every_write_gives_a_new_version(store: Store) -> None:
    seen = set()
    commit(store, Put(Note("n"), 0))
    for _ in range(5):
        seen.add(version(store, "n"))
        commit(store, Put(Note("n"), version(store, "n")))
        commit(store, Put(Note("n"), None), Put(Note("m"), None))
    assert len(seen | {version(store, "n"), version(store, "m")}) == 7


def test_a_record_made_anew_never_has_an_old_version(store: Store) -> None:
    commit(store, Put(Note("n", "old"), 0))
    old = version(store, "n")
    commit(store, Drop(Note("n"), old))
    commit(store, Put(Note("n", "new"), 0))
    with pytest.raises(Conflict):
        commit(store, Put(Note("n", "late"), old))
    row = store.get(NOTE, "n")
    assert row
    assert row.value.text == "new"


def test_put_wants_the_version_it_names(store: Store) -> None:
    commit(store, Put(Note("n", "1"), 0))
    first = version(store, "n")
    commit(store, Put(Note("n", "2"), first))
    for stale in (0, first, first + 1000):
        with pytest.raises(Conflict) as raised:
            commit(store, Put(Note("n", "3"), stale))
        assert raised.value.kinds == ("note",)
    row = store.get(NOTE, "n")
    assert row
    assert row.value.text == "2"


def test_put_of_none_replaces_whatever_is_there(store: Store) -> None:
    commit(store, Put(Note("n", "1"), None))
    commit(store, Put(Note("n", "2"), None))
    row = store.get(NOTE, "n")
    assert row
    assert row.value.text == "2"


def test_drop_wants_the_version_it_names(store: Store) -> None:
    commit(store, Put(Note("n"), 0))
    with pytest.raises(Conflict):
        commit(store, Drop(Note("n"), version(store, "n") + 1000))
    with pytest.raises(Conflict):
        commit(store, Drop(Note("n"), 0))
    commit(store, Drop(Note("n", "another text"), version(store, "n")))
    assert store.get(NOTE, "n") is None
    with pytest.raises(Conflict):
        commit(store, Drop(Note("n"), 5))


def test_drop_of_none_drops_what_is_there_or_nothing(store: Store) -> None:
    commit(store, Put(Note("n"), 0))
    commit(store, Drop(Note("n"), None))
    commit(store, Drop(Note("n"), None))
    assert store.get(NOTE, "n") is None


def test_hold_changes_nothing_but_stands_in_the_way(store: Store) -> None:
    commit(store, Put(Note("held", "1"), 0))
    held = version(store, "held")
    commit(store, Hold(Note("held"), held), Put(Note("n"), 0))
    assert version(store, "held") == held
    commit(store, Put(Note("held", "2"), held))
    with pytest.raises(Conflict):
        commit(store, Hold(Note("held"), held), Put(Note("m"), 0))
    assert store.get(NOTE, "m") is None


def test_hold_of_absence(store: Store) -> None:
    commit(store, Hold(Note("absent"), 0), Put(Note("n"), 0))
    commit(store, Hold(Note("absent"), 0))
    with pytest.raises(Conflict):
        commit(store, Hold(Note("n"), 0))


def test_a_commit_is_all_or_nothing(store: Store) -> None:
    commit(store, Put(Note("a", "1"), 0), Put(Note("b", "1"), 0))
    with pytest.raises(Conflict):
        commit(
            store,
            Put(Note("a", "2"), version(store, "a")),
            Add(Tally("t"), 5),
            Put(Note("new"), 0),
            Drop(Note("b"), 77),
        )
    row = store.get(NOTE, "a")
    assert row
    assert row.value.text == "1"
    assert (store.get(NOTE, "new"), store.count(Tally("t"))) == (None, 0)


def test_a_conflict_names_every_kind_that_differed_in_the_decisions_order(store: Store) -> None:
    commit(store, Put(Note("n"), 0), Put(Card("b", 1), 0))
    with pytest.raises(Conflict) as raised:
        commit(
            store,
            Add(Tally("t"), -1, 0),
            Put(Note("fine"), 0),
            Put(Card("b", 1), 0),
            Hold(Note("n"), 0),
            Drop(Card("b", 2), 9),
        )
    assert raised.value.kinds == (TALLY.name, CARD.name, NOTE.name)


@pytest.mark.parametrize("different", ["note", "card", "leaf", "tally"])
def test_a_conflict_names_the_one_kind_that_differed(store: Store, different: str) -> None:
    commit(store, Put(Note("n"), 0), Put(Card("b", 1), 0), Put(Leaf("l", 1), 0), Add(Tally("t"), 1))

    def was(kind: Kind[Any], *key: Part) -> int:
        row = store.get(kind, *key)
        assert row
        return row.version + (kind.name == different)

    with pytest.raises(Conflict) as raised:
        commit(
            store,
            Add(Tally("t"), -1, int(different == "tally")),
            Put(Card("b", 1), was(CARD, "b", 1)),
            Drop(Leaf("l", 1), was(LEAF, "l")),
            Hold(Note("n"), was(NOTE, "n")),
        )
    assert raised.value.kinds == (different,)


def test_no_change_is_no_commit(store: Store) -> None:
    commit(store)


def test_kinds_do_not_share_keys(store: Store) -> None:
    commit(store, Put(Note("x", "note"), 0), Put(Card("x", 0, "card"), 0), Add(Tally("x"), 3))
    note, card = store.get(NOTE, "x"), store.get(CARD, "x", 0)
    assert note
    assert card
    assert (note.value.text, card.value.name, store.count(Tally("x"))) == ("note", "card", 3)


def test_a_key_has_all_its_parts(store: Store) -> None:
    with pytest.raises(ValueError, match="key"):
        store.get(CARD, "box")


def test_counters_are_added_to_and_records_are_put(store: Store) -> None:
    for change in (Put(Tally("t"), 0), Drop(Tally("t"), None), Add(Note("n"), 1)):
        with pytest.raises(TypeError):
            commit(store, change)
