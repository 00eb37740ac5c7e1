"""One's own place without reading the others: counters of how many are placed in each band of ratings.

Bands are 100 points, 5 points and a tenth of a point wide: who is above a rating is told by the wide bands above, the
middle ones within its wide band, and the narrow ones within its middle one, about a hundred counters whatever the size.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.decisions import Add
from engine.platform.elo import Rating
from engine.platform.local_days import Month
from engine.platform.ratings.records import Band, Board, Standing

WIDTHS: Final = (1_000, 50, 1)  # tenths
HIGHEST: Final = 10_000_000  # tenths: beyond any rating


@dataclass(frozen=True, slots=True)
class Shift:
    """One more or one less in a band."""

    band: Band
    by: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Bands of one width, both ends included."""

    width: int
    lowest: int
    highest: int


def listed_in(board: Board, month: Month) -> str:
    """The name of a board's list: of a month, or of all times."""
    return f"{board}/{month}"


def shifted(old: Standing | None, new: Standing) -> list[Shift]:
    """What changes in the bands when a standing changes."""
    return [*_bands(old, -1), *_bands(new, 1)]


def counters(shifts: Iterable[Shift]) -> tuple[Add, ...]:
    """The shifts as additions to the counters; those that cancel each other out are none."""
    total: Counter[Band] = Counter()
    for shift in shifts:
        total[shift.band] += shift.by
    return tuple(Add(band, by) for band, by in total.items() if by)


def above(tenths: Rating) -> tuple[Reach, ...]:
    """The bands that together hold all ratings above this one."""
    reaches = []
    upto = HIGHEST
    for width in WIDTHS:
        reaches.append(Reach(width, tenths // width + 1, upto // width - 1))
        upto = (tenths // width + 1) * width
    return tuple(reach for reach in reaches if reach.lowest <= reach.highest)


def everybody() -> Reach:
    """The wide bands, which hold all."""
    return Reach(WIDTHS[0], -HIGHEST, HIGHEST)


def _bands(standing: Standing | None, by: int) -> list[Shift]:
    if standing is None or not standing.placed:
        return []
    name = listed_in(standing.board, standing.month)
    return [Shift(Band(name, width, standing.tenths // width), by) for width in WIDTHS]
