"""The games there are: one line each, imported when first used."""

import importlib
from functools import cache
from typing import Any, Final, cast

from engine.games.protocol import Game

NAMES: Final = ("feinthold",)


@cache
def game(name: str) -> Game[Any, Any, Any]:
    """The game of this name; KeyError if there is none."""
    if name not in NAMES:
        raise KeyError(name)
    return cast(Game[Any, Any, Any], importlib.import_module(f"engine.games.{name}"))
