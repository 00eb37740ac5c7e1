"""The map of a view: explosions, impacts, the dead, and the units that the reader may see (T15)."""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.games.trebuchet.grid import Bonus, Cell, Grid, explosion, inside, name, named, size, step

SIDE: Final = 20  # of a cell, in units of the drawing
MARGIN: Final = 20  # for the letters and numbers


@dataclass(frozen=True, slots=True)
class Mark:
    """Something on a cell, with the middle of it: `number` is a shot's ("1·2" of two on one cell), or a player's who
    lost a piece there.

    Kinds: "impact" (`corner`: beside what was lost there), "before" (an earlier impact), "servant" and "wreck" (lost;
    `old` before the turn shown), "shown" (a living servant that a shield revealed), "trebuchet" and "mate" (of a unit
    that the reader may see), "plan" and "planned_mate", "aim".
    """

    kind: str
    cell: str
    x: int
    y: int
    number: str = ""
    seat: str = ""
    old: bool = False
    corner: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A letter or number at the edge."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Map:
    """Everything drawn. `turn` is the one whose explosions stand out; areas are paths of an SVG drawing."""

    columns: int
    rows: int
    width: int
    height: int
    turn: int
    fresh: str
    faded: str
    lines: str
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]


def draw(view: Mapping[str, Any], turn: int | None = None, plan: Mapping[str, Any] | None = None) -> Map:
    """The map of a view with the explosions of `turn` standing out (0 or None: none of them).

    `plan` is what is being ordered: the target of a shot, or a formation drawn around each of its centres.
    """
    grid = Grid(view["columns"], view["rows"])
    shown = turn or 0
    fresh, faded = explosions(grid, view["impacts"], shown)
    marks = (*_plan(grid, plan), *_impacts(grid, view, shown), *_losses(view, shown), *_pieces(view), *_aim(grid, plan))
    return _map(grid, shown, fresh, faded, marks)


def blank(players: int, impacts: Iterable[tuple[str, str | None]] = (), marks: Iterable[tuple[str, str]] = ()) -> Map:
    """The field for so many players, with explosions (cell, bonus) and marks (kind, cell): for the rules."""
    grid = size(players)
    shots = [{"cell": list(_cell(at)), "bonus": bonus} for at, bonus in impacts]
    drawn = tuple(_mark(kind, _cell(at)) for kind, at in marks)
    return _map(grid, 1, _covered(grid, shots), set(), drawn)


def explosions(grid: Grid, impacts: Iterable[Mapping[str, Any]], turn: int) -> tuple[set[Cell], set[Cell]]:
    """The cells that the explosions of this turn cover, and those that only others have reached."""
    told = tuple(impacts)
    fresh = _covered(grid, (i for i in told if i["turn"] == turn))
    return fresh, _covered(grid, (i for i in told if i["turn"] != turn)) - fresh


def shots_by_cell(impacts: Iterable[Mapping[str, Any]], turn: int) -> Mapping[Cell, tuple[str, ...]]:
    """The cells where shots of this turn fell, on the field or off it, with the numbers of those shots."""
    found: dict[Cell, tuple[str, ...]] = {}
    for n, impact in enumerate((i for i in impacts if i["turn"] == turn), 1):
        cell = (impact["cell"][0], impact["cell"][1])
        found[cell] = (*found.get(cell, ()), str(n))
    return found


def number(seat: str) -> str:
    """The number by which the map names a player: that of the seat."""
    return seat.removeprefix("p")


def middle(cell: Cell) -> tuple[int, int]:
    """The middle of a cell in units of the drawing."""
    return MARGIN + SIDE * cell[0] - SIDE // 2, MARGIN + SIDE * cell[1] - SIDE // 2


def _map(grid: Grid, turn: int, fresh: set[Cell], faded: set[Cell], marks: tuple[Mark, ...]) -> Map:
    width, height = 2 * MARGIN + SIDE * grid.columns, 2 * MARGIN + SIDE * grid.rows
    return Map(
        grid.columns,
        grid.rows,
        width,
        height,
        turn,
        _area(fresh),
        _area(faded),
        _lines(grid),
        marks,
        tuple(_labels(grid, width, height)),
    )


def _covered(grid: Grid, impacts: Iterable[Mapping[str, Any]]) -> set[Cell]:
    shots = {(i["cell"][0], i["cell"][1], i["bonus"]) for i in impacts}
    return set().union(*(_reached(grid, (column, row), bonus) for column, row, bonus in shots))


