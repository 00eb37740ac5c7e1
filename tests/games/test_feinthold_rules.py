"""What holds in every Feinthold game (F1–F26)."""

import copy
import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import feinthold
from engine.games.conduct import Step
from engine.games.draws import GivenDice, SeededDice
from engine.games.feinthold.layouts import LAYOUTS, NEIGHBOURS, distances, half_turn, linked, paths
from engine.games.feinthold.state import State
from engine.games.feinthold.views import side_view
from engine.games.protocol import Fact, Sent
from tests.games.feinthold_games import games, layouts, random_game, seeds, steps, turned, turned_sheet

NO_DICE = GivenDice([])


def test_every_layout_is_symmetric_and_connected() -> None:
    for layout in LAYOUTS:
        ends = {frozenset(path) for path in paths(layout)}
        assert ends == {frozenset(map(half_turn, path)) for path in ends}
        assert all(steps < 7 for steps in distances(layout, 3))
        assert all(p in NEIGHBOURS[layout][q] for p, near in enumerate(NEIGHBOURS[layout]) for q in near)


def test_the_ten_layouts_differ_and_have_two_options_at_least() -> None:
    assert len({frozenset(options) for options in LAYOUTS.values()}) == 10
    assert all(len(options) >= 2 and {"FC", "CP"} & set(options) for options in LAYOUTS.values())


def test_the_opening_has_four_units_and_five_points_each() -> None:
    state = feinthold.start({"layout": 2}, 2, NO_DICE)
    assert (state.units[0][0], state.units[1][6], state.points, state.income) == (4, 4, (5, 5), (5, 5))


def test_a_layout_not_chosen_is_drawn() -> None:
    assert feinthold.start({}, 2, GivenDice([7])).layout == 7


def test_a_link_broken_at_the_hq_joins_nothing() -> None:
    assert not any(linked(1, 0, (1, 0, 0, 0, -1, -1, 1)))


@given(games)
@settings(max_examples=60, deadline=None)
def test_units_stand_on_own_flags_and_nothing_is_negative(game: tuple[Step, ...]) -> None:
    for step in game:
        state: State = step.after
        for side in (0, 1):
            assert all(flag == side for flag, units in zip(state.flags, state.units[side], strict=True) if units)
            assert all(flag in (side, -1) for flag, n in zip(state.flags, state.decoys[side], strict=True) if n)
            assert min(*state.units[side], *state.decoys[side], state.points[side], state.income[side]) >= 0
            assert state.points[side] <= state.income[side]


@given(games)
@settings(max_examples=40, deadline=None)
def test_a_game_ends_by_turn_eight_and_its_turns_follow(game: tuple[Step, ...]) -> None:
    assert [step.before.turn for step in game] == list(range(1, len(game) + 1))
    assert len(game) <= 8
    last = game[-1].after
    assert last.turn == len(game)
    assert last.end is not None
    if last.turn < 8:
        assert last.end.by in ("hq", "breakthrough") or (last.flags[0], last.flags[6]) == (1, 0)


@given(steps())
@settings(max_examples=80, deadline=None)
def test_a_half_turn_gives_the_half_turned_result(step: Step) -> None:
    orders = {seat: thought.orders for seat, thought in step.thoughts.items()}
    sent = {"a": Sent(turned_sheet(orders["b"])), "b": Sent(turned_sheet(orders["a"]))}
    assert feinthold.resolve(turned(step.before), sent, NO_DICE).state == turned(step.after)


@given(games)
@settings(max_examples=30, deadline=None)
def test_replaying_the_written_orders_gives_the_same_states(game: tuple[Step, ...]) -> None:
    state = game[0].before
    for step in game:
        wire = {seat: json.loads(json.dumps(feinthold.write(one.orders))) for seat, one in step.thoughts.items()}
        sent = {seat: Sent(feinthold.parse(raw)) for seat, raw in wire.items()}
        assert {seat: feinthold.write(one.orders) for seat, one in sent.items()} == wire
        state = feinthold.resolve(feinthold.load(json.loads(json.dumps(feinthold.dump(state)))), sent, NO_DICE).state
        assert state == step.after


@given(steps())
@settings(max_examples=40, deadline=None)
def test_resolving_leaves_its_input_alone(step: Step) -> None:
    before = copy.deepcopy(step.before)
    feinthold.resolve(step.before, {seat: Sent(one.orders) for seat, one in step.thoughts.items()}, NO_DICE)
    assert step.before == before


@given(layouts, seeds, seeds)
@settings(max_examples=40, deadline=None)
def test_random_sheets_are_legal_and_read_back(layout: int, seed: bytes, other: bytes) -> None:
    for step in random_game(layout, seed):
        for seat in "ab":
            view = feinthold.view(step.before, seat)
            orders = feinthold.think(view, {"policy": "random"}, SeededDice(other, step.before.turn)).orders
            assert feinthold.check(view, orders) == ()
            assert feinthold.parse(feinthold.write(orders)) == orders


@given(steps(), st.sampled_from("ab"))
@settings(max_examples=80, deadline=None)
def test_a_sheet_one_point_too_dear_is_refused(step: Step, seat: str) -> None:
    side = "ab".index(seat)
    orders = step.thoughts[seat].orders
    view = replace(side_view(step.before, side), points=orders.cost - 1)
    assert [problem.code for problem in feinthold.check(view, orders)] == ["not_enough_points"]
    assert feinthold.check(replace(view, points=orders.cost), orders) == ()


def the_points(facts: tuple[Fact, ...], seat: str) -> list[int]:
    return [int(str(fact.detail["total"])) for fact in facts if fact.code == "income" and fact.known_to == (seat,)]


@given(games)
@settings(max_examples=30, deadline=None)
def test_the_reported_incomes_sum_up_to_the_income(game: tuple[Step, ...]) -> None:
    for seat, side in (("a", 0), ("b", 1)):
        reported = [n for step in game for n in the_points(step.facts, seat)]
        assert 5 + sum(reported) == game[-1].after.income[side]


@given(games)
@settings(max_examples=30, deadline=None)
def test_losses_reported_account_for_every_unit(game: tuple[Step, ...]) -> None:
    for step in game:
        for seat, side in (("a", 0), ("b", 1)):
            told = [fact for fact in step.facts if fact.known_to == (seat,)]
            placed = sum(int(str(fact.detail["units"])) for fact in told if fact.code == "placed")
            lost = sum(int(str(fact.detail["lost"])) for fact in told if fact.code.startswith("combat_"))
            assert sum(step.before.units[side]) + placed - lost == sum(step.after.units[side])
