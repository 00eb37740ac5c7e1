"""Moves as they are offered to a player, and as a list of all that were made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from functions.web.boards.relief.board import COLUMNS, split

OPENING: Final[Mapping[str, str]] = {
    f"{column}{row}": letter
    for row, letters in ((1, "EVSSVE"), (10, "EVSSVE"))
    for column, letter in zip("cdefgh", letters, strict=True)
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move: its word, where it ends (a cell or "off"), both sums of an attack."""

    word: str
    to: str
    sums: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Group:
    """All legal moves of the piece (its letter) on a cell, attacks and leaving first; at "" a pass."""

    at: str
    letter: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the list: its number among all (from 1), the piece's letter, from and to, whether it captured."""

    number: int
    letter: str
    start: str
    end: str
    captured: bool


def choices(view: Mapping[str, Any]) -> tuple[Group, ...]:
    """The legal moves by piece, those in front first."""
    groups: dict[str, list[Choice]] = {}
    for one in view["moves"]:
        parts = split(one["move"])
        at, to = parts or ("", "")
        sums = tuple(one["attack"]) if one["attack"] else None
        groups.setdefault(at, []).append(Choice(one["move"], to, sums))
    ahead = 1 if view["to_move"] == "blue" else -1
    ordered = sorted(groups, key=lambda at: (ahead * _row(at), at))
    return tuple(
        Group(at, view["pieces"][at][1] if at else "", tuple(sorted(groups[at], key=_urgency))) for at in ordered
    )


def listed(words: Iterable[str]) -> tuple[tuple[Played | None, Played | None], ...]:
    """A game's moves in pairs, red's and blue's; letters and captures follow from the opening (L1)."""
    standing = dict(OPENING)
    played = [_played(standing, number, word) for number, word in enumerate(words, 1)]
    whole = [*played, None] if len(played) % 2 else played
    return tuple(zip(whole[::2], whole[1::2], strict=True))


def _played(standing: dict[str, str], number: int, word: str) -> Played:
    parts = split(word)
    if parts is None:
        return Played(number, "", "", "", captured=False)
    start, end = parts
    letter = standing.pop(start, "")
    captured = end in standing
    if end != "off":
        standing[end] = letter
    return Played(number, letter, start, end, captured)


def _urgency(choice: Choice) -> tuple[int, int, int]:
    first = 0 if choice.to == "off" else 1 if choice.sums else 2
    return first, _row(choice.to), COLUMNS.find(choice.to[:1])


def _row(at: str) -> int:
    return int(at[1:]) if at[1:].isdigit() else 0
