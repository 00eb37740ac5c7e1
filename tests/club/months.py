"""A month's places as all records of ratings, read one by one, make them (P26)."""

from collections.abc import Iterable

from engine.platform.elo import START
from engine.platform.local_days import Month, begins, day_of, following, month_of
from engine.platform.members import Member, MemberId
from engine.platform.ratings.records import RatingChange
from engine.platform.seasons.records import DUELS, PRIZES, Place
from engine.times import Instant
from infra.store import Store
from tests.club.invariants import changes_of

ZONE = "Europe/Paris"
BOARD = "feinthold"


def places(store: Store, members: Iterable[Member], month: Month) -> tuple[Place, ...]:
    """The places of a month, from all who were ever members."""
    found: list[tuple[int, int, Instant, MemberId]] = []
    for member in fit(members, month):
        changes = [c for c in changes_of(store, member.id) if c.board == BOARD and c.at < end_of(month)]
        first = {c.game: _month(c.at) for c in changes if not c.number}
        games = sum(-1 if c.number % 2 else 1 for c in changes if _month(c.at) == month == first[c.game])
        if games >= DUELS:
            found.append((-_after(changes), -games, member.joined, member.id))
    ranked = zip(sorted(found), PRIZES, strict=False)
    return tuple(
        Place(number, member, -tenths, -games, credits)  # type: ignore[arg-type]
        for number, ((tenths, games, _, member), credits) in enumerate(ranked, 1)
    )


def fit(members: Iterable[Member], month: Month) -> list[Member]:
    """Who may have a place: members still, whose ratings were not frozen at the month's end."""
    return [member for member in members if not member.deleted and not member.frozen_at(end_of(month))]


def end_of(month: Month) -> Instant:
    """The first instant after a month."""
    return begins(f"{month_of(following(f'{month}-01', 31))}-01", ZONE)


def _after(changes: Iterable[RatingChange]) -> int:
    return START + sum(change.after - change.before for change in changes)


def _month(at: Instant) -> Month:
    return month_of(day_of(at, ZONE))
