"""A member's games that are over, the latest first; everybody's are public."""

from typing import Any, Final

from engine.errors import Refusal
from engine.platform.duels.records import NEVER_BEGUN
from engine.platform.members import MemberId
from engine.platform.sieges.records import Siege
from functions import lists, sieges
from functions.web.visit import Response, Visit
from infra.records import MEMBER

SIEGES: Final = 10


def mine(visit: Visit) -> Response[Any]:
    """The reader's own games that are over."""
    return of(visit, visit.need_member().id)


def of(visit: Visit, id: str) -> Response[Any]:
    """A member's games that are over, a page at a time (`?after=`), and the last sieges with them on the first.

    Proposals declined are for the member alone.
    """
    row = visit.site.store.get(MEMBER, id)
    if row is None or row.value.deleted:
        raise Refusal("not_found")
    member = row.value
    yours = visit.member is not None and visit.member.id == member.id
    after = visit.query.get("after", "")[:200]
    rows, more = lists.games(visit.site, member.id, "ended", after=after)
    shown = [row for row in rows if yours or row.by not in NEVER_BEGUN]
    of_many = [] if after or member.guest else sieges.finished(visit.site, member.id, SIEGES)[0]
    data = {
        "member": {"id": member.id, "name": member.name},
        "yours": yours,
        "games": lists.lines(visit.site, shown, visit.member),
        "sieges": [_siege(siege, member.id) for siege in of_many],
        "first": not after,
        "after": more,
        "now": visit.received,
    }
    return visit.page("pages/history.html", data)


def _siege(siege: Siege, member: MemberId) -> dict[str, Any]:
    """A siege as a line, with whether an honour of it is the member's."""
    player, result = siege.player(member), siege.result
    honours = result.honours.values() if result else ()
    return {**sieges.line(siege, member), "won": player is not None and any(player.seat in seats for seats in honours)}
