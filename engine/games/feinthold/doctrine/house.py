"""The house AIs: Sentinel, Pivot and Ram, doctrines like any other, with public rules (F29)."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from engine.games.feinthold.doctrine.language import Doctrine
from engine.games.feinthold.doctrine.wire import parse

Rules = list[dict[str, Any]]


def _always() -> list[dict[str, Any]]:
    return [{"is": "always"}]


def _is(kind: str, **words: Any) -> dict[str, Any]:
    return {"is": kind, **words}


def _turn(op: str, n: int) -> dict[str, Any]:
    return {"is": "turn", "op": op, "n": n}


def _units(place: str, op: str, n: int) -> dict[str, Any]:
    return {"is": "units", "place": place, "op": op, "n": n}


def _flag(place: str, owner: str) -> dict[str, Any]:
    return {"is": "flag", "place": place, "owner": owner}


def _reinforce(place: str, units: int, decoys: int = 0) -> dict[str, Any]:
    return {"do": "reinforce", "place": place, "units": units, "decoys": decoys}


def _move(source: str, to: str, units: int | str, decoys: int = 0) -> dict[str, Any]:
    return {"do": "move", "from": source, "to": to, "units": units, "decoys": decoys}


def _entrench(place: str) -> dict[str, Any]:
    return {"do": "entrench", "place": place}


def _scout(place: str) -> dict[str, Any]:
    return {"do": "scout", "place": place}


def _predict(place: str) -> dict[str, Any]:
    return {"do": "predict", "place": place}


_SENTINEL: Final[Rules] = [
    {"if": [_turn("<=", 1)], "then": [_move("my_hq", "my_forward", 2), _move("my_hq", "my_post", 1)]},
    {"if": [_is("threat")], "then": [_reinforce("my_hq", 2)]},
    {"if": [_flag("my_forward", "mine")], "then": [_reinforce("my_forward", 2), _entrench("my_forward")]},
    {
        "if": [_flag("centre", "neutral")],
        "then": [_move("my_forward", "centre", "half"), _move("my_post", "centre", "half")],
    },
    {"if": [_flag("centre", "mine")], "then": [_reinforce("centre", 2), _entrench("centre")]},
    {"if": [_turn(">=", 5), _units("centre", ">=", 6)], "then": [_move("centre", "their_forward", "half")]},
    {"if": _always(), "then": [_reinforce("my_hq", 1), _entrench("most_threatened")]},
    {"if": _always(), "then": [_move("my_hq", "my_forward", "half"), _predict("centre")]},
]

_PIVOT: Final[Rules] = [
    {"if": [_turn("<=", 1)], "then": [_move("my_hq", "my_forward", 2), _move("my_hq", "my_post", 1)]},
    {"if": [_turn(">=", 2)], "then": [_scout("centre"), _move("my_hq", "my_forward", 0, 1)]},
    {"if": [_flag("centre", "neutral")], "then": [_move("strongest", "centre", "all_but_one")]},
    {"if": [_is("threat")], "then": [_reinforce("my_hq", 2)]},
    {"if": [_flag("centre", "mine")], "then": [_reinforce("centre", 2)]},
    {"if": [_units("strongest", ">=", 5)], "then": [_move("strongest", "their_forward", "all_but_one")]},
    {"if": _always(), "then": [_reinforce("my_forward", 2), _reinforce("my_hq", 1, 1)]},
    {"if": _always(), "then": [_move("my_hq", "my_forward", "half"), _predict("centre")]},
]

_RAM: Final[Rules] = [
    {"if": [_turn("<=", 1)], "then": [_move("my_hq", "my_forward", 2), _move("my_hq", "my_post", 1)]},
    {"if": [_units("strongest", ">=", 5)], "then": [_move("strongest", "their_hq", "all_but_one")]},
    {"if": [_flag("centre", "mine")], "then": [_reinforce("centre", 2)]},
    {"if": [_is("threat")], "then": [_reinforce("my_hq", 2)]},
    {"if": _always(), "then": [_reinforce("my_forward", 2), _reinforce("my_hq", 3)]},
    {"if": _always(), "then": [_move("my_hq", "my_forward", "half"), _move("my_forward", "centre", "half")]},
    {"if": [_turn(">=", 6)], "then": [_move("centre", "their_forward", "half")]},
    {"if": _always(), "then": [_predict("my_forward")]},
]

HOUSE: Final[Mapping[str, Mapping[str, Any]]] = {
    "sentinel": {"version": 1, "name": "Sentinel", "rules": _SENTINEL},
    "pivot": {"version": 1, "name": "Pivot", "rules": _PIVOT},
    "ram": {"version": 1, "name": "Ram", "rules": _RAM},
}


@cache
def house(name: str) -> Doctrine:
    """The house AI of this name, without noise; KeyError if there is none."""
    return parse(HOUSE[name])
