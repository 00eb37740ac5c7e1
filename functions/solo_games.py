"""Beginning games against doctrines: practice, challenges, Daily Fronts (P14b, P23, P24)."""

from dataclasses import replace
from typing import Final

from engine.decisions import Decision, Json, Put
from engine.errors import Refusal
from engine.games.registry import DOCTRINED
from engine.platform import challenges, daily_front, doctrines
from engine.platform.daily_front import Front, Starter
from engine.platform.duels.records import Duel, DuelId, Presence
from engine.platform.duels.solo import Solo, play, solo_id
from engine.platform.local_days import Day
from engine.platform.members import Member, MemberId
from engine.times import Instant
from functions import pairing, returning
from functions.acting import act
from functions.doctrine_books import book_of, contender_of, contender_policy, house_policy
from functions.fronts import front_of, today
from functions.linking import linked
from infra.records import DUEL, FRONT_GAME, MEETING
from infra.site import Site

PACE: Final = challenges.PACE


def practice(site: Site, member: Member, ai: str, request: str) -> DuelId:
    """A game against a house AI, unrated, begun once for a request. Refused: `no_such_doctrine`."""
    if ai not in doctrines.HOUSE:
        raise Refusal("no_such_doctrine")
    id, seed = solo_id("practice", member.id, f"{ai}/{request}"), site.sources.seed()
    rival = doctrines.house_id(ai)
    mine, policy = _stand_in(site, member.id), house_policy(ai, seed)
    wanted = Solo("practice", PACE, member.id, rival, policy, stand_in=mine, game=DOCTRINED)
    return act(site, lambda: _once(site, id, wanted, seed)).id


def challenge(site: Site, member: Member, doctrine: str, request: str) -> DuelId:
    """A challenge of a published doctrine or a house AI, begun once for a request.

    Refused: `no_such_doctrine`, `own_doctrine`, `challenge_running`.
    """
    id, seed = solo_id("challenge", member.id, f"{doctrine}/{request}"), site.sources.seed()

    def decide() -> Decision[Duel]:
        there = site.store.get(DUEL, id)
        if there is not None:
            return Decision((), there.value)
        rival = contender_of(site, doctrine)
        if rival.author == member.id:
            raise Refusal("own_doctrine")
        if not rival.open:
            raise Refusal("no_such_doctrine")
        policy = contender_policy(site, rival, seed)
        mine = _stand_in(site, member.id)
        wanted = Solo("challenge", PACE, member.id, rival.id, policy, stand_in=mine, game=DOCTRINED)
        meeting = site.store.get(MEETING, member.id, rival.id)
        running = site.store.get(DUEL, meeting.value.running) if meeting and meeting.value.running else None
        findings = findings_against(site, member.id, rival.author)
        now = site.sources.now()
        begun = challenges.start(id, wanted, meeting, running.value if running else None, findings, seed, now)
        return Decision((*begun.changes, Put(Presence(id, member.id, now), None)), begun.answer)

    return act(site, decide).id


def findings_against(site: Site, member: MemberId, author: MemberId | None) -> tuple[challenges.Why, ...]:
    """What speaks against rating a challenge that starts now: frozen ratings, linked accounts (P23); "" is left out."""
    found = pairing.against(site, member, author)
    known: tuple[challenges.Why, ...] = ("frozen", "linked")
    return tuple(why for why in known if why == found)


def front(site: Site, member: Member, day: Day, received: Instant) -> DuelId:
    """The member's one game of the day, begun or found again. Refused: `front_over`, if it is not today's any more."""
    if day != today(site, received):
        raise Refusal("front_over")
    kept = front_of(site, day)

    def decide() -> Decision[DuelId]:
        entry = site.store.get(FRONT_GAME, day, member.id)
        starter = replace(_starter(site, member, day), stand_in=_stand_in(site, member.id))
        return daily_front.start(kept, entry, starter, received, site.sources.now())

    return act(site, decide)


def retry(site: Site, member: Member, kept: Front, request: str) -> DuelId:
    """A day's game again, unranked, begun once for a request. Refused: `front_not_yet`."""
    id = solo_id("practice", member.id, f"{kept.day}/{request}")
    stand_in = _stand_in(site, member.id)

    def decide() -> Decision[Duel]:
        there = site.store.get(DUEL, id)
        if there is not None:
            return Decision((), there.value)
        entry = site.store.get(FRONT_GAME, kept.day, member.id)
        return daily_front.retry(kept, entry.value if entry else None, id, member.id, stand_in, site.sources.now())

    return act(site, decide).id


def unranked_because(site: Site, member: Member, day: Day) -> daily_front.Why:
    """Why a Front that starts now will not be ranked, "" if it may be: frozen ratings, or a linked account has begun
    its own this day (P24)."""
    return _starter(site, member, day).why


def _starter(site: Site, member: Member, day: Day) -> Starter:
    """Of the same person are the linked accounts, and those of the mailbox that were deleted of late: the day's map is
    no secret to who comes back."""
    same = linked(site, member.id) | set(returning.former(site, member))
    others = {other: site.store.get(FRONT_GAME, day, other) for other in sorted(same)}
    return Starter(member.id, None, member.frozen is not None, others)


def _once(site: Site, id: DuelId, wanted: Solo, seed: bytes) -> Decision[Duel]:
    there = site.store.get(DUEL, id)
    return Decision((), there.value) if there else play(id, wanted, seed, site.sources.now())


def _stand_in(site: Site, member: MemberId) -> Json | None:
    return doctrines.stand_in(book_of(site, member))
