"""A turn of the game: shots, shields, points, eliminations, departures, the end (T5, T11–T14)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.games.draws import Dice
from engine.games.protocol import Seat
from engine.games.trebuchet.board import (
    PATIENCE,
    SERVANT_POINTS,
    TREBUCHET_POINTS,
    Board,
    Honours,
    Impact,
    Unit,
    leaders,
    survivors,
)
from engine.games.trebuchet.firing import Fired, Hit, Piece, Shot, fire, first_hits, in_order, pieces
from engine.games.trebuchet.grid import Cell
from engine.games.trebuchet.shields import Shielded, moved, shield


@dataclass(frozen=True, slots=True)
class Fall:
    """An elimination and who is credited: oneself for one's own, None if the unit was removed (T13, T5)."""

    seat: Seat
    by: Seat | None


@dataclass(frozen=True, slots=True)
class Report:
    """What happened in a turn, all in firing order; hits and eliminations then by column and row, removals last."""

    fired: tuple[Fired, ...]
    killed: tuple[Hit, ...]
    destroyed: tuple[Hit, ...]
    shields: tuple[Shielded, ...]
    eliminated: tuple[Fall, ...]


def play(board: Board, shots: Iterable[Shot], dice: Dice) -> tuple[Board, Report]:
    """The board after a turn, and what happened. Dice: order of the shots, each shot, then the shields (T7–T12)."""
    targets = pieces(board.units)
    fired = tuple(fire(shot, targets, dice) for shot in in_order(shots, tuple(board.units), dice))
    hits = first_hits(fired)
    shields = shield(board, fired, hits.keys(), dice)
    saved = {one.saved for one in shields}
    listed = sorted(hits.values(), key=lambda hit: (hit.number, hit.piece.cell))
    killed = tuple(hit for hit in listed if hit.piece.servant and hit.piece not in saved)
    destroyed = tuple(hit for hit in listed if not hit.piece.servant)
    units = _scored(_struck(moved(_spent(board.units, fired), shields), killed + destroyed), killed + destroyed)
    units, falls = _eliminated(units, killed, destroyed)
    units, departures = _departed(units, {one.shot.seat for one in fired})
    impacts = tuple(Impact(board.turn, one.shot.seat, one.impact, one.shot.bonus) for one in fired)
    after = replace(board, units=units, impacts=board.impacts + impacts, shown=_shown(board, units, shields))
    return _onward(after), Report(fired, killed, destroyed, shields, falls + departures)


def remove(board: Board, seat: Seat) -> Board:
    """The board once a player has left between turns; nobody scores, and the game may be over (T5)."""
    units = {**board.units, seat: _gone(board.units[seat])}
    outcome = _outcome(units) if board.outcome is None else board.outcome
    return replace(board, units=units, shown=_shown(board, units, ()), outcome=outcome)


def agree(board: Board) -> Board:
    """The board once all survivors have agreed to end the game: they share the first honour (T14)."""
    return replace(board, outcome=Honours(survivors(board.units), leaders(board.units)))


def _spent(units: Mapping[Seat, Unit], fired: Iterable[Fired]) -> dict[Seat, Unit]:
    after = dict(units)
    for one in fired:
        unit = after[one.shot.seat]
        left = tuple(bonus for bonus in unit.bonuses if bonus != one.shot.bonus)
        after[one.shot.seat] = replace(unit, bonuses=left)
    return after


def _struck(units: Mapping[Seat, Unit], hits: Iterable[Hit]) -> dict[Seat, Unit]:
    """The units without what was hit; a saved servant stands elsewhere already."""
    lost: dict[Seat, list[Piece]] = {}
    for hit in hits:
        lost.setdefault(hit.piece.seat, []).append(hit.piece)
    after = dict(units)
    for seat, gone in lost.items():
        unit, dead = units[seat], {piece.cell for piece in gone}
        servants = tuple(cell for cell in unit.servants if cell not in dead)
        after[seat] = replace(unit, servants=servants, standing=unit.standing and all(piece.servant for piece in gone))
    return after


def _scored(units: Mapping[Seat, Unit], hits: Iterable[Hit]) -> dict[Seat, Unit]:
    """The units with the points of these hits: 3 for a trebuchet, 1 for a servant, nothing for one's own (T11)."""
    after = dict(units)
    for hit in hits:
        if hit.by != hit.piece.seat:
            worth = SERVANT_POINTS if hit.piece.servant else TREBUCHET_POINTS
            after[hit.by] = replace(after[hit.by], points=after[hit.by].points + worth)
    return after


def _eliminated(
    units: Mapping[Seat, Unit], killed: Iterable[Hit], destroyed: Iterable[Hit]
) -> tuple[dict[Seat, Unit], tuple[Fall, ...]]:
    """Put out every player without trebuchet or without servants, and credit the shot that did it first (T13)."""
    last = {hit.piece.seat: hit for hit in killed}
    wrecked = {hit.piece.seat: hit for hit in destroyed}
    decisive: list[tuple[Hit, Seat]] = []
    for seat, unit in units.items():
        if not unit.out and not (unit.standing and unit.servants):
            ways = [wrecked[seat]] if seat in wrecked else []
            ways += [] if unit.servants else [last[seat]]
            decisive.append((min(ways, key=lambda hit: hit.number), seat))
    decisive.sort(key=lambda fall: (fall[0].number, units[fall[1]].trebuchet))
    after = dict(units)
    for hit, seat in decisive:
        after[seat] = replace(after[seat], servants=(), out=True)
        if hit.by != seat:
            after[hit.by] = replace(after[hit.by], earned=after[hit.by].earned + 1)
    return after, tuple(Fall(seat, hit.by) for hit, seat in decisive)


def _departed(units: Mapping[Seat, Unit], shooters: set[Seat]) -> tuple[dict[Seat, Unit], tuple[Fall, ...]]:
    """Count the turns without a shot of those still in, and remove who missed the third in a row (T5)."""
    after = dict(units)
    gone: list[Seat] = []
    for seat in survivors(units):
        missed = 0 if seat in shooters else units[seat].missed + 1
        after[seat] = replace(units[seat], missed=missed)
        if missed >= PATIENCE:
            after[seat] = _gone(after[seat])
            gone.append(seat)
    gone.sort(key=lambda seat: units[seat].trebuchet)
    return after, tuple(Fall(seat, None) for seat in gone)


def _gone(unit: Unit) -> Unit:
    return replace(unit, servants=(), standing=False, out=True)


def _shown(board: Board, units: Mapping[Seat, Unit], shields: Iterable[Shielded]) -> tuple[Cell, ...]:
    """The revealed servants that still stand where the map shows them, and those a shield has just revealed (T12)."""
    revealed = tuple(one.cell for one in shields if one.cell is not None and one.shown)
    standing = {cell for unit in units.values() for cell in unit.servants}
    return tuple(cell for cell in board.shown + revealed if cell in standing)


def _onward(board: Board) -> Board:
    """The next turn, or the same one with the outcome if at most one player is left (T14)."""
    outcome = _outcome(board.units)
    return replace(board, outcome=outcome) if outcome else replace(board, turn=board.turn + 1)


def _outcome(units: Mapping[Seat, Unit]) -> Honours | None:
    left = survivors(units)
    return Honours(left, leaders(units)) if len(left) <= 1 else None
