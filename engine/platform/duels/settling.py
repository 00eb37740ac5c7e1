"""What follows the end of a duel, in a job of its own: the members' lists."""

from typing import Literal

from engine.decisions import Decision, Put
from engine.platform.duels.records import NEVER_BEGUN, Duel, MemberGame, Player


def settle(duel: Duel) -> Decision[None]:
    """Enter the result in both members' lists; doing it again writes the same. Proposals never accepted are not."""
    if duel.stage != "ended" or duel.ended is None or duel.result is None or duel.result.by in NEVER_BEGUN:
        return Decision((), None)
    rows = tuple(_row(duel, p) for p in duel.members)
    return Decision(tuple(Put(row, None) for row in rows), None)


def _row(duel: Duel, player: Player) -> MemberGame:
    assert duel.result is not None and duel.ended is not None
    return MemberGame(
        player.member,
        duel.id,
        duel.game,
        duel.pace,
        duel.opponent(player.member),
        "ended",
        duel.ended,
        _won(duel, player),
        "voided" if duel.voided else duel.result.by,
        duel.kind,
        duel.stake,
    )


def _won(duel: Duel, player: Player) -> Literal["won", "lost", "drawn", "none"]:
    if duel.result is None or not duel.result.counts or duel.voided:
        return "none"
    if duel.result.winner is None:
        return "drawn"
    return "won" if duel.result.winner == player.seat else "lost"
