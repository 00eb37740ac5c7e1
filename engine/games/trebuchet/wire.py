"""Boards, shots and dice as the referee's JSON, read strictly: what is no legal value is Malformed."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, cast

from engine.games.protocol import Seat
from engine.games.trebuchet.board import PATIENCE, Board, Honours, Impact, Unit, survivors
from engine.games.trebuchet.firing import Shot, pieces
from engine.games.trebuchet.grid import BONUSES, OFFENSIVE, WIDEST, Bonus, Grid, distance, name
from engine.games.trebuchet.reading import bad, bonuses, cell_on, distinct, fields, flag, one_of, sequence, whole

FEWEST: Final = 2
MOST: Final = 12
TALLEST: Final = 99
SERVANTS: Final = 3
FARTHEST: Final = 3  # cells a shot may scatter, so also how far off the field it falls
LARGEST: Final = 10**9  # keeps counters whole numbers of a sane size

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_BOARD = ("columns", "rows", "turn", "players", "units", "impacts", "shown", "outcome")
_UNIT = ("trebuchet", "standing", "servants", "out", "points", "bonuses", "had", "earned", "missed")


def write_board(board: Board) -> dict[str, Any]:
    """The board as the referee's state S."""
    return {
        "columns": board.grid.columns,
        "rows": board.grid.rows,
        "turn": board.turn,
        "players": list(board.units),
        "units": {seat: write_unit(unit) for seat, unit in board.units.items()},
        "impacts": [write_impact(impact) for impact in board.impacts],
        "shown": [name(cell) for cell in board.shown],
        "outcome": write_outcome(board.outcome),
    }


def write_unit(unit: Unit) -> dict[str, Any]:
    """A unit as JSON."""
    return {
        "trebuchet": name(unit.trebuchet),
        "standing": unit.standing,
        "servants": [name(cell) for cell in unit.servants],
        "out": unit.out,
        "points": unit.points,
        "bonuses": list(unit.bonuses),
        "had": list(unit.had),
        "earned": unit.earned,
        "missed": unit.missed,
    }


def write_impact(impact: Impact) -> dict[str, Any]:
    """An impact as JSON: its cell is [column, row], which may lie off the field."""
    return {"turn": impact.turn, "player": impact.seat, "cell": list(impact.cell), "bonus": impact.bonus}


def write_outcome(outcome: Honours | None) -> dict[str, Any] | None:
    """The outcome as JSON; `survivor` is null unless exactly one was left."""
    if outcome is None:
        return None
    alone = outcome.survivors[0] if len(outcome.survivors) == 1 else None
    return {"survivor": alone, "points": list(outcome.points)}


def read_board(raw: object) -> Board:
    """The board of a state S; raises Malformed unless every rule about positions, bonuses and counters holds."""
    state = fields(raw, _BOARD, "state")
    grid = Grid(whole(state["columns"], 1, WIDEST, "columns"), whole(state["rows"], 1, TALLEST, "rows"))
    turn = whole(state["turn"], 1, LARGEST, "turn")
    players = read_players(state["players"])
    by_seat = fields(state["units"], players, "units")
    units = {seat: read_unit(grid, by_seat[seat], f"units.{seat}") for seat in players}
    outcome = _outcome(players, state["outcome"])
    latest = turn - 1 if outcome is None else turn
    impacts = tuple(read_impact(grid, latest, players, one) for one in sequence(state["impacts"], "impacts"))
    shown = distinct([cell_on(grid, one, "shown") for one in sequence(state["shown"], "shown")], "shown")
    board = Board(grid, turn, units, impacts, shown, outcome)
    _consistent(board)
    return board


def read_unit(grid: Grid, raw: object, at: str) -> Unit:
    """A unit; raises Malformed if it can't be one: servants apart from the trebuchet, bonuses never had, and so on."""
    unit = fields(raw, _UNIT, at)
    servants = tuple(cell_on(grid, one, f"{at}.servants") for one in sequence(unit["servants"], f"{at}.servants"))
    read = Unit(
        cell_on(grid, unit["trebuchet"], f"{at}.trebuchet"),
        servants,
        flag(unit["standing"], f"{at}.standing"),
        flag(unit["out"], f"{at}.out"),
        whole(unit["points"], 0, LARGEST, f"{at}.points"),
        bonuses(unit["bonuses"], f"{at}.bonuses"),
        bonuses(unit["had"], f"{at}.had"),
        whole(unit["earned"], 0, LARGEST, f"{at}.earned"),
        whole(unit["missed"], 0, PATIENCE, f"{at}.missed"),
    )
    _credible(read, at)
    return read


