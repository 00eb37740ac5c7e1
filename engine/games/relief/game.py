"""Relief as a game of `engine.games.protocol`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.draws import Dice, pick
from engine.games.protocol import Fact, Pace, Resolved, Seat, Sent, Spec, Standing, Thought
from engine.games.relief.boards import BOARDS
from engine.games.relief.cells import NAMES, OFF
from engine.games.relief.computer import LEVELS, best_move
from engine.games.relief.orders import Order
from engine.games.relief.pieces import SIDES, Side
from engine.games.relief.rules import Played, play
from engine.games.relief.state import State, opening, points_of, position_of
from engine.games.relief.views import View
from engine.times import DAY, MINUTE, SECOND

SPEC: Final = Spec(
    name="relief",
    seats=SIDES,
    fewest=2,
    paces=MappingProxyType(
        {
            "live": Pace(live=True, total=10 * MINUTE, absence=90 * SECOND),
            **{f"days{n}": Pace(live=False, turn=n * DAY, first=n * DAY) for n in (1, 2, 3)},
        }
    ),
    missed="lose",
    policies=("random", "computer"),
    agreed_draw=True,
    secret=False,
    options=MappingProxyType({"board": tuple(BOARDS)}),
    rivals=MappingProxyType({f"level{level}": {"policy": "computer", "level": level} for level in LEVELS}),
    thinks_later=True,
    friendly=True,
    guests=True,
    word="move",
)


def start(options: Json, seats: int, dice: Dice, /) -> State:
    """The start on `options["board"]`, or on a board drawn (L1, L2); Malformed (`bad_board`, `bad_seats`)."""
    if seats != len(SIDES):
        raise Malformed(Problem("bad_seats", field="seats"))
    board = options["board"] if "board" in options else pick(dice, tuple(BOARDS))
    if set(options) - {"board"} or not isinstance(board, str) or board not in BOARDS:
        raise Malformed(Problem("bad_board", field="board"))
    return opening(board)


def standing(state: State, /) -> Standing:
    """Where the game stands: each move is a turn; points, then the most advanced piece break ties (L13)."""
    over = state.outcome is not None
    position = position_of(state)
    return Standing(
        turn=state.ply if over else state.ply + 1,
        stage="over" if over else "move",
        awaits=() if over else (state.to_move,),
        outcome=state.outcome,
        tallies={name: (position.points[side], position.advance(side)) for side, name in enumerate(SIDES)},
    )


def think(view: View, policy: Json, dice: Dice, /) -> Thought[Order]:
    """A move by the policy `random`, or `computer` with its `level` 1–3; Malformed (`bad_policy`, `bad_level`)."""
    name, level = policy.get("policy"), policy.get("level")
    if name == "random":
        return Thought(Order(pick(dice, view.moves).move))
    if name != "computer":
        raise Malformed(Problem("bad_policy", field="policy"))
    if type(level) is not int or level not in LEVELS:
        raise Malformed(Problem("bad_level", field="level"))
    found = best_move(view.state, level, dice)
    return Thought(Order(found.move), ({"score": found.score, "depth": found.depth, "nodes": found.nodes},))


def resolve(state: State, sent: Mapping[Seat, Sent[Order]], dice: Dice, /) -> Resolved[State]:
    """The state after the move (L3–L13). Without one it stays as it is: the clock decides (L14, L15)."""
    side = state.to_move
    if side not in sent or state.outcome:
        return Resolved(state, ())
    move = sent[side].orders.move
    after, played = play(state, move)
    return Resolved(after, _facts(side, move, played, after))


def retire(state: State, seat: Seat, why: str, /) -> Resolved[State]:
    """The state as it is: how a game of two ends early is the platform's affair."""
    return Resolved(state, ())


def _facts(side: Side, move: int, played: Played, after: State) -> tuple[Fact, ...]:
    """What is told of a move: `passed`, `left`, `captured` or `moved`, then `ended`."""
    told = [_told(side, move, played, after)]
    if after.outcome:
        red, blue = points_of(after)
        how = {"winner": after.outcome.winner, "by": after.outcome.by, "red": red, "blue": blue}
        told.append(Fact("ended", how, None))
    return tuple(told)


def _told(side: Side, move: int, played: Played, after: State) -> Fact:
    if not played.piece:
        return Fact("passed", {"side": side}, None)
    start, end = move >> 7, move & 127
    who = {"side": side, "piece": played.piece, "from": NAMES[start]}
    if end == OFF:
        return Fact("left", {**who, "points": points_of(after)[SIDES.index(side)]}, None)
    if played.attack is None:
        return Fact("moved", {**who, "to": NAMES[end]}, None)
    attack, defence = played.attack
    return Fact(
        "captured", {**who, "to": NAMES[end], "victim": played.victim, "attack": attack, "defence": defence}, None
    )
