"""Doctrines: what they say, what they do, and that it is always legal (F27–F30)."""

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.__main__ import answer
from engine.errors import Malformed
from engine.games import feinthold
from engine.games.conduct import Step
from engine.games.draws import GivenDice, SeededDice
from engine.games.feinthold.doctrine.evaluate import Trace, evaluate, holds
from engine.games.feinthold.doctrine.house import HOUSE, house
from engine.games.feinthold.doctrine.language import ACTIONS, CONDITIONS, Clause
from engine.games.feinthold.doctrine.noise import SUNDAY, USUAL, noisy
from engine.games.feinthold.doctrine.trials import GAMES, bench, rule_sums
from engine.games.feinthold.doctrine.wire import parse, write
from engine.games.feinthold.sheet import NO_ORDERS, Sheet, sheet
from engine.games.feinthold.state import State
from engine.games.feinthold.state_json import read_state
from engine.games.feinthold.views import SideView, side_view
from tests.games.feinthold_cases import given_state
from tests.games.feinthold_doctrines import doctrine, doctrines, eager_doctrines, rule
from tests.games.feinthold_games import steps, turned, turned_sheet

HQ_A, FWD_A, POST_A, CENTRE, POST_B, FWD_B, HQ_B = range(7)
NO_DICE = GivenDice([])


def state(**given: Any) -> State:
    return read_state(given_state(given))


def view(side: int = 0, **given: Any) -> SideView:
    return side_view(state(**given), side)


def played(seen: SideView, *actions: dict[str, Any]) -> tuple[Sheet, Trace]:
    """The sheet of a doctrine of one rule that always acts."""
    orders, (trace,) = evaluate(seen, parse(doctrine(rule(*actions))))
    return orders, trace


def true(seen: SideView, **condition: Any) -> bool:
    (rule_,) = parse(
        doctrine(rule({"do": "predict", "place": "centre"}, when={"is": condition.pop("kind"), **condition}))
    ).rules
    return holds(seen, rule_.conditions[0])


# Properties


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


# The conditions of F27


def test_numbers_are_compared_both_ways() -> None:
    seen = view(turn=3, points={"a": 7})
    assert true(seen, kind="turn", op=">=", n=3)
    assert true(seen, kind="turn", op="<=", n=3)
    assert not true(seen, kind="turn", op=">=", n=4)
    assert true(seen, kind="points", op="<=", n=7)
    assert not true(seen, kind="points", op="<=", n=6)


def test_relays_and_positions_count_own_flags() -> None:
    seen = view(flags={"fwd_a": "a", "post_a": "a", "centre": "b"})
    assert true(seen, kind="relays", op="<=", n=1)
    assert true(seen, kind="positions", op=">=", n=3)
    assert not true(seen, kind="positions", op=">=", n=4)


def test_places_are_roles_of_the_own_side() -> None:
    flags = {"fwd_b": "b", "fwd_a": "a"}
    assert true(view(1, flags=flags), kind="flag", place="my_forward", owner="mine")
    assert true(view(0, flags=flags), kind="flag", place="their_forward", owner="theirs")
    assert true(view(0, flags=flags), kind="flag", place="centre", owner="neutral")
    assert true(view(1), kind="units", place="my_hq", op=">=", n=4)


def test_presence_and_threat_read_what_is_in_sight() -> None:
    flags = {"fwd_a": "b", "centre": "b"}
    seen = view(layout=1, flags=flags, units={"a": {"hq_a": 4}, "b": {"fwd_a": 1, "centre": 1}})
    assert true(seen, kind="threat")
    assert true(seen, kind="presence", place="my_forward")
    assert not true(seen, kind="presence", place="centre")
    assert not true(view(), kind="threat")


def test_observed_reads_the_last_count_or_strength_while_it_is_fresh() -> None:
    counted = {"a": {"centre": {"turn": 2, "kind": "scout", "value": 4}}}
    seen = view(turn=4, seen=counted)
    assert true(seen, kind="observed", place="centre", op=">=", n=4, within=2)
    assert not true(seen, kind="observed", place="centre", op=">=", n=4, within=1)
    assert not true(seen, kind="observed", place="their_hq", op="<=", n=12, within=8)
    fought = view(turn=4, seen={"a": {"centre": {"turn": 3, "kind": "combat", "value": 4.5}}})
    assert not true(fought, kind="observed", place="centre", op="<=", n=4, within=1)
    glimpsed = view(turn=4, seen={"a": {"centre": {"turn": 3, "kind": "presence", "value": True}}})
    assert not true(glimpsed, kind="observed", place="centre", op="<=", n=12, within=8)