def read_shots(board: Board, raw: object) -> tuple[Shot, ...]:
    """The shots of a turn; raises Malformed if one may not be fired (T6, T10) or a player has two."""
    shots = tuple(_shot(board, one, f"shots.{i}") for i, one in enumerate(sequence(raw, "shots")))
    distinct([shot.seat for shot in shots], "shots")
    return shots


def read_dice(raw: object) -> tuple[int, ...]:
    """The given rolls, whole numbers; whether each fits its die shows when it is taken."""
    return tuple(whole(one, -LARGEST, LARGEST, "dice") for one in sequence(raw, "dice"))


def read_players(raw: object) -> tuple[Seat, ...]:
    """Two to twelve different names; `bad_players`, `duplicate`."""
    players = sequence(raw, "players")
    if not FEWEST <= len(players) <= MOST or not all(isinstance(one, str) and one for one in players):
        raise bad("bad_players", "players")
    return distinct(players, "players")


def read_impact(grid: Grid, latest: int, players: Sequence[Seat], raw: object) -> Impact:
    """An impact of turn 1 to `latest`, at most three cells off the field (T8)."""
    impact = fields(raw, ("turn", "player", "cell", "bonus"), "impacts")
    cell = sequence(impact["cell"], "impacts")
    if len(cell) != len(grid):
        raise bad("bad_cell", "impacts")
    column, row = (whole(cell[i], 1 - FARTHEST, grid[i] + FARTHEST, "impacts") for i in range(2))
    return Impact(
        whole(impact["turn"], 1, latest, "impacts"),
        one_of(impact["player"], players, "bad_player", "impacts"),
        (column, row),
        offensive(impact["bonus"], "impacts"),
    )


def offensive(raw: object, at: str) -> Bonus | None:
    """The bonus of a shot, or none; `bad_bonus`, and `not_offensive` for the shield (T10)."""
    if raw is None:
        return None
    if one_of(raw, BONUSES, "bad_bonus", at) not in OFFENSIVE:
        raise bad("not_offensive", at)
    return cast("Bonus", raw)


def _outcome(players: Sequence[Seat], raw: object) -> Honours | None:
    if raw is None:
        return None
    outcome = fields(raw, ("survivor", "points"), "outcome")
    alone = outcome["survivor"]
    left = () if alone is None else (one_of(alone, players, "bad_player", "outcome"),)
    points = [one_of(one, players, "bad_player", "outcome") for one in sequence(outcome["points"], "outcome")]
    return Honours(left, distinct(points, "outcome"))


def _shot(board: Board, raw: object, at: str) -> Shot:
    """One shot by a player still in, at a cell that is not the own trebuchet's, with a bonus held if any (T6, T10)."""
    shot = fields(raw, ("player", "target", "bonus", "day"), at)
    seat = one_of(shot["player"], tuple(board.units), "bad_player", at)
    unit, target, bonus = board.units[seat], cell_on(board.grid, shot["target"], at), offensive(shot["bonus"], at)
    if unit.out:
        raise bad("out", at)
    if target == unit.trebuchet:
        raise bad("own_cell", at)
    if bonus is not None and bonus not in unit.bonuses:
        raise bad("not_held", at)
    return Shot(seat, target, bonus, _day(shot["day"], at))


def _day(raw: object, at: str) -> str:
    try:
        if not isinstance(raw, str) or not _DAY.fullmatch(raw):
            raise bad("bad_day", at)
        date.fromisoformat(raw)
    except ValueError as error:
        raise bad("bad_day", at) from error
    return raw


def _credible(unit: Unit, at: str) -> None:
    """Refuse a unit that no game can hold: T2, T5, T10, T12, T13."""
    apart = any(distance(unit.trebuchet, cell) != 1 for cell in unit.servants)
    if apart or len(unit.servants) > SERVANTS:
        raise bad("bad_servants", at)
    if not set(unit.bonuses) <= set(unit.had):
        raise bad("never_had", at)
    if unit.out != (not unit.servants) or not (unit.standing or unit.out):
        raise bad("bad_out", at)
    if unit.missed >= PATIENCE and not unit.out:
        raise bad("bad_missed", at)


def _consistent(board: Board) -> None:
    """Refuse overlapping units, revealed servants that are nowhere, a game that should have ended (T3, T12, T14)."""
    distinct([piece.cell for piece in pieces(board.units)], "units")
    distinct([unit.trebuchet for unit in board.units.values()], "units")
    if not set(board.shown) <= {cell for unit in board.units.values() for cell in unit.servants}:
        raise bad("bad_shown", "shown")
    if board.outcome is None and len(survivors(board.units)) < FEWEST:
        raise bad("no_outcome", "outcome")
