"""The shots of a turn: their order, where they fall, and what they hit (T7–T11)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.games.draws import Dice, shuffled
from engine.games.protocol import Seat
from engine.games.trebuchet.board import Unit
from engine.games.trebuchet.grid import Bonus, Cell, distance, explodes, row_major, step

HIT = 2  # the highest d6 that is no scatter (T8)
ENOUGH = 4  # the lowest d6 of a "4+" (T10)


@dataclass(frozen=True, slots=True)
class Shot:
    """What a player sends: a target, a bonus held, and the day on which the target was last changed (T7)."""

    seat: Seat
    target: Cell
    bonus: Bonus | None = None
    day: str = ""


class Piece(NamedTuple):
    """A living servant or a standing trebuchet; no two share a cell."""

    cell: Cell
    seat: Seat
    servant: bool


class Roll(NamedTuple):
    """A d6 thrown for a piece that only 4 or more destroys (T10)."""

    piece: Piece
    value: int

    @property
    def fatal(self) -> bool:
        """Whether the piece is hit."""
        return self.value >= ENOUGH


@dataclass(frozen=True, slots=True)
class Fired:
    """A shot as it fell. `direction` and `distance` are 0 without scatter; `rolls` and `hits` are row-major."""

    shot: Shot
    scatter: int
    direction: int
    distance: int
    impact: Cell
    rolls: tuple[Roll, ...]
    hits: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece and the number (from 0) of the shot that first hit it; `roll` is 0 where none was needed (T11)."""

    piece: Piece
    number: int
    by: Seat
    roll: int


def pieces(units: Mapping[Seat, Unit]) -> tuple[Piece, ...]:
    """All that stands on the field, in row-major order."""
    standing = [Piece(unit.trebuchet, seat, servant=False) for seat, unit in units.items() if unit.standing]
    servants = [Piece(cell, seat, servant=True) for seat, unit in units.items() for cell in unit.servants]
    return tuple(sorted(standing + servants, key=lambda piece: row_major(piece.cell)))


def in_order(shots: Iterable[Shot], players: Sequence[Seat], dice: Dice) -> list[Shot]:
    """The shots by day, those of one day in a drawn order (T7)."""
    days: dict[str, list[Shot]] = {}
    for shot in sorted(shots, key=lambda shot: players.index(shot.seat)):
        days.setdefault(shot.day, []).append(shot)
    return [shot for day in sorted(days) for shot in shuffled(dice, days[day])]


def fire(shot: Shot, targets: Iterable[Piece], dice: Dice) -> Fired:
    """Let a shot scatter and see which pieces it hits, wherever earlier shots of the turn fell (T8–T11)."""
    scatter, direction, length = dice.roll(6), 0, 0
    if scatter > HIT:
        direction, length = dice.roll(8), dice.roll(3)
    impact = step(shot.target, direction, length) if length else shot.target
    near = [piece for piece in targets if distance(impact, piece.cell) <= 2]
    rolls = tuple(Roll(piece, dice.roll(6)) for piece in near if _in_doubt(shot.bonus, impact, piece))
    fatal = {roll.piece for roll in rolls if roll.fatal}
    hits = tuple(piece for piece in near if piece in fatal or _surely_hit(shot.bonus, impact, piece))
    return Fired(shot, scatter, direction, length, impact, rolls, hits)


def first_hits(fired: Iterable[Fired]) -> dict[Piece, Hit]:
    """Each piece hit, credited to the first shot that hit it (T11)."""
    hits: dict[Piece, Hit] = {}
    for number, one in enumerate(fired):
        rolled = {roll.piece: roll.value for roll in one.rolls}
        for piece in one.hits:
            hits.setdefault(piece, Hit(piece, number, one.shot.seat, rolled.get(piece, 0)))
    return hits


def _surely_hit(bonus: Bonus | None, impact: Cell, piece: Piece) -> bool:
    if bonus == "stones":
        return piece.servant and explodes(impact, bonus, piece.cell)
    return distance(impact, piece.cell) <= (1 if piece.servant else 0)


def _in_doubt(bonus: Bonus | None, impact: Cell, piece: Piece) -> bool:
    """Whether a 4+ decides: the outer ring of `rock` for servants, the inner one of `fire` for trebuchets (T10)."""
    apart = distance(impact, piece.cell)
    return (bonus == "rock" and piece.servant and apart == 2) or (bonus == "fire" and not piece.servant and apart == 1)
