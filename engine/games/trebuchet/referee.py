"""The referee's requests for Trébuchets: `field` and `resolve` with given dice."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.errors import Refusal
from engine.games.draws import GivenDice
from engine.games.trebuchet import wire
from engine.games.trebuchet.firing import Hit
from engine.games.trebuchet.grid import name, size
from engine.games.trebuchet.reading import bad, whole
from engine.games.trebuchet.turn import Report, play

Request = Mapping[str, Any]


def field(request: Request, /) -> dict[str, Any]:
    """The size of the field for `players` (T1); raises Malformed."""
    grid = size(whole(request.get("players"), wire.FEWEST, wire.MOST, "players"))
    return {"columns": grid.columns, "rows": grid.rows}


def resolve(request: Request, /) -> dict[str, Any]:
    """The state after the turn and its report (T5–T14).

    Rolls are taken from the front of `dice` and may be left over. Raises Malformed (`bad_dice` if there are too few or
    one does not fit its die), or Refusal `game_over`.
    """
    board = wire.read_board(request.get("state"))
    if board.outcome is not None:
        raise Refusal("game_over")
    shots = wire.read_shots(board, request.get("shots"))
    dice = GivenDice(wire.read_dice(request.get("dice")))
    try:
        after, report = play(board, shots, dice)
    except ValueError as error:
        raise bad("bad_dice", "dice") from error
    return {"state": wire.write_board(after), "report": _written(report)}


OPS: Final[Mapping[str, Callable[[Request], Mapping[str, Any]]]] = {"field": field, "resolve": resolve}


def _written(report: Report) -> dict[str, Any]:
    return {
        "impacts": [
            {"player": one.shot.seat, "cell": list(one.impact), "bonus": one.shot.bonus} for one in report.fired
        ],
        "killed": [_hit(hit) for hit in report.killed],
        "destroyed": [_hit(hit) for hit in report.destroyed],
        "eliminated": [{"player": fall.seat, "by": fall.by} for fall in report.eliminated],
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {"player": hit.piece.seat, "cell": name(hit.piece.cell), "by": hit.by}
