"""Closing months: the lists read by index, committed once, and paid from (P26)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from engine.decisions import Decision, Job, Put
from engine.games.registry import DOCTRINED
from engine.platform.doctrines import author_and_slot
from engine.platform.local_days import Month, begins, day_of, following, last_of, month_of
from engine.platform.members import MemberId
from engine.platform.ratings.records import Board
from engine.platform.seasons import closing
from engine.platform.seasons.closing import Candidate
from engine.platform.seasons.records import CHALLENGES, DAYS, DUELS, MET, PRIZES, Place, Season, Title
from engine.platform.unsettled import ended, holds_up
from engine.times import Instant
from functions import fronts
from functions.acting import act
from functions.tournaments import debts
from infra.log import log
from infra.records import (
    CHALLENGE_MONTH,
    CONTENDER,
    DUE_SHARDS,
    FRONT,
    JOB,
    MEMBER,
    MONTHLY,
    MOVEMENT,
    SEASON,
    STANDING,
)
from infra.site import Site
from infra.store import Kind, Page

GAME: Final = DOCTRINED
PAGE: Final = 50
DEEPEST: Final = 20  # pages read of a board to find its places past members without one
MONTHS_BACK: Final = 3


def begin(site: Site) -> None:
    """Have every month that is over and not closed looked at by a job of its own; any number of times, days late."""
    now = site.sources.now()
    for month in _before(month_of(day_of(now, site.settings.zone))):
        if site.store.get(SEASON, month) is None and _played(site, month):
            job = Job(f"close/{month}", now, "close", {"month": month})
            act(site, lambda job=job: Decision((Put(job, None),), None))  # type: ignore[misc]


def close(site: Site, month: Month) -> bool:
    """Close a month, once its last Front is final: whether it is closed now."""
    if site.store.get(SEASON, month) is not None:
        return True
    if not _final(site, month) or _waits(site, month):
        return False
    found = _found(site, month)

    def decide() -> Decision[Season]:
        there = site.store.get(SEASON, month)
        return closing.close(month, there.value if there else None, found, site.sources.now())

    act(site, decide)
    log("season closed", month=month, places=len(found.places), titles=len(found.titles))
    return True


def pay(site: Site, month: Month) -> None:
    """Pay what a closed month's list says, each prize once whatever happens in between (P18); nothing to members who
    have deleted their account since (P5)."""
    row = site.store.get(SEASON, month)
    if row is None:
        return
    season = row.value
    for place in season.places:
        act(site, lambda place=place: _prize(site, season, place))  # type: ignore[misc]
    for title in season.titles:
        act(site, lambda title=title: _title(site, season, title))  # type: ignore[misc]


def _before(month: Month) -> list[Month]:
    months, first = [], f"{month}-01"
    for _ in range(MONTHS_BACK):
        first = f"{month_of(following(first, -1))}-01"
        months.append(month_of(first))
    return months[::-1]


def _played(site: Site, month: Month) -> bool:
    """Whether anything of a month could have a place; up to three queries."""
    lists: tuple[tuple[Kind[Any], str, tuple[str, ...]], ...] = (
        (STANDING, "board", (month, GAME)),
        (MONTHLY, "table", (month,)),
        (CHALLENGE_MONTH, "table", (month, "member")),
    )
    return any(site.store.query(kind, index, *within, limit=1).rows for kind, index, within in lists)


def _final(site: Site, month: Month) -> bool:
    """Whether the month's last Front is final; one that nobody asked for that day is made now, to become so."""
    row = site.store.get(FRONT, last_of(month))
    if row is None:
        fronts.make(site, last_of(month))
    return row is not None and row.value.final is not None


def ends(site: Site, month: Month) -> Instant:
    """The first instant after a month."""
    return begins(following(last_of(month)), site.settings.zone)


def held_up(site: Site, job: Job) -> Month | None:
    """The month whose closure waits for this parked job; one read at most."""
    at, now = ended(job), site.sources.now()
    month = month_of(day_of(at, site.settings.zone)) if at is not None else None
    if month is None or now < ends(site, month) or not holds_up(job, ends(site, month), now):
        return None
    return month if site.store.get(SEASON, month) is None else None


