"""The games, by name: one line a game, its module imported when it is first used."""

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from engine.decisions import Json
from engine.errors import Refusal
from engine.games.protocol import Game

if TYPE_CHECKING:  # mypy holds each game to the protocol
    from engine.games import feinthold, relief, trebuchet

    _feinthold: Game[feinthold.State, feinthold.Sheet, feinthold.View] = feinthold
    _relief: Game[relief.State, relief.Order, relief.View] = relief
    _trebuchet: Game[trebuchet.State, trebuchet.Orders, trebuchet.View] = trebuchet

GAMES: Final[Mapping[str, str]] = {
    "feinthold": "engine.games.feinthold",
    "relief": "engine.games.relief",
    "trebuchet": "engine.games.trebuchet",
}

DUELS: Final = ("feinthold", "relief")  # played by two who propose and accept
FORUMS: Final = ("trebuchet",)  # played by many, with texts
RIVALLED: Final = ("relief",)  # played against the computer too: `Spec.rivals`, told without the game's import
GUESTS: Final = ("relief",)  # played without an account: `Spec.guests`, likewise (P3)
DOCTRINED: Final = "feinthold"  # the game of doctrines, tournaments, the Daily Front and the seasons' prizes

AnyGame = Game[Any, Any, Any]
Op = Callable[[Mapping[str, Any]], Json]


def game(name: str) -> AnyGame:
    """The game of this name; Refusal (`unknown_game`)."""
    return cast(AnyGame, importlib.import_module(_module(name)))


def operations(name: str) -> Mapping[str, Op]:
    """What the referee does for this game: its operations by name; Refusal (`unknown_game`)."""
    return cast(Mapping[str, Op], importlib.import_module(f"{_module(name)}.referee").OPS)


def _module(name: str) -> str:
    if name not in GAMES:
        raise Refusal("unknown_game", game=name)
    return GAMES[name]
