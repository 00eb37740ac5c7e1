"""Where the units stand: one of three places drawn for each, none overlapping (T3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.games.draws import Dice, pick
from engine.games.protocol import Seat
from engine.games.trebuchet.board import Unit
from engine.games.trebuchet.grid import Cell, Grid, cells, inside, step
from engine.games.trebuchet.orders import Placement

REDRAWS = 100  # after so many a draw is taken from the list of all free ones, which comes to the same

Draw = tuple[int, ...]  # for each player, which of the three centres, from 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit on the field; `number` says which of its three centres was drawn, 0 if it was none of them."""

    unit: Unit
    number: int


def footprint(formation: Sequence[int], centre: Cell) -> tuple[Cell, ...]:
    """The cells of a unit: the trebuchet's, then the servants' by their numbers (T2)."""
    return (centre, *(step(centre, number) for number in formation))


def fits(grid: Grid, formation: Sequence[int], centre: Cell) -> bool:
    """Whether a whole unit is on the field (T3)."""
    return all(inside(grid, cell) for cell in footprint(formation, centre))


def draw(plans: Mapping[Seat, Placement], dice: Dice) -> dict[Seat, Placed] | None:
    """One centre for each player: a d3 each, all again while two units overlap; None if no draw is free (T3).

    Whether one is free is found out before any die is thrown.
    """
    if next(_free_draws(_most_in_the_way_first(plans)), None) is None:
        return None
    for _ in range(REDRAWS):
        drawn = tuple(dice.roll(len(plan.centres)) - 1 for plan in plans.values())
        if not _clashing(plans, drawn):
            return _placed(plans, drawn)
    return _placed(plans, pick(dice, list(_free_draws(plans))))


def settle(grid: Grid, plans: Mapping[Seat, Placement], dice: Dice) -> dict[Seat, Placed]:
    """The last resort: a d3 each, then every unit that clashes, in player order, among all places still free (T3)."""
    drawn = tuple(dice.roll(len(plan.centres)) - 1 for plan in plans.values())
    clashing = _clashing(plans, drawn)
    placed = _placed(plans, drawn)
    taken = {
        cell
        for seat, one in placed.items()
        if seat not in clashing
        for cell in (one.unit.trebuchet, *one.unit.servants)
    }
    for seat in clashing:
        formation = plans[seat].formation
        free = [
            centre
            for centre in cells(grid)
            if fits(grid, formation, centre) and taken.isdisjoint(footprint(formation, centre))
        ]
        unit = _unit(formation, pick(dice, free))
        placed[seat] = Placed(unit, 0)
        taken.update((unit.trebuchet, *unit.servants))
    return placed


def _free_draws(plans: Mapping[Seat, Placement]) -> Iterator[Draw]:
    """Every draw without overlaps, in lexicographic order."""
    places = [[frozenset(footprint(plan.formation, centre)) for centre in plan.centres] for plan in plans.values()]

    def extend(drawn: Draw, taken: frozenset[Cell]) -> Iterator[Draw]:
        if len(drawn) == len(places):
            yield drawn
            return
        for i, place in enumerate(places[len(drawn)]):
            if taken.isdisjoint(place):
                yield from extend((*drawn, i), taken | place)

    return extend((), frozenset())


def _most_in_the_way_first(plans: Mapping[Seat, Placement]) -> dict[Seat, Placement]:
    """The plans in an order in which a search for a free draw soon fails if it must: 1.6 s become milliseconds."""
    places = {seat: [set(footprint(plan.formation, centre)) for centre in plan.centres] for seat, plan in plans.items()}

    def in_the_way(seat: Seat) -> int:
        others = [place for other, three in places.items() if other != seat for place in three]
        return sum(not own.isdisjoint(place) for own in places[seat] for place in others)

    return {seat: plans[seat] for seat in sorted(plans, key=in_the_way, reverse=True)}


def _clashing(plans: Mapping[Seat, Placement], drawn: Draw) -> tuple[Seat, ...]:
    """The players whose units share a cell with another's, in player order."""
    place = {
        seat: set(footprint(plan.formation, plan.centres[i]))
        for (seat, plan), i in zip(plans.items(), drawn, strict=True)
    }
    return tuple(
        seat
        for seat, own in place.items()
        if any(other != seat and not own.isdisjoint(cells) for other, cells in place.items())
    )


def _placed(plans: Mapping[Seat, Placement], drawn: Draw) -> dict[Seat, Placed]:
    return {
        seat: Placed(_unit(plan.formation, plan.centres[i]), i + 1)
        for (seat, plan), i in zip(plans.items(), drawn, strict=True)
    }


def _unit(formation: Sequence[int], centre: Cell) -> Unit:
    trebuchet, *servants = footprint(formation, centre)
    return Unit(trebuchet, tuple(servants))
