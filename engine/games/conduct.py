"""A whole game between policies: for tests, benches and figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.decisions import Json
from engine.games.draws import SeededDice
from engine.games.protocol import Fact, Game, Seat, Sent, Thought


@dataclass(frozen=True, slots=True)
class Step:
    """One resolution: the state before it, what each seat thought, the state after it and the facts."""

    before: Any
    thoughts: Mapping[Seat, Thought[Any]]
    after: Any
    facts: tuple[Fact, ...]


def conduct(
    game: Game[Any, Any, Any], state: Any, policies: Mapping[Seat, Json], seed: bytes, most: int = 1_000
) -> tuple[Step, ...]:
    """Every step from this state to the end; ValueError if `most` steps do not end it.

    Policies draw from dice of their own seat and step, the game from those of the step: all of it follows from `seed`.
    """
    steps: list[Step] = []
    while (standing := game.standing(state)).outcome is None:
        if len(steps) == most:
            raise ValueError(f"{game.SPEC.name} goes on after {most} steps")
        number = len(steps) + 1
        thoughts = {
            seat: game.think(game.view(state, seat), policies[seat], SeededDice(seed + seat.encode(), number))
            for seat in standing.awaits
        }
        sent = {seat: Sent(thought.orders) for seat, thought in thoughts.items()}
        resolved = game.resolve(state, sent, SeededDice(seed, number))
        steps.append(Step(state, thoughts, resolved.state, resolved.facts))
        state = resolved.state
    return tuple(steps)
