"""Orders as they are written, read and refused (T3, T6, T10)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.games import trebuchet
from engine.games.draws import GivenDice, SeededDice
from engine.games.trebuchet.orders import Aim, Placement
from tests.games.trebuchet.test_play import playing, random_game

PLACEMENT = {"formation": [6, 1, 4], "centres": ["d4", " F8 ", "B2"]}


def test_reads_a_placement_in_any_case_and_writes_it_canonically() -> None:
    placement = trebuchet.parse(PLACEMENT)
    assert placement == Placement((1, 4, 6), ((4, 4), (6, 8), (2, 2)))
    assert trebuchet.write(placement) == {"formation": [1, 4, 6], "centres": ["D4", "F8", "B2"]}


def test_reads_a_target_alone() -> None:
    aim = trebuchet.parse({"target": "e4"})
    assert aim == Aim((5, 4))
    assert trebuchet.write(aim) == {"target": "E4", "bonus": None, "choose": [], "agree_end": False}
    assert trebuchet.parse(trebuchet.write(aim)) == aim


@pytest.mark.parametrize(
    ("raw", "problems"),
    [
        (None, {("bad_shape", "")}),
        ({}, {("bad_cell", "target")}),
        ({"target": "44"}, {("bad_cell", "target")}),
        ({"target": 7, "bonus": "sword", "choose": "rock", "agree_end": 1, "more": 0}, {
            ("bad_cell", "target"), ("bad_bonus", "bonus"), ("bad_shape", "choose"), ("bad_shape", "agree_end"),
            ("bad_shape", "more"),
        }),
        ({"target": "A1", "choose": ["rock", "rock"]}, {("duplicate", "choose")}),
        ({"formation": [0, 1, 2]}, {("bad_number", "formation"), ("bad_shape", "centres")}),
        ({"formation": [1, 2, 9], "centres": ["A0"]}, {("bad_number", "formation"), ("bad_cell", "centres")}),
    ],
)  # fmt: skip
def test_tells_everything_it_cannot_read(raw: object, problems: set[tuple[str, str]]) -> None:
    with pytest.raises(Malformed) as refused:
        trebuchet.parse(raw)
    assert {(problem.code, problem.field) for problem in refused.value.problems} == problems


@pytest.mark.parametrize(
    ("formation", "centres", "problems"),
    [
        ([1, 4, 6], ["D4", "D5", "D6"], []),
        ([3, 4, 5], ["A1", "D5", "G10"], []),
        ([1, 4], ["D4", "D5", "D6"], [("not_three", "formation", None)]),
        ([1, 1, 6], ["D4", "D5", "D6"], [("duplicate", "formation", None)]),
        ([1, 4, 6], ["D4", "D5"], [("not_three", "centres", None)]),
        ([1, 4, 6], ["D4", "D5", "D5"], [("duplicate", "centres", None)]),
        ([1, 4, 6], ["D4", "I5", "D6"], [("off_field", "centres", "I5")]),
        ([1, 4, 6], ["D1", "A5", "D11"], [("unit_off_field", "centres", at) for at in ("D1", "A5", "D11")]),
    ],
)
def test_explains_an_impossible_placement(formation: list[int], centres: list[str], problems: list[Any]) -> None:
    view = trebuchet.view(trebuchet.start({}, 2, GivenDice([])), "p1")
    found = trebuchet.check(view, trebuchet.parse({"formation": formation, "centres": centres}))
    assert [(problem.code, problem.field, problem.at) for problem in found] == problems


@pytest.mark.parametrize(
    ("aim", "problems"),
    [
        (Aim((1, 1)), []),
        (Aim((13, 1)), [("off_field", "target")]),
        (Aim((3, 4)), [("own_cell", "target")]),
        (Aim((1, 1), "rock"), []),
        (Aim((1, 1), "fire"), [("not_held", "bonus")]),
        (Aim((1, 1), "shield"), [("not_offensive", "bonus")]),
        (Aim((1, 1), "fire", ("fire",)), []),
        (Aim((1, 1), None, ("stones", "fire")), [("not_earned", "choose")]),
        (Aim((1, 1), None, ("rock",)), [("had_already", "choose")]),
    ],
)
def test_explains_an_illegal_shot(aim: Aim, problems: list[tuple[str, str]]) -> None:
    state = playing({"with": {"p1": {"earned": 1, "bonuses": ["rock", "shield"], "had": ["rock", "shield"]}}})
    found = trebuchet.check(trebuchet.view(state, "p1"), aim)
    assert [(problem.code, problem.field) for problem in found] == problems


@pytest.mark.parametrize(
    ("centres", "problems"),
    [
        (["ZZ", "Q99", "D4"], [("bad_cell", "ZZ"), ("off_field", "Q99")]),
        (["ZZ", " ?? ", "D4"], [("bad_cell", "ZZ"), ("bad_cell", "??")]),
        (["D4", "x" * 99, "D5"], [("bad_cell", "x" * 20 + "…")]),
        (["", 7, None], [("bad_cell", None)] * 3),
    ],
)
def test_names_every_cell_that_is_none(centres: list[object], problems: list[object]) -> None:
    view = trebuchet.view(trebuchet.start({}, 2, GivenDice([])), "p1")
    found = trebuchet.judge(view, {"formation": [1, 4, 6], "centres": centres})
    assert [(problem.code, problem.at) for problem in found] == problems
    assert {problem.field for problem in found} == {"centres"}


@pytest.mark.parametrize("centres", [["ZZ"] * 999, ["Q99"] * 999, ["ZZ", "Q99"] * 999, ["D4", "D5", "D6", "ZZ"]])
def test_names_no_more_cells_than_a_unit_has_places(centres: list[str]) -> None:
    view = trebuchet.view(trebuchet.start({}, 2, GivenDice([])), "p1")
    assert 0 < len(trebuchet.judge(view, {"formation": [1, 4, 6], "centres": centres})) <= 6


def test_names_a_target_that_is_no_cell() -> None:
    (problem,) = trebuchet.judge(trebuchet.view(playing(), "p1"), {"target": "4d"})
    assert (problem.code, problem.at, problem.field) == ("bad_cell", "4d", "target")


def test_a_placement_after_the_draw_and_a_shot_before_it_come_at_the_wrong_stage() -> None:
    before, after = trebuchet.start({}, 2, GivenDice([])), playing()
    assert trebuchet.check(trebuchet.view(before, "p1"), Aim((1, 1)))[0].code == "wrong_stage"
    assert trebuchet.check(trebuchet.view(after, "p1"), trebuchet.parse(PLACEMENT))[0].code == "wrong_stage"


def test_who_is_out_sends_nothing_and_nobody_does_when_it_is_over() -> None:
    state = trebuchet.retire(playing(), "p1", "left").state
    assert trebuchet.check(trebuchet.view(state, "p1"), Aim((1, 1)))[0].code == "out"
    over = trebuchet.retire(state, "p2", "left").state
    assert trebuchet.check(trebuchet.view(over, "p3"), Aim((1, 1)))[0].code == "game_over"


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**64), st.integers(2, 12))
def test_random_orders_are_always_legal(seed: int, seats: int) -> None:
    for step in random_game(seed, seats):
        for seat, thought in step.thoughts.items():
            assert trebuchet.check(trebuchet.view(step.before, seat), thought.orders) == ()
            assert trebuchet.parse(trebuchet.write(thought.orders)) == thought.orders


def test_random_orders_follow_from_their_dice() -> None:
    view = trebuchet.view(playing(), "p2")
    thoughts = [trebuchet.think(view, {"policy": "random"}, SeededDice(bytes(32), 4)) for _ in range(2)]
    assert thoughts[0] == thoughts[1]
