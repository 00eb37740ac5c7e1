"""The first page: what awaits the member, their games, and what is proposed."""

from typing import Any, Final

from engine.platform.members import Member
from engine.platform.sessions import may
from functions import lists
from functions.names import names_of
from functions.web.visit import Response, Visit

SHOWN: Final = 10


def show(visit: Visit) -> Response[Any]:
    """What waits for the member first, the most urgent on top; a stranger sees what the site is."""
    member = visit.member if may(visit.session, "duels") else None
    return visit.page("pages/home.html", _for(visit, member) if member else _for_all(visit))


def _for(visit: Visit, member: Member) -> dict[str, Any]:
    site = visit.site
    waiting = lists.awaiting(site, member.id, SHOWN)
    invited, _ = lists.games(site, member.id, "invited", SHOWN)
    running, more = lists.games(site, member.id, "running", SHOWN + len(waiting))
    mine, _ = lists.games(site, member.id, "proposed", SHOWN)
    shown = {duel.id for duel in waiting}
    others = [row for row in running if row.duel not in shown]
    open_ones = [d for d in lists.proposals(site, SHOWN) if d.proposer != member.id]
    people = {other for duel in waiting if (other := duel.opponent(member.id))} | {d.proposer for d in open_ones}
    names = names_of(site, people, member)
    return {
        "awaiting": [lists.duel_line(d, member.id, names) for d in waiting],
        "invited": lists.lines(site, invited, member),
        "running": lists.lines(site, others, member),
        "more": bool(more),
        "mine": lists.lines(site, mine, member),
        "proposals": [lists.duel_line(d, member.id, names) for d in open_ones],
        "now": visit.received,
    }


def _for_all(visit: Visit) -> dict[str, Any]:
    open_ones = lists.proposals(visit.site, SHOWN)
    names = names_of(visit.site, {d.proposer for d in open_ones})
    empty: dict[str, Any] = {"awaiting": [], "invited": [], "running": [], "more": False, "mine": []}
    lines = [lists.duel_line(d, None, names) for d in open_ones]
    return {**empty, "proposals": lines, "now": visit.received}
