"""The referee answers one line for each line, and outlives every bad one."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.__main__ import answer, serve
from engine.games import registry

SAMPLES = [
    json.loads(line) for line in (Path(__file__).parent / "cases/referee_samples.jsonl").read_text("utf-8").splitlines()
]
ROOT = Path(__file__).parents[2]


def asked(line: bytes) -> dict[str, Any]:
    got: dict[str, Any] = json.loads(answer(line))
    return got


def code(request: object) -> str:
    got: str = asked(json.dumps(request).encode())["error"]["code"]
    return got


def named(want: Any, got: Any) -> Any:
    """The part of an answer that a sample names; of positions' keys a Relief state has, none."""
    if isinstance(want, dict) and isinstance(got, dict):
        return {key: named(value, got.get(key)) for key, value in want.items() if key not in ("key", "positions")}
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [named(one, other) for one, other in zip(want, got, strict=True)]
    return got


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{i}-{s['request']['game']}" for i, s in enumerate(SAMPLES)])
def test_samples_are_answered_as_recorded(sample: dict[str, Any]) -> None:
    got = asked(json.dumps(sample["request"]).encode())
    assert named(sample["answer"], got) == named(sample["answer"], sample["answer"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", "bad_json"),
        (b"\n", "bad_json"),
        (b"nonsense\n", "bad_json"),
        (b"\xff\xfe{}\n", "bad_json"),
        (b'{"game": NaN}', "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b'{"n":' + b"9" * 5_000 + b"}", "bad_json"),
        (b"[]", "bad_request"),
        (b"null", "bad_request"),
        (b"{}", "bad_request"),
        (b'{"game":"feinthold"}', "bad_request"),
        (b'{"game":["feinthold"],"op":"new"}', "bad_request"),
        (b'{"game":"feinthold","op":{}}', "bad_request"),
        (b'{"game":"chess","op":"new"}', "unknown_game"),
        (b'{"game":"engine","op":"new"}', "unknown_game"),
        (b'{"game":"feinthold","op":"castle"}', "unknown_op"),
    ],
)
def test_bad_lines_are_told_apart(line: bytes, expected: str) -> None:
    error = asked(line)["error"]
    assert error["code"] == expected
    assert error["message"].endswith(".")


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_a_request_without_its_parts_is_an_error_in_every_game(game: str) -> None:
    for op in registry.operations(game):
        bad: list[dict[str, Any]] = [
            {},
            {"state": None},
            {"state": []},
            {"state": {}},
            {"state": {"turn": "1"}},
            {"view": 3},
        ]
        for parts in bad:
            request = {"game": game, "op": op, **parts}
            got = asked(json.dumps(request).encode())
            assert got.get("error", {}).get("code") != "internal_error", request


def test_the_process_goes_on_after_bad_lines_and_ends_with_its_input() -> None:
    lines = [
        b"nonsense",
        b"\xff",
        b'{"game":"feinthold","op":"new","layout":3}',
        b"[" * 50_000,
        b'{"game":"x","op":"y"}',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "engine"],
        input=b"\n".join(lines),
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [("error" in one) for one in answers] == [True, True, False, True, True]
    assert (done.returncode, done.stderr) == (0, b"")


def test_each_answer_is_flushed_before_the_next_request_is_read() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(b'{"game":"feinthold","op":"new","layout":1}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["state"]["layout"] == 1
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_fault_in_a_games_rules_is_an_error_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(game: str) -> dict[str, Any]:
        raise KeyError(game)

    monkeypatch.setattr("engine.__main__.operations", broken)
    answers = io.StringIO()
    serve(io.BytesIO(b'{"game":"a","op":"b"}\n{"game":"c","op":"d"}\n'), answers)
    assert [json.loads(line)["error"]["code"] for line in answers.getvalue().splitlines()] == ["internal_error"] * 2
    assert "KeyError" in capsys.readouterr().err


def opening(layout: int = 3) -> dict[str, Any]:
    got: dict[str, Any] = asked(json.dumps({"game": "feinthold", "op": "new", "layout": layout}).encode())["state"]
    return got


def feinthold(op: str, **parts: Any) -> dict[str, Any]:
    return {"game": "feinthold", "op": op, **parts}


@pytest.mark.parametrize("layout", [None, 0, 11, "3", 3.0, True, [3]])
def test_only_the_ten_layouts_can_be_asked_for(layout: Any) -> None:
    assert code(feinthold("new", layout=layout)) == "bad_layout"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("layout", 0),
        ("layout", True),
        ("turn", 9),
        ("turn", 0),
        ("turn", 1.0),
        ("flags", {"hq_a": "a"}),
        ("flags.hq_a", None),
        ("flags.hq_a", "b"),
        ("flags.centre", "c"),
        ("flags.centre", 0),
        ("units", {"a": {}}),
        ("units.a", []),
        ("units.a", {"moon": 1}),
        ("units.a", {"hq_a": -1}),
        ("units.a", {"hq_a": 10**400}),
        ("units.a", {"centre": 1}),
        ("decoys.a", {"hq_b": 1}),
        ("points.a", -1),
        ("points.a", "5"),
        ("points.a", None),
        ("income", 5),
        ("predictions.b", 1.5),
        ("combats.b", False),
        ("seen.a", {"centre": None}),
        ("seen.a", {"centre": {"turn": 2, "kind": "scout", "value": 1}}),
        ("seen.a", {"centre": {"turn": 1, "kind": "rumour", "value": 1}}),
        ("seen.a", {"centre": {"turn": 1, "kind": "scout", "value": 1.5}}),
        ("seen.a", {"centre": {"turn": 1, "kind": "combat", "value": 1.2}}),
        ("seen.a", {"centre": {"turn": 1, "kind": "combat", "value": True}}),
        ("seen.a", {"centre": {"turn": 1, "kind": "presence", "value": 1}}),
        ("outcome", {}),
        ("outcome", {"winner": None, "by": "hq"}),
        ("outcome", {"winner": "a", "by": "draw"}),
        ("outcome", {"winner": "c", "by": "hq"}),
        ("outcome", {"winner": "a", "by": ["hq"]}),
        ("extra", 1),
    ],
)
def test_impossible_states_are_refused(path: str, value: Any) -> None:
    state = opening()
    *way, last = path.split(".")
    table = state
    for key in way:
        table = table[key]
    table[last] = value
    assert code(feinthold("view", state=state, side="a")) == "bad_state"
    assert code(feinthold("validate", state=state, side="a", orders={})) == "bad_state"
    assert code(feinthold("resolve", state=state, orders={"a": None, "b": None})) == "bad_state"


