"""One-click unsubscribe (RFC 8058): the link's GET shows a button, its POST needs nothing but the link (P4)."""

from typing import Any

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform import preferences
from engine.platform.members import MAILS, Member
from functions.acting import act
from functions.mail_links import Unsubscription, read_unsubscribe
from functions.web.visit import Response, Visit
from infra.records import MEMBER


def show(visit: Visit, token: str) -> Response[Any]:
    """What the button will stop; nothing is changed."""
    link = _link(visit, token)
    row = visit.site.store.get(MEMBER, link.member)
    if row is None:
        raise Refusal("link_unknown")
    return _page(visit, token, link.kind, stopped=link.kind in row.value.muted)


def stop(visit: Visit, token: str) -> Response[Any]:
    """Send no more mails of this kind. The signed link is all it takes: mail providers send this themselves."""
    link = _link(visit, token)

    def decide() -> Decision[Member]:
        row = visit.site.store.get(MEMBER, link.member)
        if row is None:
            raise Refusal("link_unknown")
        return preferences.unsubscribe(row, link.kind)

    act(visit.site, decide)
    return _page(visit, token, link.kind, stopped=True)


def _link(visit: Visit, token: str) -> Unsubscription:
    link = read_unsubscribe(visit.site.settings, token, visit.received)
    if link is None or link.kind not in MAILS:
        raise Refusal("link_unknown")
    return link


def _page(visit: Visit, token: str, kind: str, *, stopped: bool) -> Response[Any]:
    return visit.page("pages/unsubscribe/unsubscribe.html", {"token": token, "kind": kind, "stopped": stopped})
