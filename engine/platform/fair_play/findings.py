"""What the facts of a game that is over show: pure functions, the same whenever they are asked (P27)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from engine.decisions import Json
from engine.games import registry
from engine.platform.duels.records import Duel, Player, Turn
from engine.platform.fair_play.records import Finding, Shown
from engine.platform.members import MemberId
from engine.times import SECOND, Instant

READING: Final = 3 * SECOND  # nobody reads a turn and orders faster
SHEETS: Final = 5  # full ones, before anything is said of their pace
STEADY: Final = 5  # per cent of the mean, the standard deviation of a pace too regular for a person
LOADS: Final = 60
MINUTES: Final = 10
SAME_SHEETS: Final = 3  # full ones of a Front, before it is said to equal another's

Loads = Mapping[MemberId, Mapping[int, int]]  # how often in which minute


def findings(duel: Duel, turns: Sequence[Turn], firsts: Iterable[Shown], loads: Loads) -> tuple[Finding, ...]:
    """Everything that one game shows of its members by itself: superhuman, regular, loads.

    Of games whose orders are a word, a move, the pace says nothing: a known move may come at once.
    """
    if duel.ended is None:
        return ()
    seen = {(first.turn, first.member): first.at for first in firsts}
    found: list[Finding] = []
    for player in duel.members:
        took = delays(duel, turns, seen, player)
        if superhuman(took):
            found.append(Finding("superhuman", player.member, duel.id, duel.ended, detail=_pace(took), series=took))
        if regular(took):
            found.append(Finding("regular", player.member, duel.id, duel.ended, detail=_pace(took), series=took))
        most = busiest(loads.get(player.member, {}))
        if most > LOADS:
            found.append(Finding("loads", player.member, duel.id, duel.ended, detail={"n": most}))
    return tuple(found)


def delays(
    duel: Duel, turns: Sequence[Turn], seen: Mapping[tuple[int, MemberId], Instant], player: Player
) -> tuple[int, ...]:
    """The delay (ms) of each turn with a full sheet of this member's own, in the order of the turns.

    It runs from when anything of the turn was first shown, or else from its opening, to the first full sheet. Sheets
    that a doctrine or a computer wrote are nobody's.
    """
    if registry.game(duel.game).SPEC.word:
        return ()
    found = []
    for turn in turns:
        sheet = turn.sheets.get(player.seat)
        if sheet is None or sheet.by != "member" or sheet.full is None:
            continue
        first = seen.get((turn.number, player.member), turn.opened)
        since = first if turn.opened <= first <= sheet.full else turn.opened
        found.append(max(0, sheet.full - since))
    return tuple(found)


def is_full(orders: Json) -> bool:
    """Whether a sheet holds an order other than a prediction."""
    return any(value for key, value in orders.items() if key != "predict")


def superhuman(took: Sequence[int]) -> bool:
    """Whether these delays are faster than a person reads: a median under 3 s over at least five full sheets."""
    return len(took) >= SHEETS and median(took) < READING


def regular(took: Sequence[int]) -> bool:
    """Whether they are too regular for a person: a standard deviation under 5 % of the mean over at least five."""
    if len(took) < SHEETS:
        return False
    total, n = sum(took), len(took)
    spread = n * sum(delay * delay for delay in took) - total * total  # n² × the variance
    return spread * 10_000 < (STEADY * total) ** 2


def median(took: Sequence[int]) -> float:
    """The middle delay (ms), or the mean of the two in the middle."""
    ordered = sorted(took)
    half = len(ordered) // 2
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def busiest(minutes: Mapping[int, int]) -> int:
    """The most loads of one game's page within any ten minutes on end."""
    return max((sum(minutes.get(first + n, 0) for n in range(MINUTES)) for first in minutes), default=0)


def by_minute(counted: Iterable[tuple[MemberId, int, int]]) -> Loads:
    """Counters (member, minute, loads) as `findings` takes them."""
    ordered = sorted(counted)
    return {member: {m: n for _, m, n in rows} for member, rows in groupby(ordered, key=lambda row: row[0])}


def digest(turns: Sequence[Turn], player: Player) -> str | None:
    """What two Fronts played with equal sheets have in common; None with fewer than three full sheets (P27)."""
    sheets = [turn.sheets.get(player.seat) for turn in turns]
    own = [s.orders if s is not None and s.by == "member" else None for s in sheets]
    if sum(orders is not None and is_full(orders) for orders in own) < SAME_SHEETS:
        return None
    text = json.dumps(own, sort_keys=True, separators=(",", ":"), default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _pace(took: Sequence[int]) -> Mapping[str, int]:
    return {"n": len(took), "median": round(median(took))}