def test_conditions_of_a_rule_must_all_hold() -> None:
    never = {"is": "turn", "op": ">=", "n": 8}
    read = parse(doctrine(rule({"do": "predict", "place": "centre"}, when=[{"is": "always"}, never])))
    assert evaluate(view(), read) == (NO_ORDERS, (Trace(true=False),))


def test_conditions_read_the_view_as_the_turn_opened() -> None:
    spend = rule({"do": "reinforce", "place": "my_hq", "units": 2, "decoys": 1})
    rich = rule({"do": "predict", "place": "centre"}, when={"is": "points", "op": ">=", "n": 5})
    _, traces = evaluate(view(), parse(doctrine(spend, rich)))
    assert [trace.true for trace in traces] == [True, True]


# Places that the situation decides


def test_the_strongest_has_most_units_and_the_order_breaks_ties() -> None:
    flags = {"fwd_a": "a", "post_a": "a"}
    orders, _ = played(view(flags=flags, units={"a": {"hq_a": 1, "post_a": 3}, "b": {}}), _entrench("strongest"))
    assert orders.entrench == (POST_A,)
    tied = view(flags=flags, units={"a": {"fwd_a": 2, "post_a": 2}, "b": {}})
    assert played(tied, _entrench("strongest"))[0].entrench == (FWD_A,)


def test_the_most_threatened_has_most_presences_next_to_it() -> None:
    flags = {"fwd_a": "a", "post_a": "a", "centre": "b", "post_b": "b"}
    given: dict[str, Any] = {
        "layout": 2,
        "flags": flags,
        "units": {"a": {"hq_a": 9, "fwd_a": 1, "post_a": 1}, "b": {"centre": 1, "post_b": 1}},
    }
    assert played(view(**given), _entrench("most_threatened"))[0].entrench == (FWD_A,)


def test_without_a_threat_units_decide_who_is_most_threatened() -> None:
    seen = view(flags={"fwd_a": "a"}, units={"a": {"hq_a": 1, "fwd_a": 3}, "b": {"hq_b": 1}})
    assert played(seen, _entrench("most_threatened"))[0].entrench == (FWD_A,)


def _entrench(place: str) -> dict[str, Any]:
    return {"do": "entrench", "place": place}


# The actions of F28


def _reinforce(place: str, units: int, decoys: int = 0) -> dict[str, Any]:
    return {"do": "reinforce", "place": place, "units": units, "decoys": decoys}


def _move(source: str, to: str, units: Any, decoys: int = 0) -> dict[str, Any]:
    return {"do": "move", "from": source, "to": to, "units": units, "decoys": decoys}


def test_reinforcements_are_trimmed_to_the_points_units_first() -> None:
    orders, trace = played(view(), _reinforce("my_hq", 3, 2))
    assert orders == sheet(reinforce=[(HQ_A, 2, 1)])
    assert trace == Trace(true=True, acted=1, trimmed=1)


def test_reinforcements_are_trimmed_to_the_limit_over_all_rules() -> None:
    seen = view(points={"a": 20})
    orders, trace = played(seen, _reinforce("my_hq", 3), _reinforce("my_hq", 3))
    assert orders == sheet(reinforce=[(HQ_A, 4, 0)])
    assert (trace.acted, trace.trimmed) == (2, 1)


def test_reinforcing_what_may_not_be_is_skipped() -> None:
    orders, trace = played(view(flags={"post_a": "a"}), _reinforce("my_post", 1), _reinforce("centre", 1))
    assert (orders, trace) == (NO_ORDERS, Trace(true=True, skipped=2))


