"""The state of a game: a frozen value, and the same as JSON (the referee's `S`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.games.protocol import Outcome
from engine.games.relief.boards import BOARDS, Heights
from engine.games.relief.cells import NAMES, NUMBERS
from engine.games.relief.pieces import GONE, LETTERS, OPENING, SIDES, SLOTS, Side
from engine.games.relief.position import MOVE_LIMIT, NO_PIECES, NO_WORTH, POINTS, REPETITION, SENTINEL, Position, Tables
from engine.games.relief.terrain import terrain_of

ENDS: Final[Mapping[int, str]] = {
    SENTINEL: "sentinel",
    POINTS: "points",
    NO_PIECES: "no_pieces",
    REPETITION: "repetition",
    MOVE_LIMIT: "move_limit",
}
CELL: Final = re.compile("[a-j](?:10|[1-9])")
KEY: Final = re.compile(rf"([rb])(\d+)-(\d+)((?:/(?:{CELL.pattern})*){{6}})")


@dataclass(frozen=True, slots=True)
class State:
    """A game of Relief.

    `where` holds the cell of each slot (pieces.py), each pair in order; `exited` the letters of the pieces out, in
    order, red's first; `positions` how often each position was met (keys: `place_key`); `last` the last move made here.
    """

    board: str
    heights: Heights
    where: tuple[int, ...]
    to_move: Side
    exited: tuple[str, str] = ("", "")
    ply: int = 0
    positions: Mapping[str, int] = field(default_factory=dict)
    outcome: Outcome | None = None
    last: int | None = None


def opening(board: str) -> State:
    """The start of a game on a named board (L1, L2); the start counts as met once (L12)."""
    start = State(board, BOARDS[board], OPENING, "red")
    return State(board, BOARDS[board], OPENING, "red", positions={place_key(start.where, "red", (0, 0)): 1})


def position_of(state: State, tables: Tables = NO_WORTH) -> Position:
    """The state's pieces on a position that moves can be tried on."""
    side = SIDES.index(state.to_move)
    out = [owner * 3 + LETTERS.index(letter) for owner in (0, 1) for letter in state.exited[owner]]
    return Position(terrain_of(state.heights), state.where, side, out, state.ply, tables)


def points_of(state: State) -> tuple[int, int]:
    """The points of both sides: the strengths of their pieces out."""
    red, blue = (sum(LETTERS.index(letter) + 1 for letter in letters) for letters in state.exited)
    return red, blue


def place_key(where: tuple[int, ...], to_move: Side, points: tuple[int, int]) -> str:
    """What makes two positions the same (L12): pieces, side to move, points. `where` must be in order."""
    cells = (
        "".join("" if cell == GONE else NAMES[cell] for cell in where[slot : slot + 2]) for slot in range(0, SLOTS, 2)
    )
    return f"{to_move[0]}{points[0]}-{points[1]}/{'/'.join(cells)}"


def placed(key: str) -> tuple[tuple[int, ...], Side, tuple[int, int]] | None:
    """What `place_key` wrote as a key; None for a key of another make."""
    found = KEY.fullmatch(key)
    if found is None:
        return None
    where = [GONE] * SLOTS
    for pair, cells in enumerate(found[4].split("/")[1:]):
        names = CELL.findall(cells)
        if len(names) > 2:
            return None
        for slot, name in enumerate(names, 2 * pair + 2 - len(names)):
            where[slot] = NUMBERS[name]
    return tuple(where), "red" if found[1] == "r" else "blue", (int(found[2]), int(found[3]))
