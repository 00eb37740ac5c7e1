"""A member's own account: everything kept about them to download, and leaving for good (P5)."""

from typing import Any, Final
from urllib.parse import quote

from engine.decisions import Decision
from engine.errors import Malformed, Problem, Refusal
from engine.platform.addresses import mailbox_key
from engine.platform.gifts import gift_key
from engine.platform.members import Member, MemberId
from engine.platform.rights import FRESH, Known, delete, is_fresh
from engine.platform.sessions import may
from functions import exporting, winding_up
from functions.acting import act
from functions.pairing import balance
from functions.web.errors import problems as sentences
from functions.web.session import COOKIE
from functions.web.visit import Response, Visit
from infra.folding import forms
from infra.records import GIFT, MAILBOX, MEMBER, NAME

LONGEST_PLACE: Final = 2_000  # where a page goes on


def show(visit: Visit) -> Response[Any]:
    """What can be downloaded, and the way to leave."""
    _self(visit)
    return visit.page("pages/account/account.html", {"sections": tuple(exporting.SECTIONS), "now": visit.received})


def export(visit: Visit) -> Response[Any]:
    """Everything kept in single records, and where each section of the rest begins, as a JSON file."""
    member = _self(visit)
    base = visit.site.settings.base_url
    sections = {name: f"{base}/account/export/{name}" for name in exporting.SECTIONS}
    data = {"format": "hidden-orders/member/1", "at": visit.received, **exporting.profile(visit.site, member)}
    return visit.file({**data, "sections": sections}, "profile")


def export_section(visit: Visit, name: str) -> Response[Any]:
    """One page of a section as a JSON file; `next` is the address of the following one."""
    member = _self(visit)
    if name not in exporting.SECTIONS:
        raise Refusal("not_found")
    rows, after = exporting.section(visit.site, name, member.id, visit.query.get("after", "")[:LONGEST_PLACE])
    base = f"{visit.site.settings.base_url}/account/export/{name}"
    data = {"section": name, "rows": rows, "next": f"{base}?after={quote(after, safe='')}" if after else None}
    return visit.file(data, name)


def leaving(visit: Visit) -> Response[Any]:
    """What leaving means; after a fresh sign-in, with the button."""
    return _leave_page(visit)


def leave(visit: Visit) -> Response[Any]:
    """Delete the account, if it was confirmed and the sign-in is fresh: everything of it at once, or by a job."""
    member = _self(visit)
    if visit.form.get("confirm") != "yes":
        error = Malformed(Problem("not_confirmed", field="confirm"))
        if visit.wants_json:
            raise error
        return _leave_page(visit, sentences(visit, error.problems), 422)
    _delete(visit, member.id)
    answer = visit.page("pages/account/gone.html", {"now": visit.received})
    answer.cookies.append(visit.cookie(COOKIE, ""))
    return answer


def _delete(visit: Visit, id: MemberId) -> None:
    site, fresh = visit.site, _fresh(visit)

    def decide() -> Decision[MemberId]:
        row, now = site.store.get(MEMBER, id), site.sources.now()
        if row is None:
            raise Refusal("not_found")
        address, name = row.value.address, row.value.name
        folded = forms(name) if name else ()
        known = Known(
            site.store.get(MAILBOX, mailbox_key(site.settings.secret, address)),
            site.store.get(GIFT, gift_key(site.settings.secret, address)),
            folded,
            {form: site.store.get(NAME, form) for form in folded},
        )
        return delete(row, known, winding_up.first("leave", id, {}, now), now, fresh=fresh)

    act(site, decide)


def _leave_page(visit: Visit, problems: Any = (), status: int = 200) -> Response[Any]:
    member = _self(visit)
    data = {
        "address": member.address,
        "credits": balance(visit.site, member.id),
        "fresh": _fresh(visit),
        "minutes": FRESH // 60_000,
        "problems": problems,
        "now": visit.received,
    }
    return visit.page("pages/account/leave.html", data, status)


def _fresh(visit: Visit) -> bool:
    session = visit.session
    lasts = visit.site.settings.stretched(FRESH)
    return session is not None and session.full and is_fresh(session.started, visit.site.sources.now(), lasts)


def _self(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "settings"):
        raise Refusal("link_too_narrow")
    return member
