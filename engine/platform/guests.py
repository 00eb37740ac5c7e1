"""Guests: who plays without an account, on one browser, for a year (P3, L17)."""

from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Add, Change, Decision, Job, Kept, Put, was
from engine.platform.duels.records import Duel, MemberGame, Player, Proposals, Result
from engine.platform.members import Lang, Member, MemberId
from engine.times import DAY, Instant

LASTS: Final = 365 * DAY
RATED_IN_A_DAY: Final = 3
VOIDED: Final = "voided"


@dataclass(frozen=True, slots=True)
class GuestGames:
    """When a guest's last rated games began: at most three in 24 hours are rated (P3)."""

    member: MemberId
    starts: tuple[Instant, ...] = ()


@dataclass(frozen=True, slots=True)
class Visitor:
    """A guest in a duel, with the rated games begun lately."""

    member: MemberId
    games: Kept[GuestGames] | None = None


def newcomer(id: MemberId, name: str, lang: Lang, zone: str, now: Instant) -> Member:
    """A guest's record: a member without an address, whom no mail can reach."""
    return Member(id, name, "", lang, zone, now, guest=True)


def played_enough(visitor: Visitor, now: Instant) -> bool:
    """Whether a rated game that began now would be the guest's fourth within 24 hours (P3)."""
    return len(_recent(visitor, now)) >= RATED_IN_A_DAY


def began(visitor: Visitor, now: Instant) -> Change:
    """The change that counts a rated game beginning now."""
    return Put(GuestGames(visitor.member, (*_recent(visitor, now), now)), was(visitor.games))


def attach_job(guest: MemberId, member: MemberId, now: Instant) -> Job:
    """The job that hands a guest's games over to a member."""
    return Job(f"attach/{guest}", now, "attach", {"guest": guest, "member": member})


def attach(duel: Kept[Duel], row: MemberGame, member: MemberId) -> Decision[bool]:
    """Make a guest's game a member's: the member takes the guest's seat, and the game stands in the member's list.

    Whether it must be voided, as the member is the other player, is the answer: then nothing changes (P3). A game that
    has begun with a guest stays one in what it moves; a proposal becomes the member's own, and one of their open ones.
    """
    if duel.value.player(member) is not None or member in (duel.value.proposer, duel.value.invited):
        return Decision((), answer=True)
    guest = row.member
    begun = duel.value.begun is not None
    players = tuple(
        replace(p, member=member, guest=p.guest and begun) if p.member == guest else p for p in duel.value.players
    )
    proposer = member if duel.value.proposer == guest else duel.value.proposer
    invited = member if duel.value.invited == guest else duel.value.invited
    after = replace(duel.value, players=players, proposer=proposer, invited=invited)
    open_too = (Add(Proposals(member), -1),) if duel.value.stage == "proposed" and proposer == member else ()
    return Decision((Put(after, duel.version), Put(replace(row, member=member), None), *open_too), answer=False)


def voided(duel: Duel) -> Duel:
    """A game that is over, without result: it was between a guest and the member that the guest is (P3)."""
    return replace(duel, result=Result(None, VOIDED))


def is_guest(duel: Duel) -> bool:
    """Whether a guest plays in the duel: then it moves the game's rating only (P3)."""
    return any(player.guest for player in duel.players)


def seat_of(member: MemberId, visitors: tuple[Visitor, ...]) -> Player:
    """The place of somebody who joins a duel, marked if they are a guest."""
    return Player(member, guest=any(visitor.member == member for visitor in visitors))


def _recent(visitor: Visitor, now: Instant) -> tuple[Instant, ...]:
    starts = visitor.games.value.starts if visitor.games else ()
    return tuple(start for start in starts if now - start < DAY)
