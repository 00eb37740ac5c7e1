"""Relief behind the protocol: start, standing, orders, views, facts, whole games."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.errors import Malformed
from engine.games import relief
from engine.games.conduct import conduct
from engine.games.draws import GivenDice, SeededDice
from engine.games.protocol import Game, Sent
from engine.games.relief.boards import BOARDS
from engine.games.relief.codec import read
from engine.games.relief.state import State, opening, place_key, placed
from engine.times import DAY

GAME: Game[State, relief.Order, relief.View] = relief
RANDOM: Mapping[str, Mapping[str, Any]] = {side: {"policy": "random"} for side in ("red", "blue")}


def dice(text: str = "dice") -> SeededDice:
    return SeededDice(text.encode(), 1)


def order(text: str) -> relief.Order:
    return relief.parse({"move": text})


def state(pieces: dict[str, str], **more: Any) -> State:
    raw = {"board": "flat", "heights": [[0] * 10] * 10, "pieces": pieces, "to_move": "red", "ply": 0, "positions": {}}
    return read({**raw, "exited": {"red": [], "blue": []}, "outcome": None, **more})


def facts(before: State, move: str) -> list[tuple[str, dict[str, Any]]]:
    resolved = relief.resolve(before, {before.to_move: Sent(order(move))}, dice())
    assert all(fact.known_to is None for fact in resolved.facts)
    return [(fact.code, dict(fact.detail)) for fact in resolved.facts]


def test_a_board_is_named_or_drawn() -> None:
    assert relief.start({"board": "spurs"}, 2, GivenDice([])) == opening("spurs")
    assert relief.start({}, 2, GivenDice([2])) == opening(tuple(BOARDS)[1])  # L2


@pytest.mark.parametrize("options", [{"board": "moon"}, {"board": None}, {"layout": 1}, {"board": ["spurs"]}])
def test_other_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        relief.start(options, 2, GivenDice([1]))
    with pytest.raises(Malformed):
        relief.start({"board": "spurs"}, 3, dice())


def test_paces_are_ten_minutes_live_and_one_to_three_days() -> None:
    live = relief.SPEC.paces["live"]
    assert (live.live, live.total, live.absence) == (True, 600_000, 90_000)  # L14
    assert {name: pace.turn for name, pace in relief.SPEC.paces.items() if not pace.live} == {
        "days1": DAY,
        "days2": 2 * DAY,
        "days3": 3 * DAY,
    }  # L15
    assert (relief.SPEC.missed, relief.SPEC.agreed_draw, relief.SPEC.secret) == ("lose", True, False)


def test_the_side_to_move_is_awaited_and_each_move_is_a_turn() -> None:
    start = opening("classic")
    assert (relief.standing(start).turn, relief.standing(start).awaits) == (1, ("red",))
    after = relief.resolve(start, {"red": Sent(order("c1c2"))}, dice()).state
    assert (relief.standing(after).turn, relief.standing(after).awaits) == (2, ("blue",))
    assert relief.standing(after).tallies == {"red": (0, 1), "blue": (0, 0)}


def test_at_the_end_nobody_is_awaited_and_the_turn_stays() -> None:
    end = relief.resolve(state({"e9": "rS", "e1": "bS"}), {"red": Sent(order("e9off"))}, dice()).state
    standing = relief.standing(end)
    assert (standing.turn, standing.stage, standing.awaits) == (1, "over", ())
    assert standing.outcome is not None
    assert (standing.outcome.winner, standing.outcome.by) == ("red", "sentinel")


def test_a_turn_without_a_move_changes_nothing() -> None:
    start = opening("classic")
    assert relief.resolve(start, {}, dice()).state == start
    assert relief.retire(start, "red", "left").state == start


@pytest.mark.parametrize(
    ("text", "name"), [("c1c4", "c1c4"), (" D10OFF ", "d10off"), ("pass", "pass"), ("a10a9", "a10a9")]
)
def test_orders_are_read_and_written(text: str, name: str) -> None:
    assert relief.write(order(text)) == {"move": name}
    assert relief.parse(relief.write(order(text))) == order(text)


@pytest.mark.parametrize(
    "raw", [None, [], {}, {"move": 3}, {"move": ""}, {"move": "c1"}, {"move": "c1k2"}, {"move": "c1c1"}]
)
def test_what_is_no_move_is_malformed(raw: Any) -> None:
    with pytest.raises(Malformed):
        relief.parse(raw)
    with pytest.raises(Malformed):
        relief.parse({"move": "c1c2", "more": 1})


def test_check_names_what_is_wrong() -> None:
    start = opening("classic")
    problems = relief.check(relief.view(start, "red"), order("c1c9"))
    assert [(one.code, one.at, one.field) for one in problems] == [("illegal_move", "c1", "move")]
    assert relief.check(relief.view(start, "red"), order("c1c2")) == ()
    assert [one.code for one in relief.check(relief.view(start, "blue"), order("c10c9"))] == ["not_your_turn"]
    over = state({"e9": "rS", "e1": "bS"}, outcome={"winner": "red", "by": "points"})
    assert [one.code for one in relief.check(relief.view(over, "red"), order("e9off"))] == ["game_over"]


def test_facts_tell_each_kind_of_move_and_the_end() -> None:
    before = state({"e9": "rV", "f4": "rS", "f5": "bE", "a5": "bS"})
    assert facts(before, "e9e8") == [("moved", {"side": "red", "piece": "V", "from": "e9", "to": "e8"})]
    assert facts(before, "e9off") == [("left", {"side": "red", "piece": "V", "from": "e9", "points": 2})]
    assert facts(before, "f4f5") == [
        (
            "captured",
            {"side": "red", "piece": "S", "from": "f4", "to": "f5", "victim": "E", "attack": 3, "defence": 1},
        )
    ]
    walled = [[0] * 10 for _ in range(10)]
    walled[0][1] = walled[1][0] = 3
    assert facts(state({"a1": "rS", "j10": "bS"}, heights=walled), "pass") == [("passed", {"side": "red"})]
    assert facts(state({"e9": "rS", "e1": "bS"}), "e9off")[1] == (
        "ended",
        {"winner": "red", "by": "sentinel", "red": 3, "blue": 0},
    )


def test_a_view_shows_everything_to_everybody() -> None:
    after = relief.resolve(opening("classic"), {"red": Sent(order("c1c2"))}, dice()).state
    shown = {eyes: dict(relief.show(relief.view(after, eyes))) for eyes in ("red", "blue", "public", "all")}
    assert {eyes: view.pop("seat") for eyes, view in shown.items()} == {eyes: eyes for eyes in shown}
    assert shown["red"] == shown["blue"] == shown["public"] == shown["all"]
    assert (shown["red"]["last"], shown["red"]["met"], shown["red"]["points"]) == ("c1c2", 1, {"red": 0, "blue": 0})
    assert {"move": "c10c9", "attack": None} in shown["red"]["moves"]
    json.dumps(shown)


@pytest.mark.parametrize("board", BOARDS)
def test_random_games_end_replay_and_come_back_from_json(board: str) -> None:
    first = relief.start({"board": board}, 2, dice())
    steps = conduct(relief, first, RANDOM, board.encode())
    again: State = first
    for step in steps:
        assert step.before == again
        assert relief.load(json.loads(json.dumps(relief.dump(again)))) == again
        sent = {seat: Sent(thought.orders) for seat, thought in step.thoughts.items()}
        again = relief.resolve(again, sent, dice()).state
        assert step.facts
    assert relief.standing(again).outcome is not None
    assert again.ply <= 200  # L13


@pytest.mark.parametrize("change", [{"v": 2}, {"last": "c1"}, {"last": 3}, {"extra": 1}, {"ply": None}])
def test_damaged_dumps_are_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        relief.load({**relief.dump(opening("classic")), **change})
    with pytest.raises(Malformed):
        relief.load([])  # type: ignore[arg-type]


def test_position_keys_are_read_back() -> None:
    start = opening("classic")
    key = place_key(start.where, "red", (0, 0))
    assert key == "r0-0/c1h1/d1g1/e1f1/c10h10/d10g10/e10f10"
    assert placed(key) == (start.where, "red", (0, 0))
    assert placed("another key") is None
    few = state({"a1": "rE", "j10": "bS"}, exited={"red": ["V"], "blue": []})
    assert placed(place_key(few.where, "blue", (2, 0))) == (few.where, "blue", (2, 0))
