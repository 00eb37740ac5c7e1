"""The referee: every legal request answered as the rules say, everything else refused with a code."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed, Refusal
from engine.games.draws import GivenDice, SeededDice
from engine.games.trebuchet import wire
from engine.games.trebuchet.referee import OPS
from engine.games.trebuchet.turn import play
from engine.games.verify import NotedDice
from tests.games.trebuchet import naive
from tests.games.trebuchet.cases import given_shot, given_state
from tests.games.trebuchet.worlds import crowded_request

Json = dict[str, Any]
SEEDS = st.integers(0, 2**32 - 1)


def with_dice(request: Json, seed: int) -> Json:
    """The request with the rolls that this turn takes from a seed."""
    board = wire.read_board(request["state"])
    dice = NotedDice(SeededDice(seed.to_bytes(32, "big"), 1))
    play(board, wire.read_shots(board, request["shots"]), dice)
    return request | {"dice": [value for _, value in dice.rolls]}


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_agrees_with_a_second_reading_of_the_rules(seed: int) -> None:
    request = with_dice(crowded_request(seed), seed)
    before = copy.deepcopy(request)
    assert OPS["resolve"](request) == naive.resolve(request)
    assert request == before


@settings(max_examples=80, deadline=None)
@given(SEEDS)
def test_a_unit_stays_on_the_field_and_apart_and_points_never_shrink(seed: int) -> None:
    request = with_dice(crowded_request(seed), seed)
    answer = OPS["resolve"](request)
    before, after = request["state"]["units"], answer["state"]["units"]
    assert wire.read_board(answer["state"]), "the result is a legal state"
    gained = {seat: after[seat]["points"] - before[seat]["points"] for seat in after}
    report = answer["report"]
    for seat, points in gained.items():
        others = [hit for hit in report["killed"] if hit["by"] == seat != hit["player"]]
        wrecks = [hit for hit in report["destroyed"] if hit["by"] == seat != hit["player"]]
        assert points == len(others) + 3 * len(wrecks), "nobody earns for the own unit"


@settings(max_examples=80, deadline=None)
@given(SEEDS)
def test_a_shield_never_raises_the_dead_nor_lands_in_an_explosion(seed: int) -> None:
    request = with_dice(crowded_request(seed), seed)
    board = wire.read_board(request["state"])
    after, report = play(board, wire.read_shots(board, request["shots"]), GivenDice(request["dice"]))
    blasts = [naive.blast(one.impact, one.shot.bonus) for one in report.fired]
    for one in report.shields:
        unit = after.units[one.seat]
        assert "shield" in board.units[one.seat].bonuses
        assert "shield" not in unit.bonuses
        if one.saved is not None:
            assert one.cell in unit.servants or unit.out
            assert one.saved.cell in board.units[one.seat].servants
            assert not any(one.cell in blast for blast in blasts)
    for seat, unit in after.units.items():
        dead = {hit.piece.cell for hit in report.killed if hit.piece.seat == seat}
        assert len(unit.servants) <= len(board.units[seat].servants) - len(dead)
        assert dead.isdisjoint(unit.servants)


def test_order_of_the_shots_in_the_request_changes_nothing() -> None:
    request = with_dice(crowded_request(7), 7)
    backwards = request | {"shots": request["shots"][::-1]}
    assert OPS["resolve"](backwards) == OPS["resolve"](request)


def test_takes_any_names_for_the_players() -> None:
    text = json.dumps(with_dice(crowded_request(3), 3)).replace('"p1"', '"Essen"').replace('"p2"', '"Mic\'"')
    assert OPS["resolve"](json.loads(text))["state"]["players"][:2] == ["Essen", "Mic'"]


@pytest.mark.parametrize("players", [0, 1, 13, 2.0, "2", None, True])
def test_no_field_for_such_a_number_of_players(players: object) -> None:
    with pytest.raises(Malformed, match="bad_number"):
        OPS["field"]({"players": players})


def test_a_finished_game_is_not_resolved() -> None:
    state = given_state({}) | {"outcome": {"survivor": None, "points": ["p1"]}}
    with pytest.raises(Refusal, match="game_over"):
        OPS["resolve"]({"state": state, "shots": [], "dice": []})


BROKEN_STATES: list[tuple[str, str, Callable[[Json], object]]] = [
    ("bad_shape", "state", lambda s: s.pop("shown")),
    ("bad_shape", "state", lambda s: s.update(more=1)),
    ("bad_number", "columns", lambda s: s.update(columns=27)),
    ("bad_number", "rows", lambda s: s.update(rows=0)),
    ("bad_number", "turn", lambda s: s.update(turn=0)),
    ("bad_number", "turn", lambda s: s.update(turn=True)),
    ("bad_players", "players", lambda s: s.update(players=["p1"])),
    ("bad_players", "players", lambda s: s.update(players=["p1", "p2", 3])),
    ("duplicate", "players", lambda s: s.update(players=["p1", "p2", "p2"])),
    ("bad_shape", "units", lambda s: s["units"].pop("p3")),
    ("bad_shape", "units.p1", lambda s: s["units"]["p1"].pop("had")),
    ("bad_cell", "units.p1.trebuchet", lambda s: s["units"]["p1"].update(trebuchet="c4")),
    ("bad_cell", "units.p1.trebuchet", lambda s: s["units"]["p1"].update(trebuchet="C04")),
    ("off_field", "units.p1.trebuchet", lambda s: s["units"]["p1"].update(trebuchet="C17")),
    ("off_field", "units.p1.servants", lambda s: s["units"]["p1"].update(servants=["M4"])),
    ("bad_servants", "units.p1", lambda s: s["units"]["p1"].update(servants=["C6"])),
    ("bad_servants", "units.p1", lambda s: s["units"]["p1"].update(servants=["C3", "C5", "B4", "D4"])),
    ("bad_servants", "units.p1", lambda s: s["units"]["p1"].update(servants=["C4"])),
    ("duplicate", "units", lambda s: s["units"]["p1"].update(servants=["C3", "C3"])),
    ("duplicate", "units", lambda s: s["units"]["p1"].update(trebuchet="H9", servants=["H10"])),
    ("bad_out", "units.p1", lambda s: s["units"]["p1"].update(servants=[])),
    ("bad_out", "units.p1", lambda s: s["units"]["p1"].update(standing=False)),
    ("bad_out", "units.p1", lambda s: s["units"]["p1"].update(out=True)),
    ("bad_shape", "units.p1.out", lambda s: s["units"]["p1"].update(out=0)),
    ("bad_number", "units.p1.points", lambda s: s["units"]["p1"].update(points=-1)),
    ("bad_number", "units.p1.points", lambda s: s["units"]["p1"].update(points=1.5)),
    ("bad_bonus", "units.p1.had", lambda s: s["units"]["p1"].update(had=["sword"])),
    ("duplicate", "units.p1.had", lambda s: s["units"]["p1"].update(had=["rock", "rock"])),
    ("never_had", "units.p1", lambda s: s["units"]["p1"].update(bonuses=["rock"])),
    ("bad_missed", "units.p1", lambda s: s["units"]["p1"].update(missed=3)),
    ("bad_number", "impacts", lambda s: s.update(impacts=[_impact(turn=1)])),
    ("bad_number", "impacts", lambda s: s.update(turn=2, impacts=[_impact(cell=[16, 1])])),
    ("bad_cell", "impacts", lambda s: s.update(turn=2, impacts=[_impact(cell=[1])])),
    ("not_offensive", "impacts", lambda s: s.update(turn=2, impacts=[_impact(bonus="shield")])),
    ("bad_player", "impacts", lambda s: s.update(turn=2, impacts=[_impact(player="p9")])),
    ("bad_shown", "shown", lambda s: s.update(shown=["A1"])),
    ("bad_shape", "outcome", lambda s: s.update(outcome=[])),
    ("bad_player", "outcome", lambda s: s.update(outcome={"survivor": "p9", "points": []})),
]


@pytest.mark.parametrize(("code", "field", "breaks"), BROKEN_STATES)
def test_refuses_a_state_that_no_game_can_have(code: str, field: str, breaks: Callable[[Json], object]) -> None:
    state = given_state({})
    breaks(state)
    with pytest.raises(Malformed) as refused:
        OPS["resolve"]({"state": state, "shots": [], "dice": []})
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [(code, field)]


def test_refuses_a_state_that_should_have_ended() -> None:
    out = {"p2": {"out": True, "servants": []}, "p3": {"out": True, "servants": []}}
    with pytest.raises(Malformed, match="no_outcome"):
        OPS["resolve"]({"state": given_state({"with": out}), "shots": [], "dice": []})


BROKEN_SHOTS: list[tuple[str, object]] = [
    ("bad_shape", None),
    ("bad_shape", {}),
    ("bad_shape", [{"player": "p1", "target": "A1"}]),
    ("bad_player", [given_shot("p9 A1")]),
    ("bad_cell", [given_shot("p1 A0")]),
    ("bad_bonus", [given_shot("p1 A1 sword")]),
    ("bad_day", [given_shot("p1 A1 - 2026-02-30")]),
    ("bad_day", [given_shot("p1 A1 - 20261201")]),
    ("bad_day", [given_shot("p1 A1") | {"day": None}]),
    ("duplicate", [given_shot("p1 A1"), given_shot("p1 A2")]),
]


@pytest.mark.parametrize(("code", "shots"), BROKEN_SHOTS)
def test_refuses_shots_it_cannot_read(code: str, shots: object) -> None:
    with pytest.raises(Malformed, match=code):
        OPS["resolve"]({"state": given_state({}), "shots": shots, "dice": [1, 1, 1]})


@pytest.mark.parametrize("dice", [None, [], [7], [0], [3, 9], [3, 1, 4], [True], ["1"], [1.0]])
def test_refuses_dice_that_are_missing_or_do_not_fit(dice: object) -> None:
    with pytest.raises(Malformed, match="bad_"):
        OPS["resolve"]({"state": given_state({}), "shots": [given_shot("p1 A1")], "dice": dice})


def _impact(**given: object) -> Json:
    return {"turn": 1, "player": "p1", "cell": [1, 1], "bonus": None} | given
