"""The whole state of a game between two turns, and how it begins."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.games.feinthold.layouts import HQ_A, HQ_B, NEUTRAL, RELAYS, A, B

BASE_INCOME: Final = 5
RELAY_INCOME: Final = 2
PREDICTION_INCOME: Final = 1
LAST_TURN: Final = 8
PRESENCE, COMBAT, SCOUT = 0, 1, 2  # kinds of observation, the most precise last (F22)

Pair = tuple[int, int]  # by side
Seven = tuple[int, ...]  # by position
Seen = tuple[int, int, int]  # turn, kind, value: 0 or 1, a strength in halves, a count
By = Literal["hq", "breakthrough", "positions", "income", "units", "draw"]


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended: the winning side (None: a draw) and by which step of F25."""

    winner: int | None
    by: By


@dataclass(frozen=True, slots=True)
class State:
    """A game between turns. `points` is what each side can spend now, `income` all it was ever credited (F2)."""

    layout: int
    turn: int
    flags: Seven
    units: tuple[Seven, Seven]
    decoys: tuple[Seven, Seven]
    points: Pair
    income: Pair
    predictions: Pair  # right ones
    combats: Pair  # won ones (F16)
    seen: tuple[tuple[Seen | None, ...], tuple[Seen | None, ...]]  # last observations (F22)
    end: End | None


def opening(layout: int) -> State:
    """The first turn of a layout (F1, F2)."""
    flags = [NEUTRAL] * 7
    flags[HQ_A], flags[HQ_B] = A, B
    first = BASE_INCOME
    return State(
        layout=layout,
        turn=1,
        flags=tuple(flags),
        units=((4, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 4)),
        decoys=((0,) * 7, (0,) * 7),
        points=(first, first),
        income=(first, first),
        predictions=(0, 0),
        combats=(0, 0),
        seen=((None,) * 7, (None,) * 7),
        end=None,
    )


def relays_held(flags: Seven, side: int) -> int:
    """How many relays fly the side's flag."""
    forward_a, centre, forward_b = RELAYS
    return (flags[forward_a] == side) + (flags[centre] == side) + (flags[forward_b] == side)
