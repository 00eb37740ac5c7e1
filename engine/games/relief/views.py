"""What may be seen of a game: everything, by everybody. Who looks decides only whose moves are legal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.protocol import Eyes
from engine.games.relief.cells import NAMES, move_name
from engine.games.relief.codec import written
from engine.games.relief.orders import Order, parse
from engine.games.relief.pieces import SIDES
from engine.games.relief.rules import Legal, key_of, legal
from engine.games.relief.state import State, points_of


@dataclass(frozen=True, slots=True)
class View:
    """A state, who looks at it, and the legal moves of the side to move with their sums (L3–L8)."""

    state: State
    eyes: Eyes
    moves: tuple[Legal, ...]


def view(state: State, eyes: Eyes, /) -> View:
    """The whole state: Relief hides nothing (P14)."""
    return View(state, eyes, legal(state))


def judge(view: View, raw: object, /) -> tuple[Problem, ...]:
    """Everything wrong with orders as they were sent: why they can't be read, or else what is illegal."""
    try:
        return check(view, parse(raw))
    except Malformed as error:
        return error.problems


def check(view: View, orders: Order, /) -> tuple[Problem, ...]:
    """`game_over`, `not_your_turn` or `illegal_move`; nothing if the move is legal (L3–L8)."""
    state = view.state
    if state.outcome:
        return (Problem("game_over"),)
    if view.eyes != state.to_move:
        return (Problem("not_your_turn"),)
    if any(one.move == orders.move for one in view.moves):
        return ()
    start = NAMES[orders.move >> 7] if orders.move else None
    return (Problem("illegal_move", at=start, field="move", detail={"move": move_name(orders.move)}),)


def show(view: View, /) -> Json:
    """The view as JSON: the state but for its repetitions, points, times the position was met, last move, moves."""
    state = view.state
    shown: dict[str, Any] = {key: value for key, value in written(state).items() if key != "positions"}
    return {
        **shown,
        "seat": view.eyes,
        "points": dict(zip(SIDES, points_of(state), strict=True)),
        "met": _met(state),
        "last": None if state.last is None else move_name(state.last),
        "moves": [_move(one) for one in view.moves],
    }


def _met(state: State) -> int:
    return state.positions.get(key_of(state), 1)


def _move(one: Legal) -> Mapping[str, Any]:
    return {"move": one.name, "attack": None if one.attack is None else list(one.attack)}
