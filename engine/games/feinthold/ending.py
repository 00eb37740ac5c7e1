"""How a game ends (F25)."""

from collections.abc import Sequence
from typing import Final

from engine.games.feinthold.layouts import HQ_A, HQ_B, A, B
from engine.games.feinthold.state import LAST_TURN, By, End

BREAKTHROUGH: Final = 5


def ending(turn: int, flags: Sequence[int], units: Sequence[Sequence[int]], income: Sequence[int]) -> End | None:
    """How the turn ended the game, None if it goes on."""
    a_fell, b_fell = flags[HQ_A] == B, flags[HQ_B] == A
    if a_fell or b_fell:
        return tiebreak(flags, units, income) if a_fell and b_fell else End(B if a_fell else A, "hq")
    for side in (A, B):
        if flags.count(side) >= BREAKTHROUGH:
            return End(side, "breakthrough")
    return tiebreak(flags, units, income) if turn >= LAST_TURN else None


def tiebreak(flags: Sequence[int], units: Sequence[Sequence[int]], income: Sequence[int]) -> End:
    """Most positions, then the highest cumulative income, then most units; else a draw."""
    steps: tuple[tuple[By, int], ...] = (
        ("positions", flags.count(A) - flags.count(B)),
        ("income", income[A] - income[B]),
        ("units", sum(units[A]) - sum(units[B])),
    )
    for by, lead in steps:
        if lead:
            return End(A if lead > 0 else B, by)
    return End(None, "draw")
