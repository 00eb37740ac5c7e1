"""The first page, and all of a member's games under way: what awaits the member on top."""

from typing import Any, Final

from engine.errors import Refusal
from engine.platform.duels.records import Duel
from engine.platform.members import Member
from engine.platform.sessions import may
from functions import lists, sieges
from functions.names import names_of
from functions.web import play_page
from functions.web.visit import Response, Visit, etag

UNDER_WAY: Final = 12
SHOWN: Final = 6
LISTS: Final = ("awaiting", "running", "invited", "mine")


def show(visit: Visit) -> Response[Any]:
    """What waits for the member first, the most urgent on top; a stranger sees what the site is."""
    member = visit.member if may(visit.session, "duels") else None
    return visit.page("pages/home.html", _for(visit, member) if member else _for_all(visit))


def version(visit: Visit) -> Response[Any]:
    """For live refresh: whether what waits for the member, is under way or proposed has changed."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    return visit.versioned({"lists": _lists(_own(visit, member))})


def games(visit: Visit) -> Response[Any]:
    """All the member's games under way, a page at a time (`?after=`)."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    after = visit.query.get("after", "")[:200]
    duels, more = lists.running(visit.site, member.id, after=after)
    of_many = [] if after else _sieges(visit, member)
    data = {**_under_way(visit, duels, member, of_many), "first": not after, "after": more, "now": visit.received}
    return visit.page("pages/games.html", data)


def _for(visit: Visit, member: Member) -> dict[str, Any]:
    own = _own(visit, member)
    open_ones = [d for d in lists.proposals(visit.site, 2 * SHOWN)[0] if d.proposer != member.id][:SHOWN]
    names = names_of(visit.site, {d.proposer for d in open_ones}, member)
    return {
        **own,
        "version": etag({"lists": _lists(own)}).strip('"'),
        "proposals": [lists.duel_line(d, member.id, names) for d in open_ones],
        "now": visit.received,
    }


def _own(visit: Visit, member: Member) -> dict[str, Any]:
    """The member's games under way, and proposals to and by them."""
    site = visit.site
    duels, more = lists.running(site, member.id, UNDER_WAY)
    invited, more_invited = lists.games(site, member.id, "invited", SHOWN)
    mine, more_mine = lists.games(site, member.id, "proposed", SHOWN)
    return {
        **_under_way(visit, duels, member, _sieges(visit, member)),
        "more": bool(more),
        "invited": lists.lines(site, invited, member),
        "mine": lists.lines(site, mine, member),
        "more_proposals": bool(more_invited or more_mine),
    }


def _lists(own: dict[str, Any]) -> list[list[list[Any]]]:
    """What a change of these lists is told by."""
    told = ("id", "stage", "turn", "deadline")
    return [[[line.get(name) for name in told] for line in own[of]] for of in LISTS]


def _sieges(visit: Visit, member: Member) -> list[dict[str, Any]]:
    """The member's sieges under way; guests have none."""
    found = [] if member.guest else sieges.under_way(visit.site, member.id)
    return [sieges.line(siege, member.id) for siege in found]


def _under_way(visit: Visit, duels: list[Duel], member: Member, of_many: list[dict[str, Any]]) -> dict[str, Any]:
    """Duels and sieges in one list, the most urgent on top, apart by whether they wait for the member."""
    names = names_of(visit.site, lists.opponents(duels, member.id), member)
    lines = [*(lists.duel_line(duel, member.id, names) for duel in duels), *of_many]
    lines.sort(key=lambda line: line["deadline"] or line.get("opens") or line.get("proposed") or 0)
    return {
        "awaiting": [line for line in lines if line["yours"]],
        "running": [line for line in lines if not line["yours"]],
    }


def _for_all(visit: Visit) -> dict[str, Any]:
    open_ones = lists.proposals(visit.site, SHOWN)[0]
    names = names_of(visit.site, {d.proposer for d in open_ones})
    empty: dict[str, Any] = {name: [] for name in LISTS}
    lines = [lists.duel_line(d, None, names) for d in open_ones]
    return {
        **empty,
        "version": "",
        "more": False,
        "more_proposals": False,
        "proposals": lines,
        "games": play_page.places(),
        "now": visit.received,
    }
