"""Folding names, so that those which look alike or differ by case only are found to be the same (P4)."""

import functools
import json
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

_DIRECTION_MARK: Final = "\u200e"  # the table puts it around right-to-left characters, to show them


def forms(name: str) -> tuple[str, ...]:
    """The folded forms of a name, one or two, sorted: names that share one are taken for the same.

    One form folds case first (IDA, ida), the other likeness first (Ida with a capital i, lda with a small L); neither
    alone finds both.
    """
    text = unicodedata.normalize("NFKC", name)
    return tuple(sorted({skeleton(text.casefold()), skeleton(skeleton(text).casefold())}))


def skeleton(text: str) -> str:
    """Each character replaced by the one that stands for all that look like it (Unicode TS 39), decomposed."""
    table = _prototypes()
    replaced = "".join(table.get(c, c) for c in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", replaced)


@functools.cache
def _prototypes() -> Mapping[str, str]:
    """From a character to its prototype. The table lists prototypes under their characters and the reverse: a
    character that several share is the prototype, of a lone pair it is the one that is more common."""
    raw: dict[str, list[dict[str, str]]] = json.loads(
        files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    )
    alike = {_bare(c): [_bare(x["c"]) for x in others] for c, others in raw.items()}
    return {c: others[0] for c, others in alike.items() if _is_source(c, others, alike)}


def _is_source(c: str, others: list[str], alike: Mapping[str, list[str]]) -> bool:
    if len(c) != 1 or len(others) != 1:
        return False
    back = alike.get(others[0], [])
    return c in back and (len(back) > 1 or _rank(others[0]) < _rank(c))


def _rank(text: str) -> tuple[bool, int, str]:
    return (not text.isascii(), len(text), text)


def _bare(text: str) -> str:
    return text.replace(_DIRECTION_MARK, "")
