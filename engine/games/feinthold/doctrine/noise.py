"""The noise of the house AIs (F29): every number of the rules moves a little before a game."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.games.draws import Dice, SeededDice
from engine.games.feinthold.doctrine.language import ACTIONS, CONDITIONS, Clause, Doctrine, Parameter, Rule, Word

USUAL: Final = 1
SUNDAY: Final = 2


def noisy(doctrine: Doctrine, spread: int, dice: Dice) -> Doctrine:
    """The doctrine with each number moved by -spread to +spread, every step as likely, kept within its list."""
    return replace(doctrine, rules=tuple(_rule(rule, spread, dice) for rule in doctrine.rules))


def noise_dice(seed: bytes, purpose: str) -> SeededDice:
    """The dice of one doctrine's noise in one game, from the game's seed."""
    return SeededDice(hashlib.sha256(seed + b"/" + purpose.encode()).digest(), 0)


def _rule(rule: Rule, spread: int, dice: Dice) -> Rule:
    conditions = tuple(_clause(one, CONDITIONS, spread, dice) for one in rule.conditions)
    return Rule(conditions, tuple(_clause(one, ACTIONS, spread, dice) for one in rule.actions))


def _clause(clause: Clause, kinds: Mapping[str, tuple[Parameter, ...]], spread: int, dice: Dice) -> Clause:
    lists = kinds[clause.kind]
    words = tuple(_moved(word, listed, spread, dice) for word, listed in zip(clause.words, lists, strict=True))
    return Clause(clause.kind, words)


def _moved(word: Word, listed: Parameter, spread: int, dice: Dice) -> Word:
    _, kind, least, most = listed
    if kind not in ("number", "amount") or isinstance(word, str):
        return word
    return max(least, min(most, word + dice.roll(2 * spread + 1) - 1 - spread))
