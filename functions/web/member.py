"""A member's page: who they are, and what another member may have against them (P5b)."""

from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.platform import blocks
from engine.platform.blocks import Block
from engine.platform.members import Member, MemberId
from engine.platform.rates import BLOCKS
from engine.platform.sessions import may
from functions import reports
from functions.acting import act
from functions.limits import spending
from functions.web.errors import problems
from functions.web.record import record
from functions.web.visit import Response, Visit
from infra.records import BLOCK, MEMBER

DONE: Final = ("blocked", "unblocked", "reported")


def show(visit: Visit, id: str) -> Response[Any]:
    """Name, since when a member, and for other members the buttons to block and to report."""
    return _page(visit, _found(visit, id))


def block(visit: Visit, id: str) -> Response[Any]:
    """No proposals between the two any more."""
    me, other, site = _self(visit), _found(visit, id), visit.site

    def decide() -> Any:
        now = site.sources.now()
        mine = site.store.get(BLOCK, me.id, other.id)
        counted = () if mine else spending(site, now, (BLOCKS, me.id))
        return blocks.block(mine, Block(me.id, other.id, other.name, now), counted)

    act(site, decide)
    return visit.redirect(f"/members/{other.id}?done=blocked")


def unblock(visit: Visit, id: str) -> Response[Any]:
    """Proposals between the two again."""
    me, other = _self(visit), _found(visit, id)
    act(visit.site, lambda: blocks.unblock(visit.site.store.get(BLOCK, me.id, other.id)))
    return visit.redirect(f"/members/{other.id}?done=unblocked")


def report(visit: Visit, id: str) -> Response[Any]:
    """Tell the moderators about the member; the reason is asked for again if it is missing or too long."""
    me, other, site = _self(visit), _found(visit, id), visit.site
    reason = visit.form.get("reason")

    try:
        reports.tell(site, me.id, "member", other.id, reason)
    except Malformed as error:
        return _page(visit, other, reason, error.problems)
    return visit.redirect(f"/members/{other.id}?done=reported")


def _self(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "report"):
        raise Refusal("sign_in_needed")
    return member


def _found(visit: Visit, id: str) -> Member:
    if visit.member and visit.member.id == id:
        return visit.member
    row = visit.site.store.get(MEMBER, MemberId(id))
    if row is None:
        raise Refusal("not_found")
    return row.value


def _page(visit: Visit, member: Member, reason: str = "", found: tuple[Problem, ...] = ()) -> Response[Any]:
    me = visit.member
    own = me is not None and me.id == member.id
    blocked = me is not None and not own and visit.site.store.get(BLOCK, me.id, member.id) is not None
    done = visit.query.get("done", "")
    data = {
        "id": member.id,
        "name": member.name,
        "joined": member.joined,
        "own": own,
        "blocked": blocked,
        "reason": reason,
        "done": done if done in DONE else "",
        "record": record(visit.site, member.id),
        "problems": problems(visit, found),
    }
    return visit.page("pages/members/member.html", data, 422 if found else 200)
