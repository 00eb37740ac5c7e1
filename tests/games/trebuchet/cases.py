"""The numbered cases of `cases.toml`, and the referee's states made of what they give."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CASES = tomllib.loads((FOLDER / "cases.toml").read_text("utf-8"))

UNITS = {"p1": "C4: C3 D5 B5", "p2": "H9: H8 I10 G10", "p3": "K3: K2 L3 J4"}
FIRST_DAY = "2026-12-01"


def given_state(case: Mapping[str, Any]) -> dict[str, Any]:
    """The referee's state of a case: three players on 12 × 16 with everything the case gives instead."""
    units = {**UNITS, **case.get("units", {})}
    details = case.get("with", {})
    return {
        "columns": 12,
        "rows": 16,
        "turn": case.get("turn", 1),
        "players": list(units),
        "units": {seat: given_unit(text) | details.get(seat, {}) for seat, text in units.items()},
        "impacts": [_impact(text) for text in case.get("impacts", [])],
        "shown": case.get("shown", []),
        "outcome": None,
    }


def given_unit(text: str) -> dict[str, Any]:
    """A unit from "trebuchet: servants"."""
    trebuchet, servants = text.split(":")
    return {
        "trebuchet": trebuchet,
        "standing": True,
        "servants": servants.split(),
        "out": False,
        "points": 0,
        "bonuses": [],
        "had": [],
        "earned": 0,
        "missed": 0,
    }


def given_shot(text: str) -> dict[str, Any]:
    """A shot from "player target bonus day", the last two left out or "-" if there is none."""
    player, target, *rest = text.split()
    named = [word for word in rest if word != "-"]
    days = [word for word in named if word[0].isdigit()]
    bonuses = [word for word in named if not word[0].isdigit()]
    return {
        "player": player,
        "target": target,
        "bonus": bonuses[0] if bonuses else None,
        "day": days[0] if days else FIRST_DAY,
    }


def _impact(text: str) -> dict[str, Any]:
    turn, player, cell, bonus = text.split()
    where = [int(part) for part in cell.split(",")]
    return {"turn": int(turn), "player": player, "cell": where, "bonus": None if bonus == "-" else bonus}
