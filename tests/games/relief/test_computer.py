"""The computer player: wins it must not miss, the same answer for the same dice, budgets kept, better than chance."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Malformed
from engine.games import relief
from engine.games.conduct import conduct
from engine.games.draws import SeededDice
from engine.games.relief.boards import BOARDS
from engine.games.relief.cells import move_name, named_move
from engine.games.relief.codec import read
from engine.games.relief.computer import LEVELS, best_move, met_before
from engine.games.relief.evaluation import tables_of
from engine.games.relief.rules import legal, play
from engine.games.relief.search import SURE, Search
from engine.games.relief.state import State, opening, position_of
from tests.games.relief.brute import wins_in_one, wins_in_two

HERE = Path(__file__).parent


def positions(file: str) -> list[tuple[State, set[str], str]]:
    lines = [json.loads(line) for line in (HERE / file).read_text().splitlines()]
    return [(state_of(line["state"]), set(line["wins"]), line["by"]) for line in lines]


def state_of(raw: dict[str, Any]) -> State:
    return read({**raw, "heights": [list(row) for row in BOARDS[raw["board"]]]})


def dice(text: str = "dice") -> SeededDice:
    return SeededDice(text.encode(), 1)


def named(text: str) -> int:
    move = named_move(text)
    assert move is not None
    return move


ONES = positions("win_in_one.jsonl")
TWOS = positions("win_in_two.jsonl")


def test_the_positions_are_what_they_claim() -> None:
    assert Counter(by for _, _, by in ONES) == {"sentinel": 20, "points": 20, "no_pieces": 20}
    assert len(TWOS) >= 30
    for state, wins, _ in ONES:
        assert {move_name(move) for move in wins_in_one(position_of(state))} == wins
    for state, wins, _ in TWOS:
        assert {move_name(move) for move in wins_in_two(position_of(state))} == wins


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_misses_a_win_in_one(level: int) -> None:
    for state, wins, _ in ONES:
        assert move_name(best_move(state, level, dice()).move) in wins


def test_level_3_misses_no_win_in_two() -> None:
    for state, wins, _ in TWOS:
        found = best_move(state, 3, dice())
        assert move_name(found.move) in wins
        assert found.score > SURE


def test_level_3_carries_a_win_in_two_out_against_every_reply() -> None:
    for state, _, _ in TWOS[:10]:
        after, _ = play(state, best_move(state, 3, dice()).move)
        for reply in legal(after):
            answered, _ = play(after, reply.move)
            if answered.outcome is None:
                answered, _ = play(answered, best_move(answered, 3, dice()).move)
            assert answered.outcome is not None
            assert answered.outcome.winner == state.to_move


def test_the_same_dice_give_the_same_move_and_others_may_not() -> None:
    state = opening("passes")
    moves = {seed: best_move(state, 1, dice(seed)).move for seed in "abcdefgh"}
    assert moves == {seed: best_move(state, 1, dice(seed)).move for seed in "abcdefgh"}
    assert len(set(moves.values())) > 1


def test_what_was_searched_before_changes_nothing() -> None:
    state, other = opening("cross"), opening("spurs")
    first = best_move(state, 2, dice())
    best_move(other, 2, dice())
    assert best_move(state, 2, dice()) == first


@pytest.mark.parametrize("budget", [1, 2, 30, 500, 3_000])
def test_a_budget_of_nodes_is_kept_and_the_position_left_as_it_was(budget: int) -> None:
    state = opening("classic")
    position = position_of(state, tables_of(state.heights))
    before = (list(position.where), position.hash, position.worth, position.occupied)
    search = Search(position, {}, budget, 7, 7)
    move, _ = search.run(20)
    assert search.nodes <= budget + 200  # the last line is played out
    assert move in position.moves()
    assert (position.where, position.hash, position.worth, position.occupied) == before


def test_worth_is_kept_in_step_with_the_moves() -> None:
    for state, wins, _ in (*ONES[:30], *TWOS):
        tables = tables_of(state.heights)
        position = position_of(state, tables)
        for one in legal(state)[:8]:
            position.make(one.move)
            after = play(state, one.move)[0]
            if after.outcome is None:
                assert position.worth == position_of(after, tables).worth
            position.undo()
            assert position.worth == position_of(state, tables).worth
        assert wins


def test_the_third_time_is_seen_coming() -> None:
    state = opening("classic")
    for text in ("c1a1", "c10a10", "a1c1", "a10c10", "c1a1", "c10a10", "a1c1"):
        state, _ = play(state, named(text))
    drawing = play(state, named("a10c10"))[0]  # L12
    assert drawing.outcome is not None
    after = position_of(state, tables_of(state.heights))
    after.make(named("a10c10"))
    assert met_before(state)[after.hash] == 2


def test_think_gives_a_move_that_passes_check_for_every_policy() -> None:
    view = relief.view(opening("ramparts"), "red")
    policies: list[dict[str, Any]] = [{"policy": "random"}, *({"policy": "computer", "level": n} for n in (1, 2))]
    for policy in policies:
        thought = relief.think(view, policy, dice())
        assert relief.check(view, thought.orders) == ()
    notes = relief.think(view, {"policy": "computer", "level": 2}, dice()).notes
    assert notes[0].keys() == {"score", "depth", "nodes"}


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"policy": "best"},
        {"policy": "computer"},
        {"policy": "computer", "level": 4},
        {"policy": "computer", "level": True},
    ],
)
def test_unknown_policies_are_refused(policy: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        relief.think(relief.view(opening("ramparts"), "red"), policy, dice())


def test_level_1_beats_chance() -> None:
    won = 0
    for number in range(12):
        seats = ("red", "blue") if number % 2 else ("blue", "red")
        policies: dict[str, dict[str, Any]] = {
            seats[0]: {"policy": "computer", "level": 1},
            seats[1]: {"policy": "random"},
        }
        state = relief.start({"board": sorted(BOARDS)[number % 6]}, 2, dice())
        last = conduct(relief, state, policies, f"{number}".encode())[-1].after
        won += last.outcome.winner == seats[0]
    assert won >= 11
