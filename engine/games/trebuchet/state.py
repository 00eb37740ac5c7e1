"""The state of a game from its setting up to its end, and its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

from engine.decisions import Json
from engine.games.protocol import Outcome, Seat, Standing
from engine.games.trebuchet import wire
from engine.games.trebuchet.board import Board, survivors
from engine.games.trebuchet.grid import WIDEST, Cell, Grid, name
from engine.games.trebuchet.orders import Placement, parse, write
from engine.games.trebuchet.reading import bad, cell_on, distinct, fields, flag, one_of, sequence, whole

Stage = Literal["placement", "placement_again", "play"]
STAGES: Final[tuple[Stage, ...]] = ("placement", "placement_again", "play")
VERSION: Final = 1

_STATE = ("version", "columns", "rows", "stage", "seats", "absent", "plans", "board", "survivors", "losses")
_LOSS = ("turn", "player", "cell", "servant", "by")


@dataclass(frozen=True, slots=True)
class Loss:
    """A servant killed or a trebuchet destroyed: what the map shows for good (T15)."""

    turn: int
    seat: Seat
    cell: Cell
    servant: bool
    by: Seat


@dataclass(frozen=True, slots=True)
class State:
    """A game. `absent` never prepared or left before the draw; `board` is there once the units stand on the field."""

    grid: Grid
    seats: tuple[Seat, ...]
    stage: Stage = "placement"
    absent: tuple[Seat, ...] = ()
    plans: Mapping[Seat, Placement] = field(default_factory=dict)
    board: Board | None = None
    losses: tuple[Loss, ...] = ()

    @property
    def turn(self) -> int:
        """The turn in play: 0 for the placement, −1 if it is asked for again, then from 1."""
        if self.board is not None:
            return self.board.turn
        return 0 if self.stage == "placement" else -1

    @property
    def preparing(self) -> tuple[Seat, ...]:
        """The seats that are there to begin."""
        return tuple(seat for seat in self.seats if seat not in self.absent)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended (T14): by `survivor`, `nobody`, `agreement`, or `cancelled` if fewer than two began."""
        if self.board is None:
            return Outcome(None, "cancelled") if len(self.preparing) < wire.FEWEST else None
        ended = self.board.outcome
        if ended is None:
            return None
        by = ("nobody", "survivor")[len(ended.survivors)] if len(ended.survivors) < wire.FEWEST else "agreement"
        winner = ended.survivors[0] if by == "survivor" else None
        return Outcome(winner, by, {"survivor": ended.survivors, "points": ended.points})


def standing(state: State, /) -> Standing:
    """Where the game stands; the tallies are the points."""
    outcome = state.outcome
    awaited = state.preparing if state.board is None else survivors(state.board.units)
    units = state.board.units if state.board else {}
    tallies = {seat: (units[seat].points if seat in units else 0,) for seat in state.seats}
    return Standing(state.turn, state.stage, () if outcome else awaited, outcome, tallies)


def dump(state: State, /) -> Json:
    """The whole state as JSON; `board` is the referee's S."""
    ended = state.board.outcome if state.board else None
    return {
        "version": VERSION,
        "columns": state.grid.columns,
        "rows": state.grid.rows,
        "stage": state.stage,
        "seats": list(state.seats),
        "absent": list(state.absent),
        "plans": {seat: write(plan) for seat, plan in state.plans.items()},
        "board": wire.write_board(state.board) if state.board else None,
        "survivors": list(ended.survivors) if ended else None,
        "losses": [write_loss(loss) for loss in state.losses],
    }


def write_loss(loss: Loss) -> dict[str, Any]:
    """A loss as JSON."""
    where = name(loss.cell)
    return {"turn": loss.turn, "player": loss.seat, "cell": where, "servant": loss.servant, "by": loss.by}


def load(raw: Json, /) -> State:
    """The state that `dump` wrote; raises Malformed."""
    read = fields(raw, _STATE, "state")
    whole(read["version"], VERSION, VERSION, "version")
    grid = Grid(whole(read["columns"], 1, WIDEST, "columns"), whole(read["rows"], 1, wire.TALLEST, "rows"))
    seats = wire.read_players(read["seats"])
    return State(
        grid,
        seats,
        cast("Stage", one_of(read["stage"], STAGES, "bad_stage", "stage")),
        _seats(seats, read["absent"], "absent"),
        _plans(seats, read["plans"]),
        _board(read),
        tuple(_loss(grid, seats, one) for one in sequence(read["losses"], "losses")),
    )


def _seats(seats: tuple[Seat, ...], raw: object, at: str) -> tuple[Seat, ...]:
    return distinct([one_of(one, seats, "bad_player", at) for one in sequence(raw, at)], at)


def _plans(seats: tuple[Seat, ...], raw: object) -> dict[Seat, Placement]:
    if not isinstance(raw, Mapping):
        raise bad("bad_shape", "plans")
    read = {one_of(seat, seats, "bad_player", "plans"): parse(plan) for seat, plan in raw.items()}
    if not all(isinstance(plan, Placement) for plan in read.values()):
        raise bad("bad_shape", "plans")
    return cast("dict[Seat, Placement]", read)


def _board(read: Json) -> Board | None:
    if (read["board"] is None) is (read["stage"] == "play"):
        raise bad("bad_stage", "board")
    if read["board"] is None:
        return None
    board = wire.read_board(read["board"])
    if board.grid != (read["columns"], read["rows"]):
        raise bad("bad_shape", "board")
    if (board.outcome is None) is not (read["survivors"] is None):
        raise bad("bad_shape", "survivors")
    if board.outcome is None:
        return board
    left = _seats(tuple(board.units), read["survivors"], "survivors")
    return replace(board, outcome=replace(board.outcome, survivors=left))


def _loss(grid: Grid, seats: tuple[Seat, ...], raw: object) -> Loss:
    loss = fields(raw, _LOSS, "losses")
    return Loss(
        whole(loss["turn"], 1, wire.LARGEST, "losses"),
        one_of(loss["player"], seats, "bad_player", "losses"),
        cell_on(grid, loss["cell"], "losses"),
        flag(loss["servant"], "losses"),
        one_of(loss["by"], seats, "bad_player", "losses"),
    )
