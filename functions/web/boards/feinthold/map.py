"""The map of a view: what is drawn where, seen with the own HQ at the bottom."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Literal

from engine.games.feinthold.layouts import NEIGHBOURS, NUMBERS, POSITIONS, paths
from functions.web.boards.feinthold.places import Kind, in_order, kind, point, role
from functions.web.boards.feinthold.sheets import Sheet, read

Whose = Literal["mine", "theirs", "neutral"]
START, STOP, ASIDE, HEAD, HALF_HEAD = 33, 37, 7, 12, 7  # how an arrow keeps clear of positions and of the way back
FIGURE = 0.54  # of the way: clear of the names below both positions


@dataclass(frozen=True, slots=True)
class Last:
    """The last observation of a position: the turn it was made in, its kind, and a count, a strength or a presence."""

    turn: int
    kind: str
    value: float | bool


@dataclass(frozen=True, slots=True)
class Marks:
    """What a sheet plans for a position."""

    units: int = 0
    decoys: int = 0
    entrench: bool = False
    scout: bool = False
    predict: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """A position on the map. `force`: whose units and decoys are counted; `presence`: whether an enemy is seen.

    `marks` is what the side at the bottom planned for it, `far_marks` the other, where everything is shown.
    """

    at: str
    role: str
    kind: Kind
    x: int
    y: int
    owner: Whose
    units: int
    decoys: int
    force: Whose
    presence: bool | None
    last: Last | None
    marks: Marks
    far_marks: Marks
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A path between two positions."""

    ends: tuple[str, str]
    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """A planned or played move: its line, its head as the points of a polygon, and where its figure goes."""

    source: str
    to: str
    whose: Whose
    units: int
    decoys: int
    line: tuple[float, float, float, float]
    head: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Map:
    """Everything drawn. `whole`: both sides' armies are shown, as after the end."""

    layout: int
    side: str
    whole: bool
    spots: tuple[Spot, ...]
    roads: tuple[Road, ...]
    arrows: tuple[Arrow, ...]


def draw(view: Mapping[str, Any], orders: Mapping[str, object] | None = None, bottom: str = "a") -> Map:
    """The map of a side's view, or of the whole state with side `bottom` below.

    `orders` (by side) become arrows, and marks on the positions.
    """
    whole = "side" not in view
    side = bottom if whole else str(view["side"])
    sheets = {who: read(raw) for who, raw in (orders or {}).items() if raw}
    return Map(
        layout=view["layout"],
        side=side,
        whole=whole,
        spots=tuple(_spot(view, at, side, sheets) for at in in_order(side)),
        roads=tuple(_road(POSITIONS[p], POSITIONS[q], side) for p, q in paths(view["layout"])),
        arrows=tuple(a for who in sorted(sheets) for a in _arrows(sheets[who], who, side)),
    )


def plan(view: Mapping[str, Any], sheet: object) -> Map:
    """The map to give orders on: every move that could be made has its arrow, with no figure unless it is planned."""
    side = str(view["side"])
    drawn = draw(view, {side: sheet})
    shown = {(arrow.source, arrow.to) for arrow in drawn.arrows}
    ready = [spot for spot in drawn.spots if spot.units or spot.decoys]
    ways = [(spot.at, to) for spot in ready for to in spot.neighbours if (spot.at, to) not in shown]
    more = tuple(_arrow(source, to, 0, 0, "mine", side) for source, to in ways)
    return replace(drawn, arrows=drawn.arrows + more)


def blank(layout: int) -> Map:
    """The map of a layout before the first turn, with nothing on it but the HQs' flags."""
    flags = dict.fromkeys(POSITIONS) | {"hq_a": "a", "hq_b": "b"}
    return draw({"layout": layout, "side": "a", "flags": flags, "units": {}, "decoys": {}, "presence": {}, "last": {}})


def owner(flag: str | None, side: str) -> Whose:
    """Whose flag it is, to the side."""
    return "neutral" if flag is None else "mine" if flag == side else "theirs"


def _spot(view: Mapping[str, Any], at: str, side: str, sheets: Mapping[str, Sheet]) -> Spot:
    x, y = point(at, side)
    whose, units, decoys = _force(view, at, side)
    last = {} if "side" not in view else view["last"]
    return Spot(
        at=at,
        role=role(at, side),
        kind=kind(at),
        x=x,
        y=y,
        owner=owner(view["flags"][at], side),
        units=units,
        decoys=decoys,
        force=whose,
        presence=view.get("presence", {}).get(at),
        last=Last(last[at]["turn"], last[at]["kind"], last[at]["value"]) if at in last else None,
        marks=_marks(at, sheets.get(side)),
        far_marks=_marks(at, next((sheet for who, sheet in sheets.items() if who != side), None)),
        neighbours=tuple(POSITIONS[q] for q in NEIGHBOURS[view["layout"]][NUMBERS[at]]),
    )


def _force(view: Mapping[str, Any], at: str, side: str) -> tuple[Whose, int, int]:
    if "side" in view:
        return "mine", view["units"].get(at, 0), view["decoys"].get(at, 0)
    for who in ("a", "b"):
        units, decoys = view["units"][who].get(at, 0), view["decoys"][who].get(at, 0)
        if units or decoys:
            return owner(who, side), units, decoys
    return "neutral", 0, 0


def _marks(at: str, sheet: Sheet | None) -> Marks:
    if sheet is None:
        return Marks()
    placed = [line for line in sheet.reinforce if line.at == at]
    return Marks(
        units=sum(line.units for line in placed),
        decoys=sum(line.decoys for line in placed),
        entrench=at in sheet.entrench,
        scout=at in sheet.scout,
        predict=at == sheet.predict,
    )


def _road(p: str, q: str, side: str) -> Road:
    return Road((p, q), *point(p, side), *point(q, side))


def _arrows(sheet: Sheet, who: str, side: str) -> tuple[Arrow, ...]:
    known = [m for m in sheet.move if m.source in NUMBERS and m.to in NUMBERS and m.source != m.to]
    return tuple(
        _arrow(m.source, m.to, m.units, m.decoys, owner(who, side), side) for m in known if m.units or m.decoys
    )


def _arrow(source: str, to: str, units: int, decoys: int, whose: Whose, side: str) -> Arrow:
    (x1, y1), (x2, y2) = point(source, side), point(to, side)
    length = hypot(x2 - x1, y2 - y1)
    u, v = (x2 - x1) / length, (y2 - y1) / length

    def along(way: float, aside: float) -> tuple[float, float]:
        return round(x1 + u * way - v * aside, 1), round(y1 + v * way + u * aside, 1)

    tip, neck = length - STOP, length - STOP - HEAD
    corners = (along(tip, ASIDE), along(neck, ASIDE + HALF_HEAD), along(neck, ASIDE - HALF_HEAD))
    return Arrow(
        source=source,
        to=to,
        whose=whose,
        units=units,
        decoys=decoys,
        line=(*along(START, ASIDE), *along(neck + 1, ASIDE)),
        head=" ".join(f"{x},{y}" for x, y in corners),
        x=along(length * FIGURE, ASIDE)[0],
        y=along(length * FIGURE, ASIDE)[1],
    )
