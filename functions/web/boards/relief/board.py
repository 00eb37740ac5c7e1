"""What is drawn of a position: cells with their heights and pieces, seen from one side's rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Side = Literal["red", "blue"]

COLUMNS: Final = "abcdefghij"
ROWS: Final = range(1, 11)
CELL: Final = 40  # in units of the drawing
LEFT: Final = 20  # room for the rows' names
TOP: Final = 34  # room for who leaves at the far end
WIDTH: Final = LEFT + 10 * CELL + 2
HEIGHT: Final = 2 * TOP + 10 * CELL + 22
OTHER: Final[Mapping[str, Side]] = {"red": "blue", "blue": "red"}
STRENGTH: Final[Mapping[str, int]] = {"E": 1, "V": 2, "S": 3}
SIDES: Final[Mapping[str, Side]] = {"r": "red", "b": "blue"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its side, its letter (E, V, S) and its strength."""

    side: Side
    letter: str
    strength: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: where it is drawn, its height, who stands there. `mark` is `from` or `to` of the last move, or a colour
    of an example (`start`, `go`, `hit`); `sums` are those of an attack on it."""

    at: str
    x: int
    y: int
    height: int
    piece: Piece | None
    mark: str = ""
    sums: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Cliff:
    """An edge between cells of different heights, thicker for a larger difference."""

    x1: int
    y1: int
    x2: int
    y2: int
    levels: int


@dataclass(frozen=True, slots=True)
class Board:
    """Everything drawn: rows of cells from the top, the edges between heights, and who is out on either side."""

    name: str
    bottom: Side
    rows: tuple[tuple[Cell, ...], ...]
    cliffs: tuple[Cliff, ...]
    out: Mapping[str, tuple[Piece, ...]]
    points: Mapping[str, int]
    left: Side | None  # whose piece has just left the board
    frame: tuple[int, int, int, int] = (0, 0, WIDTH, HEIGHT)  # what is shown of it: x, y, width, height

    @property
    def top(self) -> Side:
        """The side whose rows are at the top."""
        return OTHER[self.bottom]


def draw(view: Mapping[str, Any], bottom: str | None = None) -> Board:
    """The board of a view, with this side's rows at the bottom (red's for any other)."""
    side: Side = "blue" if bottom == "blue" else "red"
    heights = view["heights"]
    marks = _marks(view.get("last"))
    cells = [_cell(view, row, column, side, marks) for row in ROWS for column in COLUMNS]
    ordered = sorted(cells, key=lambda cell: (cell.y, cell.x))
    return Board(
        name=view["board"],
        bottom=side,
        rows=tuple(tuple(ordered[n : n + 10]) for n in range(0, 100, 10)),
        cliffs=tuple(_cliffs(heights, side)),
        out={who: tuple(_piece(who[0] + letter) for letter in view["exited"][who]) for who in ("red", "blue")},
        points=view["points"],
        left=OTHER[view["to_move"]] if str(view.get("last") or "").endswith("off") else None,
    )


def blank(
    board: str,
    heights: Iterable[Iterable[int]],
    pieces: Mapping[str, str],
    marks: Mapping[str, str],
    sums: Mapping[str, tuple[int, int]],
    corners: tuple[str, str],
) -> Board:
    """A board for an example: these pieces on these heights, with marks and sums on some cells; what lies between the
    two corners (lower left, upper right) is shown."""
    nobody: Mapping[str, Any] = {"exited": {"red": (), "blue": ()}, "points": {"red": 0, "blue": 0}, "to_move": "red"}
    drawn = draw({"board": board, "heights": tuple(map(tuple, heights)), "pieces": pieces, "last": None, **nobody})
    rows = tuple(
        tuple(replace(cell, mark=marks.get(cell.at, ""), sums=sums.get(cell.at)) for cell in row) for row in drawn.rows
    )
    shown = [cell for row in rows for cell in row if cell.at in corners]
    x, y = min(cell.x for cell in shown), min(cell.y for cell in shown)
    width, height = max(cell.x for cell in shown) + CELL - x, max(cell.y for cell in shown) + CELL - y
    within = tuple(tuple(c for c in row if x <= c.x < x + width) for row in rows if row and y <= row[0].y < y + height)
    return replace(drawn, rows=within, frame=(x - 2, y - 2, width + 4, height + 4))


def split(word: str) -> tuple[str, str] | None:
    """A move's two parts, "c1" and "c4" (or "off"); None for a pass."""
    if word == "pass":
        return None
    cut = 3 if word[1:3] == "10" else 2
    return word[:cut], word[cut:]


def _marks(last: str | None) -> Mapping[str, str]:
    parts = split(last) if last else None
    return {parts[0]: "from", parts[1]: "to"} if parts else {}


def _cell(view: Mapping[str, Any], row: int, column: str, bottom: Side, marks: Mapping[str, str]) -> Cell:
    at = f"{column}{row}"
    code = view["pieces"].get(at)
    x, y = _corner(COLUMNS.index(column), row - 1, bottom)
    height = view["heights"][row - 1][COLUMNS.index(column)]
    return Cell(at, x, y, height, _piece(code) if code else None, marks.get(at, ""))


def _piece(code: str) -> Piece:
    return Piece(SIDES[code[0]], code[1], STRENGTH[code[1]])


def _corner(column: int, row: int, bottom: Side) -> tuple[int, int]:
    """The upper left corner of a cell, counted from 0."""
    across, down = (column, 9 - row) if bottom == "red" else (9 - column, row)
    return LEFT + CELL * across, TOP + CELL * down


def _cliffs(heights: Any, bottom: Side) -> Iterable[Cliff]:
    for row in range(10):
        for column in range(10):
            here = heights[row][column]
            x, y = _corner(column, row, bottom)
            if column < 9 and (levels := abs(here - heights[row][column + 1])):
                edge = x + CELL if bottom == "red" else x
                yield Cliff(edge, y, edge, y + CELL, levels)
            if row < 9 and (levels := abs(here - heights[row + 1][column])):
                edge = y if bottom == "red" else y + CELL
                yield Cliff(x, edge, x + CELL, edge, levels)
