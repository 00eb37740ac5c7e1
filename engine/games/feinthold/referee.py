"""The referee's Feinthold requests: one JSON object in, one out. Raises Malformed or Refusal(code)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.games.feinthold import sheet_json, view_json
from engine.games.feinthold.doctrine.evaluate import evaluate, notes
from engine.games.feinthold.doctrine.house import HOUSE, house
from engine.games.feinthold.doctrine.language import Doctrine
from engine.games.feinthold.doctrine.noise import USUAL, noise_dice, noisy
from engine.games.feinthold.doctrine.trials import RuleSum, Trial, rule_sums
from engine.games.feinthold.doctrine.trials import bench as trials_of
from engine.games.feinthold.doctrine.wire import parse as read_doctrine
from engine.games.feinthold.game import judge
from engine.games.feinthold.layouts import LAYOUTS, SIDES
from engine.games.feinthold.report import report
from engine.games.feinthold.sheet import NO_ORDERS, Sheet
from engine.games.feinthold.state import State, opening
from engine.games.feinthold.state_json import read_state, write_state
from engine.games.feinthold.turn import play
from engine.games.feinthold.views import SideView, side_view
from engine.games.protocol import Fact

Request = Mapping[str, Any]

_SENTENCES: Final[Mapping[str, str]] = {
    "not_enough_points": "The orders cost {cost} points; you have {have}.",
    "bad_position": "There is no such position.",
    "not_yours": "The position {at} is not yours.",
    "not_linked": "The relay {at} is not joined to your HQ through your positions.",
    "post": "Nothing is ever placed on a post ({at}).",
    "too_many_here": "At most {limit} units and decoys can be placed on {at} in a turn, not {placed}.",
    "not_adjacent": "No path leads from {at} to {to}.",
    "not_enough_units": "{ordered} units are ordered away from {at}; {have} are there.",
    "not_enough_decoys": "{ordered} decoys are ordered away from {at}; {have} are there.",
    "nothing_moves": "The move from {at} to {to} moves nothing.",
    "nothing_placed": "Nothing is placed on {at}.",
    "duplicate": "The same order is given twice for {at}.",
    "already_entrenched": "Your HQ is always entrenched.",
    "nothing_to_entrench": "No unit stays or is placed on {at} to entrench.",
    "own_position": "The position {at} is yours: there is nothing to scout.",
    "too_many_scouts": "At most {limit} positions can be scouted in a turn, not {ordered}.",
    "bad_number": "A number of units or decoys must be whole and not negative.",
    "bad_shape": "The orders are not written as they should be.",
}


def new(request: Request) -> Request:
    """`{"layout"}` → `{"state"}`."""
    layout = request.get("layout")
    if type(layout) is not int or layout not in LAYOUTS:
        raise Malformed(Problem("bad_layout", field="layout"))
    return {"state": write_state(opening(layout))}


def validate(request: Request) -> Request:
    """`{"state", "side", "orders"}` or `{"view", "orders"}` → `{"errors"}`; refused as `game_over`."""
    view = running_view(request)
    if "orders" not in request:
        raise Malformed(Problem("bad_request", field="orders"))
    return {"errors": [_error(problem) for problem in judge(view, request["orders"])]}


def resolve(request: Request) -> Request:
    """`{"state", "orders"}` → `{"state", "report"}`; refused as `game_over` or `illegal_orders`."""
    state = read_state(request.get("state"))
    if state.end is not None:
        raise Refusal("game_over")
    orders = request.get("orders")
    if not isinstance(orders, dict) or not set(orders) <= set(SIDES):
        raise Malformed(Problem("bad_request", field="orders"))
    sheets = (_legal(state, 0, orders.get("a")), _legal(state, 1, orders.get("b")))
    turn = play(state, sheets)
    facts = report(turn, (orders.get("a") is None, orders.get("b") is None))
    return {
        "state": write_state(turn.after),
        "report": {side: [_event(fact) for fact in facts if _knows(side, fact)] for side in SIDES},
    }


def view(request: Request) -> Request:
    """`{"state", "side"}` → `{"view"}`."""
    return {"view": view_json.show(_side_view(request))}


def running_view(request: Request) -> SideView:
    """The view a request asks about, given whole or as a state and a side; refused as `game_over`."""
    if "view" not in request:
        seen = _side_view(request)
    elif "state" in request:
        raise Malformed(Problem("bad_request", field="view"))
    else:
        seen = view_json.read_view(request["view"])
        if request.get("side", SIDES[seen.side]) != SIDES[seen.side]:
            raise Malformed(Problem("bad_side", field="side"))
    if seen.end is not None:
        raise Refusal("game_over")
    return seen


def doctrine(request: Request) -> Request:
    """`{"state", "side", "doctrine", "seed"}` → `{"orders", "rules"}` (F27–F29); refused as `game_over`.

    "view" serves in place of "state" and "side"; a house AI plays with the noise of the seed.
    """
    orders, traces = evaluate(running_view(request), _doctrine(request))
    return {"orders": sheet_json.write(orders), "rules": notes(traces)}


def bench(request: Request) -> Request:
    """`{"doctrine", "seed"}` → `{"games", "won", "drawn", "lost", "by", "rules"}` (F30).

    `by` lists the games: `ai`, `side` and `layout` of the table, `result` (won, drawn, lost), `end` (F25), `turns`.
    `rules` sums up what each rule did.
    """
    tested = _doctrine(request)
    trials = trials_of(tested, _seed(request))
    results = [_result(one) for one in trials]
    return {
        "games": len(trials),
        **{result: results.count(result) for result in ("won", "drawn", "lost")},
        "by": [_row(one) for one in trials],
        "rules": [_rule_row(i, one) for i, one in enumerate(rule_sums(tested, trials), start=1)],
    }


OPS: Final[Mapping[str, Callable[[Request], Request]]] = {
    "new": new,
    "validate": validate,
    "resolve": resolve,
    "view": view,
    "doctrine": doctrine,
    "bench": bench,
}


def _side_view(request: Request) -> SideView:
    state = read_state(request.get("state"))
    side = request.get("side")
    if not isinstance(side, str) or side not in SIDES:
        raise Malformed(Problem("bad_side", field="side"))
    return side_view(state, SIDES.index(side))


def _legal(state: State, side: int, raw: object) -> Sheet:
    if raw is None:
        return NO_ORDERS
    problems = judge(side_view(state, side), raw)
    if problems:
        raise Refusal("illegal_orders", problems, side=SIDES[side], first=problems[0].code)
    return sheet_json.parse(raw)


def _doctrine(request: Request) -> Doctrine:
    asked = request.get("doctrine")
    seed = _seed(request)
    if isinstance(asked, str):
        if asked not in HOUSE:
            raise Malformed(Problem("bad_doctrine", field="doctrine"))
        return noisy(house(asked), USUAL, noise_dice(seed, asked))
    try:
        return read_doctrine(asked)
    except Malformed as bad:
        fault = bad.problems[0]
        raise Malformed(Problem("bad_doctrine", field=fault.field, detail={"problem": fault.code})) from None


def _seed(request: Request) -> bytes:
    seed = request.get("seed", "")
    if not isinstance(seed, str):
        raise Malformed(Problem("bad_seed", field="seed"))
    return seed.encode("utf-8", "surrogatepass")


def _result(trial: Trial) -> str:
    winner = trial.end.winner
    return "drawn" if winner is None else "won" if winner == trial.side else "lost"


def _row(trial: Trial) -> Mapping[str, Any]:
    return {
        "ai": trial.ai,
        "side": SIDES[trial.side],
        "layout": trial.layout,
        "result": _result(trial),
        "end": trial.end.by,
        "turns": len(trial.turns),
    }


def _rule_row(number: int, did: RuleSum) -> Mapping[str, int]:
    return {
        "rule": number,
        "true": did.true,
        "acted": did.acted,
        "trimmed": did.trimmed,
        "skipped": did.skipped,
    }


def _error(problem: Problem) -> Mapping[str, Any]:
    message = _SENTENCES[problem.code].format(at=problem.at, **problem.detail)
    return {"code": problem.code, "at": problem.at, "message": message}


def _knows(side: str, fact: Fact) -> bool:
    return fact.known_to is None or side in fact.known_to


def _event(fact: Fact) -> Mapping[str, Any]:
    return {"event": fact.code, **fact.detail}
