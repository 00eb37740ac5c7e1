"""Signing in by a mailed link or its code, without passwords, and becoming a member by it (P1, P4)."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.decisions import Add, Change, Decision, Job, Kept, Put, was
from engine.errors import Refusal
from engine.platform.members import Lang, Mailbox, Member, MemberId
from engine.platform.names import Name, take
from engine.platform.returning import Former, back
from engine.platform.sessions import Session, alive, begin
from engine.times import HOUR, MINUTE, Instant, later

LINK_LASTS: Final = 10 * MINUTE
WELCOME_LASTS: Final = HOUR  # to choose a name, once the mailbox is proven
TRIES: Final = 5  # wrong codes
DIGITS: Final = 8

Outcome = Literal["signed_in", "newcomer", "wrong_code"]


@dataclass(frozen=True, slots=True)
class SignIn:
    """A link that was asked for. `browser` is the hash of the asking browser's cookie, `by` of the one that used it.

    `tried` holds the hashes of the wrong codes typed, `next` is the page to go to, `session` the id of the session it
    began: until then a newcomer still has to choose a name.
    """

    id: str
    address: str
    browser: str
    expires: Instant
    lang: Lang
    next: str = "/"
    tried: tuple[str, ...] = ()
    by: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """The command to mail a link to `address`, good for `lasts` ms. A request repeated at once has the same `id`."""

    id: str
    address: str
    browser: str
    lang: Lang
    next: str
    lasts: int = LINK_LASTS


@dataclass(frozen=True, slots=True)
class Use:
    """The command to use a link: from which browser, with which code typed (None: by the button), and for which
    session; `right` is the code that the mail holds."""

    browser: str
    typed: str | None
    right: str
    session: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What a newcomer chooses; `forms` are the folded forms of the name."""

    name: str
    forms: tuple[str, ...]
    lang: Lang
    zone: str


def code(secret: bytes, sign_in: str) -> str:
    """The eight digits that the mail of this sign-in holds."""
    digest = hmac.digest(secret, b"sign-in code/" + sign_in.encode(), hashlib.sha256)
    return str(int.from_bytes(digest[:8], "big") % 10**DIGITS).zfill(DIGITS)


def ask(command: Ask, kept: Kept[SignIn] | None, counted: Iterable[Add], now: Instant) -> Decision[str]:
    """Mail a link; nobody's account is looked at, so that the answer tells nothing of it (P1). The sign-in's id."""
    if kept:
        return Decision((), command.id)
    expires = later(now, command.lasts)
    job = Job(
        id=f"mail/sign_in/{command.id}",
        due=now,
        task="mail",
        about={"notice": "sign_in", "sign_in": command.id, "lang": command.lang},
        until=expires,
    )
    asked = SignIn(command.id, command.address, command.browser, expires, command.lang, command.next)
    return Decision((Put(asked, 0), Put(job, None), *counted), command.id)


def use(
    sign_in: Kept[SignIn] | None,
    command: Use,
    member: Member | None,
    session: Kept[Session] | None,
    counted: Iterable[Add],
    now: Instant,
) -> Decision[Outcome]:
    """Sign in the address's member, or find that it has none yet (P1).

    The asking browser needs no code, another types it; a wrong one is counted, as `counted` is, but once only. Raises
    Refusal("sign_in_expired" | "sign_in_used" | "sign_in_elsewhere" | "sign_in_tries"). Used again by the browser that
    used it, it changes nothing as long as its session lasts.
    """
    asked = checked(sign_in, now)
    found = asked.value
    if found.by:
        return _used_again(asked, command, member, session, now)
    if command.typed is None and command.browser != found.browser:
        raise Refusal("sign_in_elsewhere")
    if command.typed is not None:
        typed = "".join(c for c in command.typed if c.isdigit() and c.isascii())
        if len(found.tried) >= TRIES:
            raise Refusal("sign_in_tries")
        if not hmac.compare_digest(typed, command.right):
            return _wrong(asked, hashlib.sha256(typed.encode()).hexdigest()[:16], counted)
    return _opened(asked, command, member, now)


def checked(sign_in: Kept[SignIn] | None, now: Instant) -> Kept[SignIn]:
    """A sign-in that has not run out; raises Refusal("sign_in_expired")."""
    if sign_in is None or now >= sign_in.value.expires:
        raise Refusal("sign_in_expired")
    return sign_in


def waiting(sign_in: Kept[SignIn] | None, browser: str, now: Instant) -> Kept[SignIn]:
    """A sign-in whose mailbox this browser has proven, of somebody who has not chosen a name yet.

    Raises Refusal("sign_in_expired" | "sign_in_used").
    """
    proven = checked(sign_in, now)
    if proven.value.by != browser:
        raise Refusal("sign_in_used")
    return proven


def join(
    sign_in: Kept[SignIn],
    key: str,
    member: MemberId,
    session: str,
    profile: Profile,
    held: Mapping[str, Kept[Name] | None],
    now: Instant,
    guest: Kept[Member] | None = None,
    formers: Iterable[Former] = (),
) -> Decision[MemberId]:
    """Make the proven address (found under `key`) a member with the profile, and sign in (P4).

    A `guest` of this browser becomes the member, so that all they have had stays theirs (P3): `member` is then their
    id. `formers` are the mailbox's accounts that were deleted of late: a freeze and links go on (P29).
    Raises Refusal("name_taken"). A second time it is a conflict on the mailbox: the caller then signs in by `use`.
    """
    made = Member(member, profile.name, sign_in.value.address, profile.lang, profile.zone, now)
    new, carried = back(made, formers, now)
    changes: tuple[Change, ...] = (
        Put(new, was(guest)),
        Put(Mailbox(key, member), 0),
        *take(member, profile.name, profile.forms, held, now),
        Put(replace(sign_in.value, session=session), sign_in.version),
        Put(begin(new, session, now), None),
        *carried,
    )
    return Decision(changes, member)


def _wrong(asked: Kept[SignIn], guess: str, counted: Iterable[Add]) -> Decision[Outcome]:
    if guess in asked.value.tried:
        return Decision((), "wrong_code")
    tried = replace(asked.value, tried=(*asked.value.tried, guess))
    return Decision((Put(tried, asked.version), *counted), "wrong_code")


def _used_again(
    asked: Kept[SignIn], command: Use, member: Member | None, session: Kept[Session] | None, now: Instant
) -> Decision[Outcome]:
    if asked.value.by != command.browser:
        raise Refusal("sign_in_used")
    if not asked.value.session:  # proven, and the name is still to be chosen, or was chosen by another way meanwhile
        return _opened(asked, command, member, now) if member else Decision((), "newcomer")
    if session is None or member is None or not alive(session.value, member, now):
        raise Refusal("sign_in_used")
    return Decision((), "signed_in")


def _opened(asked: Kept[SignIn], command: Use, member: Member | None, now: Instant) -> Decision[Outcome]:
    if member is None:
        proven = replace(asked.value, by=command.browser, expires=later(now, WELCOME_LASTS))
        return Decision((Put(proven, was(asked)),), "newcomer")
    done = replace(asked.value, by=command.browser, session=command.session)
    return Decision((Put(done, was(asked)), Put(begin(member, command.session, now), None)), "signed_in")
