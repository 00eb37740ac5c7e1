"""The twelve pieces. Each has a slot: 0–5 red (E E V V S S), 6–11 blue; two of a kind are interchangeable."""

from typing import Final, Literal

Side = Literal["red", "blue"]
SIDES: Final[tuple[Side, Side]] = ("red", "blue")
LETTERS: Final = "EVS"
SLOTS: Final = 12
NOBODY: Final = 12  # the slot of an empty cell
GONE: Final = -1  # the cell of a piece captured or out

STRENGTH: Final[tuple[int, ...]] = (1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 0)
KIND: Final[tuple[int, ...]] = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5)  # 0–2 red E V S, 3–5 blue
MOVEMENT: Final[tuple[int, ...]] = (5, 4, 3, 5, 4, 3)  # by kind
VANGUARD_BONUS_COST: Final = 4

# What a neighbour of the target adds to an attack of red (blue): a friend its strength, a defender −1 (L7).
BALANCE: Final[tuple[tuple[int, ...], tuple[int, ...]]] = (
    (1, 1, 2, 2, 3, 3, -1, -1, -1, -1, -1, -1, 0),
    (-1, -1, -1, -1, -1, -1, 1, 1, 2, 2, 3, 3, 0),
)

# c1 h1 E, d1 g1 V, e1 f1 S, and the half-turn of it on row 10 (L1).
OPENING: Final[tuple[int, ...]] = (2, 7, 3, 6, 4, 5, 92, 97, 93, 96, 94, 95)


def letter_of(slot: int) -> str:
    """E, V or S."""
    return LETTERS[KIND[slot] % 3]


def paired(where: list[int]) -> tuple[int, ...]:
    """The cells by slot with each pair of a kind in order, so that equal positions are equal values."""
    for slot in range(0, SLOTS, 2):
        if where[slot] > where[slot + 1]:
            where[slot], where[slot + 1] = where[slot + 1], where[slot]
    return tuple(where)
