"""Moderators' acts as they are asked for: who may, about what, and whom it concerns (P29)."""

from typing import Final, Literal

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.members import Member, MemberId
from engine.platform.moderation import acting
from engine.platform.moderation.acting import NOT_OF_LATE, Take
from engine.platform.moderation.records import Act, What
from engine.times import later
from functions import linking
from functions.acting import act
from functions.targets import TARGETS, person
from infra.records import ACT, MEMBER_GAME, SIEGE, SIEGE_ENTRY
from infra.site import Site
from infra.store import Row, down

GAMES_READ: Final = 100
PAGES_READ: Final = 10
SIEGES_READ: Final = 60
OF_ADMINS: Final[frozenset[What]] = frozenset(("appoint", "dismiss_moderator"))


def need_moderator(site: Site, member: Member) -> Member:
    """The member, if a moderator. Refused: `not_found`: that there is such a page is nobody else's business."""
    if not acting.moderates(member, site.settings.admins):
        raise Refusal("not_found")
    return member


def take(site: Site, by: Member, what: str, about: str, other: str, reason: str, request: str) -> Act:
    """Act, once however often it is asked for.

    Refused as `acting.take` is, and as what it is about asks: see `targets.TARGETS`.
    """
    find = TARGETS.get(what)
    if find is None or (what in OF_ADMINS and not acting.administers(by, site.settings.admins)):
        raise Refusal("not_found")
    known, find_target = _what(what), find
    met, request = opponents(site, by.id), f"{request}/{other}"

    def decide() -> Decision[Act]:
        asked = Take(known, about, by.id, reason, request, other)
        there = site.store.get(ACT, acting.act_id(asked))
        if there is not None:
            return Decision((), there.value)
        target = find_target(site, about, other)
        asked = Take(known, about, by.id, reason, request, target.other, target.concerns)
        return acting.take(asked, None, met, site.sources.now())

    return act(site, decide)


def answer(site: Site, id: str, member: MemberId, text: str) -> Act:
    """Answer an act as one of those concerned; refused as `acting.answer` is, and `no_such_decision`."""

    def decide() -> Decision[Act]:
        row = act_row(site, id)
        return acting.answer(row.value, row.version, member, text, site.sources.now())

    return act(site, decide)


def judge(site: Site, id: str, by: Member, verdict: Literal["upheld", "undone"], reason: str) -> Act:
    """Uphold an act that was answered, or undo it; refused as `acting.judge` is, and `no_such_decision`."""
    met = opponents(site, by.id)

    def decide() -> Decision[Act]:
        row = act_row(site, id)
        return acting.judge(row.value, row.version, by.id, verdict, reason, met, site.sources.now())

    return act(site, decide)


def act_row(site: Site, id: str) -> Row[Act]:
    """The act of this id. Refused: `no_such_decision`."""
    row = site.store.get(ACT, id)
    if row is None:
        raise Refusal("no_such_decision")
    return row


def opponents(site: Site, member: MemberId) -> frozenset[MemberId]:
    """Whom the member has played in the last 30 days or plays now, and the accounts linked to the member's own."""
    since = down(later(site.sources.now(), -NOT_OF_LATE))
    found = set(linking.linked(site, member))
    for state, upto in (("running", None), ("ended", (since,))):
        after = ""
        for _ in range(PAGES_READ):
            page = site.store.query(MEMBER_GAME, "lists", member, state, limit=GAMES_READ, after=after, upto=upto)
            found |= {row.value.opponent for row in page.rows if row.value.opponent is not None}
            after = page.after
            if not after:
                break
    for state, upto in (("under way", None), ("over", (since,))):
        for entry in site.store.query(SIEGE_ENTRY, "lists", member, state, limit=SIEGES_READ, upto=upto).rows:
            siege = site.store.get(SIEGE, entry.value.siege)
            found |= set(siege.value.members) if siege and siege.value.started else set()
    return frozenset(person(one) for one in found - {member})


def _what(what: str) -> What:
    known: What = what  # type: ignore[assignment]  # one of TARGETS
    return known
