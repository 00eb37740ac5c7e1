"""The numbered cases hold, through the referee's own door."""

import json
from typing import Any

import pytest

from engine.__main__ import answer
from tests.games.feinthold_cases import CASES, given_state


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=f"{case['id']}-{case['rule']}") for case in cases]


def ask(op: str, **request: Any) -> dict[str, Any]:
    got: dict[str, Any] = json.loads(answer(json.dumps({"game": "feinthold", "op": op, **request}).encode()))
    return got


def plain(value: Any) -> Any:
    """TOML has no null: flags say "", observations and outcomes "none", a winner is left out."""
    return None if value in ("", "none") else value


def test_numbers_are_used_once() -> None:
    numbers = [case["id"] for kind in CASES.values() for case in kind]
    assert len(numbers) == len(set(numbers))
    assert set(range(1, 14)) <= set(numbers)


@pytest.mark.parametrize("case", named(CASES["turn"]))
def test_turn(case: dict[str, Any]) -> None:
    orders = {side: case.get("orders", {}).get(side) for side in "ab"}
    got = ask("resolve", state=given_state(case), orders=orders)
    state, expect = got["state"], dict(case.get("expect", {}))
    for position, flag in expect.pop("flags", {}).items():
        assert state["flags"][position] == plain(flag), position
    for side, seen in expect.pop("seen", {}).items():
        assert state["seen"][side] == {at: one for at, one in seen.items() if plain(one)}
    if "outcome" in expect:
        outcome = plain(expect.pop("outcome"))
        assert state["outcome"] == (outcome and {"winner": None, **outcome})
    else:
        assert state["outcome"] is None
    assert {key: state[key] for key in expect} == expect
    for side, events in case.get("tells", {}).items():
        for event in events:
            assert got["report"][side].count(event) == 1, (event, got["report"][side])


@pytest.mark.parametrize("case", named(CASES["sheet"]))
def test_sheet(case: dict[str, Any]) -> None:
    side, state = case.get("side", "a"), given_state(case)
    errors = ask("validate", state=state, side=side, orders=case["orders"])["errors"]
    assert sorted(f"{error['code']} {error['at'] or '-'}" for error in errors) == case["errors"]
    assert all(error["message"].endswith(".") and "{" not in error["message"] for error in errors)
    resolved = ask("resolve", state=state, orders={side: case["orders"]})
    refused = resolved.get("error", {}).get("code")
    assert refused == ("illegal_orders" if case["errors"] else None)
