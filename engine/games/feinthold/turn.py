"""A turn resolves: orders in, the next state and a record of what happened out (F12–F19)."""

from dataclasses import dataclass

from engine.games.feinthold.combat import Fight, Force, fight
from engine.games.feinthold.ending import ending
from engine.games.feinthold.layouts import ALL, HQ, NEUTRAL
from engine.games.feinthold.sheet import Sheet
from engine.games.feinthold.sight import presence, remember
from engine.games.feinthold.state import (
    BASE_INCOME,
    COMBAT,
    PREDICTION_INCOME,
    RELAY_INCOME,
    SCOUT,
    Seen,
    Seven,
    State,
    relays_held,
)

Sheets = tuple[Sheet, Sheet]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was played: the state it left, and its events in the order of the rules."""

    before: State
    after: State
    sheets: Sheets
    unmasked: tuple[tuple[int, int, int], ...]  # side, position, decoys (F14)
    fights: tuple[Fight, ...]
    counts: tuple[tuple[int, int, int], ...]  # side that scouted, position, count (F19)
    right: tuple[bool, bool]  # predictions


@dataclass(frozen=True, slots=True)
class Field:
    """The board once all fighting is done (F17): flags, and by side the units and decoys left; how it came about."""

    flags: Seven
    units: tuple[Seven, Seven]
    decoys: tuple[Seven, Seven]
    unmasked: tuple[tuple[int, int, int], ...]
    fights: tuple[Fight, ...]


def play(state: State, sheets: Sheets) -> Turn:
    """The turn these legal sheets make of a game that is not over."""
    field = settle(state, sheets)
    flags, units, decoys = field.flags, field.units, field.decoys
    right = (_foreseen(sheets[0], sheets[1]), _foreseen(sheets[1], sheets[0]))
    counts = tuple([(s, p, units[1 - s][p] + decoys[1 - s][p]) for s in (0, 1) for p in sheets[s].scout])
    end = ending(state.turn, flags, units, state.income)
    credit = (0, 0) if end else (_income(flags, 0, right[0]), _income(flags, 1, right[1]))
    won = _won(field.fights) if field.fights else (0, 0)
    after = State(
        state.layout,
        state.turn if end else state.turn + 1,
        flags,
        units,
        decoys,
        (state.points[0] - sheets[0].cost + credit[0], state.points[1] - sheets[1].cost + credit[1]),
        (state.income[0] + credit[0], state.income[1] + credit[1]),
        (state.predictions[0] + right[0], state.predictions[1] + right[1]),
        (state.combats[0] + won[0], state.combats[1] + won[1]),
        (_memory(state, field, counts, 0), _memory(state, field, counts, 1)),
        end,
    )
    return Turn(state, after, sheets, field.unmasked, field.fights, counts, right)


def settle(state: State, sheets: Sheets) -> Field:
    """Reinforcements, moves, unmasking, combat and flags (F13–F17)."""
    flags = list(state.flags)
    still = (list(state.units[0]), list(state.units[1]))
    decoys = (list(state.decoys[0]), list(state.decoys[1]))
    arriving = ([0] * 7, [0] * 7)
    for side in (0, 1):
        _march(sheets[side], still[side], arriving[side], decoys[side])
    unmasked: list[tuple[int, int, int]] = []
    fights: list[Fight] = []
    for p in ALL:
        holder = flags[p]
        if holder >= 0 and decoys[1 - holder][p]:
            unmasked.append((1 - holder, p, decoys[1 - holder][p]))
            decoys[1 - holder][p] = 0
        a, b = still[0][p] + arriving[0][p], still[1][p] + arriving[1][p]
        if (a or decoys[0][p]) and (b or decoys[1][p]):
            forces = [_force(sheets[s], s, p, still[s][p], arriving[s][p], decoys[s][p]) for s in (0, 1)]
            clash = fight(p, forces[0], forces[1])
            fights.append(clash)
            a, b = clash.left
            decoys[0][p] = decoys[1][p] = 0
            if clash.stronger is None and p not in HQ:
                flags[p] = NEUTRAL
        if a or b:
            flags[p] = 0 if a else 1
        still[0][p], still[1][p] = a, b
    return Field(
        tuple(flags),
        (tuple(still[0]), tuple(still[1])),
        (tuple(decoys[0]), tuple(decoys[1])),
        tuple(unmasked),
        tuple(fights),
    )


def _march(orders: Sheet, still: list[int], arriving: list[int], decoys: list[int]) -> None:
    for at, units, bluffs in orders.reinforce:
        still[at] += units
        decoys[at] += bluffs
    for source, to, units, bluffs in orders.move:
        still[source] -= units
        arriving[to] += units
        decoys[source] -= bluffs
        decoys[to] += bluffs


def _force(orders: Sheet, side: int, p: int, staying: int, arriving: int, decoys: int) -> Force:
    dug_in = staying if p == HQ[side] or p in orders.entrench else 0
    return Force(staying - dug_in, dug_in, arriving, decoys)


def _foreseen(own: Sheet, enemy: Sheet) -> bool:
    if own.predict < 0:
        return False
    return any(to == own.predict and units for _, to, units, _ in enemy.move)


def _won(fights: tuple[Fight, ...]) -> tuple[int, int]:
    winners = [clash.stronger for clash in fights if clash.counted]
    return winners.count(0), winners.count(1)


def _income(flags: Seven, side: int, right: bool) -> int:
    return BASE_INCOME + RELAY_INCOME * relays_held(flags, side) + PREDICTION_INCOME * right


def _memory(state: State, field: Field, counts: tuple[tuple[int, int, int], ...], side: int) -> tuple[Seen | None, ...]:
    precise: dict[int, Seen] = {}
    for clash in field.fights:
        precise[clash.at] = (state.turn, COMBAT, clash.forces[1 - side].strength)
    for who, p, count in counts:
        if who == side:
            precise[p] = (state.turn, SCOUT, count)
    now = presence(state.layout, side, field.flags, field.units, field.decoys)
    return remember(state.seen[side], state.turn, side, field.flags, now, precise)
