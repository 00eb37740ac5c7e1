"""How a duel or a siege ended, in sentences."""

from collections.abc import Mapping
from typing import Final

from engine.platform.duels.records import Duel
from engine.platform.sieges.records import Siege
from engine.platform.sieges.stopping import stopped
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


def ending(t: Translator, siege: Siege, names: Mapping[str, str]) -> tuple[str, ...]:
    """The sentences for everybody once a siege has ended, none before; `names` by seat."""
    if siege.result is None or siege.stage != "ended":
        return ()
    if stopped(siege):
        return (t("sieges.stopped"), t("sieges.stopped.what"))
    return tuple(board(siege.game).outcome(t, siege.result.by, siege.result.honours, names))