def _waits(site: Site, month: Month) -> bool:
    """Whether a game that ended by the month's end is still to be settled: it would count in it.

    One that failed too often is waited for as long as moderators may see to it.
    """
    end = ends(site, month)
    for number in range(DUE_SHARDS):
        after = ""
        while True:
            page = site.store.query(JOB, "settling", number, limit=PAGE, after=after, upto=(end - 1,))
            left = next((row.value for row in page.rows if holds_up(row.value, end, site.sources.now())), None)
            if left is not None:
                log("season waits", month=month, job=left.id, parked=left.parked)
                return True
            after = page.after
            if not after:
                break
    return False


def _found(site: Site, month: Month) -> Season:
    end = ends(site, month)
    duels = _candidates(site, STANDING, "board", (month, Board(GAME)), lambda s: _member(site, s, end))
    fronts = _candidates(site, MONTHLY, "table", (month,), lambda m: _fronter(site, m, end))
    of_members = _candidates(site, CHALLENGE_MONTH, "table", (month, "member"), lambda c: _challenger(site, c, end))
    doctrines = _candidates(site, CHALLENGE_MONTH, "table", (month, "doctrine"), lambda c: _doctrine(site, c, end))
    titles = (
        closing.commander(_first(of_members, 1, CHALLENGES)),
        closing.doctrine(_first(doctrines, 1, MET)),
        closing.front(_first(fronts, 1, DAYS)),
    )
    places = closing.places(_first(duels, len(PRIZES), DUELS))
    return Season(month, site.sources.now(), places, tuple(title for title in titles if title))


def _candidates(
    site: Site, kind: Kind[Any], index: str, within: tuple[str, ...], read: Callable[[Any], Candidate]
) -> Iterator[Candidate]:
    """A board from its top, page by page."""
    after = ""
    for _ in range(DEEPEST):
        page: Page[Any] = site.store.query(kind, index, *within, limit=PAGE, after=after)
        yield from (read(row.value) for row in page.rows)
        after = page.after
        if not after:
            return


def _first(candidates: Iterator[Candidate], wanted: int, least: int) -> list[Candidate]:
    """The first of a board who may have a place, with all who are equal to the last of them."""
    taken: list[Candidate] = []
    for candidate in candidates:
        if len(taken) >= wanted and candidate.figure < taken[-1].figure:
            break
        if candidate.eligible and candidate.games >= least:
            taken.append(candidate)
    return taken


def _member(site: Site, standing: Any, end: Instant) -> Candidate:
    fit = _fit(site, standing.member, end)
    return Candidate(standing.member, standing.tenths, standing.games, standing.joined, fit)


def _fronter(site: Site, month: Any, end: Instant) -> Candidate:
    fit = _fit(site, month.member, end)
    return Candidate(month.member, month.points, month.days, month.joined, fit, month.won)


def _challenger(site: Site, month: Any, end: Instant) -> Candidate:
    fit = _fit(site, month.subject, end)
    return Candidate(month.subject, month.rating, month.games, month.joined, fit)


def _doctrine(site: Site, month: Any, end: Instant) -> Candidate:
    author = author_and_slot(month.subject)
    row = site.store.get(CONTENDER, month.subject)
    member = author[0] if author else MemberId(month.subject)
    fit = row is not None and row.value.open_at(end) and _fit(site, member, end)
    name = row.value.name if row else ""
    return Candidate(member, month.rating, month.games, month.joined, fit, doctrine=name)


def _fit(site: Site, member: MemberId, end: Instant) -> bool:
    """Whether ratings were not frozen at the month's end, and the account is still there."""
    row = site.store.get(MEMBER, member)
    return row is not None and not row.value.deleted and not row.value.frozen_at(end)


def _prize(site: Site, season: Season, place: Place) -> Decision[None]:
    if site.store.get(MOVEMENT, closing.cause(season, place)) is not None or _left(site, place.member):
        return Decision((), None)
    return Decision(closing.prize(season, place, debts(site, (place.member,)), site.sources.now()), None)


def _title(site: Site, season: Season, title: Title) -> Decision[None]:
    borne = () if _left(site, title.member) else closing.title(season, title, site.sources.now())
    return Decision(borne, None)


def _left(site: Site, member: MemberId) -> bool:
    row = site.store.get(MEMBER, member)
    return row is None or row.value.deleted
