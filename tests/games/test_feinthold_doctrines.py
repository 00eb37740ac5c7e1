"""Doctrines: always legal, from the view alone, read with every problem (F27–F29)."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.games import feinthold
from engine.games.conduct import Step
from engine.games.draws import GivenDice, SeededDice
from engine.games.feinthold.doctrine.evaluate import evaluate
from engine.games.feinthold.doctrine.language import ACTIONS, CONDITIONS, Clause
from engine.games.feinthold.doctrine.noise import SUNDAY, USUAL, noisy
from engine.games.feinthold.doctrine.wire import parse, write
from engine.games.feinthold.views import side_view
from tests.games.feinthold_doctrines import doctrine, doctrines, eager_doctrines, moving, placing, rule
from tests.games.feinthold_games import steps, turned, turned_sheet

HQ_A, FWD_A, POST_A, CENTRE, POST_B, FWD_B, HQ_B = range(7)
NO_DICE = GivenDice([])


@given(steps(), st.sampled_from((0, 1)), doctrines | eager_doctrines)
@settings(max_examples=150, deadline=None)
def test_any_doctrine_gives_a_legal_sheet_on_any_reachable_view(step: Step, side: int, raw: Any) -> None:
    seen = feinthold.view(step.before, "ab"[side])
    thought = feinthold.think(seen, {"policy": "doctrine", "doctrine": raw}, NO_DICE)
    assert feinthold.check(seen, thought.orders) == ()
    assert len(thought.notes) == len(raw["rules"])
    for note, one in zip(thought.notes, raw["rules"], strict=True):
        assert note["acted"] + note["skipped"] == (len(one["then"]) if note["true"] else 0)
        assert note["trimmed"] <= note["acted"]


@given(steps(), st.sampled_from((0, 1)), eager_doctrines, st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_equal_views_give_equal_sheets(step: Step, side: int, raw: Any, n: int) -> None:
    """Two worlds: the enemy has other points, income, counts and memories, and more units where it has some."""
    enemy, before = 1 - side, step.before
    more = tuple(count + n if count else 0 for count in before.units[enemy])
    hidden = replace(before, units=_swap(before.units, enemy, more), points=_swap(before.points, enemy, n))
    hidden = replace(hidden, income=_swap(hidden.income, enemy, n), seen=_swap(hidden.seen, enemy, ((1, 2, n),) * 7))
    read = parse(raw)
    assert evaluate(side_view(before, side), read) == evaluate(side_view(hidden, side), read)


def _swap(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


@given(steps(), eager_doctrines)
@settings(max_examples=60, deadline=None)
def test_a_doctrine_plays_side_b_as_the_half_turn_of_side_a(step: Step, raw: Any) -> None:
    read = parse(raw)
    orders, traces = evaluate(side_view(step.before, 0), read)
    assert evaluate(side_view(turned(step.before), 1), read) == (turned_sheet(orders), traces)


@given(doctrines)
@settings(max_examples=60, deadline=None)
def test_doctrines_survive_their_json(raw: Any) -> None:
    read = parse(raw)
    assert write(read) == raw
    assert parse(json.loads(json.dumps(write(read)))) == read


@given(doctrines, st.sampled_from((USUAL, SUNDAY)), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_noise_keeps_every_number_within_its_list_and_near(raw: Any, spread: int, turn: int) -> None:
    read = parse(raw)
    moved = noisy(read, spread, SeededDice(b"seed", turn))
    assert parse(write(moved)) == moved
    for was, now in zip(_words(read), _words(moved), strict=True):
        assert was == now or (isinstance(was, int) and isinstance(now, int) and abs(was - now) <= spread)


def _words(read: Any) -> list[Any]:
    return [w for one in read.rules for clause in (*one.conditions, *one.actions) for w in clause.words]


def test_noise_moves_numbers_and_leaves_places_alone() -> None:
    read = parse(doctrine(rule({"do": "reinforce", "place": "centre", "units": 3, "decoys": 0})))
    (moved,) = noisy(read, USUAL, GivenDice([3, 1])).rules
    assert moved.actions == (Clause("reinforce", (CENTRE, 4, 0)),)


def problems(raw: Any) -> list[tuple[str, str]]:
    with pytest.raises(Malformed) as bad:
        parse(raw)
    return [(problem.code, problem.field) for problem in bad.value.problems]


PREDICT = {"do": "predict", "place": "centre"}


def test_a_newer_version_is_told_apart() -> None:
    assert problems({**doctrine(), "version": 2}) == [("newer_version", "version")]
    assert problems({**doctrine(), "version": True}) == [("bad_shape", "version")]
    assert problems([]) == [("bad_shape", "")]


def test_nine_rules_are_too_many() -> None:
    assert problems(doctrine(*[rule(PREDICT)] * 9)) == [("too_many_rules", "rules")]


def test_unknown_words_are_found_where_they_stand() -> None:
    raw = doctrine(
        rule(PREDICT, when={"is": "raining"}),
        rule({"do": "retreat"}, {"do": "predict", "place": "moon"}),
        rule(placing("centre", 13, -1), moving("my_hq", "centre", "most"), when={"is": "turn", "op": "=", "n": 9}),
        rule({"do": "scout", "place": 3}, when={"is": "flag", "place": "centre"}),
    )
    assert problems(raw) == [
        ("bad_word", "rules.0.if.0.is"),
        ("bad_word", "rules.1.then.0.do"),
        ("bad_word", "rules.1.then.1.place"),
        ("bad_word", "rules.2.if.0.op"),
        ("bad_number", "rules.2.if.0.n"),
        ("bad_number", "rules.2.then.0.units"),
        ("bad_number", "rules.2.then.0.decoys"),
        ("bad_word", "rules.2.then.1.units"),
        ("bad_word", "rules.3.if.0.owner"),
        ("bad_word", "rules.3.then.0.place"),
    ]


def test_a_rule_has_one_to_three_conditions_and_one_or_two_actions() -> None:
    always = {"is": "always"}
    raw = doctrine(rule(when=[]), rule(PREDICT, PREDICT, PREDICT, when=[always] * 4), {"if": [always]})
    assert problems(raw) == [
        ("bad_clauses", "rules.0.if"),
        ("bad_clauses", "rules.0.then"),
        ("bad_clauses", "rules.1.if"),
        ("bad_clauses", "rules.1.then"),
        ("bad_shape", "rules.2"),
    ]


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "two\nlines", None, 3])
def test_names_are_short_and_printable(name: Any) -> None:
    assert problems({**doctrine(), "name": name}) == [("bad_name", "name")]


def test_unknown_keys_are_refused() -> None:
    raw = {**doctrine(rule({**PREDICT, "sure": True})), "author": "x"}
    assert problems(raw) == [("bad_shape", "author"), ("bad_shape", "rules.0.then.0.sure")]


def test_the_lists_are_those_of_the_rules() -> None:
    assert set(CONDITIONS) == {
        "always", "turn", "points", "relays", "positions", "units", "flag", "presence", "observed", "threat"
    }  # fmt: skip
    assert set(ACTIONS) == {"reinforce", "move", "entrench", "scout", "predict"}
