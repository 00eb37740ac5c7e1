"""What each may see: the own unit, the map, the scores; everything when the game is over (T4, T15)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.decisions import Json
from engine.games.protocol import Eyes, Outcome, Seat
from engine.games.trebuchet.board import Impact, Unit
from engine.games.trebuchet.grid import BONUSES, OFFENSIVE, Bonus, Cell, Grid, name, row_major
from engine.games.trebuchet.orders import Placement, write
from engine.games.trebuchet.state import Loss, Stage, State, write_loss
from engine.games.trebuchet.wire import write_impact, write_unit


@dataclass(frozen=True, slots=True)
class Player:
    """What everybody knows of a player; `absent` ones did not begin."""

    seat: Seat
    points: int
    out: bool
    absent: bool


@dataclass(frozen=True, slots=True)
class View:
    """The game in certain eyes. `units` and `plans` hold the own ones alone until the game is over.

    `shown` are living servants that a shield revealed, nobody knows whose (T12); they stand in reading order.
    """

    eyes: Eyes
    grid: Grid
    stage: Stage
    turn: int
    players: tuple[Player, ...]
    impacts: tuple[Impact, ...]
    losses: tuple[Loss, ...]
    shown: tuple[Cell, ...]
    units: Mapping[Seat, Unit]
    plans: Mapping[Seat, Placement]
    outcome: Outcome | None

    @property
    def own(self) -> Unit | None:
        """The unit of the eyes' own seat, if they have one on the field."""
        return self.units.get(self.eyes)


def view(state: State, eyes: Eyes, /) -> View:
    """What these eyes may see: T15's map, the own unit, and all units for "all" or once the game is over."""
    board, outcome = state.board, state.outcome
    units: Mapping[Seat, Unit] = board.units if board else {}
    players = tuple(
        Player(
            seat,
            units[seat].points if seat in units else 0,
            seat in state.absent or (seat in units and units[seat].out),
            seat in state.absent,
        )
        for seat in state.seats
    )
    everything = eyes == "all" or outcome is not None
    return View(
        eyes,
        state.grid,
        state.stage,
        state.turn,
        players,
        board.impacts if board else (),
        state.losses,
        tuple(sorted(board.shown, key=row_major)) if board else (),
        {seat: unit for seat, unit in units.items() if everything or seat == eyes},
        {seat: plan for seat, plan in state.plans.items() if everything or seat == eyes},
        outcome,
    )


def may_fire(unit: Unit) -> tuple[Bonus, ...]:
    """The bonuses a shot may carry now (T10)."""
    return tuple(bonus for bonus in unit.bonuses if bonus in OFFENSIVE)


def may_choose(unit: Unit) -> tuple[Bonus, ...]:
    """The bonuses an elimination may be turned into: none once the player is out or has had all four (T10)."""
    return tuple(bonus for bonus in BONUSES if unit.earned and not unit.out and bonus not in unit.had)


def show(view: View, /) -> Json:
    """A view as JSON."""
    outcome = view.outcome
    return {
        "eyes": view.eyes,
        "columns": view.grid.columns,
        "rows": view.grid.rows,
        "stage": view.stage,
        "turn": view.turn,
        "players": [
            {"seat": one.seat, "points": one.points, "out": one.out, "absent": one.absent} for one in view.players
        ],
        "impacts": [write_impact(impact) for impact in view.impacts],
        "losses": [write_loss(loss) for loss in view.losses],
        "shown": [name(cell) for cell in view.shown],
        "units": {seat: write_unit(unit) for seat, unit in view.units.items()},
        "plans": {seat: write(plan) for seat, plan in view.plans.items()},
        "legal": _legal(view),
        "outcome": None
        if outcome is None
        else {
            "winner": outcome.winner,
            "by": outcome.by,
            "honours": {honour: list(seats) for honour, seats in outcome.honours.items()},
        },
    }


def _legal(view: View) -> dict[str, Any] | None:
    """What the own seat may send: any cell but `not_at`, one of `bonus`, `choices` of `choose`; None if nothing."""
    own = view.own
    if own is None or own.out or view.outcome is not None:
        return None
    choose = may_choose(own)
    return {
        "not_at": name(own.trebuchet),
        "bonus": list(may_fire(own)),
        "choose": list(choose),
        "choices": min(own.earned, len(choose)),
    }
