"""Bounded pages by index: order, bounds, paging, sparse listing."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.decisions import Change, Decision, Drop, Put
from infra.store import Order, Store, down
from tests.store.kinds import CARD, NOTE, Card, Note


def put(store: Store, *values: object) -> None:
    changes: tuple[Change, ...] = tuple(Put(value, None) for value in values)
    for first in range(0, len(changes), 100):
        store.commit(Decision(changes[first : first + 100], None))


def numbers(store: Store, start: Order | None = None, upto: Order | None = None, limit: int = 99) -> list[int]:
    page = store.query(NOTE, "number", limit=limit, start=start, upto=upto)
    return [row.value.number for row in page.rows]


def pages(store: Store, limit: int, *, drop: bool = False) -> list[list[str]]:
    """The names in box "b" by rank, page by page; each page's last card is dropped before the next if asked."""
    found: list[list[str]] = []
    after = ""
    while len(found) < 50:
        page = store.query(CARD, "ranked", "b", limit=limit, after=after)
        found.append([row.value.name for row in page.rows])
        if drop:
            store.commit(Decision((Drop(page.rows[-1].value, None),), None))
        after = page.after
        if not after:
            return found
    raise AssertionError("pages without end")


def test_numbers_stand_in_order_whatever_their_sign_and_length(store: Store) -> None:
    given_numbers = [0, -1, 1, 9, 10, -9, -10, 99, 100, 2**53, 2**63, -(2**63), 1_790_000_000_000]
    put(store, *[Note(str(n), number=n) for n in given_numbers])
    assert numbers(store) == sorted(given_numbers)


def test_bounds_are_inclusive(store: Store) -> None:
    put(store, *[Note(str(n), number=n) for n in range(-5, 15)])
    assert numbers(store, start=(-2,), upto=(10,)) == list(range(-2, 11))
    assert numbers(store, start=(9,)) == list(range(9, 15))
    assert numbers(store, upto=(-4,)) == [-5, -4]
    assert numbers(store, upto=(10,), limit=3) == [-5, -4, -3]
    assert numbers(store, start=(5,), upto=(4,)) == []
    assert numbers(store, start=(5,), upto=(5,)) == [5]


def test_equal_orders_are_listed_by_key(store: Store) -> None:
    put(store, *[Note(key, number=1) for key in ("b", "a", "é", "", "a b", "ab")])
    listed = store.query(NOTE, "number", limit=9, start=(1,), upto=(1,)).rows
    assert [row.value.id for row in listed] == ["", "a", "a b", "ab", "b", "é"]


def test_down_runs_from_the_highest(store: Store) -> None:
    put(store, *[Card("b", i, f"n{i}", rank) for i, rank in enumerate((5, -5, 100, 7))])
    ranked = [row.value.rank for row in store.query(CARD, "ranked", "b", limit=9).rows]
    assert ranked == [100, 7, 5, -5]
    bounded = store.query(CARD, "ranked", "b", limit=9, start=(down(7),), upto=(down(5),)).rows
    assert [row.value.rank for row in bounded] == [7, 5]


def test_leading_parts_bound_an_order(store: Store) -> None:
    names = ["a", "a!", "a b", "aa", "b", "", "ab"]
    put(store, *[Card("b", i, name, 1) for i, name in enumerate(names)], Card("b", 50, "a", 2), Card("b", 51, "z", 0))
    exactly = store.query(CARD, "ranked", "b", limit=9, start=(down(1), "a"), upto=(down(1), "a")).rows
    assert [row.value.place for row in exactly] == [0]
    one = store.query(CARD, "ranked", "b", limit=9, start=(down(1),), upto=(down(1),)).rows
    assert [row.value.name for row in one] == sorted(names)


def test_pages_follow_one_another_without_gap_or_repeat(store: Store) -> None:
    put(store, *[Card("b", i, f"n{i:02}", i // 5) for i in range(23)], Card("c", 1, "other"))
    wanted = [f"n{i:02}" for i in sorted(range(23), key=lambda i: (-(i // 5), i))]
    for limit in (1, 5, 22, 23, 24):
        found = pages(store, limit)
        assert [name for page in found for name in page] == wanted
        assert [len(page) for page in found[:-1]] == [limit] * (len(found) - 1)
        assert found[-1]


def test_what_is_dropped_between_pages_hides_nothing_else(store: Store) -> None:
    put(store, *[Card("b", i, f"n{i}", 3) for i in range(7)])
    assert pages(store, 2, drop=True) == [["n0", "n1"], ["n2", "n3"], ["n4", "n5"], ["n6"]]
    assert pages(store, 9) == [["n0", "n2", "n4"]]


@pytest.mark.parametrize("after", ["zzz", "\x7f\x7f", "~" * 5000, "\ud800"])
def test_a_page_after_nonsense_is_empty(store: Store, after: str) -> None:
    put(store, Card("b", 1))
    assert store.query(CARD, "ranked", "b", limit=5, after=after).rows == ()


def test_an_index_lists_only_what_it_should_and_follows_each_change(store: Store) -> None:
    put(store, Card("b", 1, "one"), Card("b", 2, "two", listed=False))
    assert pages(store, 9) == [["one"]]
    put(store, Card("b", 1, "one", listed=False), Card("b", 2, "two", 4), Card("b", 3, "three", 5))
    assert pages(store, 9) == [["three", "two"]]
    store.commit(Decision((Drop(Card("b", 3), None),), None))
    assert pages(store, 9) == [["two"]]


def test_the_key_itself_is_an_index(store: Store) -> None:
    put(store, *[Card("b", place) for place in (10, 9, -1, 100)], Card("c", 5))
    found = store.query(CARD, "", "b", limit=2)
    assert [row.value.place for row in found.rows] == [-1, 9]
    rest = store.query(CARD, "", "b", limit=2, after=found.after)
    assert ([row.value.place for row in rest.rows], rest.after) == ([10, 100], "")
    bounded = store.query(CARD, "", "b", limit=9, start=(9,), upto=(10,)).rows
    assert [row.value.place for row in bounded] == [9, 10]


def test_kinds_and_indexes_do_not_mix(store: Store) -> None:
    put(store, Note("n", number=1), Card("b", 1, "b", 1), Card("b", 2, "x", 1))
    assert [row.value for row in store.query(CARD, "named", "b", limit=9).rows] == [Card("b", 1, "b", 1)]
    assert len(store.query(CARD, "all", limit=9).rows) == 2
    assert numbers(store) == [1]


def test_a_row_of_an_index_has_its_version_and_value(store: Store) -> None:
    card = Card("b", 1, "n", 2, about={"x": ["y"] * 900})
    put(store, card)
    row = store.get(CARD, "b", 1)
    assert store.query(CARD, "ranked", "b", limit=1).rows == (row,)


def test_an_unknown_index_is_an_error(store: Store) -> None:
    with pytest.raises(ValueError, match="unheard"):
        store.query(CARD, "unheard", "b", limit=1)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.tuples(st.integers(-20, 20), st.text(" !~aé\x00", max_size=2)), max_size=12), st.integers(1, 4))
def test_pages_of_random_cards_are_the_sorted_cards(store: Store, cards: set[tuple[int, str]], limit: int) -> None:
    held = store.query(CARD, "", "b", limit=50).rows
    store.commit(Decision(tuple(Drop(row.value, row.version) for row in held), None))
    put(store, *[Card("b", i, name, rank) for i, (rank, name) in enumerate(sorted(cards))])
    found = [name for page in pages(store, limit) for name in page]
    assert found == [name for rank, name in sorted(cards, key=lambda c: (-c[0], c[1]))]
