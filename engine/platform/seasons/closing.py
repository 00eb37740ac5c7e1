"""Closing a month: the immutable list of places first, then what it pays, each once (P18, P26)."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.decisions import Change, Decision, Job, Put
from engine.errors import Scalar
from engine.platform.elo import Rating
from engine.platform.ledger.moving import Debts, move, unless_halted
from engine.platform.ledger.records import HOUSE, Line, purse
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.platform.seasons.records import (
    CHALLENGES,
    DAYS,
    DUELS,
    MET,
    PRIZES,
    Honour,
    Of,
    Place,
    Season,
    Title,
)
from engine.times import DAY, Instant, later


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who may have a place: rating (or points), games that count, and since when a member.

    `eligible` is false for frozen ratings at the month's end and for accounts deleted since; for a doctrine also if it
    was not public and unhidden then. `doctrine` is its name.
    """

    member: MemberId
    figure: int
    games: int
    joined: Instant
    eligible: bool = True
    won: int = 0
    doctrine: str = ""


def places(candidates: Iterable[Candidate]) -> tuple[Place, ...]:
    """The prize places of the month's duels: eight rated at least; ties to more duels, then the older account."""
    fit = [c for c in candidates if c.eligible and c.games >= DUELS]
    ranked = sorted(fit, key=lambda c: (-c.figure, -c.games, c.joined, c.member))
    return tuple(
        Place(n, c.member, Rating(c.figure), c.games, credits)
        for n, (c, credits) in enumerate(zip(ranked, PRIZES, strict=False), 1)
    )


def commander(candidates: Iterable[Candidate]) -> Title | None:
    """The first of the month's challenges; ties to more rated challenges, then the older account."""
    return _best("commander", candidates, CHALLENGES)


def doctrine(candidates: Iterable[Candidate]) -> Title | None:
    """The author of the month's best doctrine, public and unhidden at its end, of those that met ten challenges."""
    return _best("doctrine", candidates, MET)


def front(candidates: Iterable[Candidate]) -> Title | None:
    """The first of the month's Fronts in points; ties to more wins, then the older account."""
    fit = [c for c in candidates if c.eligible and c.games >= DAYS]
    best = min(fit, key=lambda c: (-c.figure, -c.won, c.joined, c.member), default=None)
    return Title("front", best.member, best.figure, best.games) if best else None


def close(month: Month, there: Season | None, found: Season, now: Instant) -> Decision[Season]:
    """Commit the month's list, once; paying it out is a job of its own. Another closure's list stands."""
    if there is not None:
        return Decision((), there)
    return Decision((Put(found, 0), Put(payout_job(month, now), None)), found)


def prize(season: Season, place: Place, debts: Debts, now: Instant) -> tuple[Change, ...]:
    """A place's credits from the house, once (P18)."""
    lines = (Line(HOUSE, -place.credits), Line(purse(place.member), place.credits))
    about: dict[str, Scalar] = {"month": season.month, "place": place.place}
    honour = Honour(place.member, season.month, "duels", place.place)
    moved = move(cause(season, place), "prize", now, lines, about, debts)
    return (
        *moved,
        unless_halted(cause(season, place)),
        Put(honour, None),
        Put(letter(season, place.member, now), None),
    )


def cause(season: Season, place: Place) -> str:
    """The permanent cause of a prize: the season, the member, the prize (P18)."""
    return f"season/{season.month}/{place.member}/duels"


def title(season: Season, of: Title, now: Instant) -> tuple[Change, ...]:
    """A title in its bearer's list, and the mail that tells of it."""
    honour = Honour(of.member, season.month, of.of)
    return (Put(honour, None), Put(letter(season, of.member, now), None))


def payout_job(month: Month, now: Instant) -> Job:
    """What pays a closed month's prizes."""
    return Job(f"season/{month}", now, "season", {"month": month})


def letter(season: Season, to: MemberId, now: Instant) -> Job:
    """The mail that tells a winner what they have won: one for everything of a season."""
    about = {"notice": "season", "month": season.month, "to": to}
    return Job(f"mail/season/{season.month}/{to}", now, "mail", about, until=later(now, 14 * DAY))


def _best(of: Of, candidates: Iterable[Candidate], least: int) -> Title | None:
    fit = [c for c in candidates if c.eligible and c.games >= least]
    best = min(fit, key=lambda c: (-c.figure, -c.games, c.joined, c.member), default=None)
    return Title(of, best.member, best.figure, best.games, best.doctrine) if best else None
