"""The map at the end of a turn as a PNG picture, for mails: what T15 makes public and nothing else."""

import functools
from collections.abc import Mapping
from typing import Any, Final

from engine.games.trebuchet.grid import Grid, inside, name, named
from functions.web.boards.trebuchet.map import explosions, number, shots_by_cell
from infra.png import Canvas

CELL: Final = 22  # pixels
EDGE: Final = 22
DOT: Final = 2  # pixels of a letter's dot
PAPER, LINE, INK, FADED, FRESH, SHOT, DEAD, WHITE, REVEALED = range(9)
PALETTE: Final = (
    (255, 253, 248),
    (214, 206, 190),
    (40, 40, 36),
    (240, 222, 190),
    (240, 160, 70),
    (150, 60, 20),
    (120, 20, 40),
    (255, 255, 255),
    (30, 100, 120),
)
_FONT: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", " # ", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "A": (" # ", "# #", "###", "# #", "# #"),
    "B": ("## ", "# #", "## ", "# #", "## "),
    "C": (" ##", "#  ", "#  ", "#  ", " ##"),
    "D": ("## ", "# #", "# #", "# #", "## "),
    "E": ("###", "#  ", "## ", "#  ", "###"),
    "F": ("###", "#  ", "## ", "#  ", "#  "),
    "G": (" ##", "#  ", "# #", "# #", " ##"),
    "H": ("# #", "# #", "###", "# #", "# #"),
    "I": ("###", " # ", " # ", " # ", "###"),
    "J": ("  #", "  #", "  #", "# #", " # "),
    "K": ("# #", "# #", "## ", "# #", "# #"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "M": ("# #", "###", "###", "# #", "# #"),
    "N": ("## ", "# #", "# #", "# #", "# #"),
    "O": (" # ", "# #", "# #", "# #", " # "),
    "P": ("## ", "# #", "## ", "#  ", "#  "),
    "Q": (" # ", "# #", "# #", "###", " ##"),
    "R": ("## ", "# #", "## ", "# #", "# #"),
    "S": (" ##", "#  ", " # ", "  #", "## "),
    "T": ("###", " # ", " # ", " # ", " # "),
}
_CROSS: Final = ("#   #", " # # ", "  #  ", " # # ", "#   #")


def picture(view: Mapping[str, Any], turn: int) -> bytes:
    """The public map with the explosions of this turn standing out, as a PNG file."""
    grid = Grid(view["columns"], view["rows"])
    canvas = _ruled(grid).copy()
    fresh, faded = explosions(grid, view["impacts"], turn)
    for colour, cells in ((FADED, faded), (FRESH, fresh)):
        for cell in cells:
            x, y = _corner(cell)
            canvas.fill(x + 1, y + 1, CELL - 1, CELL - 1, colour)
    _impacts(canvas, grid, view, turn)
    for loss in view["losses"]:
        x, y = _corner(named(loss["cell"]) or (0, 0))
        if not loss["servant"]:
            canvas.fill(x + 2, y + 2, CELL - 3, CELL - 3, INK)
        colour = DEAD if loss["servant"] else WHITE
        if loss["servant"]:
            canvas.stamp(x + 2, y + 2, _CROSS, DEAD, DOT)
        down = 3 if loss["servant"] else 0
        _write(canvas, x + CELL // 2 + 1 + down, y + CELL // 2 + 1 + down, number(loss["player"]), colour)
    for at in view["shown"]:
        x, y = _corner(named(at) or (0, 0))
        canvas.fill(x + 4, y + 4, CELL - 7, CELL - 7, REVEALED)
    return canvas.png()


def _corner(cell: tuple[int, int]) -> tuple[int, int]:
    return EDGE + CELL * (cell[0] - 1), EDGE + CELL * (cell[1] - 1)


@functools.cache
def _ruled(grid: Grid) -> Canvas:
    """The lines and names that all maps of a size have."""
    canvas = Canvas(2 * EDGE + CELL * grid.columns + 1, 2 * EDGE + CELL * grid.rows + 1, PALETTE)
    for column in range(grid.columns + 1):
        canvas.fill(EDGE + CELL * column, EDGE, 1, CELL * grid.rows + 1, LINE)
    for row in range(grid.rows + 1):
        canvas.fill(EDGE, EDGE + CELL * row, CELL * grid.columns + 1, 1, LINE)
    for column in range(1, grid.columns + 1):
        for y in (EDGE // 2, canvas.height - EDGE // 2):
            _write(canvas, _corner((column, 1))[0] + CELL // 2 + 1, y, chr(ord("A") + column - 1), INK)
    for row in range(1, grid.rows + 1):
        for x in (EDGE // 2, canvas.width - EDGE // 2):
            _write(canvas, x, _corner((1, row))[1] + CELL // 2 + 1, str(row), INK)
    return canvas


def _impacts(canvas: Canvas, grid: Grid, view: Mapping[str, Any], turn: int) -> None:
    """Each impact with the number of its (first) shot; where something was lost there is room for a corner only."""
    lost = {loss["cell"] for loss in view["losses"]}
    for cell, numbers in shots_by_cell(view["impacts"], turn).items():
        if not inside(grid, cell):
            continue
        x, y = _corner(cell)
        if name(cell) in lost:
            canvas.fill(x + CELL - 9, y + 1, 9, 9, SHOT)
        else:
            canvas.fill(x + 2, y + 2, CELL - 3, CELL - 3, SHOT)
            _write(canvas, x + CELL // 2 + 1, y + CELL // 2 + 1, numbers[0], WHITE)


def _write(canvas: Canvas, x: int, y: int, text: str, colour: int) -> None:
    """Small capitals and figures around this point."""
    left = x - DOT * (4 * len(text) - 1) // 2
    for i, letter in enumerate(text):
        canvas.stamp(left + 4 * DOT * i, y - 5 * DOT // 2, _FONT[letter], colour, DOT)
