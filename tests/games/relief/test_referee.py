"""The referee's answers: the given samples, perft, refusals of bad requests."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Malformed, Refusal
from engine.games.relief.boards import BOARDS
from engine.games.relief.referee import OPS
from tests.games.relief import naive

SAMPLES = [json.loads(line) for line in (Path(__file__).parent / "referee_samples.jsonl").read_text().splitlines()]
PERFT = {
    "classic": (28, 784, 30715),
    "ramparts": (28, 784, 30212),
    "passes": (38, 1444, 70298),
    "terraces": (34, 1156, 52801),
    "cross": (41, 1681, 81424),
    "spurs": (37, 1369, 62900),
}


def ask(op: str, **request: Any) -> Any:
    """The answer as a client reads it."""
    answer = OPS[op](json.loads(json.dumps({"game": "relief", "op": op, **request})))
    return json.loads(json.dumps(answer))


def new(board: str = "classic") -> dict[str, Any]:
    state = ask("new", board=board)["state"]
    assert isinstance(state, dict)
    return state


@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_answers_the_samples(sample: dict[str, Any]) -> None:
    request, expected = sample["request"], sample["answer"]
    answer = json.loads(json.dumps(OPS[request["op"]](request)))
    if "state" in answer:
        assert list(answer["state"]["positions"].values()) == [1, 1]
        answer["state"]["positions"] = {}
    assert answer == expected


@pytest.mark.parametrize("board", BOARDS)
def test_perft_from_the_start_of_each_board(board: str) -> None:
    assert tuple(ask("perft", state=new(board), depth=depth)["nodes"] for depth in (1, 2, 3)) == PERFT[board]


@pytest.mark.parametrize("board", BOARDS)
def test_perft_agrees_with_the_rules_written_twice(board: str) -> None:
    assert naive.perft({**new(board), "positions": {}}, 2) == PERFT[board][1]


def test_new_is_classic_unless_a_board_is_named() -> None:
    assert ask("new")["state"] == new("classic")
    assert new("spurs")["heights"] == [list(row) for row in BOARDS["spurs"]]


def test_boards_are_the_same_after_a_half_turn_and_flat_at_both_ends() -> None:
    for heights in BOARDS.values():
        assert [row[::-1] for row in heights[::-1]] == list(heights)  # L2
        assert set(heights[0] + heights[9]) == {0}
        assert {height for row in heights for height in row} <= {0, 1, 2, 3}


def test_perft_of_nothing_is_one_and_sequences_that_end_early_do_not_count() -> None:
    state = new()
    assert ask("perft", state=state, depth=0) == {"nodes": 1}
    assert ask("perft", state={**state, "ply": 199}, depth=1) == {"nodes": 28}
    assert ask("perft", state={**state, "ply": 199}, depth=2) == {"nodes": 0}
    assert ask("perft", state=state, depth=10**30) == {"nodes": 0}


def test_after_the_end_there_are_no_moves_and_play_is_refused() -> None:
    over = {**new(), "outcome": {"winner": None, "by": "repetition"}}
    assert ask("moves", state=over) == {"moves": []}
    assert ask("perft", state=over, depth=1) == {"nodes": 0}
    for op, more in (("play", {"move": "c1c2"}), ("best", {"level": 1, "seed": ""})):
        with pytest.raises(Refusal) as refused:
            ask(op, state=over, **more)
        assert refused.value.code == "game_over"


@pytest.mark.parametrize("move", ["c1c9", "c10c9", "a1a2", "c1off", "pass", "c1c1", "", "x", "c1", "C1C2", "c1c2 "])
def test_illegal_moves_are_refused(move: str) -> None:
    with pytest.raises(Refusal) as refused:
        ask("play", state=new(), move=move)
    assert refused.value.code == "illegal_move"


def test_foreign_position_keys_are_kept() -> None:
    state = {**new(), "positions": {"somebody's own key": 2}}
    positions = ask("play", state=state, move="c1c2")["state"]["positions"]
    assert positions.pop("somebody's own key") == 2
    assert list(positions.values()) == [1, 1]


def test_a_state_without_counted_positions_has_been_met_once() -> None:
    state = {**new(), "ply": 30, "positions": {}}
    for move in ("c1a1", "c10a10", "a1c1", "a10c10") * 2:  # L12: the state given counts as the first time
        assert state["outcome"] is None
        state = ask("play", state=state, move=move)["state"]
    assert state["outcome"] == {"winner": None, "by": "repetition"}


def altered(path: str, value: Any) -> dict[str, Any]:
    state = copy.deepcopy(new())
    *way, last = path.split(".")
    inner: Any = state
    for key in way:
        inner = inner[int(key)] if key.isdigit() else inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[int(last) if last.isdigit() else last] = value
    return state


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("heights.0", [0] * 9, "bad_heights"),
        ("heights.4.4", 4, "bad_heights"),
        ("heights.4.4", -1, "bad_heights"),
        ("heights.4.4", 1.0, "bad_heights"),
        ("heights.4.4", True, "bad_heights"),
        ("heights", [], "bad_heights"),
        ("heights", ..., "bad_state"),
        ("extra", 1, "bad_state"),
        ("board", 3, "bad_board"),
        ("board", "", "bad_board"),
        ("pieces", [], "bad_pieces"),
        ("pieces.k1", "rE", "bad_pieces"),
        ("pieces.a0", "rE", "bad_pieces"),
        ("pieces.a01", "rE", "bad_pieces"),
        ("pieces.a5", "rX", "bad_pieces"),
        ("pieces.a5", "gE", "bad_pieces"),
        ("pieces.a5", "", "bad_pieces"),
        ("pieces.a5", None, "bad_pieces"),
        ("pieces.a5", "rE", "too_many_pieces"),
        ("exited.red", ["E"], "too_many_pieces"),
        ("exited.red", ["X"], "bad_exited"),
        ("exited.red", "E", "bad_exited"),
        ("exited.red", [""], "bad_exited"),
        ("exited.green", [], "bad_exited"),
        ("exited", None, "bad_exited"),
        ("to_move", "green", "bad_to_move"),
        ("to_move", ["red"], "bad_to_move"),
        ("ply", -1, "bad_ply"),
        ("ply", 1.5, "bad_ply"),
        ("ply", True, "bad_ply"),
        ("ply", "0", "bad_ply"),
        ("ply", 10**10, "bad_ply"),
        ("positions", None, "bad_positions"),
        ("positions.x", 0, "bad_positions"),
        ("positions.x", "1", "bad_positions"),
        ("positions.x", 10**10, "bad_positions"),
        ("outcome", "red", "bad_outcome"),
        ("outcome", {"winner": "red"}, "bad_outcome"),
        ("outcome", {"winner": "x", "by": "points"}, "bad_outcome"),
        ("outcome", {"winner": "red", "by": ["points"]}, "bad_outcome"),
    ],
)
def test_bad_states_are_refused_with_their_field(path: str, value: Any, code: str) -> None:
    with pytest.raises(Malformed) as bad:
        ask("moves", state=altered(path, value))
    assert [problem.code for problem in bad.value.problems] == [code]


@pytest.mark.parametrize("state", [None, 3, [], "S", {}])
def test_what_is_no_state_is_refused(state: Any) -> None:
    for op in ("moves", "play", "perft", "best"):
        with pytest.raises(Malformed):
            ask(op, state=state)


def test_every_problem_of_a_state_is_named() -> None:
    with pytest.raises(Malformed) as bad:
        ask("moves", state={**new(), "ply": -1, "to_move": "x", "board": None})
    assert {problem.field for problem in bad.value.problems} == {"ply", "to_move", "board"}


@pytest.mark.parametrize(
    ("op", "request_"),
    [
        ("new", {"board": "moon"}),
        ("new", {"board": None}),
        ("new", {"board": ["classic"]}),
        ("play", {"move": None}),
        ("play", {"move": ["c1c2"]}),
        ("play", {}),
        ("perft", {}),
        ("perft", {"depth": -1}),
        ("perft", {"depth": "2"}),
        ("perft", {"depth": True}),
        ("best", {"level": 4, "seed": "x"}),
        ("best", {"level": "1", "seed": "x"}),
        ("best", {"level": True, "seed": "x"}),
        ("best", {"level": [1], "seed": "x"}),
        ("best", {"seed": "x"}),
        ("best", {"level": 1, "seed": 7}),
    ],
)
def test_bad_requests_are_refused(op: str, request_: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        ask(op, **({} if op == "new" else {"state": new()}), **request_)


def test_best_is_a_legal_move_and_the_same_for_the_same_request() -> None:
    state = new("passes")
    moves = {one["move"] for one in ask("moves", state=state)["moves"]}
    for level in (1, 2):
        first = ask("best", state=state, level=level, seed="some text")
        assert first["move"] in moves
        assert ask("best", state=state, level=level, seed="some text") == first
