"""Moving a rating: its standings, its place on the leaderboards, and the record of the change (P16)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.decisions import Change, Kept, Put, was
from engine.platform.duels.records import DuelId
from engine.platform.elo import Rating, Score
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.platform.ratings.bands import Shift, counters, shifted
from engine.platform.ratings.records import EVER, Board, Holder, RatingChange, Standing
from engine.times import Instant

Standings = Mapping[tuple[MemberId, Board, Month], Kept[Standing] | None]


@dataclass(frozen=True, slots=True)
class Calendar:
    """The month in which a change counts, and the later ones up to now: a game may be settled late.

    `own`: the game itself ended in that month, so that it is one of the month's games.
    """

    month: Month
    later: tuple[Month, ...] = ()
    own: bool = True

    @property
    def all(self) -> tuple[Month, ...]:
        """Every standing that a change concerns."""
        return (EVER, self.month, *self.later)


@dataclass(frozen=True, slots=True)
class Side:
    """Whose rating moves, on which board; `points` in tenths, `games` 1 for a game that counts, -1 for one undone."""

    member: MemberId
    holder: Holder
    board: Board
    points: int
    score: Score
    games: int = 1


@dataclass(frozen=True, slots=True)
class Event:
    """What moves it: a game, for the how manieth time, when, and against whom."""

    game: DuelId
    number: int
    at: Instant
    other: MemberId


def rating(standings: Standings, member: MemberId, board: Board) -> Rating:
    """The member's rating on a board, now: 1000 before the first game (P15)."""
    kept = standings[member, board, EVER]
    return kept.value.tenths if kept else Standing(member, board, EVER, Instant(0)).tenths


def move(side: Side, event: Event, calendar: Calendar, standings: Standings) -> tuple[tuple[Change, ...], list[Shift]]:
    """The changes of one rating, and how its places move in the bands of leaderboards.

    The month's standing changes by the points that count in it, and so do all later ones, whenever the game is settled.
    Undoing a game counts when it is done: a month that is over stays as it was (P26).
    """
    before = rating(standings, side.member, side.board)
    after = Rating(before + side.points)
    record = RatingChange(
        side.member, side.board, event.game, event.number, event.at, event.other, before, after, side.score
    )
    changes: list[Change] = [Put(record, 0)]
    shifts: list[Shift] = []
    began = _began(side, calendar, standings, before)
    for month in calendar.all:
        kept = standings[side.member, side.board, month]
        if kept is None and month in calendar.later:
            continue
        old = kept.value if kept else None
        new = _moved(old or _fresh(side, month, began), side, month, calendar)
        changes.append(Put(new, was(kept)))
        shifts += shifted(old, new)
    return tuple(changes), shifts


def left_out(kept: Iterable[Kept[Standing]]) -> tuple[Change, ...]:
    """What takes the standings of an account that is gone off their boards, with their places; once."""
    changes: list[Change] = []
    shifts: list[Shift] = []
    for row in kept:
        if not row.value.gone:
            gone = replace(row.value, gone=True)
            changes.append(Put(gone, row.version))
            shifts += shifted(row.value, gone)
    return (*changes, *counters(shifts))


def _fresh(side: Side, month: Month, began: Rating) -> Standing:
    return Standing(side.member, side.board, month, side.holder.joined, began, began)


def _began(side: Side, calendar: Calendar, standings: Standings, before: Rating) -> Rating:
    """The rating at the month's start, if nothing has moved it in the month yet."""
    rows = (standings[side.member, side.board, month] for month in calendar.later)
    return next((row.value.began for row in rows if row), before)


def _moved(standing: Standing, side: Side, month: Month, calendar: Calendar) -> Standing:
    gone = standing.gone or side.holder.gone
    moved = replace(standing, tenths=Rating(standing.tenths + side.points), gone=gone)
    if month in calendar.later:
        return replace(moved, began=Rating(standing.began + side.points))
    if month == calendar.month and not calendar.own:
        return moved
    return _counted(moved, side.score, side.games)


def _counted(standing: Standing, score: Score, by: int) -> Standing:
    lost, drawn, won = (by if score == n else 0 for n in (0, 1, 2))
    return replace(standing, won=standing.won + won, drawn=standing.drawn + drawn, lost=standing.lost + lost)
