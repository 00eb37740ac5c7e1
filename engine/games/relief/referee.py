"""The referee's Relief requests: one JSON object in, one out. Raises Malformed or Refusal(code)."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.games.draws import SeededDice
from engine.games.relief.boards import BOARDS, DEFAULT
from engine.games.relief.cells import move_name
from engine.games.relief.codec import read, written
from engine.games.relief.computer import LEVELS, best_move
from engine.games.relief.position import LIMIT
from engine.games.relief.rules import legal, perft, play
from engine.games.relief.state import State, opening

Request = Mapping[str, Any]


def new(request: Request) -> Request:
    """`{"board"}` (`classic` if left out) → `{"state"}`."""
    board = request.get("board", DEFAULT)
    if not isinstance(board, str) or board not in BOARDS:
        raise Malformed(Problem("bad_board", field="board"))
    return {"state": written(opening(board))}


def moves(request: Request) -> Request:
    """`{"state"}` → `{"moves"}`, each with both sums of its attack (L7); none once the game has ended."""
    return {
        "moves": [
            {"move": one.name, "attack": None if one.attack is None else list(one.attack)}
            for one in legal(_state(request))
        ]
    }


def play_move(request: Request) -> Request:
    """`{"state", "move"}` → `{"state"}`; refused as `game_over` or `illegal_move`."""
    state = _running(request)
    text = request.get("move")
    if not isinstance(text, str):
        raise Malformed(Problem("bad_move", field="move"))
    for one in legal(state):
        if one.name == text:
            return {"state": written(play(state, one.move)[0])}
    raise Refusal("illegal_move", move=text)


def count(request: Request) -> Request:
    """`{"state", "depth"}` → `{"nodes"}`: the move sequences of exactly that depth."""
    state, depth = _state(request), request.get("depth")
    if not isinstance(depth, int) or isinstance(depth, bool) or depth < 0:
        raise Malformed(Problem("bad_depth", field="depth"))
    return {"nodes": perft(state, depth) if depth <= LIMIT else 0}


def best(request: Request) -> Request:
    """`{"state", "level", "seed"}` → `{"move"}`: the computer's move, the same for the same request."""
    state, level, seed = _running(request), request.get("level"), request.get("seed", "")
    problems: list[Problem] = []
    if not isinstance(level, int) or isinstance(level, bool) or level not in LEVELS:
        problems.append(Problem("bad_level", field="level"))
    if not isinstance(seed, str):
        problems.append(Problem("bad_seed", field="seed"))
    if problems:
        raise Malformed(*problems)
    dice = SeededDice(hashlib.sha256(str(seed).encode("utf-8", "surrogatepass")).digest(), state.ply)
    return {"move": move_name(best_move(state, int(str(level)), dice).move)}


OPS: Final[Mapping[str, Callable[[Request], Request]]] = {
    "new": new,
    "moves": moves,
    "play": play_move,
    "perft": count,
    "best": best,
}


def _state(request: Request) -> State:
    return read(request.get("state"))


def _running(request: Request) -> State:
    state = _state(request)
    if state.outcome:
        raise Refusal("game_over")
    return state
