"""Nothing about living units leaves but by T15: views, facts, and worlds that differ only in what is hidden."""

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.games import trebuchet
from engine.games.conduct import Step
from engine.games.draws import SeededDice
from engine.games.protocol import Fact, Sent
from engine.games.trebuchet.board import Unit
from engine.games.trebuchet.grid import Grid, around, cells, inside, name
from engine.games.trebuchet.orders import Aim
from engine.games.trebuchet.state import State
from tests.games.trebuchet.test_play import board_of, fire, placed, playing, random_game, told


def page(state: State, eyes: str) -> str:
    return json.dumps(trebuchet.show(trebuchet.view(state, eyes)))


def heard(facts: Iterable[Fact], eyes: str) -> list[Fact]:
    return [fact for fact in facts if fact.known_to is None or eyes in fact.known_to]


@settings(max_examples=6, deadline=None)
@example(18, 12)  # a servant whom a shield moved dies where another of the unit has died before (T12)
@given(st.integers(0, 2**64), st.integers(2, 12))
def test_others_see_the_map_alone(seed: int, seats: int) -> None:
    for step in random_game(seed, seats)[:-1]:
        state: State = step.after
        board = board_of(state)
        for eyes in ("p1", "public"):
            view = trebuchet.view(state, eyes)
            assert set(view.units) == set(view.plans) == ({eyes} & set(board.units))
            assert view.impacts == board.impacts
            dead = {(loss.turn, loss.seat, loss.cell) for loss in view.losses}
            assert len(dead) == len(view.losses)
            assert all(not board.units[loss.seat].standing for loss in view.losses if not loss.servant)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 8))
def test_two_worlds_that_differ_in_hidden_facts_look_the_same(seed: int, seats: int) -> None:
    """Every unit but p1's stands elsewhere, with other formations and secret bonuses; the map and scores are equal."""
    for step in random_game(seed, seats)[:-1:4]:
        other = _other_world(step.after, seed)
        assert other != step.after
        for eyes in ("p1", "public"):
            assert page(other, eyes) == page(step.after, eyes)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 8))
def test_two_worlds_in_which_the_shots_miss_tell_the_same_account(seed: int, seats: int) -> None:
    first = placed(seed, seats)
    second = _other_world(first, seed)
    sent: dict[str, Sent[trebuchet.Orders]] = {seat: Sent(Aim(_free_cell(first, second))) for seat in first.seats}
    one, other = (trebuchet.resolve(world, sent, SeededDice(seed.to_bytes(32, "big"), 1)) for world in (first, second))
    assume(not any(fact.code in ("killed", "destroyed") for fact in one.facts + other.facts))
    for eyes in ("p1", "public"):
        assert heard(one.facts, eyes) == heard(other.facts, eyes)
        assert page(one.state, eyes) == page(other.state, eyes)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 12))
def test_the_account_names_no_cell_of_a_survivor(seed: int, seats: int) -> None:
    for step in random_game(seed, seats):
        if step.before.board is None:
            assert not any("cell" in fact.detail for fact in heard(step.facts, "public"))
            continue
        standing = _standing(step)
        for fact in heard(step.facts, "public"):
            if fact.code in ("killed", "destroyed"):
                assert fact.detail["cell"] not in standing
            elif fact.code not in ("shot", "revealed"):
                assert not {"cell", "target", "from", "to"} & set(fact.detail)


def test_the_dice_of_a_scatter_are_the_shooters_own() -> None:
    """The impact is public; with direction and distance it would give the target away (T15)."""
    facts = fire(playing(), {"p2": Aim((4, 4))}, [6, 4, 2]).facts
    assert told(tuple(heard(facts, "p1")), "shot") == [
        {"number": 1, "seat": "p2", "column": 6, "row": 6, "cell": "F6", "bonus": None}
    ]
    assert told(tuple(heard(facts, "p1")), "aim") == []
    assert told(tuple(heard(facts, "p2")), "aim") == [
        {"number": 1, "seat": "p2", "target": "D4", "scatter": 6, "direction": 4, "distance": 2}
    ]


def test_an_impact_off_the_field_has_no_cell() -> None:
    facts = fire(playing(), {"p2": Aim((1, 1))}, [6, 8, 2]).facts
    assert told(facts, "shot") == [{"number": 1, "seat": "p2", "column": -1, "row": -1, "cell": "", "bonus": None}]


def test_a_servant_that_survives_the_rocks_second_ring_is_told_to_its_owner_alone() -> None:
    state = playing({"with": {"p1": {"bonuses": ["rock"], "had": ["rock"]}}, "units": {"p2": "H9: G8 I10 H8"}})
    facts = fire(state, {"p1": Aim((7, 10), "rock")}, [1, 4, 3, 5]).facts
    assert told(tuple(heard(facts, "public")), "roll") == told(tuple(heard(facts, "p1")), "roll") == []
    assert told(tuple(heard(facts, "p2")), "roll") == [
        {"number": 1, "seat": "p2", "cell": cell, "servant": True, "roll": roll}
        for cell, roll in (("G8", 4), ("H8", 3), ("I10", 5))
    ]
    assert told(tuple(heard(facts, "public")), "killed") == [
        {"number": 1, "seat": "p2", "cell": "G8", "by": "p1", "points": 1, "roll": 4},
        {"number": 1, "seat": "p2", "cell": "I10", "by": "p1", "points": 1, "roll": 5},
    ]


