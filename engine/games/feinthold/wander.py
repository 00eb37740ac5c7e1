"""The policy "random": any legal sheet may come out."""

from engine.games.draws import Dice, pick, shuffled
from engine.games.feinthold.layouts import ALL, HQ, NEIGHBOURS
from engine.games.feinthold.legality import reinforce_limit
from engine.games.feinthold.sheet import (
    DECOY_COST,
    ENTRENCH_COST,
    SCOUT_COST,
    SCOUT_LIMIT,
    UNIT_COST,
    Moved,
    Placed,
    Sheet,
    sheet,
)
from engine.games.feinthold.views import SideView


def wander(view: SideView, dice: Dice) -> Sheet:
    """A legal sheet drawn with these dice: mostly spent on units, about half of the troops under way."""
    move = _moves(view, dice)
    points = view.points
    reinforce: list[Placed] = []
    for at in shuffled(dice, [p for p in ALL if reinforce_limit(view, p)]):
        units, decoys = _placed(points, reinforce_limit(view, at), dice)
        if units + decoys:
            reinforce.append((at, units, decoys))
            points -= UNIT_COST * units + DECOY_COST * decoys
    entrench = []
    for at in _holdable(view, move, reinforce):
        if points >= ENTRENCH_COST and dice.roll(3) == 1:
            entrench.append(at)
            points -= ENTRENCH_COST
    scout = []
    for at in shuffled(dice, [p for p in ALL if view.flags[p] != view.side])[:SCOUT_LIMIT]:
        if points >= SCOUT_COST and dice.roll(3) == 1:
            scout.append(at)
            points -= SCOUT_COST
    predict = dice.roll(8) - 2
    return sheet(reinforce, move, entrench, scout, predict)


def _moves(view: SideView, dice: Dice) -> list[Moved]:
    moves = []
    for source in ALL:
        units, decoys = view.units[source], view.decoys[source]
        for to in shuffled(dice, NEIGHBOURS[view.layout][source]):
            if not units + decoys or dice.roll(3) != 1:
                continue
            going = pick(dice, range(units + 1))
            bluffs = pick(dice, range(decoys + 1))
            if going + bluffs:
                moves.append((source, to, going, bluffs))
                units -= going
                decoys -= bluffs
    return moves


def _placed(points: int, limit: int, dice: Dice) -> tuple[int, int]:
    units = pick(dice, range(min(limit, points // UNIT_COST) + 1))
    points -= UNIT_COST * units
    if dice.roll(3) > 1:
        return units, 0
    return units, pick(dice, range(min(limit - units, points // DECOY_COST) + 1))


def _holdable(view: SideView, move: list[Moved], reinforce: list[Placed]) -> list[int]:
    there = list(view.units)
    for source, _, units, _ in move:
        there[source] -= units
    for at, units, _ in reinforce:
        there[at] += units
    return [p for p in ALL if there[p] and view.flags[p] == view.side and p != HQ[view.side]]
