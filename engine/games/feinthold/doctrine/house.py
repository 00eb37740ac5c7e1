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


_TO_FORWARD_AND_POST: Final = {
    "if": [_flag("my_post", "neutral")],
    "then": [_move("my_hq", "my_forward", "half"), _move("my_hq", "my_post", "half")],
}
_TO_THE_CENTRE: Final = {
    "if": [_flag("centre", "neutral")],
    "then": [_move("my_forward", "centre", "all"), _move("my_post", "centre", "all")],
}
_FOLLOW: Final = {"if": _always(), "then": [_move("my_hq", "centre", "half"), _predict("their_forward")]}

_SENTINEL: Final[Rules] = [
    _TO_FORWARD_AND_POST,
    _TO_THE_CENTRE,
    _FOLLOW,
    {"if": [_units("centre", ">=", 7)], "then": [_move("centre", "their_forward", "half")]},
    {"if": [_units("strongest", ">=", 5)], "then": [_move("strongest", "centre", "all_but_one")]},
    {"if": _always(), "then": [_entrench("centre"), _entrench("most_threatened")]},
    {"if": _always(), "then": [_reinforce("my_forward", 2)]},
    {"if": _always(), "then": [_reinforce("centre", 2), _reinforce("my_hq", 4)]},
]

_PIVOT: Final[Rules] = [
    _TO_THE_CENTRE,
    {"if": _always(), "then": [_move("my_hq", "centre", "half", 2), _reinforce("my_forward", 2)]},
    _TO_FORWARD_AND_POST,
    {"if": [_flag("centre", "theirs")], "then": [_move("strongest", "centre", "all"), _predict("their_forward")]},
    {
        "if": [_is("observed", place="their_hq", op="<=", n=4, within=2), _units("strongest", ">=", 5)],
        "then": [_move("strongest", "their_hq", "all_but_one")],
    },
    {
        "if": [_units("strongest", ">=", 4)],
        "then": [_move("strongest", "their_forward", "all"), _predict("their_forward")],
    },
    {"if": [_turn(">=", 4)], "then": [_scout("their_hq"), _reinforce("my_hq", 0, 1)]},
    {"if": _always(), "then": [_reinforce("centre", 2), _reinforce("my_hq", 4, 1)]},
]

_RAM: Final[Rules] = [
    _TO_FORWARD_AND_POST,
    _TO_THE_CENTRE,
    _FOLLOW,
    {"if": [_flag("centre", "theirs")], "then": [_move("strongest", "centre", "all")]},
    {
        "if": [_units("strongest", ">=", 4)],
        "then": [_move("strongest", "their_forward", "all"), _move("centre", "their_hq", "all")],
    },
    {"if": [_flag("their_forward", "mine")], "then": [_move("their_forward", "their_hq", "all")]},
    {"if": _always(), "then": [_reinforce("centre", 2), _reinforce("my_forward", 2)]},
    {"if": _always(), "then": [_reinforce("my_hq", 4)]},
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
