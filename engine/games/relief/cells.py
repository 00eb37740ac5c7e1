"""The 100 cells: numbers 0 (a1), 1 (b1) … 99 (j10), their names, and a move as one number."""

from typing import Final

SIZE: Final = 10
CELLS: Final = SIZE * SIZE
OFF: Final = 100  # the place of a piece that leaves the board
PASS: Final = 0  # the move of a side that can't move (L6): no other move starts and ends on a1
NAMES: Final[tuple[str, ...]] = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdefghij")
NUMBERS: Final[dict[str, int]] = {name: cell for cell, name in enumerate(NAMES)}


def move_of(start: int, end: int) -> int:
    """The move from a cell to another (or `OFF`) as one number."""
    return start << 7 | end


def move_name(move: int) -> str:
    """A move as text: `c1c4`, `d10off`, `pass`."""
    if move == PASS:
        return "pass"
    end = move & 127
    return NAMES[move >> 7] + ("off" if end == OFF else NAMES[end])


def named_move(text: str) -> int | None:
    """The move that a text names; None if it names none."""
    if text == "pass":
        return PASS
    cut = 3 if text[1:3] == "10" else 2
    start, end = NUMBERS.get(text[:cut]), text[cut:]
    to = OFF if end == "off" else NUMBERS.get(end)
    return None if start is None or to is None or start == to else move_of(start, to)


def row_of(cell: int) -> int:
    """The row of a cell, from 0 (row 1, red's start) to 9 (row 10, blue's)."""
    return cell // SIZE


def steps_from(cell: int) -> tuple[int, ...]:
    """The orthogonal neighbours of a cell."""
    return _offsets(cell, ((0, 1), (1, 0), (0, -1), (-1, 0)))


def leaps_from(cell: int) -> tuple[int, ...]:
    """Where an Explorer may spring to: one diagonal step, or two cells along a row or a column (L4)."""
    return _offsets(cell, ((1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2)))


def ring_of(cell: int) -> tuple[int, ...]:
    """The up to 8 cells around a cell (L7)."""
    return _offsets(cell, tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c))


def _offsets(cell: int, offsets: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    row, column = divmod(cell, SIZE)
    return tuple((row + r) * SIZE + column + c for r, c in offsets if 0 <= row + r < SIZE and 0 <= column + c < SIZE)


RINGS: Final[tuple[tuple[int, ...], ...]] = tuple(ring_of(cell) for cell in range(CELLS))
