"""What templates need to show a game: pure functions from its views to what is drawn, filled in or told."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from engine.games.registry import DUELS, FORUMS
from infra.i18n import translator


def board(game: str) -> ModuleType:
    """The board of a game, imported when first needed; LookupError for a game without one."""
    if game not in BOARDS:
        raise LookupError(f"no board for {game}")
    return import_module(f"functions.web.boards.{game}")


BOARDS: Final = (*DUELS, *FORUMS)
TOOLS: Final[Mapping[str, Any]] = {"board": board, "translator": translator}  # for infra.pages.Pages
