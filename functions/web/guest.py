"""Who plays without an account: known by a signed cookie of this browser, for a year (P3, L17)."""

from dataclasses import replace
from typing import Final

from engine.decisions import Decision, Put
from engine.errors import Refusal
from engine.games import registry
from engine.platform import guests
from engine.platform.guests import attach_job
from engine.platform.members import Member, MemberId
from engine.platform.rates import GUESTS_FROM_CLIENT
from engine.platform.sessions import Session
from engine.times import SECOND, Instant, later
from functions.acting import act
from functions.limits import client, spending
from functions.web.visit import Response, Visit
from infra.links import LinkExpired, LinkInvalid, read, sign
from infra.records import MEMBER
from infra.site import Site
from infra.store import Row

COOKIE: Final = "guest"
PAGES: Final = ("/games", "/play", "/duels", "/history")  # and the first page: all others are members' or anybody's


def who(site: Site, token: str, path: str, now: Instant) -> tuple[Session | None, Member | None]:
    """The guest of this browser, on pages where guests can do something; one read. Nobody anywhere else."""
    if not token or not (path == "/" or path.startswith(PAGES)):
        return None, None
    id = known(site, token, now)
    row = site.store.get(MEMBER, id) if id else None
    if row is None or row.value.deleted or not row.value.guest:
        return None, None
    return Session("", row.value.id, row.value.epoch, now, later(now, guests.LASTS), guest=True), row.value


def known(site: Site, token: str, now: Instant) -> MemberId | None:
    """The guest that a cookie names; no read."""
    try:
        return MemberId(str(read(site.settings.secret, COOKIE, token, now)))
    except (LinkInvalid, LinkExpired):
        return None


def row_of(visit: Visit) -> Row[Member] | None:
    """The record of this browser's guest, as it is now; one read if there is a cookie."""
    id = known(visit.site, visit.cookies.get(COOKIE, ""), visit.received)
    row = visit.site.store.get(MEMBER, id) if id else None
    return row if row is not None and row.value.guest and not row.value.deleted else None


def signed_in(visit: Visit, member: MemberId, answer: Response[None]) -> None:
    """The browser's guest is this member now: their games go over to the member, and the cookie is taken back (P3)."""
    if COOKIE not in visit.cookies:
        return
    answer.cookies.append(visit.cookie(COOKIE, ""))
    row = row_of(visit)
    if row is not None and row.value.id != member:
        job = attach_job(row.value.id, member, visit.site.sources.now())
        act(visit.site, lambda: Decision((Put(job, None),), None))


def playing(visit: Visit, game: str) -> Visit:
    """The visit with somebody who may play this game: its member or guest, else a guest made now.

    Refused: `sign_in_needed` if the game asks for an account, `too_often` if this client makes guests all the time.
    """
    allowed = game in registry.DUELS and registry.game(game).SPEC.guests
    if visit.member is not None:
        if visit.member.guest and not allowed:
            raise Refusal("sign_in_needed")
        return visit
    if not allowed:
        raise Refusal("sign_in_needed")
    site = visit.site
    id = MemberId(site.sources.id())
    guest = guests.newcomer(id, _name(visit, id), visit.lang, visit.zone, site.sources.now())

    def decide() -> Decision[None]:
        counted = spending(site, site.sources.now(), (GUESTS_FROM_CLIENT, client(visit.client)))
        return Decision((Put(guest, None), *counted), None)

    act(site, decide)
    now = site.sources.now()
    return replace(visit, member=guest, session=Session("", id, 0, now, later(now, guests.LASTS), guest=True))


def remembered(visit: Visit, answer: Response[None]) -> Response[None]:
    """The answer with the cookie that keeps a guest known for a year, renewed at each game begun."""
    member = visit.member
    if member is not None and member.guest:
        token = sign(visit.site.settings.secret, COOKIE, member.id, later(visit.received, guests.LASTS))
        answer.cookies.append(visit.cookie(COOKIE, token, guests.LASTS // SECOND))
    return answer


def _name(visit: Visit, id: MemberId) -> str:
    number = sum(ord(letter) * 31**n for n, letter in enumerate(id)) % 9_000 + 1_000
    return visit.t("guest.name", number=number)
