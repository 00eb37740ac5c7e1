"""Who is asking: the session that a browser's cookies name, as long as it stands (P1, P2)."""

from collections.abc import Mapping
from typing import Final, Literal

from engine.platform.members import Member
from engine.platform.sessions import Scope, Session, alive, session_id
from engine.times import Instant
from functions.tables import table
from infra.records import MEMBER, SESSION
from infra.site import Site

COOKIE: Final = "session"
GAMES: Final = ("/games/", "/sieges/")

TurnState = Literal["open", "closed", "ended"]

__all__ = ("COOKIE", "Session", "turn_cookie", "turn_state", "who")


def who(site: Site, cookies: Mapping[str, str], path: str, now: Instant) -> tuple[Session | None, Member | None]:
    """The session of this browser for this page, and its member; nobody if it has ended.

    On a game's pages a turn mail's session for it comes before the full session of somebody else. If its turn has
    closed and the game goes on, the answer is that session without a member: the page offers a fresh link (P2). Reads:
    2 for a full session, 3 for a turn's, 5 if the browser has both.
    """
    game = _game(path)
    limited, player = _read(site, cookies.get(turn_cookie(game)), now)
    session, member = _read(site, cookies.get(COOKIE), now)
    if member is None or (session and not session.full):
        session, member = None, None
    if limited is None or limited.game != game or (player and player == member):
        return session, member
    state = turn_state(site, player, limited.scope, path) if player and limited.scope else "closed"
    if state == "open":
        return limited, player
    return (session, member) if member or state == "ended" else (limited, None)


def turn_cookie(duel: str) -> str:
    """The name of the cookie that a turn mail's session for this game has."""
    return f"turn-{duel}"


def turn_state(site: Site, player: Member, scope: Scope, path: str = "") -> TurnState:
    """Whether the turn is in play and that seat the member's, or it has closed, or the game has ended.

    One read, if the `path` of the game's page tells its kind.
    """
    found = table(site, scope.duel, path)
    if found is None or not found.seated(player, scope.seat):
        return "ended"
    return "open" if found.turn == scope.turn else "closed"


def _read(site: Site, token: str | None, now: Instant) -> tuple[Session | None, Member | None]:
    row = site.store.get(SESSION, session_id(token)) if token else None
    member = site.store.get(MEMBER, row.value.member) if row else None
    if row is None or member is None:
        return None, None
    stands = alive(row.value, member.value, now)
    return row.value, member.value if stands else None


def _game(path: str) -> str:
    prefix = next((prefix for prefix in GAMES if path.startswith(prefix)), None)
    return path.removeprefix(prefix).partition("/")[0] if prefix else ""
