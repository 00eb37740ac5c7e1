"""Honest dice (T17): every draw that decides something follows from one secret seed, shown when the game is over."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

X = TypeVar("X")


class Dice(Protocol):
    """A source of rolls."""

    def roll(self, sides: int, /) -> int:
        """A number from 1 to `sides`."""
        ...


class SeededDice:
    """The rolls of one turn (0: setting up) from the game's seed: roll k with n sides takes "turn/k/n/i" (T17)."""

    __slots__ = ("_count", "_seed", "_turn")

    def __init__(self, seed: bytes, turn: int) -> None:
        self._seed = seed
        self._turn = max(turn, 0)  # setting up in several steps is one turn 0; only the last of them rolls
        self._count = 0

    def roll(self, sides: int, /) -> int:
        """The next roll of the turn, from 1 to `sides`; each is equally likely."""
        self._count += 1
        fair = sides * (2**64 // sides)
        attempt = 0
        while True:
            text = f"{self._turn}/{self._count}/{sides}/{attempt}"
            drawn = int.from_bytes(hmac.digest(self._seed, text.encode("ascii"), "sha256")[:8], "big")
            if drawn < fair:
                return drawn % sides + 1
            attempt += 1


class GivenDice:
    """Rolls taken from the front of a list; ValueError once it is used up or a roll does not fit the die."""

    __slots__ = ("_rolls",)

    def __init__(self, rolls: Iterable[int]) -> None:
        self._rolls = iter(tuple(rolls))

    def roll(self, sides: int, /) -> int:
        """The next given roll."""
        given = next(self._rolls, None)
        if given is None or not 1 <= given <= sides:
            raise ValueError(f"no roll of a d{sides} here: {given}")
        return given


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed, in hexadecimal: shown from the start, it binds the seed that is shown at the end (T17)."""
    return hashlib.sha256(seed).hexdigest()


def pick(dice: Dice, items: Sequence[X]) -> X:
    """One of the items; no roll is made if there is only one."""
    return items[0] if len(items) == 1 else items[dice.roll(len(items)) - 1]


def shuffled(dice: Dice, items: Iterable[X]) -> list[X]:
    """The items in a drawn order: Fisher-Yates from the last, with a d(i + 1) for each i."""
    cards = list(items)
    for i in range(len(cards) - 1, 0, -1):
        j = dice.roll(i + 1) - 1
        cards[i], cards[j] = cards[j], cards[i]
    return cards
