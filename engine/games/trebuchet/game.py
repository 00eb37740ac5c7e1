"""The game from its start to its end: placement, draw, turns, departures (T1, T3, T5, T14)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.decisions import Json
from engine.errors import Refusal
from engine.games.draws import Dice
from engine.games.protocol import Fact, Pace, Resolved, Seat, Sent, Spec
from engine.games.trebuchet import wire
from engine.games.trebuchet.account import private, public, tell_absent, tell_end, tell_placement, tell_turn
from engine.games.trebuchet.board import Board, Unit, survivors
from engine.games.trebuchet.firing import Shot
from engine.games.trebuchet.grid import size
from engine.games.trebuchet.orders import Aim, Orders, Placement
from engine.games.trebuchet.setup import draw, settle
from engine.games.trebuchet.state import Loss, State
from engine.games.trebuchet.turn import Report, agree, play, remove
from engine.times import DAY

LONGEST: Final = 7  # days a turn may last (T5)

SPEC: Final = Spec(
    name="trebuchet",
    seats=tuple(f"p{number}" for number in range(1, wire.MOST + 1)),
    fewest=wire.FEWEST,
    paces={f"days{days}": Pace(live=False, turn=days * DAY) for days in range(1, LONGEST + 1)},
    missed="pass",
    policies=("random",),
    secret=True,
    texts=True,
    dated=("target",),
    spans={"placement_again": DAY},
)


def start(options: Json, seats: int, dice: Dice, /) -> State:
    """The field for 2 to 12 seats, before anybody is placed (T1); nothing is drawn yet. Refusal `bad_seats`."""
    if not wire.FEWEST <= seats <= wire.MOST:
        raise Refusal("bad_seats", seats=seats)
    return State(size(seats), SPEC.seats[:seats])


def resolve(state: State, sent: Mapping[Seat, Sent[Orders]], dice: Dice, /) -> Resolved[State]:
    """Draw the places, or play the turn; a game that is over stays as it is.

    Who sends no placement is out before the game begins; asked again, they keep their three places (T3). A turn in
    which every survivor agrees to end it is not fired (T14).
    """
    if state.outcome is not None:
        return Resolved(state, ())
    if state.board is None:
        return _place(state, _placements(sent), dice)
    return _turn(state, state.board, _aims(state.board, sent), dice)


def retire(state: State, seat: Seat, why: str, /) -> Resolved[State]:
    """Take a unit from the field as in T5; before the draw the seat does not begin. The fact `left` says why."""
    left = public("left", seat=seat, why=why)
    if state.outcome is not None or seat not in state.preparing:
        return Resolved(state, ())
    if state.board is None:
        plans = {other: plan for other, plan in state.plans.items() if other != seat}
        after = replace(state, absent=(*state.absent, seat), plans=plans)
    elif state.board.units[seat].out:
        return Resolved(state, ())
    else:
        after = replace(state, board=remove(state.board, seat))
    return Resolved(after, (left, *tell_end(after.outcome)))


def _placements(sent: Mapping[Seat, Sent[Orders]]) -> dict[Seat, Placement]:
    return {seat: one.orders for seat, one in sent.items() if isinstance(one.orders, Placement)}


def _aims(board: Board, sent: Mapping[Seat, Sent[Orders]]) -> dict[Seat, tuple[Aim, str]]:
    """The shots of those still in, in the order of the players, each with its day."""
    ordered = ((seat, sent[seat]) for seat in survivors(board.units) if seat in sent)
    return {seat: (one.orders, one.day) for seat, one in ordered if isinstance(one.orders, Aim)}


def _place(state: State, new: Mapping[Seat, Placement], dice: Dice) -> Resolved[State]:
    """T3: draw; ask all again if no draw is free; then draw what clashes among all free places."""
    again = state.stage == "placement_again"
    plans = {seat: plan for seat in state.preparing if (plan := new.get(seat) or state.plans.get(seat))}
    absent = tuple(seat for seat in state.preparing if seat not in plans)
    state = replace(state, plans=plans, absent=state.absent + absent)
    if state.outcome is not None:
        return Resolved(state, (*tell_absent(absent), *tell_end(state.outcome)))
    placed = draw(plans, dice)
    if placed is None and not again:
        asked = replace(state, stage="placement_again")
        return Resolved(asked, (*tell_absent(absent), public("asked_again")))
    placed = placed or settle(state.grid, plans, dice)
    board = Board(state.grid, 1, {seat: one.unit for seat, one in placed.items()})
    begun = replace(state, stage="play", board=board)
    return Resolved(begun, (*tell_absent(absent), *tell_placement(placed)))


def _turn(state: State, board: Board, aims: Mapping[Seat, tuple[Aim, str]], dice: Dice) -> Resolved[State]:
    votes = tuple(seat for seat, (aim, _) in aims.items() if aim.agree_end)
    if votes == survivors(board.units):
        ended = replace(state, board=agree(board))
        return Resolved(ended, (public("agreed"), *tell_end(ended.outcome)))
    chosen = replace(board, units=_chosen(board.units, aims))
    shots = [Shot(seat, aim.target, aim.bonus, day) for seat, (aim, day) in aims.items()]
    after, report = play(chosen, shots, dice)
    played = replace(state, board=after, losses=state.losses + _losses(board.turn, report))
    facts = (*_choices(aims), *tell_turn(chosen, after, report), *(public("end_offered", seat=seat) for seat in votes))
    return Resolved(played, (*facts, *tell_end(played.outcome)))


def _chosen(units: Mapping[Seat, Unit], aims: Mapping[Seat, tuple[Aim, str]]) -> dict[Seat, Unit]:
    """The units with the bonuses chosen in these orders, which work at once (T10)."""
    after = dict(units)
    for seat, (aim, _) in aims.items():
        new, unit = aim.choose, units[seat]
        if new:
            after[seat] = replace(unit, bonuses=unit.bonuses + new, had=unit.had + new, earned=unit.earned - len(new))
    return after


def _choices(aims: Mapping[Seat, tuple[Aim, str]]) -> tuple[Fact, ...]:
    return tuple(
        private(seat, "chosen", seat=seat, bonus=bonus) for seat, (aim, _) in aims.items() for bonus in aim.choose
    )


def _losses(turn: int, report: Report) -> tuple[Loss, ...]:
    hits = sorted(report.killed + report.destroyed, key=lambda hit: (hit.number, hit.piece.cell))
    return tuple(Loss(turn, hit.piece.seat, hit.piece.cell, hit.piece.servant, hit.by) for hit in hits)
