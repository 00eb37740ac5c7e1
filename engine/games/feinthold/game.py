"""Feinthold as a game of `engine.games.protocol`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.draws import Dice, pick
from engine.games.feinthold import sheet_json
from engine.games.feinthold.layouts import LAYOUTS, SIDES
from engine.games.feinthold.legality import faults
from engine.games.feinthold.report import report
from engine.games.feinthold.sheet import NO_ORDERS, Sheet
from engine.games.feinthold.state import State, opening
from engine.games.feinthold.turn import play
from engine.games.feinthold.views import View, players
from engine.games.protocol import Outcome, Pace, Resolved, Seat, Sent, Spec, Standing
from engine.times import HOUR, MINUTE, SECOND

SPEC: Final = Spec(
    name="feinthold",
    seats=SIDES,
    fewest=2,
    paces=MappingProxyType(
        {
            "blitz": Pace(live=True, turn=60 * SECOND, first=120 * SECOND),
            "rapid": Pace(live=True, turn=5 * MINUTE, first=5 * MINUTE),
            "days1": Pace(live=False, turn=24 * HOUR, first=24 * HOUR),
            "days2": Pace(live=False, turn=48 * HOUR, first=48 * HOUR),
            "days3": Pace(live=False, turn=72 * HOUR, first=72 * HOUR),
            "half_day": Pace(live=False, turn=12 * HOUR, first=12 * HOUR),
        }
    ),
    missed="pass",
    policies=("random", "doctrine", "sentinel", "pivot", "ram"),
    staked=True,
    secret=True,
    turns=8,
)


def start(options: Json, seats: int, dice: Dice, /) -> State:
    """The first turn of `options["layout"]` (1–10), or of a layout drawn; Malformed (`bad_layout`, `bad_seats`)."""
    if seats != len(SIDES):
        raise Malformed(Problem("bad_seats", field="seats"))
    unknown = set(options) - {"layout"}
    layout = options["layout"] if "layout" in options else pick(dice, tuple(LAYOUTS))
    if unknown or type(layout) is not int or layout not in LAYOUTS:
        raise Malformed(Problem("bad_layout", field="layout"))
    return opening(layout)


def standing(state: State, /) -> Standing:
    """Where the game stands; ties are broken by right predictions, then combats won (P21)."""
    end = state.end
    winner = None if end is None or end.winner is None else SIDES[end.winner]
    return Standing(
        turn=state.turn,
        stage="orders" if end is None else "over",
        awaits=SIDES if end is None else (),
        outcome=None if end is None else Outcome(winner, end.by),
        tallies={name: (state.predictions[side], state.combats[side]) for side, name in enumerate(SIDES)},
    )


def judge(view: View, raw: object, /) -> tuple[Problem, ...]:
    """Everything wrong with a sheet as it was sent: what can't be read, and what is illegal in the rest (F10)."""
    draft = sheet_json.read(raw)
    return (*draft.problems, *faults(players(view), draft.sheet, draft.dropped))


def check(view: View, orders: Sheet, /) -> tuple[Problem, ...]:
    """Everything illegal about the orders (F4–F9); ValueError for a view that is no side's."""
    return faults(players(view), orders)


def resolve(state: State, sent: Mapping[Seat, Sent[Sheet]], dice: Dice, /) -> Resolved[State]:
    """The turn these legal orders make (F12–F25), and each side's report; a seat left out holds still (F11)."""
    missed = tuple(name not in sent for name in SIDES)
    sheets = tuple(NO_ORDERS if name not in sent else sent[name].orders for name in SIDES)
    turn = play(state, (sheets[0], sheets[1]))
    return Resolved(turn.after, report(turn, (missed[0], missed[1])))


def retire(state: State, seat: Seat, why: str, /) -> Resolved[State]:
    """The state as it is: how a game of two ends early is the platform's affair (F26)."""
    return Resolved(state, ())
