"""What a side sees and is told never depends on what it may not know (F20–F24, P14, P30)."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.games import feinthold
from engine.games.conduct import Step
from engine.games.draws import GivenDice
from engine.games.feinthold.layouts import HQ, NEIGHBOURS, POSITIONS
from engine.games.feinthold.sheet import NO_ORDERS, Sheet, sheet
from engine.games.feinthold.state import State
from engine.games.feinthold.view_json import read_view
from engine.games.feinthold.views import side_view
from engine.games.protocol import Sent
from tests.games.feinthold_games import steps

NO_DICE = GivenDice([])
SHOWN = {
    "layout", "turn", "side", "flags", "units", "decoys", "points", "income", "predictions", "combats", "presence",
    "last", "outcome",
}  # fmt: skip


def text(state: State, eyes: str) -> str:
    return json.dumps(feinthold.show(feinthold.view(state, eyes)))


def swap(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


@given(steps(), st.sampled_from((0, 1)), st.integers(0, 50))
@settings(max_examples=60, deadline=None)
def test_hidden_facts_never_change_a_view(step: Step, side: int, n: int) -> None:
    state, enemy = step.after, 1 - side
    more = tuple(count + n if count else 0 for count in state.units[enemy])
    other = replace(
        state,
        units=swap(state.units, enemy, more),
        points=swap(state.points, enemy, n),
        income=swap(state.income, enemy, 60 + n),
        predictions=swap(state.predictions, enemy, n),
        combats=swap(state.combats, enemy, n),
        seen=swap(state.seen, enemy, ((1, 2, n),) * 7),
    )
    seat = "ab"[side]
    assert text(state, seat) == text(other, seat)
    assert text(state, "public") == text(other, "public")


@given(steps(), st.sampled_from((0, 1)))
@settings(max_examples=60, deadline=None)
def test_presence_is_seen_from_the_hq_and_own_units_only(step: Step, side: int) -> None:
    state, seat = step.after, "ab"[side]
    shown = feinthold.show(feinthold.view(state, seat))
    watched = {
        POSITIONS[q]
        for p in range(7)
        if state.units[side][p] or p == HQ[side]
        for q in NEIGHBOURS[state.layout][p]
        if state.flags[q] != side
    }
    assert set(shown["presence"]) == watched
    for name, there in shown["presence"].items():
        at = POSITIONS.index(name)
        assert there == bool(state.units[1 - side][at] or state.decoys[1 - side][at])
    assert set(shown) == SHOWN


@given(steps(), st.sampled_from((0, 1)))
@settings(max_examples=60, deadline=None)
def test_own_positions_keep_no_presence(step: Step, side: int) -> None:
    last = feinthold.show(feinthold.view(step.after, "ab"[side]))["last"]
    own = [name for at, name in enumerate(POSITIONS) if step.after.flags[at] == side]
    assert all(last[name]["kind"] != "presence" for name in own if name in last)


@given(steps(), st.sampled_from((0, 1)))
@settings(max_examples=60, deadline=None)
def test_a_view_reads_back_from_its_json(step: Step, side: int) -> None:
    view = side_view(step.after, side)
    assert read_view(json.loads(json.dumps(feinthold.show(view)))) == view


def told(state: State, orders: tuple[Sheet, Sheet], seat: str) -> list[Any]:
    facts = feinthold.resolve(state, {"a": Sent(orders[0]), "b": Sent(orders[1])}, NO_DICE).facts
    return [(fact.code, dict(fact.detail)) for fact in facts if fact.known_to is None or seat in fact.known_to]


@given(steps())
@settings(max_examples=40, deadline=None)
def test_the_enemys_purchases_out_of_sight_are_not_reported(step: Step) -> None:
    """Two worlds: b rests, or buys decoys for its HQ and entrenches nothing; nobody looks there."""
    state = step.before
    quiet = sheet(predict=-1)
    bought = sheet(reinforce=[(6, 0, 1)], predict=0)
    orders = replace(step.thoughts["a"].orders, scout=(), move=())
    if state.flags[6] == 1 and state.points[1] >= 1:
        assert told(state, (orders, quiet), "a") == told(state, (orders, bought), "a")


def test_every_fact_names_who_may_know_it() -> None:
    state = feinthold.start({"layout": 1}, 2, NO_DICE)
    facts = feinthold.resolve(state, {"a": Sent(NO_ORDERS)}, NO_DICE).facts
    assert [(fact.code, fact.known_to) for fact in facts] == [
        ("income", ("a",)),
        ("no_orders", ("b",)),
        ("income", ("b",)),
    ]


def test_the_public_sees_the_turn_alone_while_a_game_runs() -> None:
    state = feinthold.start({"layout": 4}, 2, NO_DICE)
    assert feinthold.show(feinthold.view(state, "public")) == {"layout": None, "turn": 1, "outcome": None}


@given(steps())
@settings(max_examples=20, deadline=None)
def test_all_sees_everything(step: Step) -> None:
    shown = feinthold.show(feinthold.view(step.after, "all"))
    assert feinthold.load({"version": 1, **shown}) == step.after


def test_no_other_eyes_see_anything() -> None:
    state = feinthold.start({"layout": 4}, 2, NO_DICE)
    with pytest.raises(ValueError, match="no such eyes"):
        feinthold.view(state, "c")
    with pytest.raises(ValueError, match="only a side"):
        feinthold.check(feinthold.view(state, "all"), NO_ORDERS)


def test_unknown_policies_and_options_are_malformed() -> None:
    state = feinthold.start({"layout": 4}, 2, NO_DICE)
    with pytest.raises(Malformed, match="bad_policy"):
        feinthold.think(feinthold.view(state, "a"), {"policy": "oracle"}, NO_DICE)
    for options in ({"layout": 11}, {"layout": True}, {"layout": "3"}, {"map": 3, "layout": 3}):
        with pytest.raises(Malformed, match="bad_layout"):
            feinthold.start(options, 2, NO_DICE)
    with pytest.raises(Malformed, match="bad_seats"):
        feinthold.start({}, 3, NO_DICE)
