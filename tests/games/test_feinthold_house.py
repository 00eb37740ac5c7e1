"""The house AIs, the bench and the referee's doctrine requests (F29, F30)."""

import json
import time
from typing import Any

import pytest

from engine.__main__ import answer
from engine.errors import Malformed
from engine.games import feinthold
from engine.games.draws import GivenDice
from engine.games.feinthold.doctrine.evaluate import evaluate
from engine.games.feinthold.doctrine.house import HOUSE, house
from engine.games.feinthold.doctrine.trials import GAMES, bench, rule_sums
from engine.games.feinthold.doctrine.wire import write
from engine.games.feinthold.state import State
from engine.games.feinthold.state_json import read_state
from engine.games.feinthold.views import SideView, side_view
from tests.games.feinthold_cases import given_state
from tests.games.feinthold_doctrines import doctrine, moving, rule

HQ_A, FWD_A, POST_A, CENTRE, POST_B, FWD_B, HQ_B = range(7)
NO_DICE = GivenDice([])


PREDICT = {"do": "predict", "place": "centre"}


def state(**given: Any) -> State:
    return read_state(given_state(given))


def view(side: int = 0, **given: Any) -> SideView:
    return side_view(state(**given), side)


@pytest.mark.parametrize("name", sorted(HOUSE))
def test_house_ais_are_doctrines_of_the_language(name: str) -> None:
    assert write(house(name)) == HOUSE[name]
    assert name in feinthold.SPEC.policies
    seen = feinthold.view(feinthold.start({"layout": 1}, 2, NO_DICE), "a")
    assert feinthold.think(seen, {"policy": name}, NO_DICE).orders == evaluate(view(layout=1), house(name))[0]


def test_the_noise_of_a_policy_follows_from_its_seed() -> None:
    seen = view(turn=5, points={"a": 20}, flags={"fwd_a": "a", "centre": "a"}, units={"a": {"centre": 6}, "b": {}})
    sheets = {
        seed: feinthold.think(seen, {"policy": "pivot", "noise": 2, "seed": seed}, NO_DICE).orders
        for seed in "abcdefgh"
    }
    assert len(set(sheets.values())) > 1
    for seed, orders in sheets.items():
        assert feinthold.think(seen, {"policy": "pivot", "noise": 2, "seed": seed}, NO_DICE).orders == orders
        assert feinthold.check(seen, orders) == ()
    for noise in (3, -1, True, "1", None):
        with pytest.raises(Malformed, match="bad_policy"):
            feinthold.think(seen, {"policy": "pivot", "noise": noise}, NO_DICE)


def test_the_bench_is_sixty_games_and_always_the_same() -> None:
    began = time.process_time()
    trials = bench(house("pivot"), b"seed")
    assert time.process_time() - began < 2
    assert len(trials) == GAMES == 60
    assert len({(one.ai, one.side, one.layout) for one in trials}) == 60
    assert bench(house("pivot"), b"seed") == trials
    assert bench(house("pivot"), b"other") != trials
    turns = sum(len(one.turns) for one in trials)
    always = [done.true for done, one in zip(rule_sums(house("pivot"), trials), house("pivot").rules, strict=True)
              if one.conditions[0].kind == "always"]  # fmt: skip
    assert always
    assert set(always) == {turns}


def ask(op: str, **parts: Any) -> Any:
    return json.loads(answer(json.dumps({"game": "feinthold", "op": op, **parts}).encode()))


def test_the_referee_plays_a_doctrine_from_a_state_or_a_view() -> None:
    given = given_state({"layout": 4})
    raw = doctrine(rule(moving("my_hq", "my_forward", 3)))
    got = ask("doctrine", state=given, side="b", doctrine=raw, seed="x")
    assert got["orders"]["move"] == [{"from": "hq_b", "to": "fwd_b", "units": 3, "decoys": 0}]
    assert got["rules"] == [{"rule": 1, "true": True, "acted": 1, "trimmed": 0, "skipped": 0}]
    seen = ask("view", state=given, side="b")["view"]
    assert ask("doctrine", view=seen, doctrine=raw, seed="x") == got
    assert ask("validate", view=seen, orders=got["orders"]) == {"errors": []}


def test_the_referee_plays_house_ais_with_the_noise_of_the_seed() -> None:
    given = given_state({"layout": 4, "turn": 3, "points": {"a": 20}})
    sheets = [json.dumps(ask("doctrine", state=given, side="a", doctrine="ram", seed=str(n))) for n in range(20)]
    assert sheets == [
        json.dumps(ask("doctrine", state=given, side="a", doctrine="ram", seed=str(n))) for n in range(20)
    ]
    assert len(set(sheets)) > 1


def test_the_referee_benches_a_doctrine() -> None:
    got = ask("bench", doctrine=doctrine(), seed="x")
    assert (got["games"], got["won"] + got["drawn"] + got["lost"], len(got["by"])) == (60, 60, 60)
    assert got == ask("bench", doctrine=doctrine(), seed="x")


def test_the_referee_refuses_bad_doctrines_and_seeds() -> None:
    given = given_state({})
    bad: list[Any] = ["tiger", None, 3, [], doctrine(*[rule(PREDICT)] * 9), {**doctrine(), "version": 2}]
    for raw in bad:
        assert ask("doctrine", state=given, side="a", doctrine=raw, seed="")["error"]["code"] == "bad_doctrine"
        assert ask("bench", doctrine=raw, seed="")["error"]["code"] == "bad_doctrine"
    assert ask("bench", doctrine="ram", seed=3)["error"]["code"] == "bad_seed"
    over = {**given, "turn": 8, "outcome": {"winner": None, "by": "draw"}}
    assert ask("doctrine", state=over, side="a", doctrine="ram", seed="")["error"]["code"] == "game_over"
