"""The map: seven positions, the paths of the ten layouts, and what a half-turn makes of them.

Positions and sides are numbered inside the engine; JSON and facts use their names. A half-turn sends position p to
6 - p and swaps the sides.
"""

from functools import cache
from typing import Final

POSITIONS: Final = ("hq_a", "fwd_a", "post_a", "centre", "post_b", "fwd_b", "hq_b")
NUMBERS: Final = {name: number for number, name in enumerate(POSITIONS)}
HQ_A, FWD_A, POST_A, CENTRE, POST_B, FWD_B, HQ_B = range(7)
ALL: Final = tuple(range(7))

SIDES: Final = ("a", "b")
A, B = 0, 1
NEUTRAL: Final = -1

HQ: Final = (HQ_A, HQ_B)  # by side
RELAYS: Final = (FWD_A, CENTRE, FWD_B)
POSTS: Final = (POST_A, POST_B)

Path = tuple[int, int]

_ALWAYS: Final[tuple[Path, ...]] = ((HQ_A, FWD_A), (HQ_A, POST_A), (HQ_B, FWD_B), (HQ_B, POST_B))
_OPTIONS: Final[dict[str, tuple[Path, ...]]] = {
    "FC": ((FWD_A, CENTRE), (FWD_B, CENTRE)),
    "FN": ((FWD_A, POST_A), (FWD_B, POST_B)),
    "FX": ((FWD_A, POST_B), (FWD_B, POST_A)),
    "CP": ((CENTRE, POST_A), (CENTRE, POST_B)),
}
LAYOUTS: Final[dict[int, tuple[str, ...]]] = {
    1: ("FC", "FN"),
    2: ("FC", "FX"),
    3: ("FC", "CP"),
    4: ("FN", "CP"),
    5: ("FX", "CP"),
    6: ("FC", "FN", "FX"),
    7: ("FC", "FN", "CP"),
    8: ("FC", "FX", "CP"),
    9: ("FN", "FX", "CP"),
    10: ("FC", "FN", "FX", "CP"),
}
POINTS: Final = ((0, -4), (-2, -2), (2, -2), (0, 0), (-2, 2), (2, 2), (0, 4))  # where to draw each position


def paths(layout: int) -> tuple[Path, ...]:
    """The paths of a layout, as pairs of positions."""
    return _ALWAYS + tuple(path for option in LAYOUTS[layout] for path in _OPTIONS[option])


def half_turn(position: int) -> int:
    """The position opposite to this one."""
    return 6 - position


def _neighbours(layout: int) -> tuple[tuple[int, ...], ...]:
    ends = paths(layout)
    both = ends + tuple((q, p) for p, q in ends)
    return tuple(tuple(sorted(q for p, q in both if p == position)) for position in ALL)


NEIGHBOURS: Final = ((), *(_neighbours(layout) for layout in LAYOUTS))  # by layout, then position


@cache
def linked(layout: int, side: int, flags: tuple[int, ...]) -> tuple[bool, ...]:
    """For each position, whether it is joined to the side's HQ through positions of its flag, itself included (F5)."""
    reached = [False] * 7
    border = [HQ[side]] if flags[HQ[side]] == side else []
    while border:
        position = border.pop()
        if not reached[position]:
            reached[position] = True
            border += [q for q in NEIGHBOURS[layout][position] if flags[q] == side]
    return tuple(reached)


@cache
def distances(layout: int, goal: int) -> tuple[int, ...]:
    """For each position, the steps of a shortest path to the goal."""
    steps = [7] * 7
    steps[goal] = 0
    for _ in ALL:
        for position in ALL:
            steps[position] = min([steps[position], *(steps[q] + 1 for q in NEIGHBOURS[layout][position])])
    return tuple(steps)
