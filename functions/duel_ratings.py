"""What a duel that is over moves of its players' ratings, and taking that back (P13, P16)."""

from collections.abc import Iterable

from engine.decisions import Change
from engine.platform import rated
from engine.platform.duels.records import NEVER_BEGUN, Duel
from engine.platform.elo import START, Rating
from engine.platform.local_days import Month, day_of, month_of
from engine.platform.members import MemberId
from engine.platform.rated import Holders
from engine.platform.ratings.moving import Calendar, Standings
from engine.platform.ratings.records import EVER, Board, Holder, Rated
from engine.times import Instant
from functions.fair_play import NOBODY, frozen
from infra.records import MEMBER, RATED, STANDING
from infra.site import Site

KINDS = ("duel", "match")


def settle(site: Site, duel: Duel, fast: frozenset[MemberId] = NOBODY) -> tuple[Change, ...]:
    """The changes of the ratings of a duel or tournament match that is over; none if they were made before.

    `fast`: whose orders came faster than a person reads; then nothing moves (P17b).
    """
    if duel.kind not in KINDS or duel.result is None or duel.ended is None or duel.result.by in NEVER_BEGUN:
        return ()
    if site.store.get(RATED, duel.id) is not None:
        return ()
    against = (*(("fair_play",) if fast else ()), *(("frozen",) if frozen(site, duel) else ()))
    why = rated.verdict(duel, against)
    boards = rated.boards(duel, why)
    when = calendar(site, duel.ended)
    found = standings(site, _members(duel), boards, when) if boards else {}
    return rated.settle(duel, None, why, holders(site, _members(duel)), when, found)


def take_back(site: Site, id: str) -> tuple[Change, ...]:
    """The changes that undo what a duel moved, once; to be committed with whatever voids it (P16, P29)."""
    row = site.store.get(RATED, id)
    return rated.take_back(row, *_again(site, row.value)) if row else ()


def give_again(site: Site, id: str) -> tuple[Change, ...]:
    """The changes that undo the voiding (P29)."""
    row = site.store.get(RATED, id)
    return rated.give_again(row, *_again(site, row.value)) if row else ()


def forget(site: Site, id: str) -> tuple[Change, ...]:
    """The changes that undo for good what a match lost by a freeze moved: that freeze was undone (P29)."""
    row = site.store.get(RATED, id)
    return rated.forget(row, *_again(site, row.value)) if row else ()


def calendar(site: Site, at: Instant, own: bool = True) -> Calendar:
    """The local month of an instant, and those since."""
    first, last = _month(site, at), _month(site, max(at, site.sources.now()))
    later = []
    month = first
    while month < last:
        month = _following(month)
        later.append(month)
    return Calendar(first, tuple(later), own)


def calendar_now(site: Site, at: Instant) -> Calendar:
    """The month in which undoing what ended at an instant counts: now, as one of the month's games only if it was."""
    now = site.sources.now()
    return calendar(site, now, own=_month(site, at) == _month(site, now))


def standings(site: Site, members: Iterable[MemberId], boards: Iterable[Board], when: Calendar) -> Standings:
    """The standings that a change concerns; one read each."""
    keys = [(member, month, board) for member in members for board in boards for month in when.all]
    return {(member, board, month): site.store.get(STANDING, member, month, board) for member, month, board in keys}


def rating_now(site: Site, member: MemberId, board: Board) -> Rating:
    """A member's rating on a board, 1000 before the first game; one read."""
    row = site.store.get(STANDING, member, EVER, board)
    return row.value.tenths if row else START


def holders(site: Site, members: Iterable[MemberId]) -> Holders:
    """Since when they are members, and whether they still are; one read each."""
    rows = {member: site.store.get(MEMBER, member) for member in members}
    return {
        member: Holder(row.value.joined, row.value.deleted) if row else Holder(Instant(0))
        for member, row in rows.items()
    }


def _again(site: Site, found: Rated) -> tuple[Holders, Calendar, Standings, Instant]:
    """What undoing, or undoing that, looks at."""
    now = site.sources.now()
    members = tuple(dict.fromkeys(m.member for m in found.moved))
    boards = tuple(dict.fromkeys(m.board for m in found.moved))
    when = calendar_now(site, found.at)
    return holders(site, members), when, standings(site, members, boards, when), now


def _members(duel: Duel) -> tuple[MemberId, ...]:
    return tuple(p.member for p in duel.members)


def _month(site: Site, at: Instant) -> Month:
    return month_of(day_of(at, site.settings.zone))


def _following(month: Month) -> Month:
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04}-{number % 12 + 1:02}"
