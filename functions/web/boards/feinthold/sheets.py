"""Orders as they stand in a form or a stored sheet, whatever was typed: nothing here judges them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Placed:
    """A reinforcement line; `typed` keeps the figures as they were written."""

    at: str
    units: int
    decoys: int
    typed: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move line."""

    source: str
    to: str
    units: int
    decoys: int
    typed: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole sheet, as far as it can be read."""

    reinforce: tuple[Placed, ...]
    move: tuple[Moved, ...]
    entrench: tuple[str, ...]
    scout: tuple[str, ...]
    predict: str


def read(raw: object) -> Sheet:
    """What can be read of a sheet's JSON."""
    sheet: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    placed = (Placed(_text(line.get("at")), *_figures(line), _typed(line)) for line in _lines(sheet.get("reinforce")))
    moved = (
        Moved(_text(line.get("from")), _text(line.get("to")), *_figures(line), _typed(line))
        for line in _lines(sheet.get("move"))
    )
    return Sheet(
        reinforce=tuple(placed),
        move=tuple(moved),
        entrench=_names(sheet.get("entrench")),
        scout=_names(sheet.get("scout")),
        predict=_text(sheet.get("predict")),
    )


def _lines(raw: object) -> list[Mapping[str, Any]]:
    return [line for line in raw if isinstance(line, Mapping)] if isinstance(raw, list | tuple) else []


def _names(raw: object) -> tuple[str, ...]:
    return tuple(_text(name) for name in raw if name) if isinstance(raw, list | tuple) else ()


def _text(raw: object) -> str:
    return raw[:40] if isinstance(raw, str) else ""


def _typed(line: Mapping[str, Any]) -> tuple[str, str]:
    return _figure(line.get("units")), _figure(line.get("decoys"))


def _figure(raw: object) -> str:
    return "" if raw is None else str(raw).strip()[:12]


def _figures(line: Mapping[str, Any]) -> tuple[int, int]:
    units, decoys = (int(t) if t.isascii() and t.isdigit() else 0 for t in _typed(line))
    return units, decoys
