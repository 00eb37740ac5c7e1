"""Places on leaderboards: one's own without reading the others' (P15)."""

from typing import Final

from engine.platform.local_days import Month
from engine.platform.ratings.bands import Reach, above, everybody, listed_in
from engine.platform.ratings.records import Board, Standing
from infra.records import BAND, STANDING, standing_order
from infra.site import Site
from infra.store import down

COUNTERS: Final = 500  # more bands than one list can have in one reach
EQUALS: Final = 50  # of the same rating: among more of them a place is shared


def placed(site: Site, board: Board, month: Month) -> int:
    """How many have a place on a list; one query."""
    return _counted(site, listed_in(board, month), everybody())


def place(site: Site, standing: Standing) -> int:
    """The place of a standing that has one, from 1; four queries at most, whatever the size."""
    name = listed_in(standing.board, standing.month)
    better = sum(_counted(site, name, reach) for reach in above(standing.tenths))
    here = (0, down(standing.tenths))
    equals = site.store.query(
        STANDING, "board", standing.month, standing.board, limit=EQUALS, start=here, upto=standing_order(standing)
    )
    before = sum(1 for row in equals.rows if row.value.member != standing.member)
    return better + 1 + (before if not equals.after else 0)


def _counted(site: Site, name: str, reach: Reach) -> int:
    found = site.store.counts(
        BAND, name, limit=COUNTERS, start=(reach.width, reach.lowest), upto=(reach.width, reach.highest)
    )
    return sum(number for _, number in found)
