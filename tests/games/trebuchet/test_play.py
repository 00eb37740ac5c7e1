"""Whole games: from the placement to the honours (T3, T5, T10, T14), and what holds at every step."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed, Refusal
from engine.games import trebuchet
from engine.games.conduct import Step, conduct
from engine.games.draws import GivenDice, SeededDice
from engine.games.protocol import Fact, Resolved, Sent
from engine.games.trebuchet import wire
from engine.games.trebuchet.board import Board, Unit, survivors
from engine.games.trebuchet.firing import Shot, pieces
from engine.games.trebuchet.grid import Cell, Grid, cells, inside, size
from engine.games.trebuchet.orders import Aim, Placement
from engine.games.trebuchet.setup import draw
from engine.games.trebuchet.state import State
from engine.games.trebuchet.turn import play
from engine.times import DAY
from tests.games.trebuchet.cases import given_state

RANDOM = {seat: {"policy": "random"} for seat in trebuchet.SPEC.seats}
LONGEST = 500


def random_game(seed: int, seats: int) -> tuple[Step, ...]:
    secret = seed.to_bytes(32, "big")
    return conduct(trebuchet, trebuchet.start({}, seats, SeededDice(secret, 0)), RANDOM, secret, most=LONGEST)


def placed(seed: int, seats: int) -> State:
    """A game in its first turn, the places chosen at random."""
    state = trebuchet.start({}, seats, GivenDice([]))
    dice = SeededDice(seed.to_bytes(32, "big"), 0)
    sent = {seat: Sent(trebuchet.think(trebuchet.view(state, seat), {}, dice).orders) for seat in state.seats}
    state = trebuchet.resolve(state, sent, dice).state
    return state if state.board else trebuchet.resolve(state, {}, dice).state


def shelled(seed: int, seats: int) -> Board:
    """The board after at most 500 turns in which all fire at any legal cell, each as likely as another."""
    chance, secret = Random(seed), seed.to_bytes(32, "big")
    grid, placed = size(seats), None
    while placed is None:
        plans = {seat: _plan(chance, grid) for seat in trebuchet.SPEC.seats[:seats]}
        placed = draw(plans, SeededDice(secret, 0))
    board, field = Board(grid, 1, {seat: one.unit for seat, one in placed.items()}), list(cells(grid))
    while board.outcome is None and board.turn <= LONGEST:
        alive = {seat: board.units[seat].trebuchet for seat in survivors(board.units)}
        shots = [Shot(seat, _target(chance, field, own)) for seat, own in alive.items()]
        board, _ = play(board, shots, SeededDice(secret, board.turn))
    return board


def _plan(chance: Random, grid: Grid) -> Placement:
    """A formation and three centres inside the field's border, where any formation fits."""
    inner = [(column, row) for column in range(2, grid.columns) for row in range(2, grid.rows)]
    return Placement(tuple(chance.sample(range(1, 9), 3)), tuple(chance.sample(inner, 3)))


def _target(chance: Random, field: Sequence[Cell], own: Cell) -> Cell:
    while (cell := chance.choice(field)) == own:
        pass
    return cell


def playing(given: Mapping[str, Any] | None = None) -> State:
    """Three players in play on the positions of the cases."""
    state = trebuchet.start({}, 3, GivenDice([]))
    board = wire.read_board(given_state(given or {}))
    return replace(state, grid=board.grid, stage="play", board=board)


def fire(state: State, aims: Mapping[str, Aim], dice: list[int]) -> Resolved[State]:
    for seat, aim in aims.items():
        assert trebuchet.check(trebuchet.view(state, seat), aim) == ()
    return trebuchet.resolve(state, {seat: Sent(aim) for seat, aim in aims.items()}, GivenDice(dice))


def board_of(state: State) -> Board:
    assert state.board is not None
    return state.board


def told(facts: tuple[Fact, ...], code: str) -> list[dict[str, Any]]:
    return [dict(fact.detail) for fact in facts if fact.code == code]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 12))
