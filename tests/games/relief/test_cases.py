"""The numbered cases of `cases.toml`, each by its rule."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refusal
from engine.games.relief.referee import OPS
from tests.games.relief import naive

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "cases.toml").read_text(encoding="utf-8"))["case"]
KEYS = {"number", "claim", "start", "hills", "pieces", "exits", "to_move", "ply"} | {
    *("only", "legal", "illegal", "sums", "play", "outcome", "after", "exited"),
}


def state_of(case: dict[str, Any]) -> dict[str, Any]:
    if "start" in case:
        return dict(OPS["new"]({"board": case["start"]})["state"])
    heights = [[0] * 10 for _ in range(10)]
    for at, height in case.get("hills", {}).items():
        column, row = naive.cell(at)
        heights[row][column] = height
    return {
        "board": "case",
        "heights": heights,
        "pieces": case["pieces"],
        "to_move": case.get("to_move", "red"),
        "exited": case.get("exits", {"red": [], "blue": []}),
        "ply": case.get("ply", 0),
        "positions": {},
        "outcome": None,
    }


def outcome_of(text: str) -> dict[str, str | None] | None:
    if not text:
        return None
    winner, by = text.split()
    return {"winner": None if winner == "draw" else winner, "by": by}


def played(state: dict[str, Any], moves: list[str]) -> dict[str, Any]:
    for move in moves:
        state = dict(OPS["play"]({"state": state, "move": move})["state"])
    return state


@pytest.mark.parametrize("case", CASES, ids=[case["number"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert case.keys() <= KEYS
    state = state_of(case)
    moves = {one["move"]: one["attack"] for one in OPS["moves"]({"state": state})["moves"]}
    assert set(case.get("legal", ())) <= moves.keys()
    assert not set(case.get("illegal", ())) & moves.keys()
    for move in case.get("illegal", ()):
        with pytest.raises(Refusal):
            played(state, [move])
    if "only" in case:
        assert sorted(moves) == sorted(case["only"])
    for move, sums in case.get("sums", {}).items():
        assert moves[move] == [int(number) for number in sums.split(" against ")]
    after = played(state, case.get("play", []))
    assert after["outcome"] == outcome_of(case.get("outcome", ""))
    assert after["pieces"] == case.get("after", after["pieces"])
    assert after["exited"] == case.get("exited", after["exited"])


def test_each_case_has_its_own_number() -> None:
    numbers = [case["number"] for case in CASES]
    assert sorted(set(numbers)) == sorted(numbers)
    assert {number.split(".")[0] for number in numbers} == {f"L{n}" for n in range(3, 14)}
