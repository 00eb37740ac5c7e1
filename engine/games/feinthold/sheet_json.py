"""Sheets as JSON (the spec's O), in and out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import Malformed, Problem
from engine.games.feinthold.layouts import NUMBERS, POSITIONS
from engine.games.feinthold.sheet import Moved, Placed, Sheet, sheet

LONGEST_NAME: Final = 40
MOST: Final = 10**9  # no game has so many units; sums stay printable


@dataclass(slots=True)
class Draft:
    """What could be read of a sheet, everything that could not, and where a line of reinforcements was dropped."""

    reinforce: list[Placed] = field(default_factory=list)
    move: list[Moved] = field(default_factory=list)
    entrench: list[int] = field(default_factory=list)
    scout: list[int] = field(default_factory=list)
    predict: int = -1
    problems: list[Problem] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)

    @property
    def sheet(self) -> Sheet:
        """The orders that could be read."""
        return sheet(self.reinforce, self.move, self.entrench, self.scout, self.predict)


def parse(raw: object) -> Sheet:
    """A sheet from JSON; Malformed with every `bad_shape`, `bad_number` and `bad_position` in it."""
    draft = read(raw)
    if draft.problems:
        raise Malformed(*draft.problems)
    return draft.sheet


def write(orders: Sheet) -> Mapping[str, Any]:
    """A sheet as canonical JSON: every list, in the order of the positions; `predict` only where there is one."""
    out: dict[str, Any] = {
        "reinforce": [{"at": POSITIONS[at], "units": units, "decoys": n} for at, units, n in orders.reinforce],
        "move": [
            {"from": POSITIONS[source], "to": POSITIONS[to], "units": units, "decoys": n}
            for source, to, units, n in orders.move
        ],
        "entrench": [POSITIONS[at] for at in orders.entrench],
        "scout": [POSITIONS[at] for at in orders.scout],
    }
    if orders.predict >= 0:
        out["predict"] = POSITIONS[orders.predict]
    return out


def read(raw: object) -> Draft:
    """As much of a sheet as can be read, with the problems of the rest."""
    draft = Draft()
    if not isinstance(raw, dict):
        draft.problems.append(Problem("bad_shape"))
        return draft
    for key, value in raw.items():
        if key == "predict":
            _read_prediction(draft, value)
        elif key not in _LINES:
            draft.problems.append(Problem("bad_shape", detail={"key": _short(key) or ""}))
        elif not isinstance(value, list):
            draft.problems.append(Problem("bad_shape", detail={"key": key}))
        else:
            for line in value:
                _LINES[key](draft, line)
    return draft


def _read_reinforcement(draft: Draft, line: object) -> None:
    numbers = _line(draft, line, "reinforce", ("at",))
    if numbers:
        at, units, decoys = numbers
        draft.reinforce.append((at, units, decoys))
    elif isinstance(line, dict):
        named = _place(line.get("at"))
        draft.dropped.update(() if named is None else (named,))


def _read_move(draft: Draft, line: object) -> None:
    numbers = _line(draft, line, "move", ("from", "to"))
    if numbers:
        source, to, units, decoys = numbers
        draft.move.append((source, to, units, decoys))


def _read_entrenchment(draft: Draft, name: object) -> None:
    _read_place(draft, "entrench", name, draft.entrench)


def _read_scout(draft: Draft, name: object) -> None:
    _read_place(draft, "scout", name, draft.scout)


def _read_place(draft: Draft, key: str, name: object, places: list[int]) -> None:
    at = _place(name)
    if at is None:
        draft.problems.append(Problem("bad_position", _short(name), f"{key}:{_short(name) or ''}"))
    else:
        places.append(at)


def _read_prediction(draft: Draft, name: object) -> None:
    at = _place(name)
    if at is not None:
        draft.predict = at
    elif name is not None:
        draft.problems.append(Problem("bad_position", _short(name), "predict"))


_LINES: Final[Mapping[str, Callable[[Draft, object], None]]] = {
    "reinforce": _read_reinforcement,
    "move": _read_move,
    "entrench": _read_entrenchment,
    "scout": _read_scout,
}


def _line(draft: Draft, line: object, key: str, places: tuple[str, ...]) -> tuple[int, ...] | None:
    """The places of a line, its units and its decoys, by number; None if any of it can't be read."""
    if not isinstance(line, dict):
        draft.problems.append(Problem("bad_shape"))
        return None
    found = len(draft.problems)
    where = _short(line.get(places[0]))
    field_name = ":".join((key, *(_short(line.get(place)) or "" for place in places)))
    wrong = [name for name in line if name not in (*places, "units", "decoys")]
    wrong += [place for place in places if place not in line][:1]
    draft.problems += [Problem("bad_shape", where, detail={"key": _short(name) or ""}) for name in wrong]
    ats = [_place(line[place]) for place in places if place in line]
    if None in ats:
        draft.problems.append(Problem("bad_position", where, field_name))
    counts = [_count(line, "units"), _count(line, "decoys")]
    if None in counts:
        draft.problems.append(Problem("bad_number", where, field_name))
    return None if len(draft.problems) > found else tuple(n for n in (*ats, *counts) if n is not None)


def _place(name: object) -> int | None:
    return NUMBERS.get(name) if isinstance(name, str) else None


def _count(line: Mapping[str, object], key: str) -> int | None:
    number = line.get(key, 0)
    if type(number) is not int or number < 0:
        return None
    return min(number, MOST)


def _short(name: object) -> str | None:
    return name[:LONGEST_NAME] if isinstance(name, str) else None
