"""Asking for a sign-in link, and signing out (P1)."""

import functools
import hashlib
import hmac
from typing import Any

from engine.decisions import Decision
from engine.errors import Malformed, Problem
from engine.platform import sessions
from engine.platform.addresses import address
from engine.platform.rates import LINKS_FROM_CLIENT, LINKS_TO_ADDRESS
from engine.platform.sign_in import LINK_LASTS, Ask
from engine.platform.sign_in import ask as decide_ask
from engine.times import MINUTE
from functions.acting import act
from functions.limits import client, spending
from functions.web.entering import browser_key, find, next_page
from functions.web.errors import problems
from functions.web.session import COOKIE
from functions.web.visit import Response, Visit
from infra.records import SESSION

TURN_COOKIES_MOST = 30


def show(visit: Visit) -> Response[Any]:
    """The form for an address; a member goes on to the page they wanted, unless they are to sign in `?again`."""
    wanted = next_page(visit.query.get("next", "/"))
    if visit.member and visit.session and visit.session.full and "again" not in visit.query:
        return visit.redirect(wanted)
    return _form(visit, "", wanted)


def ask(visit: Visit) -> Response[Any]:
    """Mail a link, whoever has the address: nothing in the answer depends on it (P1)."""
    site, typed, wanted = visit.site, visit.form.get("address"), next_page(visit.form.get("next", "/"))
    try:
        found = address(typed)
    except Malformed as error:
        return _form(visit, typed, wanted, error.problems)
    fresh = site.sources.id()

    def decide() -> Decision[str]:
        now = site.sources.now()
        for id in (_repeated(visit, found, now // MINUTE), fresh):
            kept = find(visit, id)
            if kept is None or not kept.value.by:
                break
        uses = ((LINKS_TO_ADDRESS, found.lower()), (LINKS_FROM_CLIENT, client(visit.client)))
        counted = () if kept else spending(site, now, *uses)
        lasts = visit.site.settings.stretched(LINK_LASTS)
        return decide_ask(Ask(id, found, browser_key(visit), visit.lang, wanted, lasts), kept, counted, now)

    return visit.redirect(f"/sign-in/code?for={act(site, decide)}")


def sign_out(visit: Visit) -> Response[Any]:
    """End this browser's session, and those of turn mails that were opened in it."""
    names = [name for name in visit.cookies if name == COOKIE or name.startswith("turn-")]
    answer = visit.redirect("/")
    for name in names[:TURN_COOKIES_MOST]:
        kept = visit.site.store.get(SESSION, sessions.session_id(visit.cookies[name]))
        act(visit.site, functools.partial(sessions.sign_out, kept))
        answer.cookies.append(visit.cookie(name, ""))
    return answer


def _form(visit: Visit, typed: str, wanted: str, found: tuple[Problem, ...] = ()) -> Response[Any]:
    data = {"address": typed, "next": wanted, "problems": problems(visit, found)}
    return visit.page("pages/sign_in/ask.html", data, 422 if found else 200)


def _repeated(visit: Visit, found: str, minute: int) -> str:
    """The id that a request sent twice has twice."""
    about = f"ask/{visit.browser}/{found}/{minute}"
    return hmac.digest(visit.site.settings.secret, about.encode(), hashlib.sha256).hex()[:24]
