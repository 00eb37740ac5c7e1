"""The field, its cells, and what a shot covers (T1, T2, T9, T10)."""

import re
from collections.abc import Iterable
from math import isqrt
from typing import Final, Literal, NamedTuple

Cell = tuple[int, int]  # column and row from 1; an impact's may lie off the field
Bonus = Literal["rock", "stones", "fire", "shield"]

BONUSES: Final[tuple[Bonus, ...]] = ("rock", "stones", "fire", "shield")
OFFENSIVE: Final[tuple[Bonus, ...]] = ("rock", "stones", "fire")
WIDEST: Final = 26  # columns are single letters
NEIGHBOURS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # clockwise from north (T2)

_NAMED = re.compile(r"([A-Z])([1-9][0-9]{0,2})", re.ASCII)
_STONES = (0, 2)


class Grid(NamedTuple):
    """The size of a field, in cells."""

    columns: int
    rows: int


def size(players: int) -> Grid:
    """The field for this many players: 140/3 cells a head in the proportion 10:14, each side rounded (T1)."""
    return Grid(_rounded_root(100 * players), _rounded_root(196 * players))


def name(cell: Cell) -> str:
    """A cell of the field as text: column D, row 4 is "D4" (T1)."""
    return f"{chr(ord('A') + cell[0] - 1)}{cell[1]}"


def named(text: object) -> Cell | None:
    """The cell of this name, wherever it lies; None if it is no name of a cell."""
    found = _NAMED.fullmatch(text) if isinstance(text, str) else None
    return (ord(found[1]) - ord("A") + 1, int(found[2])) if found else None


def inside(grid: Grid, cell: Cell) -> bool:
    """Whether the cell is on the field."""
    return 1 <= cell[0] <= grid.columns and 1 <= cell[1] <= grid.rows


def cells(grid: Grid) -> Iterable[Cell]:
    """All cells of the field in row-major order."""
    return ((column, row) for row in range(1, grid.rows + 1) for column in range(1, grid.columns + 1))


def row_major(cell: Cell) -> tuple[int, int]:
    """The sort key of row-major order."""
    return cell[1], cell[0]


def step(cell: Cell, direction: int, distance: int = 1) -> Cell:
    """The cell that far away in one of the eight directions, 1 north, then clockwise (T2, T8)."""
    across, down = NEIGHBOURS[direction - 1]
    return cell[0] + across * distance, cell[1] + down * distance


def around(cell: Cell) -> tuple[Cell, ...]:
    """The eight cells next to this one, clockwise from north (T2)."""
    return tuple(step(cell, direction) for direction in range(1, 9))


def distance(one: Cell, other: Cell) -> int:
    """How many cells apart two cells are, a diagonal step counting one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def explodes(impact: Cell, bonus: Bonus | None, cell: Cell) -> bool:
    """Whether the cell is in the explosion of a shot: 3 × 3, 5 × 5 for `rock`, nine single cells for `stones` (T15)."""
    if bonus == "stones":
        return abs(impact[0] - cell[0]) in _STONES and abs(impact[1] - cell[1]) in _STONES
    return distance(impact, cell) <= (2 if bonus == "rock" else 1)


def explosion(grid: Grid, impact: Cell, bonus: Bonus | None) -> tuple[Cell, ...]:
    """The cells of the field in the explosion of a shot, in row-major order (T15)."""
    near = ((impact[0] + across, impact[1] + down) for down in range(-2, 3) for across in range(-2, 3))
    return tuple(cell for cell in near if inside(grid, cell) and explodes(impact, bonus, cell))


def _rounded_root(thrice: int) -> int:
    """The root of `thrice` / 3, rounded, without floating point."""
    return (isqrt(4 * thrice // 3) + 1) // 2
