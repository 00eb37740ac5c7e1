"""The links of mails: their addresses, and what their signed tokens say (P1, P2, P4)."""

from dataclasses import dataclass
from typing import Any, Final

from engine.platform.members import Member, MemberId
from engine.platform.sessions import Scope
from engine.times import Instant
from infra.links import LinkExpired, LinkInvalid, read, sign
from infra.settings import Settings

SIGN_IN: Final = "sign-in"
TURN: Final = "turn"
UNSUBSCRIBE: Final = "unsubscribe"


@dataclass(frozen=True, slots=True)
class TurnLink:
    """What a turn mail's link says. It opens nothing once the member has signed out everywhere (`epoch`)."""

    member: MemberId
    epoch: int
    scope: Scope


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """What a one-click unsubscribe link says."""

    member: MemberId
    kind: str


def sign_in_url(settings: Settings, sign_in: str) -> str:
    """The absolute address of a sign-in link."""
    return f"{settings.base_url}/sign-in/{sign(settings.secret, SIGN_IN, sign_in)}"


def turn_url(settings: Settings, member: Member, duel: str, seat: str, turn: int) -> str:
    """The absolute address that a mail about a turn leads its player to (P2)."""
    token = sign(settings.secret, TURN, [member.id, member.epoch, duel, seat, turn])
    return f"{settings.base_url}/turn/{token}"


def unsubscribe_url(settings: Settings, member: MemberId, kind: str) -> str:
    """The absolute address that takes RFC 8058's one-click POST for this kind of mail."""
    return f"{settings.base_url}/unsubscribe/{sign(settings.secret, UNSUBSCRIBE, [member, kind])}"


def read_sign_in(settings: Settings, token: str, now: Instant) -> str | None:
    """The sign-in's id, None if the token is not one of these."""
    payload = _payload(settings, SIGN_IN, token, now)
    return payload if isinstance(payload, str) else None


def read_turn(settings: Settings, token: str, now: Instant) -> TurnLink | None:
    """What a turn mail's token says, None if it is not one of these."""
    match _payload(settings, TURN, token, now):
        case [str(member), int(epoch), str(duel), str(seat), int(turn)]:
            return TurnLink(MemberId(member), epoch, Scope(duel, seat, turn))
    return None


def read_unsubscribe(settings: Settings, token: str, now: Instant) -> Unsubscription | None:
    """What an unsubscribe token says, None if it is not one of these."""
    match _payload(settings, UNSUBSCRIBE, token, now):
        case [str(member), str(kind)]:
            return Unsubscription(MemberId(member), kind)
    return None


def _payload(settings: Settings, purpose: str, token: str, now: Instant) -> Any:
    try:
        return read(settings.secret, purpose, token, now)
    except (LinkInvalid, LinkExpired):
        return None