def test_units_stay_apart_scores_grow_and_the_out_stay_out(seed: int, seats: int) -> None:
    for step in random_game(seed, seats):
        after = board_of(step.after)
        cells = [piece.cell for piece in pieces(after.units)]
        assert len(set(cells)) == len(cells)
        assert all(inside(after.grid, cell) for cell in cells)
        before: Mapping[str, Unit] = step.before.board.units if step.before.board else {}
        for seat, old in before.items():
            new = after.units[seat]
            assert new.points >= old.points
            assert new.out >= old.out
            assert len(new.servants) <= len(old.servants)
            assert new.trebuchet == old.trebuchet


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 12))
def test_what_is_dumped_is_what_is_loaded_and_dice_alone_decide(seed: int, seats: int) -> None:
    game = random_game(seed, seats)
    for step in game:
        text = json.dumps(trebuchet.dump(step.before))
        assert trebuchet.load(json.loads(text)) == step.before
        json.dumps(trebuchet.show(trebuchet.view(step.before, "p1")))
    assert trebuchet.load(trebuchet.dump(game[-1].after)) == game[-1].after
    assert random_game(seed, seats) == game


def test_a_thousand_games_at_random_end_within_500_turns() -> None:
    for seed in range(1_000):
        board = shelled(seed, 2 + seed % 11)
        assert board.outcome is not None, f"game {seed} goes on after {LONGEST} turns"


def test_twelve_players_to_the_end() -> None:
    last = random_game(12, 12)[-1]
    outcome = trebuchet.standing(last.after).outcome
    assert outcome is not None
    units = board_of(last.after).units
    assert len(units) == 12
    assert sum(not unit.out for unit in units.values()) <= 1
    best = max(unit.points for unit in units.values())
    assert outcome.honours["points"] == tuple(seat for seat, unit in units.items() if unit.points == best)
    assert trebuchet.standing(last.after).awaits == ()


def test_all_twelve_out_in_one_turn_leave_no_survivor_and_share_the_points() -> None:
    state = placed(5, 12)
    board = board_of(state)
    tired = {seat: replace(unit, missed=2) for seat, unit in board.units.items()}
    resolved = trebuchet.resolve(replace(state, board=replace(board, units=tired)), {}, GivenDice([]))
    outcome = trebuchet.standing(resolved.state).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.by) == (None, "nobody")
    assert outcome.honours == {"survivor": (), "points": trebuchet.SPEC.seats}
    assert told(resolved.facts, "honour")[0] == {"honour": "survivor", "seat": None}
    assert trebuchet.standing(resolved.state).turn == 1


def test_who_sends_no_placement_does_not_begin() -> None:
    state = trebuchet.start({}, 3, GivenDice([]))
    plan = trebuchet.parse({"formation": [1, 3, 5], "centres": ["D4", "D5", "D6"]})
    other = trebuchet.parse({"formation": [1, 3, 5], "centres": ["G9", "F9", "E9"]})
    resolved = trebuchet.resolve(state, {"p1": Sent(plan), "p3": Sent(other)}, GivenDice([1, 1]))
    assert list(board_of(resolved.state).units) == ["p1", "p3"]
    assert told(resolved.facts, "absent") == [{"seat": "p2"}]
    assert trebuchet.standing(resolved.state).awaits == ("p1", "p3")
    assert trebuchet.load(trebuchet.dump(resolved.state)) == resolved.state


@pytest.mark.parametrize("seats", [0, 1])
def test_fewer_than_two_placements_cancel_the_game(seats: int) -> None:
    state = trebuchet.start({}, 2, GivenDice([]))
    plan = trebuchet.parse({"formation": [1, 3, 5], "centres": ["D4", "D5", "D6"]})
    sent = {seat: Sent(plan) for seat in state.seats[:seats]}
    resolved = trebuchet.resolve(state, sent, GivenDice([]))
    outcome = trebuchet.standing(resolved.state).outcome
    assert outcome is not None
    assert (outcome.by, outcome.winner, dict(outcome.honours)) == ("cancelled", None, {})
    assert resolved.facts[-1].code == "ended"
    assert trebuchet.load(trebuchet.dump(resolved.state)) == resolved.state