def test_a_servant_saved_on_unexplored_ground_is_told_to_nobody_else() -> None:
    shielded = {"with": {"p2": {"bonuses": ["shield"], "had": ["shield"]}}, "units": {"p2": "H9: G8 G10 H8"}}
    resolved = fire(playing(shielded), {"p1": Aim((9, 7))}, [1, 2])
    assert told(tuple(heard(resolved.facts, "p2")), "shield") == [{"seat": "p2", "from": "H8", "to": "I10"}]
    bare = fire(playing({"units": {"p2": "H9: G8 G10 G9"}}), {"p1": Aim((9, 7))}, [1])
    assert heard(resolved.facts, "public") == heard(bare.facts, "public")
    assert page(resolved.state, "public") == page(bare.state, "public")
    assert page(resolved.state, "p1") == page(bare.state, "p1")


def test_a_shield_without_effect_is_told_to_its_owner() -> None:
    state = playing(
        {"with": {"p2": {"bonuses": ["shield"], "had": ["shield"]}, "p1": {"bonuses": ["rock"], "had": ["rock"]}}}
    )
    facts = fire(state, {"p1": Aim((8, 10), "rock")}, [1, 5]).facts
    assert told(tuple(heard(facts, "p2")), "shield_lost") == [{"seat": "p2"}]
    assert told(tuple(heard(facts, "p1")), "shield_lost") == []


def test_a_servant_saved_on_explored_ground_shows_on_the_map_without_its_owner() -> None:
    given = {
        "with": {"p2": {"bonuses": ["shield"], "had": ["shield"]}},
        "units": {"p2": "H9: G8 G10 H8"},
        "turn": 2,
        "impacts": ["1 p1 8,9 rock"],
    }
    resolved = fire(playing(given), {"p1": Aim((9, 7))}, [1, 3])
    assert told(tuple(heard(resolved.facts, "public")), "revealed") == [{"cell": "H10"}]
    assert trebuchet.show(trebuchet.view(resolved.state, "public"))["shown"] == ["H10"]


def test_the_order_of_revealed_servants_tells_nothing_of_their_owners() -> None:
    pages = {page(playing({"shown": shown}), "public") for shown in (["K2", "H8"], ["H8", "K2"])}
    assert len(pages) == 1


def test_an_elimination_by_servants_hides_the_trebuchet_and_one_by_trebuchet_the_servants_left() -> None:
    resolved = fire(playing({"units": {"p2": "H9: G8"}}), {"p1": Aim((7, 7))}, [1])
    assert "H9" not in page(resolved.state, "p1")
    fallen = fire(playing({"units": {"p2": "H9: G8 I10"}}), {"p1": Aim((9, 8))}, [6, 5, 1])
    assert [loss["cell"] for loss in trebuchet.show(trebuchet.view(fallen.state, "p3"))["losses"]] == ["I10"]
    wreck = fire(
        playing({"units": {"p2": "H9: G8 I10"}, "with": {"p1": {"bonuses": ["fire"], "had": ["fire"]}}}),
        {"p1": Aim((9, 10), "fire")},
        [1, 5],
    )
    assert [(loss.seat, name(loss.cell)) for loss in trebuchet.view(wreck.state, "p3").losses] == [
        ("p2", "H9"),
        ("p2", "I10"),
    ]
    assert "G8" not in page(wreck.state, "p3")


def test_a_removed_unit_leaves_no_trace_on_the_map() -> None:
    state = trebuchet.retire(playing(), "p2", "left").state
    assert trebuchet.view(state, "p1").losses == ()
    assert "H9" not in page(state, "p1")


@pytest.mark.parametrize("eyes", ["p1", "p3", "public", "all"])
def test_everything_is_public_when_the_game_is_over(eyes: str) -> None:
    last = random_game(3, 3)[-1].after
    view = trebuchet.view(last, eyes)
    assert view.units == board_of(last).units
    assert view.plans == last.plans


def test_all_sees_everything_on_the_way_too() -> None:
    state = playing()
    assert trebuchet.view(state, "all").units == board_of(state).units


def _standing(step: Step) -> set[str]:
    units = step.after.board.units.values()
    return {name(cell) for unit in units for cell in (*unit.servants, *([unit.trebuchet] if unit.standing else []))}


def _other_world(state: State, seed: int) -> State:
    """The state with every hidden position and bonus of the others changed, as far as the field has room."""
    board = board_of(state)
    dice = SeededDice(seed.to_bytes(32, "big"), 77)
    own = board.units.get("p1")
    taken = {own.trebuchet, *own.servants} if own else set()
    taken |= {unit.trebuchet for unit in board.units.values() if not unit.standing}
    units = {}
    for seat, unit in board.units.items():
        units[seat] = unit if seat == "p1" else _moved(unit, board.grid, taken, dice)
    return replace(state, board=replace(board, units=units, shown=board.shown), plans={"p1": state.plans["p1"]})


def _moved(unit: Unit, grid: Grid, taken: set[tuple[int, int]], dice: SeededDice) -> Unit:
    if not unit.standing:
        return replace(unit, earned=unit.earned + 1)
    free = [
        centre
        for centre in cells(grid)
        if centre != unit.trebuchet and centre not in taken and len(_ring(centre, grid, taken)) >= len(unit.servants)
    ]
    centre = free[dice.roll(len(free)) - 1]
    servants = tuple(_ring(centre, grid, taken)[: len(unit.servants)])
    taken.update((centre, *servants))
    return replace(unit, trebuchet=centre, servants=servants, bonuses=(), had=("fire",), earned=unit.earned + 1)


def _ring(centre: tuple[int, int], grid: Grid, taken: set[tuple[int, int]]) -> list[tuple[int, int]]:
    return [cell for cell in around(centre) if inside(grid, cell) and cell not in taken]


def _free_cell(*worlds: State) -> tuple[int, int]:
    """A cell that is nobody's trebuchet in any of the worlds."""
    machines = {unit.trebuchet for world in worlds for unit in board_of(world).units.values()}
    return next(cell for cell in cells(worlds[0].grid) if cell not in machines)
