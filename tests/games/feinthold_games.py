"""Random Feinthold games for Hypothesis, and half-turns of everything."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from engine.games import feinthold
from engine.games.conduct import Step, conduct
from engine.games.draws import SeededDice
from engine.games.feinthold.layouts import NEUTRAL, half_turn
from engine.games.feinthold.sheet import Sheet, sheet
from engine.games.feinthold.state import End, Seven, State

RANDOM = {"policy": "random"}
seeds = st.integers(0, 2**32 - 1).map(lambda n: n.to_bytes(4, "big"))
layouts = st.integers(1, 10)


def random_game(layout: int, seed: bytes) -> tuple[Step, ...]:
    """A whole game between two random players."""
    state = feinthold.start({"layout": layout}, 2, SeededDice(seed, 0))
    return conduct(feinthold, state, {"a": RANDOM, "b": RANDOM}, seed)


games = st.builds(random_game, layouts, seeds)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """One turn of a random game."""
    game = draw(games)
    step: Step = game[draw(st.integers(0, len(game) - 1))]
    return step


def turned(state: State) -> State:
    """The half-turn of a state: sides swapped, positions mirrored."""

    def swapped(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return (pair[1], pair[0])

    def mirrored(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return (pair[1][::-1], pair[0][::-1])

    return replace(
        state,
        flags=turned_flags(state.flags),
        units=mirrored(state.units),
        decoys=mirrored(state.decoys),
        points=swapped(state.points),
        income=swapped(state.income),
        predictions=swapped(state.predictions),
        combats=swapped(state.combats),
        seen=mirrored(state.seen),
        end=turned_end(state.end),
    )


def turned_flags(flags: Seven) -> Seven:
    """The half-turn of flags."""
    return tuple(flag if flag == NEUTRAL else 1 - flag for flag in reversed(flags))


def turned_end(end: End | None) -> End | None:
    """The half-turn of an outcome."""
    return end and End(None if end.winner is None else 1 - end.winner, end.by)


def turned_sheet(orders: Sheet) -> Sheet:
    """The half-turn of a sheet."""
    return sheet(
        [(half_turn(at), units, decoys) for at, units, decoys in orders.reinforce],
        [(half_turn(source), half_turn(to), units, decoys) for source, to, units, decoys in orders.move],
        [half_turn(at) for at in orders.entrench],
        [half_turn(at) for at in orders.scout],
        half_turn(orders.predict) if orders.predict >= 0 else -1,
    )
