"""A turn mail's link: its button opens that game only, until the turn closes; then a fresh link is mailed (P2)."""

from dataclasses import replace
from typing import Any, Final

from engine.decisions import Decision, Job, Put
from engine.errors import Refusal
from engine.platform.members import Member, MemberId
from engine.platform.rates import TURN_LINKS, TURN_LINKS_FROM_CLIENT
from engine.platform.sessions import TURN_LASTS, open_turn, session_id, token
from engine.times import MINUTE, SECOND
from functions.acting import act
from functions.limits import client, spending
from functions.mail_links import TurnLink, read_turn
from functions.tables import Table, table
from functions.web.session import turn_cookie
from functions.web.visit import Response, Visit
from infra.records import JOB, MEMBER, SESSION

LASTS: Final = TURN_LASTS // SECOND


def show(visit: Visit, token: str) -> Response[Any]:
    """One button that names the account; who is signed in as that member goes straight to the game."""
    link, player, found = _found(visit, token)
    if visit.member and visit.member.id == player.id:
        return visit.redirect(found.path)
    return _page(visit, token, link, player, found)


def enter(visit: Visit, token: str) -> Response[Any]:
    """Open the game in this browser, with a session for this turn of it alone."""
    link, player, found = _found(visit, token)
    if not _opens(link, player, found):
        return _page(visit, token, link, player, found)
    cookie = _session_token(visit, token)
    id = session_id(cookie)

    def decide() -> Decision[Any]:
        kept = visit.site.store.get(SESSION, id)
        return open_turn(player, kept, id, link.scope, visit.site.sources.now())

    act(visit.site, decide)
    answer = visit.redirect(found.path)
    answer.cookies.append(visit.cookie(turn_cookie(link.scope.duel), cookie, LASTS))
    return answer


def freshen(visit: Visit, token: str) -> Response[Any]:
    """Mail the player a link for the turn that is open now."""
    link, player, _ = _found(visit, token)
    return _freshen(visit, player.id, link.scope.duel, link.scope.seat)


def freshen_here(visit: Visit, id: str) -> Response[Any]:
    """The same, asked for on the game's page by a browser whose turn has closed."""
    session = visit.session
    if session is None or session.scope is None or session.scope.duel != id:
        raise Refusal("sign_in_needed")
    return _freshen(visit, session.member, id, session.scope.seat)


def _freshen(visit: Visit, member: MemberId, duel_id: str, seat: str) -> Response[Any]:
    site = visit.site

    def decide() -> Decision[bool]:
        now = site.sources.now()
        found, player = table(site, duel_id), site.store.get(MEMBER, member)
        if found is None or player is None or not found.seated(player.value, seat):
            return Decision((), answer=False)
        name = f"mail/{duel_id}/{found.turn}/{member}/turn_link/{now // MINUTE}"
        if site.store.get(JOB, name):
            return Decision((), answer=True)
        uses = ((TURN_LINKS, member), (TURN_LINKS_FROM_CLIENT, client(visit.client)))
        about = {"notice": "turn_link", "duel": duel_id, "turn": found.turn, "to": member}
        job = Job(name, now, "mail", about, until=found.deadline)
        return Decision((Put(job, None), *spending(site, now, *uses)), answer=True)

    sent = act(site, decide)
    there = table(site, duel_id)
    path = there.path if there else "/"
    return visit.page("pages/turn/sent.html", {"duel": duel_id, "path": path, "sent": sent})


def _found(visit: Visit, token: str) -> tuple[TurnLink, Member, Table]:
    link = read_turn(visit.site.settings, token, visit.received)
    member = visit.site.store.get(MEMBER, link.member) if link else None
    found = table(visit.site, link.scope.duel) if link else None
    if link is None or member is None or member.value.deleted or found is None:
        raise Refusal("link_unknown")
    return link, member.value, found


def _opens(link: TurnLink, player: Member, found: Table) -> bool:
    return link.epoch == player.epoch and found.turn == link.scope.turn and found.seated(player, link.scope.seat)


def _page(visit: Visit, token: str, link: TurnLink, player: Member, found: Table) -> Response[Any]:
    opens = _opens(link, player, found)
    data = {
        "token": token,
        "duel": link.scope.duel,
        "path": found.path,
        "name": player.name,
        "turn": link.scope.turn,
        "state": "open" if opens else "closed" if found.playing else "ended",
        "deadline": found.deadline if opens else None,
    }
    theirs = replace(visit, zone=player.zone)  # as the mail told the moment (P8)
    return theirs.page("pages/turn/turn.html", data, 200 if opens else 410)


def _session_token(visit: Visit, link: str) -> str:
    return token(visit.site.settings.secret, "turn", link, visit.browser)
