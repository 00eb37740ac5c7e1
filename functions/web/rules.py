"""The rules, for who plays."""

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import Refusal
from engine.games.registry import DUELS, FORUMS
from functions.web.boards import board
from functions.web.visit import Response, Visit

GAMES: Final = (*DUELS, *FORUMS)


def index(visit: Visit) -> Response[Any]:
    """The games and what all of them share."""
    return visit.page("pages/rules/index.html", {"games": GAMES})


def show(visit: Visit, game: str) -> Response[Any]:
    """The rules of a game; `not_found` for one without any here."""
    if game not in GAMES:
        raise Refusal("not_found")
    data: Mapping[str, Any] = {"game": game, **board(game).rules()}
    return visit.page(f"pages/rules/{game}.html", data)
