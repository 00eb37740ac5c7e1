"""The shield: one servant hit is moved to safety (T12)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from engine.games.draws import Dice, pick
from engine.games.protocol import Seat
from engine.games.trebuchet.board import Board, Impact, Unit
from engine.games.trebuchet.firing import Fired, Piece
from engine.games.trebuchet.grid import Cell, around, explodes, inside, row_major


@dataclass(frozen=True, slots=True)
class Shielded:
    """A shield used up: the servant moved and where to, both None if no cell would do; `shown` on the map or not."""

    seat: Seat
    saved: Piece | None = None
    cell: Cell | None = None
    shown: bool = False


def shield(board: Board, fired: Iterable[Fired], hits: Collection[Piece], dice: Dice) -> tuple[Shielded, ...]:
    """Every shield that works this turn, in the order of the players (T12).

    A shield works if its owner's trebuchet stands after the shots and a servant was hit. `hits` are in any order.
    """
    impacts = [(one.impact, one.shot.bonus) for one in fired]
    taken = {cell for unit in board.units.values() for cell in unit.servants}
    taken |= {unit.trebuchet for unit in board.units.values() if unit.standing}
    used: list[Shielded] = []
    for seat, unit in board.units.items():
        wounded = [piece for piece in hits if piece.seat == seat and piece.servant]
        if "shield" not in unit.bonuses or not wounded or Piece(unit.trebuchet, seat, servant=False) in hits:
            continue
        free = [
            cell
            for cell in around(unit.trebuchet)
            if inside(board.grid, cell) and cell not in taken and not any(explodes(*one, cell) for one in impacts)
        ]
        one = _move(seat, sorted(wounded, key=lambda piece: row_major(piece.cell)), free, board.impacts, dice)
        if one.cell is not None:
            taken.add(one.cell)
        used.append(one)
    return tuple(used)


def moved(units: Mapping[Seat, Unit], shields: Iterable[Shielded]) -> dict[Seat, Unit]:
    """The units once the shields are used up and the servants they saved stand elsewhere."""
    after = dict(units)
    for one in shields:
        unit = after[one.seat]
        left = tuple(bonus for bonus in unit.bonuses if bonus != "shield")
        servants = unit.servants
        if one.saved is not None and one.cell is not None:
            old, new = one.saved.cell, one.cell
            servants = tuple(new if cell == old else cell for cell in servants)
        after[one.seat] = replace(unit, bonuses=left, servants=servants)
    return after


def _move(seat: Seat, wounded: list[Piece], free: list[Cell], earlier: Iterable[Impact], dice: Dice) -> Shielded:
    """Draw the servant, then the cell: one never in an explosion before if there is any."""
    if not free:
        return Shielded(seat)
    saved = pick(dice, wounded)
    known = {cell for cell in free for impact in earlier if explodes(impact.cell, impact.bonus, cell)}
    unexplored = [cell for cell in free if cell not in known]
    cell = pick(dice, unexplored or free)
    return Shielded(seat, saved, cell, shown=not unexplored)
