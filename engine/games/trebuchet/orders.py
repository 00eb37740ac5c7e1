"""Orders: a placement (T3), or a shot with what may go with it (T5, T6, T10, T14)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.trebuchet.grid import BONUSES, Bonus, Cell, name, named
from engine.games.trebuchet.reading import bad, bonuses, flag, one_of, sequence, whole

X = TypeVar("X")

LONGEST_NAMED: Final = 20  # characters of a text that is no cell
MOST_NAMED: Final = 3  # cells of one list that are none: as many as it should have


@dataclass(frozen=True, slots=True)
class Placement:
    """The numbers of the three cells the servants take (T2), and three centres of which one is drawn (T3)."""

    formation: tuple[int, ...]
    centres: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """A target with a bonus held; `choose` turns eliminations into bonuses before the shots, `agree_end` is a vote."""

    target: Cell
    bonus: Bonus | None = None
    choose: tuple[Bonus, ...] = ()
    agree_end: bool = False


Orders = Placement | Aim


def parse(raw: object, /) -> Orders:
    """Orders from JSON: {formation, centres} or {target, bonus, choose, agree_end}, the last three optional.

    Cells may be written in small letters. Raises Malformed with every problem: `bad_shape`, `bad_number`, `bad_cell`,
    `bad_bonus`, `duplicate`.
    """
    if not isinstance(raw, Mapping):
        raise bad("bad_shape", "")
    return _placement(raw) if "formation" in raw or "centres" in raw else _aim(raw)


def readable(raw: object, /) -> tuple[Cell, ...]:
    """The centres of a placement that can be read, whatever else is wrong with it."""
    centres = raw.get("centres") if isinstance(raw, Mapping) else None
    if not isinstance(centres, list | tuple):
        return ()
    return tuple(cell for one in centres if (cell := _named(one)) is not None)


def write(orders: Orders, /) -> Json:
    """Orders as canonical JSON."""
    if isinstance(orders, Placement):
        return {"formation": list(orders.formation), "centres": [name(cell) for cell in orders.centres]}
    return {
        "target": name(orders.target),
        "bonus": orders.bonus,
        "choose": list(orders.choose),
        "agree_end": orders.agree_end,
    }


def _placement(raw: Mapping[Any, Any]) -> Placement:
    form = _Form(raw, ("formation", "centres"))
    numbers: tuple[int, ...] = form.read("formation", _numbers, ())
    centres: tuple[Cell, ...] = form.read("centres", _cells, ())
    form.close()
    return Placement(tuple(sorted(numbers)), centres)


def _aim(raw: Mapping[Any, Any]) -> Aim:
    form = _Form(raw, ("target", "bonus", "choose", "agree_end"))
    target = form.read("target", _cell, (0, 0))
    bonus = form.read("bonus", _bonus, None) if "bonus" in raw else None
    choose: tuple[Bonus, ...] = form.read("choose", bonuses, ()) if "choose" in raw else ()
    agree_end = form.read("agree_end", flag, otherwise=False) if "agree_end" in raw else False
    form.close()
    return Aim(target, bonus, choose, agree_end)


class _Form:
    """Reads the fields of a mapping and gathers what is wrong with them."""

    def __init__(self, raw: Mapping[Any, Any], known: tuple[str, ...]) -> None:
        self._raw = raw
        self._problems = [Problem("bad_shape", field=str(key)) for key in raw if key not in known]

    def read(self, key: str, reader: Callable[[object, str], X], otherwise: X) -> X:
        """The field's value; `otherwise` if it is no good, which `close` will tell."""
        try:
            return reader(self._raw.get(key), key)
        except Malformed as error:
            self._problems += error.problems
            return otherwise

    def close(self) -> None:
        """Raise Malformed if anything was wrong."""
        if self._problems:
            raise Malformed(*self._problems)


def _numbers(raw: object, at: str) -> tuple[int, ...]:
    return tuple(whole(one, 1, 8, at) for one in sequence(raw, at))


def _cells(raw: object, field: str) -> tuple[Cell, ...]:
    listed = sequence(raw, field)
    cells = [cell for one in listed if (cell := _named(one)) is not None]
    if len(cells) < len(listed):
        none = [one for one in listed if _named(one) is None]
        raise Malformed(*(_no_cell(one, field) for one in none[:MOST_NAMED]))
    return tuple(cells)


def _cell(raw: object, field: str) -> Cell:
    cell = _named(raw)
    if cell is None:
        raise Malformed(_no_cell(raw, field))
    return cell


def _named(raw: object) -> Cell | None:
    return named(raw.strip().upper()) if isinstance(raw, str) else None


def _no_cell(raw: object, field: str) -> Problem:
    """What was given for a cell is named, as far as it is a text and shows what is meant."""
    text = raw.strip() if isinstance(raw, str) else ""
    short = text if len(text) <= LONGEST_NAMED else text[:LONGEST_NAMED] + "…"
    return Problem("bad_cell", at=short or None, field=field)


def _bonus(raw: object, at: str) -> Bonus | None:
    return None if raw is None else cast("Bonus", one_of(raw, BONUSES, "bad_bonus", at))
