"""Everything illegal about a sheet, judged from the side's own view (F4–F10)."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from engine.errors import Problem
from engine.games.feinthold.layouts import HQ, NEIGHBOURS, POSITIONS, POSTS, linked
from engine.games.feinthold.sheet import HQ_LIMIT, RELAY_LIMIT, SCOUT_LIMIT, Sheet
from engine.games.feinthold.views import SideView

NOWHERE: Final[Collection[int]] = frozenset()


def faults(view: SideView, orders: Sheet, unread: Collection[int] = NOWHERE) -> tuple[Problem, ...]:
    """Every problem of the sheet; none if it is legal. `unread`: where unreadable reinforcements would go."""
    return (
        *_points(view, orders),
        *_reinforcements(view, orders),
        *_moves(view, orders),
        *_departures(view, orders),
        *_entrenchments(view, orders, unread),
        *_scouts(view, orders),
    )


def reinforce_limit(view: SideView, at: int) -> int:
    """How many units and decoys the side may place at a position this turn (F5); 0 where it may place none."""
    if at == HQ[view.side]:
        return HQ_LIMIT
    if at in POSTS or at in HQ or not linked(view.layout, view.side, view.flags)[at]:
        return 0
    return RELAY_LIMIT


def _points(view: SideView, orders: Sheet) -> Iterator[Problem]:
    if orders.cost > view.points:
        yield Problem("not_enough_points", detail={"cost": orders.cost, "have": view.points})


def _reinforcements(view: SideView, orders: Sheet) -> Iterator[Problem]:
    total: Counter[int] = Counter()
    for at, units, decoys in orders.reinforce:
        where, field = POSITIONS[at], f"reinforce:{POSITIONS[at]}"
        if at in total:
            yield Problem("duplicate", where, field)
        elif fault := _place_fault(view, at):
            yield Problem(fault, where, field)
        if units + decoys == 0:
            yield Problem("nothing_placed", where, field)
        total[at] += units + decoys
    for at, count in total.items():
        limit = reinforce_limit(view, at)
        if 0 < limit < count:
            detail = {"limit": limit, "placed": count}
            yield Problem("too_many_here", POSITIONS[at], f"reinforce:{POSITIONS[at]}", detail)


def _place_fault(view: SideView, at: int) -> str | None:
    if at in POSTS:
        return "post"
    if view.flags[at] != view.side:
        return "not_yours"
    return None if reinforce_limit(view, at) else "not_linked"


def _moves(view: SideView, orders: Sheet) -> Iterator[Problem]:
    known: set[tuple[int, int]] = set()
    for source, to, units, decoys in orders.move:
        where, detail = POSITIONS[source], {"to": POSITIONS[to]}
        field = f"move:{POSITIONS[source]}:{POSITIONS[to]}"
        if (source, to) in known:
            yield Problem("duplicate", where, field, detail)
        elif to not in NEIGHBOURS[view.layout][source]:
            yield Problem("not_adjacent", where, field, detail)
        if units + decoys == 0:
            yield Problem("nothing_moves", where, field, detail)
        known.add((source, to))


def _departures(view: SideView, orders: Sheet) -> Iterator[Problem]:
    units: Counter[int] = Counter()
    decoys: Counter[int] = Counter()
    last = {}
    for source, to, men, bluffs in orders.move:
        units[source] += men
        decoys[source] += bluffs
        last[source] = f"move:{POSITIONS[source]}:{POSITIONS[to]}"
    for source, field in last.items():
        for code, ordered, there in (
            ("not_enough_units", units[source], view.units[source]),
            ("not_enough_decoys", decoys[source], view.decoys[source]),
        ):
            if ordered > there:
                yield Problem(code, POSITIONS[source], field, {"ordered": ordered, "have": there})


def _entrenchments(view: SideView, orders: Sheet, unread: Collection[int]) -> Iterator[Problem]:
    known: set[int] = set()
    for at in orders.entrench:
        if fault := "duplicate" if at in known else _dig_fault(view, orders, at, unread):
            yield Problem(fault, POSITIONS[at], f"entrench:{POSITIONS[at]}")
        known.add(at)


def _dig_fault(view: SideView, orders: Sheet, at: int, unread: Collection[int]) -> str | None:
    if at == HQ[view.side]:
        return "already_entrenched"
    if view.flags[at] != view.side:
        return "not_yours"
    leaving = sum(units for source, _, units, _ in orders.move if source == at)
    placed = sum(units for place, units, _ in orders.reinforce if place == at)
    if at not in unread and view.units[at] - leaving <= 0 and placed == 0:
        return "nothing_to_entrench"
    return None


def _scouts(view: SideView, orders: Sheet) -> Iterator[Problem]:
    known: set[int] = set()
    for at in orders.scout:
        if fault := "duplicate" if at in known else "own_position" if view.flags[at] == view.side else None:
            yield Problem(fault, POSITIONS[at], f"scout:{POSITIONS[at]}")
        known.add(at)
    if len(orders.scout) > SCOUT_LIMIT:
        beyond = POSITIONS[orders.scout[SCOUT_LIMIT]]
        yield Problem("too_many_scouts", None, f"scout:{beyond}", {"limit": SCOUT_LIMIT, "ordered": len(orders.scout)})