@pytest.mark.parametrize(("amount", "gone"), [(3, 3), ("half", 2), ("all", 5), ("all_but_one", 4)])
def test_amounts_of_a_move(amount: Any, gone: int) -> None:
    orders, trace = played(view(units={"a": {"hq_a": 5}, "b": {}}), _move("my_hq", "my_forward", amount))
    assert orders == sheet(move=[(HQ_A, FWD_A, gone, 0)])
    assert trace == Trace(true=True, acted=1)


def test_a_move_is_trimmed_to_what_is_there() -> None:
    orders, trace = played(view(decoys={"a": {"hq_a": 1}, "b": {}}), _move("my_hq", "my_post", 6, 2))
    assert orders == sheet(move=[(HQ_A, POST_A, 4, 1)])
    assert trace == Trace(true=True, acted=1, trimmed=1)


def test_a_later_move_sees_what_an_earlier_one_left() -> None:
    orders, _ = played(view(), _move("my_hq", "my_forward", "half"), _move("my_hq", "my_post", "all_but_one"))
    assert orders == sheet(move=[(HQ_A, FWD_A, 2, 0), (HQ_A, POST_A, 1, 0)])


def test_moves_along_one_path_are_one_line() -> None:
    orders, _ = played(view(), _move("my_hq", "my_forward", 1), _move("my_hq", "centre", 1))
    assert orders.move == ((HQ_A, FWD_A, 2, 0),)


def test_a_far_goal_is_approached_by_one_step_of_a_shortest_path() -> None:
    assert played(view(layout=3), _move("my_hq", "their_hq", 2))[0].move == ((HQ_A, FWD_A, 2, 0),)
    assert played(view(layout=4), _move("my_hq", "centre", 2))[0].move == ((HQ_A, POST_A, 2, 0),)
    assert played(view(1, layout=4), _move("my_hq", "centre", 2))[0].move == ((HQ_B, POST_B, 2, 0),)


def test_moving_nothing_or_nowhere_is_skipped() -> None:
    _, trace = played(view(), _move("my_forward", "centre", "all"), _move("my_hq", "my_hq", "all"))
    assert trace == Trace(true=True, skipped=2)


def test_an_entrenched_position_keeps_a_unit() -> None:
    seen = view(flags={"fwd_a": "a"}, units={"a": {"fwd_a": 3}, "b": {}})
    orders, trace = played(seen, _entrench("my_forward"), _move("my_forward", "my_hq", "all"))
    assert orders == sheet(move=[(FWD_A, HQ_A, 2, 0)], entrench=[FWD_A])
    assert trace == Trace(true=True, acted=2, trimmed=1)


def test_an_entrenched_position_with_units_placed_may_send_all_others() -> None:
    seen = view(flags={"fwd_a": "a"}, units={"a": {"fwd_a": 3}, "b": {}})
    first = rule(_reinforce("my_forward", 1), _entrench("my_forward"))
    orders, _ = evaluate(seen, parse(doctrine(first, rule(_move("my_forward", "my_hq", "all")))))
    assert orders == sheet(reinforce=[(FWD_A, 1, 0)], move=[(FWD_A, HQ_A, 3, 0)], entrench=[FWD_A])
    assert feinthold.check(seen, orders) == ()


def test_the_hq_twice_and_empty_places_are_not_entrenched() -> None:
    seen = view(flags={"fwd_a": "a", "post_a": "a"}, units={"a": {"fwd_a": 1}, "b": {}})
    orders, trace = played(seen, _entrench("my_hq"), _entrench("my_post"))
    assert (orders, trace.skipped) == (NO_ORDERS, 2)
    assert played(seen, _entrench("my_forward"), _entrench("my_forward"))[1].skipped == 1


def test_at_most_two_are_scouted_while_points_last() -> None:
    scouts = [{"do": "scout", "place": place} for place in ("centre", "their_hq")]
    orders, trace = played(view(points={"a": 3}), *scouts)
    assert (orders.scout, trace.acted, trace.skipped) == ((CENTRE,), 1, 1)
    third = rule({"do": "scout", "place": "their_post"})
    orders, traces = evaluate(view(points={"a": 9}), parse(doctrine(rule(*scouts), third)))
    assert (orders.scout, traces[1].skipped) == ((CENTRE, HQ_B), 1)
    assert played(view(), {"do": "scout", "place": "my_hq"})[1].skipped == 1


