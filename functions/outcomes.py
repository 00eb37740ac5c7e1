"""How a duel ended, in a sentence."""

from collections.abc import Mapping
from typing import Final

from engine.platform.duels.records import Duel
from functions.web.boards import board
from infra.i18n import Translator

OF_THE_PLATFORM: Final = (
    "forfeit",
    "time",
    "absence",
    "agreement",
    "cancelled",
    "no_show",
    "outage",
    "silence",
    "stopped",
)


def outcome(t: Translator, duel: Duel, seat: str | None, names: Mapping[str, str]) -> str:
    """The sentence for the player of a seat, or (None) for anybody else; `names` by seat."""
    result = duel.result
    if result is None:
        return ""
    if result.by not in OF_THE_PLATFORM:
        return str(board(duel.game).outcome(t, seat, result.winner, result.by, names))
    if result.winner is None:
        return t(f"game.outcome.{result.by}")
    if seat is None:
        loser = next((s for s in names if s != result.winner), result.winner)
        return t(f"game.outcome.other.{result.by}", name=names[loser])
    return t(f"game.outcome.{'won' if result.winner == seat else 'lost'}.{result.by}")
