"""Who is asking."""

from collections.abc import Mapping
from typing import Final

from engine.platform.members import Member
from engine.platform.sessions import Session, alive, session_id
from engine.times import Instant
from infra.records import MEMBER, SESSION
from infra.site import Site

COOKIE: Final = "session"


def who(site: Site, cookies: Mapping[str, str], now: Instant) -> tuple[Session | None, Member | None]:
    """The session that the cookie's token names, and its member; nobody if it has ended (P1, P2)."""
    token = cookies.get(COOKIE)
    found = site.store.get(SESSION, session_id(token)) if token else None
    member = site.store.get(MEMBER, found.value.member) if found else None
    if found is None or member is None or not alive(found.value, member.value, now):
        return None, None
    return found.value, member.value
