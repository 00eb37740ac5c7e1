"""The seven positions as one side sees them: roles, the order they are listed in, and where they are drawn."""

from typing import Final, Literal

from engine.games.feinthold.layouts import HQ, NUMBERS, POINTS, POSITIONS, POSTS, half_turn

Kind = Literal["hq", "relay", "post"]

PLACES: Final = POSITIONS
_ROLES: Final = ("my_hq", "my_forward", "my_post", "centre", "their_post", "their_forward", "their_hq")
ACROSS, UP = 60, 51  # one step of the map's grid, in units of the drawing
MIDDLE: Final = (180, 268)


def role(at: str, side: str) -> str:
    """What a position is to a side, `my_hq` to `their_hq`; "" if there is no such position."""
    number = NUMBERS.get(at)
    return "" if number is None else _ROLES[number if side == "a" else half_turn(number)]


def in_order(side: str) -> tuple[str, ...]:
    """The positions from the side's own HQ to the enemy's."""
    return POSITIONS if side == "a" else POSITIONS[::-1]


def kind(at: str) -> Kind:
    """Whether a position is an HQ, a relay or a post."""
    number = NUMBERS[at]
    return "hq" if number in HQ else "post" if number in POSTS else "relay"


def point(at: str, side: str) -> tuple[int, int]:
    """Where a position is drawn: x to the right, y down, the side's own HQ at the bottom (a half-turn for b)."""
    x, y = POINTS[NUMBERS[at]]
    turn = 1 if side == "a" else -1
    return MIDDLE[0] + turn * ACROSS * x, MIDDLE[1] - turn * UP * y
