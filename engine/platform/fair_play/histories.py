"""What only several games show: the pace of the last ten, where a month's rating came from (P27)."""

from collections import Counter
from dataclasses import replace
from typing import Final

from engine.decisions import Change, Decision, Kept, Put, was
from engine.errors import Scalar
from engine.platform.duels.records import DuelId
from engine.platform.fair_play.findings import median, superhuman
from engine.platform.fair_play.records import Finding, Gain, Gains, Paced, Tempo
from engine.platform.members import MemberId
from engine.platform.ratings.records import QUALIFIED
from engine.times import DAY, Instant

POOLED: Final = 10  # games
YOUNG: Final = 30 * DAY


def pool(kept: Kept[Tempo] | None, member: MemberId, played: Paced) -> Decision[Finding | None]:
    """Enter a game's delays among the last ten, once, and tell whether they are superhuman together.

    Games without a full sheet are no games here: they would only push the others out.
    """
    before = kept.value if kept else Tempo(member)
    known = any(game.game == played.game for game in before.games)
    after = before
    if played.delays and not known:
        games = sorted((*before.games, played), key=lambda game: (game.ended, game.game))
        after = replace(before, games=tuple(games[-POOLED:]))
    changes: tuple[Change, ...] = (Put(after, was(kept)),) if after != before else ()
    took = tuple(delay for game in after.games for delay in game.delays)
    if not played.delays or not superhuman(took):
        return Decision(changes, None)
    detail = {"n": len(took), "median": round(median(took)), "games": len(after.games)}
    return Decision(changes, Finding("pooled", member, played.game, played.ended, detail=detail, series=took))


def gain(kept: Kept[Gains] | None, empty: Gains, entered: Gain, at: Instant) -> Decision[tuple[Finding, ...]]:
    """Enter what a rated game moved, once, and tell where over half of the month's gain came from, if from one place.

    Nothing is said before eight rated games: fewer win no prize (P26), and every first win comes from one opponent.
    """
    before = kept.value if kept else empty
    known = any(game.game == entered.game for game in before.games)
    after = before if known else replace(before, games=(*before.games, entered))
    changes: tuple[Change, ...] = () if known else (Put(after, was(kept)),)
    won = [game for game in after.games if game.tenths > 0]
    total = sum(game.tenths for game in won)
    if len(after.games) < QUALIFIED or not total:
        return Decision(changes, ())
    found: list[Finding] = []
    by_other: Counter[MemberId] = Counter()
    for game in won:
        by_other[game.other] += game.tenths
    other, most = max(by_other.items(), key=lambda item: (item[1], item[0]))
    young = sum(game.tenths for game in won if game.young)
    if 2 * most > total:
        found.append(_gained("one_opponent", after, entered.game, at, most, total, other))
    if 2 * young > total:
        found.append(_gained("young_opponents", after, entered.game, at, young, total))
    return Decision(changes, tuple(found))


def forget(kept: Kept[Gains] | None, game: DuelId) -> tuple[Change, ...]:
    """The month's gain without a game that was voided."""
    if kept is None or not any(g.game == game for g in kept.value.games):
        return ()
    return (Put(replace(kept.value, games=tuple(g for g in kept.value.games if g.game != game)), kept.version),)


def is_young(joined: Instant, at: Instant) -> bool:
    """Whether an account was under 30 days old."""
    return at < joined + YOUNG


def _gained(
    sign: str, gains: Gains, game: DuelId, at: Instant, part: int, total: int, about: MemberId | None = None
) -> Finding:
    detail: dict[str, Scalar] = {"part": part, "total": total, "month": gains.month, "games": len(gains.games)}
    if sign == "one_opponent":
        return Finding("one_opponent", gains.member, game, at, about or "", detail)
    return Finding("young_opponents", gains.member, game, at, "", detail)
