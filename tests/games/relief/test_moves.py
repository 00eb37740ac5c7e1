"""Legal moves, sums and ends on any position: the engine against the rules written a second time."""

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.relief.boards import BOARDS
from engine.games.relief.cells import NAMES
from engine.games.relief.codec import read, written
from engine.games.relief.referee import OPS
from engine.games.relief.rules import legal
from engine.games.relief.state import position_of
from tests.games.relief import naive

ALL = ("E", "E", "V", "V", "S", "S")


@st.composite
def states(draw: st.DrawFn) -> dict[str, Any]:
    """Any heights, any of the twelve pieces anywhere (crowded more often than in play), some of the others out."""
    dice = draw(st.randoms(use_true_random=False))
    heights = [[dice.choice((0, 0, 1, 1, 2, 3)) for _ in range(10)] for _ in range(10)]
    if dice.random() < 0.3:
        heights = [list(row) for row in dice.choice(list(BOARDS.values()))]
    corner = dice.choice((10, 5, 4))  # the columns and rows that pieces stand on
    column, row = dice.randrange(11 - corner), dice.randrange(11 - corner)
    cells = [naive.name(column + c, row + r) for c in range(corner) for r in range(corner)]
    dice.shuffle(cells)
    pieces: dict[str, str] = {}
    exited: dict[str, list[str]] = {"red": [], "blue": []}
    for side in ("red", "blue"):
        for letter in ALL:
            chance = dice.random()
            if chance < 0.6:
                pieces[cells.pop()] = side[0] + letter
            elif chance > 0.96:
                exited[side].append(letter)
    return {
        "board": "drawn",
        "heights": heights,
        "pieces": pieces,
        "to_move": dice.choice(("red", "blue")),
        "exited": exited,
        "ply": dice.choice((0, 30, 198, 199)),
        "positions": {},
        "outcome": None,
    }


def engine_moves(state: dict[str, Any]) -> dict[str, list[int] | None]:
    return {one["move"]: one["attack"] for one in OPS["moves"]({"state": state})["moves"]}


def without_positions(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "positions": None}


@given(states())
@settings(max_examples=250, deadline=None)
def test_moves_and_sums_are_those_of_the_rules_written_twice(state: dict[str, Any]) -> None:
    assert engine_moves(state) == naive.moves(state)


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_each_move_leads_to_the_same_state(state: dict[str, Any], dice: random.Random) -> None:
    legal_moves = sorted(naive.moves(state))
    for move in dice.sample(legal_moves, min(8, len(legal_moves))):
        before = json.dumps(state)
        answer = OPS["play"]({"state": state, "move": move})["state"]
        assert without_positions(dict(answer)) == without_positions(naive.play(state, move))
        assert json.dumps(state) == before


@given(st.sampled_from(sorted(BOARDS)), st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_whole_games_agree_to_their_end(board: str, dice: random.Random) -> None:
    ours: Any = OPS["new"]({"board": board})["state"]
    theirs: naive.State = {**ours, "positions": {}}
    timid = dice.random() < 0.5  # shuffling to and fro brings positions back (L12)
    for _ in range(200):
        moves = sorted(engine_moves(ours))
        if timid:
            moves = [move for move in moves if move[:2] in ("c1", "a1") or move[:3] in ("c10", "a10")] or moves
        move = dice.choice(moves)
        ours, theirs = OPS["play"]({"state": ours, "move": move})["state"], naive.play(theirs, move)
        assert without_positions(ours) == without_positions(theirs)
        assert sorted(ours["positions"].values()) == sorted(theirs["positions"].values())
        if ours["outcome"]:
            return
    raise AssertionError("no game is longer than 200 moves (L13)")


@given(states())
@settings(max_examples=60, deadline=None)
def test_a_half_turn_with_colours_changed_gives_the_half_turn_of_every_move(state: dict[str, Any]) -> None:
    def turned(cell: str) -> str:
        column, row = naive.cell(cell)
        return naive.name(9 - column, 9 - row)

    other = {"r": "b", "b": "r", "red": "blue", "blue": "red"}
    half = {
        **state,
        "heights": [row[::-1] for row in state["heights"][::-1]],
        "pieces": {turned(at): other[piece[0]] + piece[1] for at, piece in state["pieces"].items()},
        "to_move": other[state["to_move"]],
        "exited": {other[side]: letters for side, letters in state["exited"].items()},
    }

    def turned_move(move: str) -> str:
        start = move[:3] if move[1:3] == "10" else move[:2]
        end = move[len(start) :]
        return move if move == "pass" else turned(start) + (end if end == "off" else turned(end))

    assert {turned_move(move): sums for move, sums in engine_moves(state).items()} == engine_moves(half)


@given(states())
@settings(max_examples=60, deadline=None)
def test_taking_a_move_back_restores_everything(raw: dict[str, Any]) -> None:
    state = read(raw)
    position = position_of(state)
    before = (list(position.where), list(position.at), position.occupied, position.hash, position.alive, position.outs)
    points = list(position.points)
    for one in legal(state):
        position.make(one.move)
        fresh = position_of(read(OPS["play"]({"state": raw, "move": one.name})["state"]))
        assert (position.hash, position.occupied, position.points) == (fresh.hash, fresh.occupied, fresh.points)
        position.undo()
        after = (position.where, position.at, position.occupied, position.hash, position.alive, position.outs)
        assert (after, position.points, position.side) == (before, points, 0 if raw["to_move"] == "red" else 1)


@given(states())
@settings(max_examples=60, deadline=None)
def test_states_come_back_from_json_as_they_were(raw: dict[str, Any]) -> None:
    state = read(raw)
    assert read(written(state)) == state
    shown = written(state)
    assert {**shown, "pieces": dict(sorted(shown["pieces"].items()))} == {
        **raw,
        "pieces": dict(sorted(raw["pieces"].items())),
    }


def test_cells_are_named_as_on_the_board() -> None:
    assert (NAMES[0], NAMES[9], NAMES[90], NAMES[99]) == ("a1", "j1", "a10", "j10")
