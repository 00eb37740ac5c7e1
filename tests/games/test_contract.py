"""The contract of `engine.games.protocol`, held by every registered game without naming one."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import registry
from engine.games.conduct import Step, conduct
from engine.games.draws import SeededDice
from engine.games.protocol import Sent

RANDOM = {"policy": "random"}
GAMES = pytest.mark.parametrize("name", sorted(registry.GAMES))
EXAMPLES = settings(max_examples=6, deadline=None)
seeds = st.integers(0, 2**32 - 1).map(lambda n: n.to_bytes(4, "big"))


def played(name: str, seed: bytes) -> tuple[Step, ...]:
    """A whole random game, with a number of seats that the seed chooses."""
    game = registry.game(name)
    seats = game.SPEC.fewest + seed[-1] % (len(game.SPEC.seats) - game.SPEC.fewest + 1)
    state = game.start({}, seats, SeededDice(seed, 0))
    return conduct(game, state, dict.fromkeys(game.SPEC.seats, RANDOM), seed)


def text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, allow_nan=False)


def sent(step: Step) -> dict[str, Sent[Any]]:
    return {seat: Sent(thought.orders) for seat, thought in step.thoughts.items()}


@GAMES
def test_the_registry_tells_of_it_what_it_says_itself(name: str) -> None:
    spec = registry.game(name).SPEC
    assert (name in registry.RIVALLED, name in registry.GUESTS) == (bool(spec.rivals), spec.guests)


@GAMES
def test_its_spec_is_complete(name: str) -> None:
    spec = registry.game(name).SPEC
    assert spec.name == name
    assert 2 <= spec.fewest <= len(spec.seats)
    assert spec.paces
    assert "random" in spec.policies
    for pace in spec.paces.values():
        assert (pace.total is None) == (pace.turn > 0)


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_play_ends_and_what_is_thought_is_legal(name: str, seed: bytes) -> None:
    game = registry.game(name)
    for step in played(name, seed):
        for seat, thought in step.thoughts.items():
            view = game.view(step.before, seat)
            assert game.check(view, thought.orders) == ()
            wire = text(game.write(thought.orders))
            again = game.parse(json.loads(wire))
            assert again == thought.orders
            assert text(game.write(again)) == wire


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_states_survive_dump_and_load(name: str, seed: bytes) -> None:
    game = registry.game(name)
    for step in played(name, seed):
        for state in (step.before, step.after):
            assert game.load(json.loads(text(game.dump(state)))) == state


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_resolving_is_deterministic_and_leaves_its_input_alone(name: str, seed: bytes) -> None:
    game = registry.game(name)
    for number, step in enumerate(played(name, seed), start=1):
        before = copy.deepcopy(step.before)
        resolved = game.resolve(step.before, sent(step), SeededDice(seed, number))
        assert (resolved.state, resolved.facts) == (step.after, step.facts)
        assert step.before == before


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_standings_awaken_the_right_seats(name: str, seed: bytes) -> None:
    game = registry.game(name)
    for step in played(name, seed):
        standing = game.standing(step.before)
        assert standing.outcome is None
        assert set(standing.awaits) <= set(standing.tallies) <= set(game.SPEC.seats)
    last = game.standing(step.after)
    assert last.outcome is not None
    assert last.awaits == ()


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_facts_are_known_to_seats_and_can_be_written(name: str, seed: bytes) -> None:
    seats = set(registry.game(name).SPEC.seats)
    for step in played(name, seed):
        for fact in step.facts:
            assert fact.known_to is None or set(fact.known_to) <= seats
            text(fact.detail)


@GAMES
@given(seed=seeds, other=seeds)
@EXAMPLES
def test_the_public_of_a_secret_game_can_tell_no_orders(name: str, seed: bytes, other: bytes) -> None:
    """Two worlds that differ in the orders of one turn look the same to those who play nothing (P14)."""
    game = registry.game(name)
    if not game.SPEC.secret:
        return
    step = played(name, seed)[0]
    rethought = {
        seat: Sent(game.think(game.view(step.before, seat), RANDOM, SeededDice(other + seat.encode(), 1)).orders)
        for seat in step.thoughts
    }
    world = game.resolve(step.before, rethought, SeededDice(seed, 1)).state
    if game.standing(world).outcome is None and game.standing(step.after).outcome is None:
        assert text(game.show(game.view(world, "public"))) == text(game.show(game.view(step.after, "public")))


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_a_turn_nobody_plays_can_be_resolved(name: str, seed: bytes) -> None:
    game = registry.game(name)
    if game.SPEC.missed == "pass":
        before = played(name, seed)[0].before
        game.load(game.dump(game.resolve(before, {}, SeededDice(seed, 1)).state))


@GAMES
@given(seed=seeds)
@EXAMPLES
def test_views_can_be_shown_to_all_eyes(name: str, seed: bytes) -> None:
    game = registry.game(name)
    for step in played(name, seed):
        for eyes in (*game.standing(step.before).tallies, "public", "all"):
            text(game.show(game.view(step.before, eyes)))
