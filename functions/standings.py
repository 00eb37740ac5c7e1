"""Places on leaderboards: one's own without reading the others' (P15), and leaving them (P5)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engine.decisions import Change, Decision, Put
from engine.platform.doctrines import SLOTS, contender_id
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.platform.ratings.bands import Reach, above, everybody, listed_in
from engine.platform.ratings.moving import left_out
from engine.platform.ratings.records import Board, Standing
from functions.acting import act
from infra.records import BAND, CHALLENGE_MONTH, CHALLENGER, MONTHLY, STANDING, standing_order
from infra.site import Site
from infra.store import Kind, Row, down

COUNTERS: Final = 500  # more bands than one list can have in one reach
EQUALS: Final = 50  # of the same rating: among more of them a place is shared
AT_ONCE: Final = 20  # records of an account that is gone, each with its places in bands

Blank = Callable[[Sequence[Row[Any]]], Sequence[Change]]


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


def leave_out(site: Site, member: MemberId) -> None:
    """Take an account that is gone off every leaderboard and month's list, with its places: pages stay full (P5).

    Twenty records at a time, once however often it is called; what is settled later is left out from the start.
    """
    for kind, index, owner, blank in _lists(member):
        after = ""
        while True:
            after = act(site, partial(_next, site, kind, index, owner, blank, after))
            if not after:
                break


def _next(site: Site, kind: Kind[Any], index: str, owner: MemberId, blank: Blank, after: str) -> Decision[str]:
    page = site.store.query(kind, index, owner, limit=AT_ONCE, after=after)
    return Decision(tuple(blank(page.rows)), page.after)


def _lists(member: MemberId) -> Iterator[tuple[Kind[Any], str, MemberId, Blank]]:
    doctrines = (contender_id(member, number) for number in SLOTS)
    yield STANDING, "", member, left_out
    yield CHALLENGER, "", member, _blanked
    yield MONTHLY, "member", member, _blanked
    for subject in (member, *doctrines):
        yield CHALLENGE_MONTH, "subject", subject, _blanked


def _blanked(rows: Sequence[Row[Any]]) -> Sequence[Change]:
    return [Put(replace(row.value, gone=True), row.version) for row in rows if not row.value.gone]
