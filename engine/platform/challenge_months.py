"""Challenge ratings by month: what titles go by once the month is over (P23, P26)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.decisions import Kept, Put, was
from engine.platform.elo import START, Rating
from engine.platform.local_days import Month
from engine.platform.members import MemberId
from engine.platform.ratings.moving import Calendar
from engine.platform.ratings.records import Holder
from engine.times import Instant


@dataclass(frozen=True, slots=True)
class ChallengeMonth:
    """A challenge rating as it stood when a month ended, and the rated challenges that ended in it: a member's, or
    (with its `author`) a doctrine's. `began` is the rating before the month's first change. `gone`: its account is
    deleted, and lists leave it out."""

    month: Month
    subject: MemberId
    joined: Instant
    author: MemberId | None = None
    rating: Rating = START
    games: int = 0
    began: Rating = START
    gone: bool = False

    @property
    def listed(self) -> bool:
        """Whether it stands on the month's list."""
        return self.games > 0 and not self.gone


@dataclass(frozen=True, slots=True)
class Months:
    """Where a change of challenge ratings counts: the months it concerns, what is kept of both sides in them, and who
    the member, or the doctrine's author, is."""

    calendar: Calendar
    kept: Mapping[tuple[MemberId, Month], Kept[ChallengeMonth] | None]
    holders: Mapping[MemberId, Holder]

    def moved(
        self, subject: MemberId, author: MemberId | None, before: Rating, points: int, games: int
    ) -> tuple[Put, ...]:
        """The changes of one side's months when its rating moves by `points` (tenths) from `before`.

        A challenge counts in the month in which it ended, and moves all later ones, whenever it is settled. Voiding it
        counts when it is done: a month that is over stays as it was. `games` is 1 for one that counts, -1 for one
        voided.
        """
        changes = []
        for month in (self.calendar.month, *self.calendar.later):
            row, own = self.kept[subject, month], month == self.calendar.month and self.calendar.own
            if row is None and not own:
                continue
            old = row.value if row else self._fresh(subject, author, before)
            began = Rating(old.began + points) if month in self.calendar.later else old.began
            gone = old.gone or self.holders[subject].gone
            new = replace(
                old, rating=Rating(old.rating + points), games=old.games + games * own, began=began, gone=gone
            )
            changes.append(Put(new, was(row)))
        return tuple(changes)

    def _fresh(self, subject: MemberId, author: MemberId | None, before: Rating) -> ChallengeMonth:
        rows = (self.kept[subject, month] for month in self.calendar.later)
        began = next((row.value.began for row in rows if row), before)
        return ChallengeMonth(self.calendar.month, subject, self.holders[subject].joined, author, began, 0, began)
