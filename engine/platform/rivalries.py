"""What two members have had with each other: starts of the last day, stakes of the last month (P13, P17)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.platform.duels.records import DuelId
from engine.platform.members import MemberId
from engine.times import DAY, Instant

RATED_A_DAY: Final = 3  # duels between the same two in 24 hours (P13)
WON_FROM_ONE: Final = 100  # credits, net, in the last 30 days (P17)
REMEMBERED: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class Begun:
    """A duel that began."""

    duel: DuelId
    at: Instant


@dataclass(frozen=True, slots=True)
class Staked:
    """What each of the two has put into a duel; once it is over, who won the other's, and when."""

    duel: DuelId
    stake: int
    winner: MemberId | None = None
    at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two members, `one` before `other`. `finished`: they have ended a duel with a result."""

    one: MemberId
    other: MemberId
    begun: tuple[Begun, ...] = ()
    staked: tuple[Staked, ...] = ()
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Opponents:
    """A counter: with how many different members a member has finished a duel (P17)."""

    member: MemberId


def between(one: MemberId, other: MemberId) -> Rivalry:
    """Two members who have had nothing with each other yet."""
    return Rivalry(min(one, other), max(one, other))


def too_often(rivalry: Rivalry | None, now: Instant) -> bool:
    """Whether a duel that starts now is beyond the three of 24 hours that count (P13)."""
    return rivalry is not None and len(_of_a_day(rivalry.begun, now)) >= RATED_A_DAY


def winnable(rivalry: Rivalry | None, member: MemberId, now: Instant) -> int:
    """The credits this member may still win from the other: at most 100 net in 30 days, stakes under way counted as
    won (P17)."""
    if rivalry is None:
        return WON_FROM_ONE
    won = sum(_won(staked, member, now) for staked in rivalry.staked)
    return WON_FROM_ONE - won


def begin(rivalry: Rivalry, duel: DuelId, now: Instant) -> Rivalry:
    """With one more duel begun; those of earlier days are forgotten."""
    return replace(rivalry, begun=(*_of_a_day(rivalry.begun, now), Begun(duel, now)))


def stake(rivalry: Rivalry, duel: DuelId, credits: int, now: Instant) -> Rivalry:
    """With both stakes in a duel; what was won over a month ago is forgotten."""
    kept = tuple(s for s in rivalry.staked if s.at is None or s.at > now - REMEMBERED)
    return replace(rivalry, staked=(*kept, Staked(duel, credits)))


def settle(rivalry: Rivalry, duel: DuelId, winner: MemberId | None, at: Instant) -> Rivalry:
    """With the stakes of a duel won by one of the two, or (None) returned."""
    others = tuple(s for s in rivalry.staked if s.duel != duel)
    there = next((s for s in rivalry.staked if s.duel == duel), None)
    if there is None or winner is None:
        return replace(rivalry, staked=others)
    return replace(rivalry, staked=(*others, replace(there, winner=winner, at=at)))


def _of_a_day(begun: Iterable[Begun], now: Instant) -> tuple[Begun, ...]:
    return tuple(b for b in begun if b.at > now - DAY)


def _won(staked: Staked, member: MemberId, now: Instant) -> int:
    if staked.at is None:
        return staked.stake
    if staked.at <= now - REMEMBERED:
        return 0
    return staked.stake if staked.winner == member else -staked.stake
