"""Leaderboards: of all times and of a month, fifty a page, with the reader's own place (P15, P26)."""

import re
from typing import Any, Final

from engine.errors import Refusal
from engine.games import registry
from engine.platform.local_days import Month, day_of, month_of
from engine.platform.members import MemberId
from engine.platform.ratings.records import COMMON, EVER, QUALIFIED, Board, Standing
from functions.names import names_of
from functions.standings import place, placed
from functions.web.visit import Response, Visit
from infra.records import STANDING, standing_order
from infra.store import Page

SHOWN: Final = 50
BOARDS: Final[tuple[Board, ...]] = (*(Board(name) for name in registry.DUELS), COMMON)
_MONTH: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


def index(visit: Visit) -> Response[Any]:
    """The first of the leaderboards."""
    return show(visit, BOARDS[0])


def show(visit: Visit, board: str) -> Response[Any]:
    """A page of a board (`?month=` for one month, `?after=` to go on, `?from=me` to begin with the reader)."""
    if board not in BOARDS:
        raise Refusal("not_found")
    month = visit.query.get("month", EVER)
    if month and not _MONTH.fullmatch(month):
        raise Refusal("not_found")
    mine = _mine(visit, Board(board), month)
    page = _page(visit, Board(board), month, mine)
    first = _first_place(visit, page)
    names = names_of(visit.site, {row.value.member for row in page.rows}, visit.member)
    current = month_of(day_of(visit.received, visit.site.settings.zone))
    data = {
        "board": board,
        "boards": BOARDS,
        "month": month,
        "current": current,
        "before": _before(month or current),
        "rows": [_line(row.value, first + n, names, visit) for n, row in enumerate(page.rows)],
        "first": not visit.query.get("after") and not (mine and visit.query.get("from")),
        "after": page.after,
        "mine": _own(visit, mine) if mine else None,
        "placed": placed(visit.site, Board(board), month),
        "qualified": QUALIFIED if month else 1,
    }
    return visit.page("pages/leaderboards/board.html", data)


def _mine(visit: Visit, board: Board, month: Month) -> Standing | None:
    row = visit.site.store.get(STANDING, visit.member.id, month, board) if visit.member else None
    return row.value if row and row.value.games else None


def _page(visit: Visit, board: Board, month: Month, mine: Standing | None) -> Page[Standing]:
    start = standing_order(mine) if mine and visit.query.get("from") == "me" else None
    after = visit.query.get("after", "")[:300]
    return visit.site.store.query(STANDING, "board", month, board, limit=SHOWN, after=after, start=start)


def _first_place(visit: Visit, page: Page[Standing]) -> int:
    """The place of a page's first line: asked for where the page is not the first."""
    if not page.rows or not page.rows[0].value.placed:
        return 0
    if not visit.query.get("after") and not visit.query.get("from"):
        return 1
    return place(visit.site, page.rows[0].value)


def _line(standing: Standing, number: int, names: dict[MemberId, str], visit: Visit) -> dict[str, Any]:
    return {
        "place": number if standing.placed else None,
        "member": {"id": standing.member, "name": names.get(standing.member, "")},
        "you": visit.member is not None and visit.member.id == standing.member,
        "rating": standing.tenths / 10,
        "games": standing.games,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
    }


def _own(visit: Visit, mine: Standing) -> dict[str, Any]:
    return {
        "place": place(visit.site, mine) if mine.placed else None,
        "rating": mine.tenths / 10,
        "games": mine.games,
        "missing": max(0, QUALIFIED - mine.games) if mine.month else 0,
    }


def _before(month: Month) -> Month:
    year, number = int(month[:4]), int(month[5:])
    return f"{year - 1:04}-12" if number == 1 else f"{year:04}-{number - 1:02}"
