"""States as JSON: the spec's S for the referee, the same with a version for the store."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from engine.games.feinthold.layouts import ALL, NEUTRAL, SIDES
from engine.games.feinthold.reading import Reader, counts_json, end_json, flags_json, memory_json
from engine.games.feinthold.state import State

VERSION: Final = 1
KEYS: Final = (
    "layout", "turn", "flags", "units", "decoys", "points", "income", "predictions", "combats", "seen", "outcome"
)  # fmt: skip

X = TypeVar("X")
_read: Final = Reader("bad_state")


def dump(state: State) -> Mapping[str, Any]:
    """The whole state as versioned JSON."""
    return {"version": VERSION, **write_state(state)}


def load(raw: Mapping[str, Any]) -> State:
    """The state `dump` wrote; Malformed (`bad_state`) for anything else."""
    _read.require(isinstance(raw, dict) and raw.get("version") == VERSION, "version")
    return read_state({key: value for key, value in raw.items() if key != "version"})


def write_state(state: State) -> Mapping[str, Any]:
    """The state as the spec's S."""
    return {
        "layout": state.layout,
        "turn": state.turn,
        "flags": flags_json(state.flags),
        "units": _by_side(state.units, counts_json),
        "decoys": _by_side(state.decoys, counts_json),
        "points": _by_side(state.points, int),
        "income": _by_side(state.income, int),
        "predictions": _by_side(state.predictions, int),
        "combats": _by_side(state.combats, int),
        "seen": _by_side(state.seen, memory_json),
        "outcome": end_json(state.end),
    }


def read_state(raw: object) -> State:
    """The state of a spec's S; Malformed (`bad_state`, with the path) unless the rules could have made it (F1–F3)."""
    table = _read.table(raw, KEYS, "")
    turn = _read.turn(table["turn"], "turn")
    flags = _read.flags(table["flags"], "flags")
    state = State(
        layout=_read.layout(table["layout"], "layout"),
        turn=turn,
        flags=flags,
        units=_sides(table["units"], "units", _read.counts),
        decoys=_sides(table["decoys"], "decoys", _read.counts),
        points=_sides(table["points"], "points", _read.number),
        income=_sides(table["income"], "income", _read.number),
        predictions=_sides(table["predictions"], "predictions", _read.number),
        combats=_sides(table["combats"], "combats", _read.number),
        seen=_sides(table["seen"], "seen", lambda raw, path: _read.memory(raw, turn, path)),
        end=_read.outcome(table["outcome"], flags, "outcome"),
    )
    _stand(state)
    return state


def _stand(state: State) -> None:
    for side, name in enumerate(SIDES):
        for at in ALL:
            _read.require(not state.units[side][at] or state.flags[at] == side, f"units.{name}")
            _read.require(not state.decoys[side][at] or state.flags[at] in (side, NEUTRAL), f"decoys.{name}")
    for at in ALL:
        _read.require(not (state.decoys[0][at] and state.decoys[1][at]), "decoys")


def _by_side(pair: tuple[X, X], shown: Callable[[X], object]) -> Mapping[str, Any]:
    return {"a": shown(pair[0]), "b": shown(pair[1])}


def _sides(raw: object, path: str, read: Callable[[object, str], X]) -> tuple[X, X]:
    table = _read.table(raw, SIDES, path)
    return read(table["a"], f"{path}.a"), read(table["b"], f"{path}.b")