def test_the_first_prediction_stands() -> None:
    orders, trace = played(view(1), {"do": "predict", "place": "my_post"}, {"do": "predict", "place": "centre"})
    assert (orders.predict, trace.acted, trace.skipped) == (POST_B, 1, 1)


# Reading


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
        rule(_reinforce("centre", 13, -1), _move("my_hq", "centre", "most"), when={"is": "turn", "op": "=", "n": 9}),
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


# House AIs, bench and referee


@pytest.mark.parametrize("name", sorted(HOUSE))
def test_house_ais_are_doctrines_of_the_language(name: str) -> None:
    assert write(house(name)) == HOUSE[name]
    assert name in feinthold.SPEC.policies
    seen = feinthold.view(feinthold.start({"layout": 1}, 2, NO_DICE), "a")
    assert feinthold.think(seen, {"policy": name}, NO_DICE).orders == evaluate(view(layout=1), house(name))[0]


def test_the_bench_is_sixty_games_and_always_the_same() -> None:
    began = time.process_time()
    trials = bench(house("pivot"), b"seed")
    assert time.process_time() - began < 2
    assert len(trials) == GAMES == 60
    assert len({(one.ai, one.side, one.layout) for one in trials}) == 60
    assert bench(house("pivot"), b"seed") == trials
    assert bench(house("pivot"), b"other") != trials
    turns = sum(len(one.turns) for one in trials)
    always = [done.true for done, one in zip(rule_sums(house("pivot"), trials), house("pivot").rules, strict=True)
              if one.conditions[0].kind == "always"]  # fmt: skip
    assert always
    assert set(always) == {turns}


def ask(op: str, **parts: Any) -> Any:
    return json.loads(answer(json.dumps({"game": "feinthold", "op": op, **parts}).encode()))


def test_the_referee_plays_a_doctrine_from_a_state_or_a_view() -> None:
    given = given_state({"layout": 4})
    raw = doctrine(rule(_move("my_hq", "my_forward", 3)))
    got = ask("doctrine", state=given, side="b", doctrine=raw, seed="x")
    assert got["orders"]["move"] == [{"from": "hq_b", "to": "fwd_b", "units": 3, "decoys": 0}]
    assert got["rules"] == [{"rule": 1, "true": True, "acted": 1, "trimmed": 0, "skipped": 0}]
    seen = ask("view", state=given, side="b")["view"]
    assert ask("doctrine", view=seen, doctrine=raw, seed="x") == got
    assert ask("validate", view=seen, orders=got["orders"]) == {"errors": []}


def test_the_referee_plays_house_ais_with_the_noise_of_the_seed() -> None:
    given = given_state({"layout": 4, "turn": 3, "points": {"a": 20}})
    sheets = [json.dumps(ask("doctrine", state=given, side="a", doctrine="ram", seed=str(n))) for n in range(20)]
    assert sheets == [
        json.dumps(ask("doctrine", state=given, side="a", doctrine="ram", seed=str(n))) for n in range(20)
    ]
    assert len(set(sheets)) > 1


def test_the_referee_benches_a_doctrine() -> None:
    got = ask("bench", doctrine=doctrine(), seed="x")
    assert (got["games"], got["won"] + got["drawn"] + got["lost"], len(got["by"])) == (60, 60, 60)
    assert got == ask("bench", doctrine=doctrine(), seed="x")


def test_the_referee_refuses_bad_doctrines_and_seeds() -> None:
    given = given_state({})
    bad: list[Any] = ["tiger", None, 3, [], doctrine(*[rule(PREDICT)] * 9), {**doctrine(), "version": 2}]
    for raw in bad:
        assert ask("doctrine", state=given, side="a", doctrine=raw, seed="")["error"]["code"] == "bad_doctrine"
        assert ask("bench", doctrine=raw, seed="")["error"]["code"] == "bad_doctrine"
    assert ask("bench", doctrine="ram", seed=3)["error"]["code"] == "bad_seed"
    over = {**given, "turn": 8, "outcome": {"winner": None, "by": "draw"}}
    assert ask("doctrine", state=over, side="a", doctrine="ram", seed="")["error"]["code"] == "game_over"
