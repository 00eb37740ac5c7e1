"""Sessions: full ones, and those of a turn mail's link that open one game until its turn closes (P1, P2)."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.decisions import Decision, Drop, Kept, Put
from engine.platform.members import Member, MemberId
from engine.times import DAY, Instant, later

FULL_LASTS: Final = 180 * DAY
TURN_LASTS: Final = 14 * DAY  # beyond the longest turn: the turn's close ends it earlier

Action = Literal["see", "orders", "draft", "notes", "abandon", "draw", "duels", "settings", "credits", "report"]
OF_A_TURN: Final[frozenset[Action]] = frozenset({"see", "orders", "draft", "notes"})
OF_A_GUEST: Final[frozenset[Action]] = OF_A_TURN | {"abandon", "draw", "duels"}


@dataclass(frozen=True, slots=True)
class Scope:
    """The one turn of one game that a turn mail's link opens."""

    duel: str
    seat: str
    turn: int


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in. `id` is the hash of its cookie's token; `scope` None: a full session."""

    id: str
    member: MemberId
    epoch: int
    started: Instant
    expires: Instant
    scope: Scope | None = None
    guest: bool = False  # of somebody without an account, kept by a cookie alone (P3)

    @property
    def game(self) -> str | None:
        """The duel that is all it opens, None for a full session."""
        return self.scope.duel if self.scope else None

    @property
    def full(self) -> bool:
        """Whether it opens everything, not one game only."""
        return self.scope is None and not self.guest


def token(secret: bytes, *about: str) -> str:
    """The cookie's token for a sign-in: 256 bits that only the site can make, the same for the same `about`."""
    return hmac.digest(secret, b"session/" + "\n".join(about).encode(), hashlib.sha256).hex()


def session_id(token: str) -> str:
    """The id of the session whose cookie holds this token."""
    return hashlib.sha256(token.encode()).hexdigest()


def alive(session: Session, member: Member, now: Instant) -> bool:
    """Whether the session still stands: not expired, nor ended by signing out everywhere or a deleted account."""
    return (
        session.member == member.id and not member.deleted and session.epoch == member.epoch and now < session.expires
    )


def may(session: Session | None, action: Action, duel: str | None = None) -> bool:
    """Whether a session allows an action, in the duel it concerns if any (P2).

    A full session allows all that a member may do; a turn's only to see its game, send its orders and keep its draft
    and notes.
    """
    if session is None:
        return False
    if session.guest:
        return action in OF_A_GUEST
    if session.scope is None:
        return True
    return action in OF_A_TURN and duel == session.scope.duel


def begin(member: Member, id: str, now: Instant, scope: Scope | None = None) -> Session:
    """A session that begins now."""
    lasts = TURN_LASTS if scope else FULL_LASTS
    return Session(id, member.id, member.epoch, now, later(now, lasts), scope)


def open_turn(member: Member, kept: Kept[Session] | None, id: str, scope: Scope, now: Instant) -> Decision[Session]:
    """Begin a turn's session, or go on with the one that the same link began in this browser (P2)."""
    if kept and kept.value.scope == scope and alive(kept.value, member, now):
        return Decision((), kept.value)
    session = begin(member, id, now, scope)
    return Decision((Put(session, None),), session)


def sign_out(session: Kept[Session] | None) -> Decision[None]:
    """End this session; done already if there is none."""
    return Decision((Drop(session.value, None),) if session else (), None)


def sign_out_everywhere(member: Kept[Member], epoch: int) -> Decision[Member]:
    """End all of a member's sessions that began under `epoch`, by one write; done already if the epoch has moved on.

    The links of turn mails sent before open nothing any more.
    """
    if member.value.epoch != epoch:
        return Decision((), member.value)
    after = replace(member.value, epoch=epoch + 1)
    return Decision((Put(after, member.version),), after)
