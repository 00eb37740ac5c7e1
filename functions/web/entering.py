"""What signing in has in common, by link or by code: the browser's part, and where it leads (P1)."""

import hashlib
from contextlib import suppress
from typing import Any

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.addresses import mailbox_key
from engine.platform.members import Member
from engine.platform.rates import CODES_FROM_CLIENT
from engine.platform.sessions import FULL_LASTS, session_id, token
from engine.platform.sign_in import Outcome, SignIn, Use, code, use
from engine.times import SECOND
from functions.acting import act
from functions.limits import client, spending
from functions.linking import note_sign_in
from functions.web import guest
from functions.web.session import COOKIE
from functions.web.visit import Response, Visit, is_local
from infra.records import MAILBOX, MEMBER, SESSION, SIGN_IN
from infra.store import Row, StoreError


def browser_key(visit: Visit) -> str:
    """By what a sign-in knows this browser: the hash of its cookie's random id."""
    return hashlib.sha256(b"browser/" + visit.browser.encode()).hexdigest()


def next_page(asked: str) -> str:
    """Where to go afterwards: a page of this site, else the first one."""
    return asked if is_local(asked) and len(asked) < 500 else "/"


def find(visit: Visit, sign_in: str) -> Row[SignIn] | None:
    """The sign-in of this id; one read."""
    return visit.site.store.get(SIGN_IN, sign_in) if sign_in else None


def member_of(visit: Visit, address: str) -> Row[Member] | None:
    """The member of a proven address; two reads."""
    mailbox = visit.site.store.get(MAILBOX, mailbox_key(visit.site.settings.secret, address))
    return visit.site.store.get(MEMBER, mailbox.value.member) if mailbox else None


def full_token(visit: Visit, sign_in: str) -> str:
    """The token of the session that this sign-in begins in this browser."""
    return token(visit.site.settings.secret, "full", sign_in, visit.browser)


def enter(visit: Visit, sign_in: str, typed: str | None) -> Outcome:
    """Use the link (typed None) or its code; one commit. Raises the refusals of `sign_in.use`, and `too_often`."""
    site = visit.site
    command = Use(
        browser_key(visit), typed, code(site.settings.secret, sign_in), session_id(full_token(visit, sign_in))
    )

    def decide() -> Decision[Outcome]:
        now = site.sources.now()
        kept = find(visit, sign_in)
        member = member_of(visit, kept.value.address) if kept else None
        session = site.store.get(SESSION, command.session)
        counted = spending(site, now, (CODES_FROM_CLIENT, client(visit.client))) if typed is not None else ()
        return use(kept, command, member.value if member else None, session, counted, now)

    return act(site, decide)


def entered(visit: Visit, sign_in: str, outcome: Outcome) -> Response[Any]:
    """The way on after `enter`: a newcomer's form, or the page that was wanted, signed in."""
    if outcome == "newcomer":
        return visit.redirect(f"/welcome/{sign_in}")
    kept = find(visit, sign_in)
    answer = visit.redirect(next_page(kept.value.next if kept else "/"))
    answer.cookies.append(visit.cookie(COOKIE, full_token(visit, sign_in), FULL_LASTS // SECOND))
    member = member_of(visit, kept.value.address) if kept else None
    if member is not None:
        guest.signed_in(visit, member.value.id, answer)
        with suppress(StoreError):
            note_sign_in(visit.site, browser_key(visit), member.value.id, visit.client)
    return answer


def over(visit: Visit, refusal: Refusal) -> Response[Any]:
    """The page of a link that opens nothing any more, with the way to a new one."""
    data = {"code": refusal.code, "message": visit.t(f"refusal.{refusal.code}")}
    return visit.page("pages/sign_in/over.html", data, 410)
