"""A member's ratings, and how they came about (P15, P16)."""

from typing import Any, Final

from engine.errors import Refusal
from engine.platform.challenges import ChallengeChange
from engine.platform.members import MemberId
from engine.platform.ratings.records import EVER, RatingChange, Standing
from functions.names import names_of
from functions.web.leaderboard import BOARDS
from functions.web.rating_chart import chart
from functions.web.visit import Response, Visit
from infra.records import CHALLENGE_CHANGE, CHALLENGER, HONOUR, MEMBER, RATING_CHANGE, STANDING
from infra.site import Site
from infra.store import Page

CHALLENGES: Final = "challenges"
DRAWN: Final = 100  # games in a chart
SHOWN: Final = 20  # in the table
HONOURS: Final = 100

Change = RatingChange | ChallengeChange


def record(site: Site, member: MemberId) -> dict[str, Any]:
    """The member's ratings, with the course of the first of them, and the honours of past seasons; four reads."""
    rows = site.store.query(STANDING, "", member, limit=len(BOARDS), start=(EVER,), upto=(EVER,)).rows
    ratings = [_rating(row.value.board, row.value) for row in rows if row.value.games]
    challenger = site.store.get(CHALLENGER, member)
    if challenger and challenger.value.games:
        it = challenger.value
        ratings.append(_figures(CHALLENGES, it.rating, it.won, it.drawn, it.lost))
    ratings.sort(key=lambda r: (*BOARDS, CHALLENGES).index(r["board"]))
    drawn = _course(site, member, ratings[0]["board"]) if ratings else None
    return {"ratings": ratings, "chart": drawn, "honours": _honours(site, member)}


def show(visit: Visit, id: str, board: str) -> Response[Any]:
    """A rating's history, the latest games first: a chart, and a table a page at a time (`?after=`)."""
    row = visit.site.store.get(MEMBER, id)
    if row is None or row.value.deleted or board not in (*BOARDS, CHALLENGES):
        raise Refusal("not_found")
    member = row.value
    after = visit.query.get("after", "")[:300]
    page = _changes(visit.site, member.id, board, SHOWN, after)
    names = names_of(visit.site, {change.value.other for change in page.rows}, visit.member, visit.lang)
    data = {
        "member": {"id": member.id, "name": member.name},
        "board": board,
        "chart": _course(visit.site, member.id, board),
        "changes": [_line(change.value, names) for change in page.rows],
        "first": not after,
        "after": page.after,
    }
    return visit.page("pages/members/ratings.html", data)


def _honours(site: Site, member: MemberId) -> list[dict[str, Any]]:
    rows = site.store.query(HONOUR, "", member, limit=HONOURS).rows
    return [{"month": h.month, "what": h.what, "place": h.place} for h in (row.value for row in reversed(rows))]


def _changes(site: Site, member: MemberId, board: str, limit: int, after: str = "") -> Page[Any]:
    if board == CHALLENGES:
        return site.store.query(CHALLENGE_CHANGE, "history", member, limit=limit, after=after)
    return site.store.query(RATING_CHANGE, "history", member, board, limit=limit, after=after)


def _course(site: Site, member: MemberId, board: str) -> dict[str, Any] | None:
    changes = [row.value for row in _changes(site, member, board, DRAWN).rows][::-1]
    return chart([changes[0].before, *(change.after for change in changes)]) if changes else None


def _rating(board: str, standing: Standing) -> dict[str, Any]:
    return _figures(board, standing.tenths, standing.won, standing.drawn, standing.lost)


def _figures(board: str, tenths: int, won: int, drawn: int, lost: int) -> dict[str, Any]:
    return {"board": board, "rating": tenths / 10, "won": won, "drawn": drawn, "lost": lost}


def _line(change: Change, names: dict[MemberId, str]) -> dict[str, Any]:
    again = change.number if isinstance(change, RatingChange) else 2 * change.voided
    return {
        "at": change.at,
        "game": change.game,
        "other": {"id": change.other, "name": names.get(change.other, "")},
        "score": ("lost", "drawn", "won")[change.score],
        "again": "" if not again else "undone" if again % 2 or not isinstance(change, RatingChange) else "again",
        "before": change.before / 10,
        "after": change.after / 10,
        "by": (change.after - change.before) / 10,
    }
