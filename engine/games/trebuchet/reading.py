"""Reading JSON from outside, strictly: each function returns a checked value or raises Malformed with its place."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from engine.errors import Malformed, Problem
from engine.games.trebuchet.grid import BONUSES, Bonus, Cell, Grid, inside, named

X = TypeVar("X")


def bad(code: str, at: str) -> Malformed:
    """A Malformed with one problem at this place."""
    return Malformed(Problem(code, field=at))


def fields(raw: object, keys: Sequence[str], at: str) -> Mapping[str, Any]:
    """A JSON object with exactly these keys; `bad_shape`."""
    if not isinstance(raw, Mapping) or set(raw) != set(keys):
        raise bad("bad_shape", at)
    return raw


def sequence(raw: object, at: str) -> Sequence[Any]:
    """A JSON list; `bad_shape`."""
    if not isinstance(raw, list | tuple):
        raise bad("bad_shape", at)
    return raw


def whole(raw: object, low: int, high: int, at: str) -> int:
    """A whole number within bounds, both included; `bad_number`."""
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= high:
        raise bad("bad_number", at)
    return raw


def flag(raw: object, at: str) -> bool:
    """A JSON true or false; `bad_shape`."""
    if not isinstance(raw, bool):
        raise bad("bad_shape", at)
    return raw


def text(raw: object, at: str) -> str:
    """A text; `bad_shape`."""
    if not isinstance(raw, str):
        raise bad("bad_shape", at)
    return raw


def one_of(raw: object, known: Sequence[str], code: str, at: str) -> str:
    """One of the known words; `code` is the problem if it is another."""
    if not isinstance(raw, str) or raw not in known:
        raise bad(code, at)
    return raw


def cell_on(grid: Grid, raw: object, at: str) -> Cell:
    """A cell of the field by its name; `bad_cell`, `off_field`."""
    cell = named(raw)
    if cell is None:
        raise bad("bad_cell", at)
    if not inside(grid, cell):
        raise bad("off_field", at)
    return cell


def bonuses(raw: object, at: str) -> tuple[Bonus, ...]:
    """Different bonuses; `bad_bonus`, `duplicate`."""
    listed = [one_of(one, BONUSES, "bad_bonus", at) for one in sequence(raw, at)]
    return distinct(cast("list[Bonus]", listed), at)


def distinct(listed: Sequence[X], at: str) -> tuple[X, ...]:
    """The items, if no two of them are equal; `duplicate`."""
    if len(set(listed)) != len(listed):
        raise bad("duplicate", at)
    return tuple(listed)
