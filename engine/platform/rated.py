"""Whether a duel counts, what it moves, and taking that back (P13, P15, P16)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from engine.decisions import Change, Kept, Put
from engine.platform.duels.records import Duel, Player
from engine.platform.elo import Score, gained
from engine.platform.guests import is_guest
from engine.platform.members import MemberId
from engine.platform.ratings.bands import Shift, counters
from engine.platform.ratings.moving import Calendar, Event, Side, Standings, move, rating
from engine.platform.ratings.records import COMMON, Board, Holder, Moved, Rated
from engine.platform.rivalries import Rivalry, too_often
from engine.times import Instant

Why = Literal["", "friendly", "often", "linked", "frozen", "cancelled", "fair_play"]  # "": rated

AGAINST: Final[Mapping[Score, Score]] = {0: 2, 1: 1, 2: 0}

Holders = Mapping[MemberId, Holder]


def boards(duel: Duel, why: str = "") -> tuple[Board, ...]:
    """The ratings that a duel moves: the game's, and the common Elo (P15); of one not rated, none.

    A tournament match that is lost by forfeit because ratings are frozen moves the common Elo all the same (P21).
    """
    if not why:
        return (Board(duel.game),) if is_guest(duel) else (Board(duel.game), COMMON)
    forfeit = duel.result is not None and duel.result.by == "forfeit"
    return (COMMON,) if why == "frozen" and duel.kind == "match" and forfeit else ()


def forecast(rivalry: Rivalry | None, why: str, now: Instant) -> str:
    """Why a duel that starts now is not rated, "" if it is: told before the start (P13).

    `why` is a reason from outside: "linked" accounts, a side with "frozen" ratings.
    """
    return why or ("often" if too_often(rivalry, now) else "")


def verdict(duel: Duel, findings: Sequence[str] = ()) -> str:
    """Why a duel that is over moves no rating, "" if it does: told beside its result (P13).

    `findings` are reasons that have come up since its start, the weightiest first: "fair_play", "frozen".
    """
    if duel.result is None or not duel.result.counts:
        return "cancelled"
    if not duel.rated:
        return duel.unrated_why
    return findings[0] if findings else ""


def settle(
    duel: Duel, there: Rated | None, why: str, holders: Holders, calendar: Calendar, standings: Standings
) -> tuple[Change, ...]:
    """What a duel moves, once: `there` is what was settled before; `why` as `verdict` tells (P16)."""
    if there is not None or duel.result is None or duel.ended is None:
        return ()
    moving = boards(duel, why)
    if not moving:
        return (Put(Rated(duel.id, duel.ended, why), 0),)
    one, other = duel.players
    score = _score(duel, one)
    moved = []
    for board in moving:
        points = gained(rating(standings, one.member, board), rating(standings, other.member, board), score)
        moved += [Moved(one.member, board, points, score), Moved(other.member, board, -points, AGAINST[score])]
    rated = Rated(duel.id, duel.ended, why, tuple(moved))
    return (Put(rated, 0), *_apply(rated, 1, duel.ended, holders, calendar, standings))


def take_back(
    rated: Kept[Rated], holders: Holders, calendar: Calendar, standings: Standings, now: Instant
) -> tuple[Change, ...]:
    """Undo exactly the points that a game moved, once: it was voided (P16). `calendar` is of now."""
    if rated.value.undone:
        return ()
    undone = replace(rated.value, undone=True, number=rated.value.number + 1)
    return (Put(undone, rated.version), *_apply(undone, -1, now, holders, calendar, standings))


def give_again(
    rated: Kept[Rated], holders: Holders, calendar: Calendar, standings: Standings, now: Instant
) -> tuple[Change, ...]:
    """Move the same points again: the voiding was undone (P29). `calendar` is of now."""
    if not rated.value.undone:
        return ()
    again = replace(rated.value, undone=False, number=rated.value.number + 1)
    return (Put(again, rated.version), *_apply(again, 1, now, holders, calendar, standings))


def forget(
    rated: Kept[Rated], holders: Holders, calendar: Calendar, standings: Standings, now: Instant
) -> tuple[Change, ...]:
    """Undo the points for good: the freeze that made the game a forfeit was undone (P29). `calendar` is of now.

    Nothing is left that a later voiding, or undoing one, could move again.
    """
    if not rated.value.moved:
        return ()
    if rated.value.undone:
        return (Put(replace(rated.value, moved=()), rated.version),)
    back = replace(rated.value, number=rated.value.number + 1)
    return (Put(replace(back, moved=()), rated.version), *_apply(back, -1, now, holders, calendar, standings))


def _apply(
    rated: Rated, sign: Literal[1, -1], at: Instant, holders: Holders, calendar: Calendar, standings: Standings
) -> tuple[Change, ...]:
    members = tuple(dict.fromkeys(m.member for m in rated.moved))
    changes: list[Change] = []
    shifts: list[Shift] = []
    for m in rated.moved:
        side = Side(m.member, holders[m.member], m.board, sign * m.points, m.score, sign)
        other = next(member for member in members if member != m.member)
        made, moves = move(side, Event(rated.game, rated.number, at, other), calendar, standings)
        changes += made
        shifts += moves
    return (*changes, *counters(shifts))


def _score(duel: Duel, player: Player) -> Score:
    winner = duel.result.winner if duel.result else None
    return 1 if winner is None else 2 if winner == player.seat else 0