@functools.lru_cache(4096)
def _reached(grid: Grid, cell: Cell, bonus: Bonus | None) -> frozenset[Cell]:
    """What an explosion covers: a story draws the same ones on the map of every later turn."""
    return frozenset(explosion(grid, cell, bonus))


def _impacts(grid: Grid, view: Mapping[str, Any], turn: int) -> Iterable[Mark]:
    """Earlier impacts first, once for each cell; then those of the turn, each cell with the numbers of its shots."""
    cells = {(i["cell"][0], i["cell"][1]) for i in view["impacts"] if i["turn"] != turn}
    yield from (_mark("before", cell) for cell in sorted(cells) if inside(grid, cell))
    lost = {loss["cell"] for loss in view["losses"]}
    for cell, numbers in shots_by_cell(view["impacts"], turn).items():
        if inside(grid, cell):
            yield replace(_mark("impact", cell, "·".join(numbers)), corner=name(cell) in lost)


def _losses(view: Mapping[str, Any], turn: int) -> Iterable[Mark]:
    for loss in view["losses"]:
        kind, old = "servant" if loss["servant"] else "wreck", loss["turn"] != turn
        yield _mark(kind, _cell(loss["cell"]), number(loss["player"]), loss["player"], old)


def _pieces(view: Mapping[str, Any]) -> Iterable[Mark]:
    known = {at for unit in view["units"].values() for at in unit["servants"]}
    yield from (_mark("shown", _cell(at)) for at in view["shown"] if at not in known)
    for seat, unit in view["units"].items():
        if unit["standing"]:
            yield _mark("trebuchet", _cell(unit["trebuchet"]), number(seat), seat)
        for at in unit["servants"]:
            yield _mark("shown_mate" if at in view["shown"] else "mate", _cell(at), number(seat), seat)


def _plan(grid: Grid, plan: Mapping[str, Any] | None) -> Iterable[Mark]:
    if not plan:
        return
    formation = [n for n in plan.get("formation", ()) if isinstance(n, int) and 1 <= n <= 8]
    for n, text in enumerate(plan.get("centres", ()), 1):
        centre = named(text.strip().upper()) if isinstance(text, str) else None
        if centre is None or not inside(grid, centre):
            continue
        around = (step(centre, direction) for direction in formation)
        yield from (_mark("planned_mate", cell, str(n)) for cell in around if inside(grid, cell))
        yield _mark("plan", centre, str(n))


def _aim(grid: Grid, plan: Mapping[str, Any] | None) -> Iterable[Mark]:
    target = named(str((plan or {}).get("target") or "").strip().upper())
    if target is not None and inside(grid, target):
        yield _mark("aim", target)


def _mark(kind: str, cell: Cell, number: str = "", seat: str = "", old: bool = False) -> Mark:
    return Mark(kind, name(cell), *middle(cell), number, seat, old)


def _cell(text: str) -> Cell:
    cell = named(text)
    if cell is None:
        raise ValueError(text)
    return cell


def _area(cells: set[Cell]) -> str:
    """The cells as one path, runs of a row together."""
    parts: list[list[int]] = []
    for column, row in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if parts and parts[-1][1] == row and parts[-1][0] + parts[-1][2] == column:
            parts[-1][2] += 1
        else:
            parts.append([column, row, 1])
    return "".join(
        f"M{MARGIN + SIDE * (column - 1)} {MARGIN + SIDE * (row - 1)}h{SIDE * run}v{SIDE}h{-SIDE * run}z"
        for column, row, run in parts
    )


def _lines(grid: Grid) -> str:
    across = "".join(f"M{MARGIN} {MARGIN + SIDE * row}h{SIDE * grid.columns}" for row in range(grid.rows + 1))
    down = "".join(f"M{MARGIN + SIDE * column} {MARGIN}v{SIDE * grid.rows}" for column in range(grid.columns + 1))
    return across + down


def _labels(grid: Grid, width: int, height: int) -> Iterable[Label]:
    for column in range(1, grid.columns + 1):
        x, letter = middle((column, 1))[0], name((column, 1))[0]
        yield Label(letter, x, MARGIN // 2)
        yield Label(letter, x, height - MARGIN // 2)
    for row in range(1, grid.rows + 1):
        y = middle((1, row))[1]
        yield Label(str(row), MARGIN // 2, y)
        yield Label(str(row), width - MARGIN // 2, y)
