"""Strict reading of states and views from JSON: what is not exactly as written is Malformed, with its path."""

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import Malformed, Problem
from engine.games.feinthold.layouts import LAYOUTS, NEUTRAL, NUMBERS, POSITIONS, SIDES
from engine.games.feinthold.state import COMBAT, LAST_TURN, PRESENCE, SCOUT, By, End, Seen, Seven

MOST: Final = 10**9
KINDS: Final = ("presence", "combat", "scout")
REASONS: Final[tuple[By, ...]] = ("hq", "breakthrough", "positions", "income", "units", "draw")


class Reader:
    """Reads the parts of one JSON value; `code` is the problem's code if something is wrong."""

    __slots__ = ("_code",)

    def __init__(self, code: str) -> None:
        self._code = code

    def require(self, holds: bool, path: str) -> None:
        """Malformed at this path unless it holds."""
        if not holds:
            raise Malformed(Problem(self._code, field=path))

    def table(self, raw: object, keys: tuple[str, ...], path: str) -> Mapping[str, Any]:
        """An object with exactly these keys."""
        if not isinstance(raw, dict) or set(raw) != set(keys):
            raise Malformed(Problem(self._code, field=path, detail={"keys": ", ".join(keys)}))
        return raw

    def number(self, raw: object, path: str, least: int = 0, most: int = MOST) -> int:
        """A whole number within bounds."""
        if type(raw) is not int or not least <= raw <= most:
            raise Malformed(Problem(self._code, field=path))
        return raw

    def flags(self, raw: object, path: str) -> Seven:
        """A flag for every position; an HQ always has one."""
        table = self.table(raw, POSITIONS, path)
        values = tuple(self._flag(table[name], f"{path}.{name}") for name in POSITIONS)
        self.require(values[0] != NEUTRAL and values[6] != NEUTRAL, path)
        return values

    def counts(self, raw: object, path: str) -> Seven:
        """A number for each position named, 0 for the others."""
        counts = [0] * 7
        for at, value in self.places(raw, path).items():
            counts[at] = self.number(value, f"{path}.{POSITIONS[at]}")
        return tuple(counts)

    def places(self, raw: object, path: str) -> Mapping[int, object]:
        """An object whose keys are positions, by their number."""
        if not isinstance(raw, dict) or not set(raw) <= set(POSITIONS):
            raise Malformed(Problem(self._code, field=path))
        return {NUMBERS[name]: value for name, value in raw.items()}

    def memory(self, raw: object, turn: int, path: str) -> tuple[Seen | None, ...]:
        """The last observations, none of them later than `turn`."""
        seen: list[Seen | None] = [None] * 7
        for at, value in self.places(raw, path).items():
            seen[at] = self._seen(value, turn, f"{path}.{POSITIONS[at]}")
        return tuple(seen)

    def layout(self, raw: object, path: str) -> int:
        """The number of a layout."""
        return self.number(raw, path, 1, len(LAYOUTS))

    def turn(self, raw: object, path: str) -> int:
        """The number of a turn."""
        return self.number(raw, path, 1, LAST_TURN)

    def side(self, raw: object, path: str) -> int:
        """The number of a side."""
        if raw == "a":
            return 0
        self.require(raw == "b", path)
        return 1

    def outcome(self, raw: object, flags: Seven, path: str) -> End | None:
        """How the game ended. While it goes on, each HQ flies its owner's flag."""
        if raw is None:
            self.require(flags[0] == 0 and flags[6] == 1, path)
            return None
        table = self.table(raw, ("winner", "by"), path)
        by = next((reason for reason in REASONS if reason == table["by"]), None)
        if by is None:
            raise Malformed(Problem(self._code, field=f"{path}.by"))
        winner = None if table["winner"] is None else self.side(table["winner"], f"{path}.winner")
        self.require((winner is None) == (by == "draw"), path)
        return End(winner, by)

    def _flag(self, raw: object, path: str) -> int:
        return NEUTRAL if raw is None else self.side(raw, path)

    def _seen(self, raw: object, latest: int, path: str) -> Seen:
        table = self.table(raw, ("turn", "kind", "value"), path)
        turn = self.number(table["turn"], f"{path}.turn", 1, latest)
        kind, value = table["kind"], table["value"]
        if kind == KINDS[PRESENCE] and isinstance(value, bool):
            return (turn, PRESENCE, int(value))
        if kind == KINDS[SCOUT]:
            return (turn, SCOUT, self.number(value, f"{path}.value"))
        self.require(kind == KINDS[COMBAT] and type(value) in (int, float) and 0 <= value <= MOST, f"{path}.kind")
        self.require(value * 2 == int(value * 2), f"{path}.value")
        return (turn, COMBAT, int(value * 2))


def seen_json(seen: Seen) -> Mapping[str, Any]:
    """One observation as JSON; strengths in units."""
    turn, kind, value = seen
    shown: object = bool(value) if kind == PRESENCE else value / 2 if kind == COMBAT else value
    return {"turn": turn, "kind": KINDS[kind], "value": shown}


def memory_json(memory: tuple[Seen | None, ...]) -> Mapping[str, Any]:
    """Last observations as JSON."""
    return {POSITIONS[at]: seen_json(seen) for at, seen in enumerate(memory) if seen is not None}


def counts_json(counts: Seven) -> Mapping[str, int]:
    """Numbers by position as JSON, without the zeros."""
    return {POSITIONS[at]: count for at, count in enumerate(counts) if count}


def flags_json(flags: Seven) -> Mapping[str, str | None]:
    """Flags as JSON."""
    return {POSITIONS[at]: None if flag == NEUTRAL else SIDES[flag] for at, flag in enumerate(flags)}


def end_json(end: End | None) -> Mapping[str, str | None] | None:
    """An outcome as JSON."""
    if end is None:
        return None
    return {"winner": None if end.winner is None else SIDES[end.winner], "by": end.by}
