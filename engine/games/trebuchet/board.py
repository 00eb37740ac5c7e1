"""The values of a game in play: units, impacts, the board, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.protocol import Seat
from engine.games.trebuchet.grid import Bonus, Cell, Grid

TREBUCHET_POINTS = 3
SERVANT_POINTS = 1
PATIENCE = 3  # turns in a row without a shot after which a player leaves (T5)


@dataclass(frozen=True, slots=True)
class Unit:
    """A player's trebuchet and living servants, with the score and the bonuses.

    `had` lists every bonus ever chosen, `bonuses` those not used yet, `earned` counts eliminations not yet turned into
    one. The cell of a wreck or of a removed trebuchet is kept; `standing` is then false.
    """

    trebuchet: Cell
    servants: tuple[Cell, ...]
    standing: bool = True
    out: bool = False
    points: int = 0
    bonuses: tuple[Bonus, ...] = ()
    had: tuple[Bonus, ...] = ()
    earned: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Impact:
    """Where a shot of a turn fell, on the field or off it."""

    turn: int
    seat: Seat
    cell: Cell
    bonus: Bonus | None


@dataclass(frozen=True, slots=True)
class Honours:
    """How a game ended: the last survivor (several by agreement, none if the last went out together), most points."""

    survivors: tuple[Seat, ...]
    points: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A game in play. `shown` are the cells where a servant that a shield revealed still stands (T12)."""

    grid: Grid
    turn: int
    units: Mapping[Seat, Unit]  # in the order of the players
    impacts: tuple[Impact, ...] = ()
    shown: tuple[Cell, ...] = ()
    outcome: Honours | None = None


def survivors(units: Mapping[Seat, Unit]) -> tuple[Seat, ...]:
    """The players still in."""
    return tuple(seat for seat, unit in units.items() if not unit.out)


def leaders(units: Mapping[Seat, Unit]) -> tuple[Seat, ...]:
    """Everybody with most points, those out too (T14)."""
    most = max(unit.points for unit in units.values())
    return tuple(seat for seat, unit in units.items() if unit.points == most)
