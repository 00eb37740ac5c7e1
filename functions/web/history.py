"""A member's games that are over, the latest first; everybody's are public."""

from typing import Any

from engine.errors import Refusal
from engine.platform.duels.records import NEVER_BEGUN
from functions import lists
from functions.web.visit import Response, Visit
from infra.records import MEMBER


def mine(visit: Visit) -> Response[Any]:
    """The reader's own games that are over."""
    return of(visit, visit.need_member().id)


def of(visit: Visit, id: str) -> Response[Any]:
    """A member's games that are over, a page at a time (`?after=`); proposals declined are for the member alone."""
    row = visit.site.store.get(MEMBER, id)
    if row is None or row.value.deleted:
        raise Refusal("not_found")
    member = row.value
    yours = visit.member is not None and visit.member.id == member.id
    after = visit.query.get("after", "")[:200]
    rows, more = lists.games(visit.site, member.id, "ended", after=after)
    shown = [row for row in rows if yours or row.by not in NEVER_BEGUN]
    data = {
        "member": {"id": member.id, "name": member.name},
        "yours": yours,
        "games": lists.lines(visit.site, shown, visit.member),
        "first": not after,
        "after": more,
        "now": visit.received,
    }
    return visit.page("pages/history.html", data)
