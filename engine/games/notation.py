"""A game whose orders are words, written as text and read back: tags in brackets, then the words, numbered in pairs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Fact, Game, Sent

MOST_WORDS: Final = 1_000
LONGEST: Final = 40_000  # characters
_TAG: Final = re.compile(r'\[(\w+)\s+"([^"\n]{0,100})"\]')
_NUMBER: Final = re.compile(r"\d+\.+")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it can be played again: its name, its options, the words in order, and tags that only tell."""

    game: str
    options: Mapping[str, str]
    words: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """The state after so many words, and what the last of them did."""

    state: Any
    facts: tuple[Fact, ...]


def write(record: Record) -> str:
    """The text of a record."""
    tags = {"Game": record.game, **{name.capitalize(): text for name, text in record.options.items()}, **record.tags}
    head = [f'[{name} "{_plain(text)}"]' for name, text in tags.items()]
    pairs = [record.words[n : n + 2] for n in range(0, len(record.words), 2)]
    lines = [f"{number}. {' '.join(pair)}" for number, pair in enumerate(pairs, 1)]
    return "\n".join([*head, "", *lines]) + "\n"


def read(text: str) -> Record:
    """The record that a text tells; Malformed (`too_long`, `no_game`, `no_notation`, `unreadable`)."""
    if len(text) > LONGEST:
        raise Malformed(Problem("too_long", field="text", detail={"most": LONGEST}))
    tags = {name: value.strip() for name, value in _TAG.findall(text)}
    name = tags.pop("Game", "").lower()
    spec = playable(name).SPEC
    options = {key: tags.pop(key.capitalize()) for key in spec.options if key.capitalize() in tags}
    words = tuple(word for word in _TAG.sub(" ", text).split() if not _NUMBER.fullmatch(word))
    words = tuple(_NUMBER.sub("", word, count=1) if word[0].isdigit() else word for word in words)
    if len(words) > MOST_WORDS or any(len(word) > 12 for word in words):
        raise Malformed(Problem("unreadable", field="text"))
    return Record(name, options, words, tags)


def read_download(raw: object) -> Record:
    """The record of a downloaded game's JSON; Malformed as `read` does."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("turns"), list) or not raw["turns"]:
        raise Malformed(Problem("unreadable", field="text"))
    spec = playable(str(raw.get("game"))).SPEC
    try:
        start = raw["turns"][0]["state"]
        sheets = [sheet for turn in raw["turns"][1:] for sheet in turn["sheets"].values()]
        words = tuple(str(sheet["orders"][spec.word]) for sheet in sheets)
        options = {name: str(start[name]) for name in spec.options}
    except (KeyError, TypeError, AttributeError) as error:
        raise Malformed(Problem("unreadable", field="text")) from error
    return Record(spec.name, options, words[:MOST_WORDS])


def played(record: Record) -> tuple[Step, ...]:
    """The start and every state after it; Malformed at the first word that can't be played (`bad_word`, its number)."""
    return tuple(_steps(record))


def options_of(game: str, state: Mapping[str, Any]) -> Mapping[str, str]:
    """The options that a dumped state of this game was begun with, drawn or named."""
    return {name: str(state[name]) for name in registry.game(game).SPEC.options}


def playable(name: str) -> Game[Any, Any, Any]:
    """A game that has a notation; Malformed (`no_game`, `no_notation`)."""
    try:
        game = registry.game(name)
    except Refusal as error:
        raise Malformed(Problem("no_game", field="text")) from error
    if not game.SPEC.word:
        raise Malformed(Problem("no_notation", field="text"))
    return game


def _steps(record: Record) -> Iterator[Step]:
    game = playable(record.game)
    try:
        state = game.start(record.options, 2, SeededDice(b"", 0))
    except Malformed as error:
        raise Malformed(Problem("unreadable", field="text")) from error
    yield Step(state, ())
    for number, word in enumerate(record.words, 1):
        resolved = _resolve(game, state, number, word)
        state = resolved.state
        yield resolved


def _resolve(game: Game[Any, Any, Any], state: Any, number: int, word: str) -> Step:
    wrong = Malformed(Problem("bad_word", field="text", detail={"number": number, "word": word[:12]}))
    awaits: Sequence[str] = game.standing(state).awaits
    if not awaits:
        raise wrong
    try:
        orders = game.parse({game.SPEC.word: word})
    except Malformed as error:
        raise wrong from error
    if game.check(game.view(state, awaits[0]), orders):
        raise wrong
    resolved = game.resolve(state, {awaits[0]: Sent(orders)}, SeededDice(b"", number))
    return Step(resolved.state, resolved.facts)


def _plain(text: str) -> str:
    return text.replace('"', "'").replace("\n", " ")[:100]
