"""A member's games that are over, the latest first; everybody's are public."""

from typing import Any

from engine.errors import Refusal
from functions import lists
from functions.web.visit import Response, Visit
from infra.records import MEMBER


def mine(visit: Visit) -> Response[Any]:
    """The reader's own games, running ones first."""
    return of(visit, visit.need_member().id)


def of(visit: Visit, id: str) -> Response[Any]:
    """A member's games that are over, a page at a time (`?after=`)."""
    row = visit.site.store.get(MEMBER, id)
    if row is None or row.value.deleted:
        raise Refusal("no_such_member")
    member = row.value
    after = visit.query.get("after", "")[:200]
    rows, more = lists.games(visit.site, member.id, "ended", after=after)
    data = {
        "member": {"id": member.id, "name": member.name},
        "yours": visit.member is not None and visit.member.id == member.id,
        "games": lists.lines(visit.site, rows, visit.member),
        "first": not after,
        "after": more,
    }
    return visit.page("pages/history.html", data)
