"""The numbered cases of `cases/feinthold.toml`, and states made of what they give."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.games.feinthold.state import opening
from engine.games.feinthold.state_json import write_state

CASES = tomllib.loads((Path(__file__).parent / "cases" / "feinthold.toml").read_text("utf-8"))
POSITIONS = ("hq_a", "fwd_a", "post_a", "centre", "post_b", "fwd_b", "hq_b")


def given_state(case: Mapping[str, Any]) -> dict[str, Any]:
    """The opening of the case's layout (1 if it names none) with everything the case gives of a state."""
    state = dict(write_state(opening(case.get("layout", 1))))
    for key in ("turn", "units", "decoys"):
        state[key] = case.get(key, state[key])
    for key in ("flags", "points", "income", "predictions", "combats", "seen"):
        state[key] = {**state[key], **case.get(key, {})}
    return state