def test_a_draw_that_hardly_ever_succeeds_is_found_all_the_same() -> None:
    """Nine players whose places all clash but for the last ones: 1 draw in 19,683 is free."""
    state = trebuchet.start({}, 9, GivenDice([]))
    apart = [f"{column}{row}" for row in (2, 6, 10) for column in "BFJ"]
    sent = {}
    for i, seat in enumerate(state.seats):
        clash = ["M16", "M17"] if i % 2 else ["M17", "M16"]
        placement = trebuchet.parse({"formation": [1, 3, 5], "centres": [*clash, apart[i]]})
        assert trebuchet.check(trebuchet.view(state, seat), placement) == ()
        sent[seat] = Sent(placement)
    board = board_of(trebuchet.resolve(state, sent, SeededDice(bytes(32), 0)).state)
    cells = [piece.cell for piece in pieces(board.units)]
    assert len(set(cells)) == len(cells) == 36


def test_the_placement_asked_for_again_is_a_turn_apart_with_a_day_of_its_own() -> None:
    state = trebuchet.start({}, 2, GivenDice([]))
    plan = trebuchet.parse({"formation": [1, 3, 5], "centres": ["D4", "D5", "D6"]})
    again = trebuchet.resolve(state, {"p1": Sent(plan), "p2": Sent(plan)}, GivenDice([])).state
    turns = [trebuchet.standing(one).turn for one in (state, again)]
    assert turns == [0, -1]
    assert trebuchet.standing(again).awaits == ("p1", "p2")
    assert trebuchet.SPEC.spans[again.stage] == DAY


def test_three_turns_in_a_row_without_a_target_and_the_unit_is_gone() -> None:
    state = playing()
    for turn, target in enumerate([(1, 1), (2, 1)]):
        resolved = fire(state, {"p1": Aim(target), "p2": Aim(target)}, [1, 1, 1])
        state = resolved.state
        assert told(resolved.facts, "missed") == [{"seat": "p3", "turns": turn + 1}]
    resolved = fire(state, {"p1": Aim((1, 1)), "p2": Aim((1, 1))}, [1, 1, 1])
    assert told(resolved.facts, "removed") == [{"seat": "p3"}]
    assert board_of(resolved.state).units["p3"].out
    assert trebuchet.standing(resolved.state).awaits == ("p1", "p2")


def test_a_player_who_leaves_takes_the_unit_along_and_nobody_scores() -> None:
    state = playing({"with": {"p2": {"points": 4}}, "shown": ["H8"], "turn": 2})
    left = trebuchet.retire(state, "p2", "left")
    unit = board_of(left.state).units["p2"]
    assert (unit.standing, unit.servants, unit.out, unit.points) == (False, (), True, 4)
    assert board_of(left.state).shown == ()
    assert [fact.code for fact in left.facts] == ["left"]
    assert trebuchet.retire(left.state, "p2", "left") == Resolved(left.state, ())
    end = trebuchet.retire(left.state, "p1", "left")
    outcome = trebuchet.standing(end.state).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.by) == ("p3", "survivor")
    assert outcome.honours == {"survivor": ("p3",), "points": ("p2",)}
    assert trebuchet.retire(end.state, "p3", "left") == Resolved(end.state, ())
    assert trebuchet.resolve(end.state, {}, GivenDice([])) == Resolved(end.state, ())


def test_leaving_before_the_draw_is_not_beginning() -> None:
    state = trebuchet.start({}, 3, GivenDice([]))
    one = trebuchet.retire(state, "p1", "left").state
    assert trebuchet.standing(one).awaits == ("p2", "p3")
    outcome = trebuchet.standing(trebuchet.retire(one, "p3", "left").state).outcome
    assert outcome is not None
    assert outcome.by == "cancelled"


