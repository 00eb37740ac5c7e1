"""Checks the dice of a finished game against its seed (T17): `python -m engine.games.verify < game.json`.

Of the downloaded JSON object these keys are read, all others are left alone:

- `seed`: the game's 32 bytes in hexadecimal, shown when it is over;
- `commitment`: the SHA-256 of these bytes in hexadecimal, shown from the start;
- `turns`: a list of objects, each with `turn` (whole number; 0 or less is setting up) and `rolls`, the list of
  `[sides, value]` in the order thrown. Roll k is the k-th of its list.

It says which rolls are not those of the seed and ends with 0; 1 if any differs; 2 if the download can't be read.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, TextIO

from engine.errors import Malformed, Problem
from engine.games.draws import Dice, SeededDice, commitment

SEED_BYTES: Final = 32
MOST_SIDES: Final = 2**32


class NotedDice:
    """Dice that note each roll as (sides, value): a turn's `rolls` of a download."""

    __slots__ = ("_dice", "rolls")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.rolls: list[tuple[int, int]] = []

    def roll(self, sides: int, /) -> int:
        """The next roll of the dice beneath."""
        self.rolls.append((sides, self._dice.roll(sides)))
        return self.rolls[-1][1]


@dataclass(frozen=True, slots=True)
class Difference:
    """A roll that the seed does not give: roll `number` (from 1) of a turn."""

    turn: int
    number: int
    sides: int
    noted: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: whether the seed is the committed one, how many rolls were checked, which differ."""

    committed: bool
    turns: int
    rolls: int
    differences: tuple[Difference, ...]

    @property
    def honest(self) -> bool:
        """Whether everything agrees."""
        return self.committed and not self.differences


def verify(download: object) -> Verdict:
    """Recompute every roll of a finished game from its seed (T17); raises Malformed."""
    if not isinstance(download, Mapping):
        raise _bad("download")
    seed = _seed(download.get("seed"))
    turns = download.get("turns")
    if not isinstance(turns, list):
        raise _bad("turns")
    played = [_turn(turn, f"turns.{i}") for i, turn in enumerate(turns)]
    differences = [difference for turn, rolls in played for difference in _differences(seed, turn, rolls)]
    committed = download.get("commitment") == commitment(seed)
    return Verdict(committed, len(played), sum(len(rolls) for _, rolls in played), tuple(differences))


def main(source: BinaryIO, answers: TextIO) -> int:
    """Read a download, write what differs and a line of summary; the exit status."""
    try:
        verdict = verify(json.loads(source.read().decode("utf-8")))
    except Malformed as error:
        answers.write(f"This is no download of a finished game: see {error.problems[0].field}.\n")
        return 2
    except (ValueError, RecursionError):
        answers.write("This is not JSON in UTF-8.\n")
        return 2
    if not verdict.committed:
        answers.write("The seed is not the one committed to: its SHA-256 differs from the commitment.\n")
    for one in verdict.differences:
        where = f"turn {one.turn}, roll {one.number} (d{one.sides})"
        answers.write(f"{where}: the game says {one.noted}, the seed gives {one.drawn}.\n")
    answers.write(f"{verdict.rolls} rolls in {verdict.turns} turns checked, {len(verdict.differences)} differ.\n")
    return 0 if verdict.honest else 1


def _seed(raw: object) -> bytes:
    try:
        seed = bytes.fromhex(raw) if isinstance(raw, str) else b""
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise _bad("seed")
    return seed


def _turn(raw: object, at: str) -> tuple[int, list[tuple[int, int]]]:
    if not isinstance(raw, Mapping) or not _whole(raw.get("turn")) or not isinstance(raw.get("rolls"), list):
        raise _bad(at)
    return raw["turn"], [_roll(roll, f"{at}.rolls.{i}") for i, roll in enumerate(raw["rolls"])]


def _roll(raw: object, at: str) -> tuple[int, int]:
    if not isinstance(raw, list) or len(raw) != 2 or not all(_whole(part) for part in raw):
        raise _bad(at)
    sides, value = raw
    if not 1 <= sides <= MOST_SIDES:
        raise _bad(at)
    return sides, value


def _differences(seed: bytes, turn: int, rolls: list[tuple[int, int]]) -> list[Difference]:
    dice = SeededDice(seed, turn)
    drawn = [dice.roll(sides) for sides, _ in rolls]
    return [
        Difference(turn, k + 1, sides, noted, drawn[k]) for k, (sides, noted) in enumerate(rolls) if noted != drawn[k]
    ]


def _whole(raw: Any) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool)


def _bad(at: str) -> Malformed:
    return Malformed(Problem("bad_shape", field=at))


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout))
