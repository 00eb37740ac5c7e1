"""An order of Relief: one move."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.relief.cells import move_name, named_move


@dataclass(frozen=True, slots=True)
class Order:
    """The move a side makes (cells.py)."""

    move: int


def parse(raw: object, /) -> Order:
    """The order `{"move": "c1c4"}` (`d10off`, `pass`); Malformed (`bad_shape`, `bad_move`)."""
    if not isinstance(raw, Mapping) or raw.keys() != {"move"}:
        raise Malformed(Problem("bad_shape"))
    text = raw["move"]
    move = named_move(text.strip().lower()) if isinstance(text, str) else None
    if move is None:
        raise Malformed(Problem("bad_move", field="move"))
    return Order(move)


def write(orders: Order, /) -> Json:
    """The order as canonical JSON."""
    return {"move": move_name(orders.move)}
