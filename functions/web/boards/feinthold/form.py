"""The order form of a view: every legal line with what was typed, what it costs, and the problems beside each field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.games.feinthold.layouts import HQ, NEIGHBOURS, NUMBERS, POSITIONS, POSTS, SIDES, linked
from engine.games.feinthold.sheet import (
    DECOY_COST,
    ENTRENCH_COST,
    HQ_LIMIT,
    RELAY_LIMIT,
    SCOUT_COST,
    UNIT_COST,
)
from functions.web.boards.feinthold.places import in_order, role
from functions.web.boards.feinthold.sheets import Moved, Placed, Sheet, read

COSTS: Final = {"unit": UNIT_COST, "decoy": DECOY_COST, "entrench": ENTRENCH_COST, "scout": SCOUT_COST}


@dataclass(frozen=True, slots=True)
class Line:
    """A line with figures: reinforcements at a position, or a move to another (`to`). `number` names its fields.

    `id` is unique on the page; `units_there` and `decoys_there` are the most there can be; `problems` are sentences.
    """

    id: str
    number: int
    at: str
    to: str
    role: str
    to_role: str
    units: str
    decoys: str
    units_there: int
    decoys_there: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A box to tick: entrench or scout a position."""

    id: str
    at: str
    role: str
    ticked: bool
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """All orders given from one position."""

    at: str
    role: str
    owner: str
    units: int
    decoys: int
    reinforce: Line | None
    moves: tuple[Line, ...]
    entrench: Tick | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A position that may be predicted; one that does not exist, but was typed, has no role."""

    at: str
    role: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Form:
    """The whole form. `strays` are lines of a refused sheet that no block has; `problems` concern the sheet."""

    points: int
    cost: int
    blocks: tuple[Block, ...]
    scouts: tuple[Tick, ...]
    predict: tuple[Choice, ...]
    predict_problems: tuple[str, ...]
    stray_places: tuple[Line, ...]
    stray_moves: tuple[Line, ...]
    stray_entrench: tuple[Tick, ...]
    stray_scouts: tuple[Tick, ...]
    problems: tuple[str, ...]

    @property
    def left(self) -> int:
        """Points left once these orders are paid; negative if there are too few."""
        return self.points - self.cost

    @property
    def strays(self) -> bool:
        """Whether any line has no place in the blocks."""
        return bool(self.stray_places or self.stray_moves or self.stray_entrench or self.stray_scouts)


def fill(view: Mapping[str, Any], sheet: object, problems: Iterable[Mapping[str, Any]] = ()) -> Form:
    """The form of a side's view with the orders of `sheet` in it and each problem's sentence beside its field."""
    return _Filling(view, read(sheet), problems).form()


def cost(sheet: Sheet) -> int:
    """What orders cost, as far as they can be read (F4)."""
    placed = sum(UNIT_COST * line.units + DECOY_COST * line.decoys for line in sheet.reinforce)
    return placed + ENTRENCH_COST * len(sheet.entrench) + SCOUT_COST * len(sheet.scout)


class _Filling:
    """Builds a form: takes the typed lines one by one, so that what is left over is known."""

    def __init__(self, view: Mapping[str, Any], sheet: Sheet, problems: Iterable[Mapping[str, Any]]) -> None:
        self.view = view
        self.side = str(view["side"])
        self.sheet = sheet
        self.placed = list(sheet.reinforce)
        self.moved = list(sheet.move)
        self.problems: dict[str, list[str]] = {}
        for problem in problems:
            self.problems.setdefault(problem["field"], []).append(problem["message"])
        self.lines = 0
        self.uses: dict[str, int] = {}
        number = SIDES.index(self.side)
        flags = tuple(-1 if view["flags"][at] is None else SIDES.index(view["flags"][at]) for at in POSITIONS)
        self.linked = linked(view["layout"], number, flags)
        self.hq = POSITIONS[HQ[number]]

    def form(self) -> Form:
        blocks = tuple(self._block(at) for at in in_order(self.side) if self._commands(at))
        shown = {block.at for block in blocks if block.entrench}
        scouts = tuple(
            self._tick("scout", at, at in self.sheet.scout)
            for at in in_order(self.side)
            if self.view["flags"][at] != self.side
        )
        chosen = self.sheet.predict
        unknown = (chosen,) if chosen and chosen not in NUMBERS else ()
        entrench_strays = _strays(self.sheet.entrench, shown)
        scout_strays = _strays(self.sheet.scout, {tick.at for tick in scouts})
        stray_places = tuple(self._place_line(line.at, line) for line in self.placed)
        stray_moves = tuple(self._move_line(line.source, line.to, line) for line in self.moved)
        return Form(
            points=self.view["points"],
            cost=cost(self.sheet),
            blocks=blocks,
            scouts=scouts,
            predict=tuple(Choice(at, role(at, self.side), at == chosen) for at in (*in_order(self.side), *unknown)),
            predict_problems=self._said("predict"),
            stray_places=stray_places,
            stray_moves=stray_moves,
            stray_entrench=tuple(self._tick("entrench", at, ticked=True) for at in entrench_strays),
            stray_scouts=tuple(self._tick("scout", at, ticked=True) for at in scout_strays),
            problems=tuple(said for group in self.problems.values() for said in group),
        )

    def _commands(self, at: str) -> bool:
        return self.view["flags"][at] == self.side or bool(self.view["decoys"].get(at))

    def _block(self, at: str) -> Block:
        units, decoys = self.view["units"].get(at, 0), self.view["decoys"].get(at, 0)
        mine = self.view["flags"][at] == self.side
        goals = [POSITIONS[q] for q in NEIGHBOURS[self.view["layout"]][NUMBERS[at]]] if units or decoys else []
        ahead = [to for to in in_order(self.side) if to in goals]
        return Block(
            at=at,
            role=role(at, self.side),
            owner="mine" if mine else "neutral",
            units=units,
            decoys=decoys,
            reinforce=self._place_line(at, self._typed_place(at)) if self._limit(at) else None,
            moves=tuple(self._move_line(at, to, self._typed_move(at, to)) for to in ahead),
            entrench=self._tick("entrench", at, at in self.sheet.entrench)
            if mine and at != self.hq and (units or self._limit(at))
            else None,
        )

    def _limit(self, at: str) -> int:
        number = NUMBERS.get(at)
        if number is None or number in POSTS or not self.linked[number]:
            return 0
        return HQ_LIMIT if at == self.hq else RELAY_LIMIT

    def _typed_place(self, at: str) -> Placed | None:
        found = next((line for line in self.placed if line.at == at), None)
        if found:
            self.placed.remove(found)
        return found

    def _typed_move(self, at: str, to: str) -> Moved | None:
        found = next((line for line in self.moved if (line.source, line.to) == (at, to)), None)
        if found:
            self.moved.remove(found)
        return found

    def _place_line(self, at: str, typed: Placed | None) -> Line:
        units, decoys = typed.typed if typed else ("", "")
        most = self._limit(at)
        key = f"reinforce:{at}"
        where = role(at, self.side)
        return Line(self._id(key), self._number(), at, "", where, "", units, decoys, most, most, self._said(key))

    def _move_line(self, at: str, to: str, typed: Moved | None) -> Line:
        units, decoys = typed.typed if typed else ("", "")
        key = f"move:{at}:{to}"
        there = self.view["units"].get(at, 0), self.view["decoys"].get(at, 0)
        roles = role(at, self.side), role(to, self.side)
        return Line(self._id(key), self._number(), at, to, *roles, units, decoys, *there, self._said(key))

    def _tick(self, kind: str, at: str, ticked: bool) -> Tick:
        key = f"{kind}:{at}"
        return Tick(self._id(key), at, role(at, self.side), ticked, self._said(key))

    def _id(self, key: str) -> str:
        """The key itself, so that a problem's link finds its field; repeats of it get a number."""
        self.uses[key] = self.uses.get(key, 0) + 1
        return key if self.uses[key] == 1 else f"{key}:{self.uses[key]}"

    def _number(self) -> int:
        self.lines += 1
        return self.lines - 1

    def _said(self, field: str) -> tuple[str, ...]:
        return tuple(self.problems.pop(field, ()))


def _strays(names: tuple[str, ...], shown: set[str]) -> list[str]:
    """Names without a box of their own, and every repeat of a name."""
    left, strays = set(shown), []
    for name in names:
        if name in left:
            left.discard(name)
        else:
            strays.append(name)
    return strays
