"""Every numbered case of `cases.toml`, and the reference answers of the referee."""

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.errors import Malformed
from engine.games import trebuchet
from engine.games.draws import GivenDice
from engine.games.protocol import Sent
from engine.games.trebuchet.grid import around, cells, explodes, name, named
from engine.games.trebuchet.referee import OPS
from engine.games.trebuchet.setup import footprint
from engine.games.trebuchet.state import State
from tests.games.trebuchet.cases import CASES, FOLDER, given_shot, given_state

Case = Mapping[str, Any]
REPORT = ("impacts", "killed", "destroyed", "eliminated")
SAMPLES = [json.loads(line) for line in (FOLDER / "referee_samples.jsonl").read_text("utf-8").splitlines()]


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", CASES[kind], ids=lambda case: f"{case['id']}-{case['rule']}")


def test_case_numbers_are_never_reused() -> None:
    numbers = [case["id"] for kind in CASES.values() for case in kind]
    assert sorted(set(numbers)) == sorted(numbers)


@pytest.mark.parametrize("sample", SAMPLES)
def test_answers_as_the_reference_does(sample: Case) -> None:
    request = copy.deepcopy(sample["request"])
    assert OPS[request["op"]](request) == sample["answer"]
    assert request == sample["request"], "the request is left as it was"


@cases("field")
def test_sizes_the_field_by_the_players(case: Case) -> None:
    columns, rows = case["size"]
    assert OPS["field"]({"players": case["players"]}) == {"columns": columns, "rows": rows}


@cases("around")
def test_numbers_the_cells_clockwise_from_north(case: Case) -> None:
    centre = named("D4")
    assert centre is not None
    _, *servants = footprint(case["formation"], centre)
    assert [name(cell) for cell in servants] == case["servants"]
    offsets = ((across, down) for down in range(-2, 3) for across in range(-2, 3))
    wiping = [[x, y] for x, y in offsets if all(explodes((4 + x, 4 + y), None, cell) for cell in servants)]
    assert sorted(wiping) == sorted(case["wiped_by"])


@cases("draw")
def test_draws_a_place_for_each(case: Case) -> None:
    state: State = trebuchet.start({}, len(case["plans"]), GivenDice([]))
    if case.get("again"):
        resolved = trebuchet.resolve(state, _sent(state, case["plans"]), GivenDice([]))
        assert trebuchet.standing(resolved.state).stage == "placement_again"
        assert [fact.code for fact in resolved.facts] == ["asked_again"]
        state = resolved.state
        if "second" not in case:
            return
    state = trebuchet.resolve(state, _sent(state, case.get("second", case["plans"])), GivenDice(case["dice"])).state
    assert state.board is not None
    assert {seat: name(unit.trebuchet) for seat, unit in state.board.units.items()} == case["stand"]
    assert (state.stage, state.turn) == ("play", 1)


@cases("turn")
def test_resolves_the_turn(case: Case) -> None:
    state = given_state(case)
    shots = [given_shot(text) for text in case.get("shots", [])]
    answer = OPS["resolve"]({"state": state, "shots": shots, "dice": case["dice"]})
    expect, after = case.get("expect", {}), answer["state"]
    assert {key: _told(key, answer["report"][key]) for key in REPORT} == {key: expect.get(key, []) for key in REPORT}
    assert after["turn"] == expect.get("turn", 2)
    assert after["outcome"] == ({"survivor": None} | expect["outcome"] if "outcome" in expect else None)
    assert after["shown"] == expect.get("shown", [])
    for key in set(expect) - {*REPORT, "turn", "outcome", "shown"}:
        assert {seat: after["units"][seat][key] for seat in expect[key]} == expect[key]


@cases("turn")
def test_takes_exactly_the_dice_it_needs(case: Case) -> None:
    request = {"state": given_state(case), "shots": [given_shot(text) for text in case.get("shots", [])]}
    if case["dice"]:
        with pytest.raises(Malformed, match="bad_dice"):
            OPS["resolve"](request | {"dice": case["dice"][:-1]})
    assert OPS["resolve"](request | {"dice": [*case["dice"], 999]}) == OPS["resolve"](request | {"dice": case["dice"]})


@cases("illegal")
def test_refuses_the_shot(case: Case) -> None:
    with pytest.raises(Malformed) as refused:
        OPS["resolve"]({"state": given_state(case), "shots": [given_shot(case["shot"])], "dice": [1]})
    assert [problem.code for problem in refused.value.problems] == [case["code"]]


def test_lists_the_neighbours_of_a_cell_once() -> None:
    near = around((5, 5))
    assert len(set(near)) == len(near) == 8
    assert set(near) == {cell for cell in cells(trebuchet.start({}, 2, GivenDice([])).grid) if _apart(cell) == 1}


def _apart(cell: tuple[int, int]) -> int:
    return max(abs(cell[0] - 5), abs(cell[1] - 5))


def _sent(state: State, plans: Mapping[str, Any]) -> dict[str, Sent[trebuchet.Orders]]:
    orders = {seat: trebuchet.parse(plan) for seat, plan in plans.items()}
    for seat, placement in orders.items():
        assert trebuchet.check(trebuchet.view(state, seat), placement) == ()
    return {seat: Sent(placement) for seat, placement in orders.items()}


def _told(key: str, listed: Sequence[Mapping[str, Any]]) -> list[str]:
    """A report's list as the cases write it."""
    if key == "impacts":
        return [f"{one['player']} {one['cell'][0]},{one['cell'][1]} {one['bonus'] or ''}".strip() for one in listed]
    keys = ("player", "by") if key == "eliminated" else ("player", "cell", "by")
    return [" ".join(one[part] or "-" for part in keys) for one in listed]
