"""A member's own statement: the balance, what is owed, and every movement (P17)."""

from typing import Any, Final

from engine.errors import Refusal
from engine.platform.ledger.records import Posting, purse
from engine.platform.members import MemberId
from engine.platform.sessions import may
from functions.names import names_of
from functions.pairing import balance
from functions.web.visit import Response, Visit
from infra.records import DEBT, POSTING

SHOWN: Final = 20


def show(visit: Visit) -> Response[Any]:
    """A page of the member's movements, the latest first (`?after=` to go on): nobody else sees it."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    site, after = visit.site, visit.query.get("after", "")[:300]
    page = site.store.query(POSTING, "statement", purse(member.id), limit=SHOWN, after=after)
    others = {MemberId(row.value.other) for row in page.rows if row.value.other}
    names = names_of(site, others, member)
    debt = site.store.get(DEBT, member.id)
    data = {
        "balance": balance(site, member.id),
        "owed": debt.value.owed if debt else 0,
        "lines": [_line(row.value, names) for row in page.rows],
        "first": not after,
        "after": page.after,
        "now": visit.received,
    }
    return visit.page("pages/statement/statement.html", data)


def _line(posting: Posting, names: dict[MemberId, str]) -> dict[str, Any]:
    other = MemberId(posting.other)
    return {
        "at": posting.at,
        "why": posting.why,
        "credits": posting.credits,
        "kept": posting.kept,
        "other": {"id": other, "name": names.get(other, "")} if other else None,
        "about": dict(posting.about),
    }