def test_all_survivors_agree_and_share_the_first_honour() -> None:
    state = playing({"with": {"p2": {"points": 4}}})
    peace = {seat: Aim((1, 1), agree_end=True) for seat in ("p1", "p2", "p3")}
    ended = fire(state, peace, [])
    outcome = trebuchet.standing(ended.state).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.by) == (None, "agreement")
    assert outcome.honours == {"survivor": ("p1", "p2", "p3"), "points": ("p2",)}
    assert board_of(ended.state).impacts == ()
    assert trebuchet.load(json.loads(json.dumps(trebuchet.dump(ended.state)))) == ended.state


def test_one_survivor_who_does_not_agree_lets_the_shots_fly() -> None:
    state = playing()
    aims = {"p1": Aim((1, 1), agree_end=True), "p2": Aim((1, 1)), "p3": Aim((1, 1), agree_end=True)}
    resolved = fire(state, aims, [1, 1, 1, 1, 1])
    assert trebuchet.standing(resolved.state).outcome is None
    assert told(resolved.facts, "end_offered") == [{"seat": "p1"}, {"seat": "p3"}]
    silent = fire(state, {seat: aims[seat] for seat in ("p1", "p3")}, [1, 1, 1])
    assert trebuchet.standing(silent.state).outcome is None


def test_a_bonus_is_chosen_with_any_later_order_and_works_at_once() -> None:
    state = playing({"with": {"p1": {"earned": 2, "had": ["rock"]}}})
    assert trebuchet.show(trebuchet.view(state, "p1"))["legal"] == {
        "not_at": "C4",
        "bonus": [],
        "choose": ["stones", "fire", "shield"],
        "choices": 2,
    }
    resolved = fire(state, {"p1": Aim((1, 16), "fire", ("shield", "fire"))}, [1])
    unit = board_of(resolved.state).units["p1"]
    assert (unit.bonuses, unit.had, unit.earned) == (("shield",), ("rock", "shield", "fire"), 0)
    assert told(resolved.facts, "chosen") == [{"seat": "p1", "bonus": "shield"}, {"seat": "p1", "bonus": "fire"}]


def test_a_shield_chosen_with_the_orders_of_a_turn_works_in_it() -> None:
    state = playing({"with": {"p1": {"earned": 1}}})
    resolved = fire(state, {"p1": Aim((1, 16), None, ("shield",)), "p2": Aim((3, 2))}, [1, 1, 1, 1])
    assert len(board_of(resolved.state).units["p1"].servants) == 3
    assert told(resolved.facts, "killed") == []


def test_choices_lapse_once_all_four_were_had() -> None:
    state = playing({"with": {"p1": {"earned": 1, "had": ["rock", "stones", "fire", "shield"]}}})
    assert trebuchet.show(trebuchet.view(state, "p1"))["legal"]["choose"] == []


def test_the_day_of_the_target_decides_who_is_credited() -> None:
    sent: dict[str, Sent[trebuchet.Orders]] = {
        "p1": Sent(Aim((8, 9)), "2026-12-03"),
        "p3": Sent(Aim((8, 9)), "2026-12-01"),
    }
    facts = trebuchet.resolve(playing(), sent, GivenDice([1, 1])).facts
    assert [shot["seat"] for shot in told(facts, "shot")] == ["p3", "p1"]
    assert told(facts, "eliminated") == [{"seat": "p2", "by": "p3"}]
    assert told(facts, "points") == [{"seat": "p3", "won": 6, "total": 6}]


@pytest.mark.parametrize("seats", [1, 13])
def test_no_game_for_such_a_number_of_seats(seats: int) -> None:
    with pytest.raises(Refusal, match="bad_seats"):
        trebuchet.start({}, seats, GivenDice([]))


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"version": 2},
        {"stage": "over"},
        {"board": None},
        {"seats": ["p1"]},
        {"absent": ["p9"]},
        {"plans": []},
        {"plans": {"p1": {"target": "D4"}}},
        {"survivors": ["p1"]},
        {"losses": [{"turn": 1}]},
        {"columns": 13},
        {"extra": 1},
    ],
)
def test_loads_nothing_else(change: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        trebuchet.load({**trebuchet.dump(playing()), **change})