def test_decoys_of_both_sides_never_share_a_position() -> None:
    state = {**opening(), "decoys": {"a": {"centre": 1}, "b": {"centre": 1}}}
    assert code(feinthold("view", state=state, side="a")) == "bad_state"


def test_a_missing_part_of_a_state_is_refused() -> None:
    for key in opening():
        state = {name: value for name, value in opening().items() if name != key}
        assert code(feinthold("view", state=state, side="a")) == "bad_state"


def test_sides_and_orders_must_be_given() -> None:
    state = opening()
    assert code(feinthold("view", state=state)) == "bad_side"
    assert code(feinthold("view", state=state, side=["a"])) == "bad_side"
    assert code(feinthold("validate", state=state, side="c", orders={})) == "bad_side"
    assert code(feinthold("validate", state=state, side="a")) == "bad_request"
    assert code(feinthold("resolve", state=state)) == "bad_request"
    assert code(feinthold("resolve", state=state, orders={"c": {}})) == "bad_request"
    assert code(feinthold("resolve", state=state, orders=[])) == "bad_request"


def test_a_sheet_of_the_wrong_shape_is_told_in_errors() -> None:
    bad: list[Any] = [None, [], 3, "hq_a", {"move": None}]
    for orders in bad:
        got = asked(json.dumps(feinthold("validate", state=opening(), side="a", orders=orders)).encode())
        assert [error["code"] for error in got["errors"]] == ["bad_shape"]


def test_a_view_serves_in_place_of_state_and_side() -> None:
    state = opening()
    view = asked(json.dumps(feinthold("view", state=state, side="b")).encode())["view"]
    orders = {"move": [{"from": "hq_a", "to": "fwd_a", "units": 1}]}
    by_view = asked(json.dumps(feinthold("validate", view=view, orders=orders)).encode())
    assert by_view == asked(json.dumps(feinthold("validate", state=state, side="b", orders=orders)).encode())
    assert code(feinthold("validate", view=view, side="a", orders=orders)) == "bad_side"
    assert code(feinthold("validate", view=view, state=state, orders=orders)) == "bad_request"
    assert code(feinthold("validate", view={**view, "points": -1}, orders=orders)) == "bad_view"
    assert code(feinthold("validate", view={**view, "presence": {}}, orders=orders)) == "bad_view"
    assert code(feinthold("validate", view={**view, "units": {"centre": 1}}, orders=orders)) == "bad_view"


def test_a_game_that_is_over_takes_no_orders() -> None:
    state = {**opening(), "turn": 8, "outcome": {"winner": None, "by": "draw"}}
    assert code(feinthold("validate", state=state, side="a", orders={})) == "game_over"
    assert code(feinthold("resolve", state=state, orders={"a": None, "b": None})) == "game_over"
    assert "view" in asked(json.dumps(feinthold("view", state=state, side="a")).encode())


def test_an_illegal_sheet_resolves_nothing() -> None:
    bad: list[Any] = [{"predict": "moon"}, {"scout": ["hq_b"]}, []]
    for orders in bad:
        assert code(feinthold("resolve", state=opening(), orders={"a": None, "b": orders})) == "illegal_orders"


def test_each_side_reads_its_own_report() -> None:
    orders = {"a": {"scout": ["hq_b"]}, "b": {"reinforce": [{"at": "hq_b", "units": 2}]}}
    report = asked(json.dumps(feinthold("resolve", state=opening(), orders=orders)).encode())["report"]
    assert [event["event"] for event in report["a"]] == ["scouted", "income"]
    assert [event["event"] for event in report["b"]] == ["placed", "income"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["layout", "turn", "flags", "units", "decoys", "points", "seen", "outcome", "income"])


@given(keys, json_values, st.sampled_from(["view", "validate", "resolve"]))
@settings(max_examples=150, deadline=None)
def test_any_json_in_a_state_is_answered(key: str, value: Any, op: str) -> None:
    request = feinthold(op, state={**opening(), key: value}, side="a", orders={})
    assert asked(json.dumps(request).encode()).get("error", {}).get("code") != "internal_error"


@given(st.dictionaries(st.sampled_from(["reinforce", "move", "entrench", "scout", "predict", "x"]), json_values))
@settings(max_examples=150, deadline=None)
def test_any_json_in_a_sheet_is_judged(orders: Any) -> None:
    got = asked(json.dumps(feinthold("validate", state=opening(), side="a", orders=orders)).encode())
    assert isinstance(got["errors"], list)
