"""What each condition and action of a doctrine means (F27, F28)."""

from typing import Any

import pytest

from engine.games import feinthold
from engine.games.draws import GivenDice
from engine.games.feinthold.doctrine.evaluate import Trace, evaluate, holds
from engine.games.feinthold.doctrine.wire import parse
from engine.games.feinthold.sheet import NO_ORDERS, Sheet, sheet
from engine.games.feinthold.state import State
from engine.games.feinthold.state_json import read_state
from engine.games.feinthold.views import SideView, side_view
from tests.games.feinthold_cases import given_state
from tests.games.feinthold_doctrines import doctrine, moving, placing, rule

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


def test_reinforcements_are_trimmed_to_the_points_units_first() -> None:
    orders, trace = played(view(), placing("my_hq", 3, 2))
    assert orders == sheet(reinforce=[(HQ_A, 2, 1)])
    assert trace == Trace(true=True, acted=1, trimmed=1)


def test_reinforcements_are_trimmed_to_the_limit_over_all_rules() -> None:
    seen = view(points={"a": 20})
    orders, trace = played(seen, placing("my_hq", 3), placing("my_hq", 3))
    assert orders == sheet(reinforce=[(HQ_A, 4, 0)])
    assert (trace.acted, trace.trimmed) == (2, 1)


def test_reinforcing_what_may_not_be_is_skipped() -> None:
    orders, trace = played(view(flags={"post_a": "a"}), placing("my_post", 1), placing("centre", 1))
    assert (orders, trace) == (NO_ORDERS, Trace(true=True, skipped=2))


@pytest.mark.parametrize(("amount", "gone"), [(3, 3), ("half", 2), ("all", 5), ("all_but_one", 4)])
def test_amounts_of_amoving(amount: Any, gone: int) -> None:
    orders, trace = played(view(units={"a": {"hq_a": 5}, "b": {}}), moving("my_hq", "my_forward", amount))
    assert orders == sheet(move=[(HQ_A, FWD_A, gone, 0)])
    assert trace == Trace(true=True, acted=1)


def test_a_move_is_trimmed_to_what_is_there() -> None:
    orders, trace = played(view(decoys={"a": {"hq_a": 1}, "b": {}}), moving("my_hq", "my_post", 6, 2))
    assert orders == sheet(move=[(HQ_A, POST_A, 4, 1)])
    assert trace == Trace(true=True, acted=1, trimmed=1)


def test_a_later_move_sees_what_an_earlier_one_left() -> None:
    orders, _ = played(view(), moving("my_hq", "my_forward", "half"), moving("my_hq", "my_post", "all_but_one"))
    assert orders == sheet(move=[(HQ_A, FWD_A, 2, 0), (HQ_A, POST_A, 1, 0)])


def test_moves_along_one_path_are_one_line() -> None:
    orders, _ = played(view(), moving("my_hq", "my_forward", 1), moving("my_hq", "centre", 1))
    assert orders.move == ((HQ_A, FWD_A, 2, 0),)


def test_a_far_goal_is_approached_by_one_step_of_a_shortest_path() -> None:
    assert played(view(layout=3), moving("my_hq", "their_hq", 2))[0].move == ((HQ_A, FWD_A, 2, 0),)
    assert played(view(layout=4), moving("my_hq", "centre", 2))[0].move == ((HQ_A, POST_A, 2, 0),)
    assert played(view(1, layout=4), moving("my_hq", "centre", 2))[0].move == ((HQ_B, POST_B, 2, 0),)


def test_moving_nothing_or_nowhere_is_skipped() -> None:
    _, trace = played(view(), moving("my_forward", "centre", "all"), moving("my_hq", "my_hq", "all"))
    assert trace == Trace(true=True, skipped=2)


def test_an_entrenched_position_keeps_a_unit() -> None:
    seen = view(flags={"fwd_a": "a"}, units={"a": {"fwd_a": 3}, "b": {}})
    orders, trace = played(seen, _entrench("my_forward"), moving("my_forward", "my_hq", "all"))
    assert orders == sheet(move=[(FWD_A, HQ_A, 2, 0)], entrench=[FWD_A])
    assert trace == Trace(true=True, acted=2, trimmed=1)


def test_an_entrenched_position_with_units_placed_may_send_all_others() -> None:
    seen = view(flags={"fwd_a": "a"}, units={"a": {"fwd_a": 3}, "b": {}})
    first = rule(placing("my_forward", 1), _entrench("my_forward"))
    orders, _ = evaluate(seen, parse(doctrine(first, rule(moving("my_forward", "my_hq", "all")))))
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
