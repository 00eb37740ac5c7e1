"""The bench: a doctrine against the three house AIs, on both sides of all ten layouts (F30)."""

from dataclasses import dataclass
from typing import Final

from engine.games.feinthold.doctrine.evaluate import Trace, evaluate
from engine.games.feinthold.doctrine.house import HOUSE, house
from engine.games.feinthold.doctrine.language import Doctrine
from engine.games.feinthold.doctrine.noise import USUAL, noise_dice, noisy
from engine.games.feinthold.layouts import LAYOUTS, SIDES
from engine.games.feinthold.state import End, State, opening
from engine.games.feinthold.turn import Turn, play
from engine.games.feinthold.views import side_view

GAMES: Final = len(HOUSE) * len(SIDES) * len(LAYOUTS)


@dataclass(frozen=True, slots=True)
class Trial:
    """One game of the bench: the doctrine's side, its turns, how it ended, and the doctrine's traces turn by turn."""

    ai: str
    side: int
    layout: int
    turns: tuple[Turn, ...]
    end: End
    traces: tuple[tuple[Trace, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleSum:
    """What a rule did in all games together."""

    true: int
    acted: int
    trimmed: int
    skipped: int


def bench(doctrine: Doctrine, seed: bytes) -> tuple[Trial, ...]:
    """The 60 games, the same from the same seed."""
    return tuple(
        trial(doctrine, seed, ai, side, layout) for ai in HOUSE for side in range(len(SIDES)) for layout in LAYOUTS
    )


def trial(doctrine: Doctrine, seed: bytes, ai: str, side: int, layout: int) -> Trial:
    """One game of the bench; the house AI's noise follows from the seed and the game's place in the table."""
    rival = noisy(house(ai), USUAL, noise_dice(seed, f"{ai}/{SIDES[side]}/{layout}"))
    turns: list[Turn] = []
    traces: list[tuple[Trace, ...]] = []
    state: State = opening(layout)
    while state.end is None:
        own, trace = evaluate(side_view(state, side), doctrine)
        other, _ = evaluate(side_view(state, 1 - side), rival)
        turns.append(play(state, (own, other) if side == 0 else (other, own)))
        traces.append(trace)
        state = turns[-1].after
    return Trial(ai, side, layout, tuple(turns), state.end, tuple(traces))


def rule_sums(doctrine: Doctrine, trials: tuple[Trial, ...]) -> tuple[RuleSum, ...]:
    """For each rule of the doctrine: how often it was true, acted, was trimmed, was skipped."""
    sums = []
    for rule in range(len(doctrine.rules)):
        did = [trace[rule] for game in trials for trace in game.traces]
        sums.append(
            RuleSum(
                sum(one.true for one in did),
                sum(one.acted for one in did),
                sum(one.trimmed for one in did),
                sum(one.skipped for one in did),
            )
        )
    return tuple(sums)
