"""The account of a turn as facts, shot by shot, each known to those who may know it (T15).

A surviving piece and a target stay secret until the game is over, and the dice of a scatter would give the target away:
they are told to the shooter alone, a roll of "4+" to the owner of the piece it was thrown for. Facts known to nobody
else become public with everything else at the end.
"""

from collections.abc import Iterable, Mapping

from engine.errors import Scalar
from engine.games.protocol import Fact, Outcome, Seat
from engine.games.trebuchet.board import SERVANT_POINTS, TREBUCHET_POINTS, Board
from engine.games.trebuchet.firing import Fired, Hit, Roll
from engine.games.trebuchet.grid import Grid, inside, name, row_major
from engine.games.trebuchet.setup import Placed
from engine.games.trebuchet.shields import Shielded
from engine.games.trebuchet.turn import Report


def public(code: str, /, **detail: Scalar) -> Fact:
    """A fact for everybody."""
    return Fact(code, detail, None)


def private(seat: Seat, code: str, /, **detail: Scalar) -> Fact:
    """A fact for one seat until the game is over."""
    return Fact(code, detail, (seat,))


def tell_absent(absent: Iterable[Seat]) -> tuple[Fact, ...]:
    """`absent` {seat} for each who sent no placement."""
    return tuple(public("absent", seat=seat) for seat in absent)


def tell_placement(placed: Mapping[Seat, Placed]) -> tuple[Fact, ...]:
    """To each owner `placed` {seat, cell, number: 1–3, 0 if drawn among all free places}; `begun` {players}."""
    drawn = tuple(
        private(seat, "placed", seat=seat, cell=name(one.unit.trebuchet), number=one.number)
        for seat, one in placed.items()
    )
    return (*drawn, public("begun", players=len(placed)))


def tell_turn(before: Board, after: Board, report: Report) -> tuple[Fact, ...]:
    """The shots in firing order with what each hit, then shields, eliminations, missed turns and points.

    Public: `shot` {number, seat, column, row, cell: "" off the field, bonus}, `killed` and `destroyed` {number, seat,
    cell, by, points, roll: 0 if sure}, `revealed` {cell}, `eliminated` {seat, by}, `missed` {seat, turns},
    `removed` {seat}, `points` {seat, won, total}. To the shooter: `aim` {number, seat, target, scatter, direction: 0 if
    none, distance}. To the owner: `roll` {number, seat, cell, servant, roll}, `shield` {seat, from, to}, `shield_lost`
    {seat}.
    """
    facts: list[Fact] = []
    for number, fired in enumerate(report.fired):
        facts += _shot(before.grid, number + 1, fired)
        facts += [_hit("killed", hit, SERVANT_POINTS) for hit in report.killed if hit.number == number]
        facts += [_hit("destroyed", hit, TREBUCHET_POINTS) for hit in report.destroyed if hit.number == number]
    facts += [_shield(one) for one in report.shields]
    revealed = sorted((one.cell for one in report.shields if one.cell and one.shown), key=row_major)
    facts += [public("revealed", cell=name(cell)) for cell in revealed]
    facts += [public("eliminated", seat=fall.seat, by=fall.by) for fall in report.eliminated if fall.by is not None]
    shooters = {fired.shot.seat for fired in report.fired}
    for seat, unit in after.units.items():
        if not before.units[seat].out and seat not in shooters and unit.missed > before.units[seat].missed:
            facts.append(public("missed", seat=seat, turns=unit.missed))
    facts += [public("removed", seat=fall.seat) for fall in report.eliminated if fall.by is None]
    for seat, unit in after.units.items():
        won = unit.points - before.units[seat].points
        if won:
            facts.append(public("points", seat=seat, won=won, total=unit.points))
    return tuple(facts)


def tell_end(outcome: Outcome | None) -> tuple[Fact, ...]:
    """`ended` {by}, then `honour` {honour: "survivor" or "points", seat} for each, seat None if nobody has it (T14)."""
    if outcome is None:
        return ()
    honours = [
        public("honour", honour=honour, seat=seat)
        for honour, seats in outcome.honours.items()
        for seat in seats or (None,)
    ]
    return (public("ended", by=outcome.by), *honours)


def _shot(grid: Grid, number: int, fired: Fired) -> list[Fact]:
    shot, (column, row) = fired.shot, fired.impact
    cell = name(fired.impact) if inside(grid, fired.impact) else ""
    fell = public("shot", number=number, seat=shot.seat, column=column, row=row, cell=cell, bonus=shot.bonus)
    aim = private(
        shot.seat,
        "aim",
        number=number,
        seat=shot.seat,
        target=name(shot.target),
        scatter=fired.scatter,
        direction=fired.direction,
        distance=fired.distance,
    )
    return [fell, aim, *(_roll(number, roll) for roll in fired.rolls)]


def _roll(number: int, roll: Roll) -> Fact:
    cell, seat, servant = roll.piece
    return private(seat, "roll", number=number, seat=seat, cell=name(cell), servant=servant, roll=roll.value)


def _hit(code: str, hit: Hit, worth: int) -> Fact:
    owner, cell = hit.piece.seat, name(hit.piece.cell)
    points = 0 if hit.by == owner else worth
    return public(code, number=hit.number + 1, seat=owner, cell=cell, by=hit.by, points=points, roll=hit.roll)


def _shield(one: Shielded) -> Fact:
    if one.saved is None or one.cell is None:
        return private(one.seat, "shield_lost", seat=one.seat)
    moved = {"from": name(one.saved.cell), "to": name(one.cell)}
    return private(one.seat, "shield", seat=one.seat, **moved)
