"""A turn resolves: orders in, the next state and a record of what happened out (F12–F19)."""

from collections.abc import Sequence
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


@dataclass(slots=True)
class _Field:
    """The armies while a turn resolves, by side and position; `still` are units that stay or were placed."""

    flags: list[int]
    still: list[list[int]]
    arriving: list[list[int]]
    decoys: list[list[int]]


def play(state: State, sheets: Sheets) -> Turn:
    """The turn these legal sheets make of a game that is not over."""
    field = _march(state, sheets)
    unmasked = _unmask(state, field)
    fights = _fights(field, sheets)
    units = tuple(tuple(map(int.__add__, field.still[s], field.arriving[s])) for s in (0, 1))
    for p in ALL:
        if units[0][p]:
            field.flags[p] = 0
        elif units[1][p]:
            field.flags[p] = 1
    armies = (units[0], units[1])
    decoys = (tuple(field.decoys[0]), tuple(field.decoys[1]))
    right = (_foreseen(sheets[0], sheets[1]), _foreseen(sheets[1], sheets[0]))
    counts = tuple((s, p, armies[1 - s][p] + decoys[1 - s][p]) for s in (0, 1) for p in sheets[s].scout)
    flags = tuple(field.flags)
    end = ending(state.turn, flags, armies, state.income)
    credit = (0, 0) if end else (_income(flags, 0, right[0]), _income(flags, 1, right[1]))
    after = State(
        layout=state.layout,
        turn=state.turn if end else state.turn + 1,
        flags=flags,
        units=armies,
        decoys=decoys,
        points=(state.points[0] - sheets[0].cost + credit[0], state.points[1] - sheets[1].cost + credit[1]),
        income=(state.income[0] + credit[0], state.income[1] + credit[1]),
        predictions=(state.predictions[0] + right[0], state.predictions[1] + right[1]),
        combats=(state.combats[0] + _won(fights, 0), state.combats[1] + _won(fights, 1)),
        seen=_observe(state, flags, armies, decoys, fights, counts),
        end=end,
    )
    return Turn(state, after, sheets, unmasked, fights, counts, right)


def _march(state: State, sheets: Sheets) -> _Field:
    still = [list(state.units[0]), list(state.units[1])]
    decoys = [list(state.decoys[0]), list(state.decoys[1])]
    arriving = [[0] * 7, [0] * 7]
    for side in (0, 1):
        for at, units, bluffs in sheets[side].reinforce:
            still[side][at] += units
            decoys[side][at] += bluffs
        for source, to, units, bluffs in sheets[side].move:
            still[side][source] -= units
            arriving[side][to] += units
            decoys[side][source] -= bluffs
            decoys[side][to] += bluffs
    return _Field(list(state.flags), still, arriving, decoys)


def _unmask(state: State, field: _Field) -> tuple[tuple[int, int, int], ...]:
    found = []
    for side in (0, 1):
        for p in ALL:
            if field.decoys[side][p] and state.flags[p] == 1 - side:
                found.append((side, p, field.decoys[side][p]))
                field.decoys[side][p] = 0
    return tuple(found)


def _fights(field: _Field, sheets: Sheets) -> tuple[Fight, ...]:
    fought = []
    for p in ALL:
        if _present(field, 0, p) and _present(field, 1, p):
            clash = fight(p, _force(field, sheets[0], 0, p), _force(field, sheets[1], 1, p))
            fought.append(clash)
            for side in (0, 1):
                field.still[side][p], field.arriving[side][p] = clash.left[side], 0
                field.decoys[side][p] = 0
            if clash.stronger is None and p not in HQ:
                field.flags[p] = NEUTRAL
    return tuple(fought)


def _present(field: _Field, side: int, p: int) -> bool:
    return bool(field.still[side][p] or field.arriving[side][p] or field.decoys[side][p])


def _force(field: _Field, orders: Sheet, side: int, p: int) -> Force:
    staying = field.still[side][p]
    dug_in = staying if p == HQ[side] or p in orders.entrench else 0
    return Force(staying - dug_in, dug_in, field.arriving[side][p], field.decoys[side][p])


def _foreseen(own: Sheet, enemy: Sheet) -> bool:
    return own.predict >= 0 and any(to == own.predict and units for _, to, units, _ in enemy.move)


def _won(fights: Sequence[Fight], side: int) -> int:
    return sum(clash.counted and clash.stronger == side for clash in fights)


def _income(flags: tuple[int, ...], side: int, right: bool) -> int:
    return BASE_INCOME + RELAY_INCOME * relays_held(flags, side) + PREDICTION_INCOME * right


def _observe(
    state: State,
    flags: tuple[int, ...],
    units: tuple[tuple[int, ...], tuple[int, ...]],
    decoys: tuple[tuple[int, ...], tuple[int, ...]],
    fights: tuple[Fight, ...],
    counts: tuple[tuple[int, int, int], ...],
) -> tuple[tuple[Seen | None, ...], tuple[Seen | None, ...]]:
    def memory(side: int) -> tuple[Seen | None, ...]:
        precise = {clash.at: (state.turn, COMBAT, clash.forces[1 - side].strength) for clash in fights}
        precise.update({p: (state.turn, SCOUT, count) for who, p, count in counts if who == side})
        now = presence(state.layout, side, flags, units, decoys)
        return remember(state.seen[side], state.turn, side, flags, now, precise)

    return memory(0), memory(1)
