"""Texts in the reader's language, from the gettext catalogues that `python -m infra.build` compiles."""

import functools
import gettext
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from engine.platform.members import Lang

LANGS: Final[tuple[Lang, ...]] = ("en", "fr")
ROOT: Final = Path(__file__).resolve().parent.parent
COMPILED: Final = ROOT / "build" / "locales"

Translator = Callable[..., str]


class MissingText(KeyError):
    """No catalogue has this key."""


@functools.cache
def translator(lang: Lang) -> Translator:
    """The function `t(key, **args)` of a language: plain text, its `{places}` filled; raises MissingText.

    A number `n` chooses between singular and plural.
    """
    find = finder(lang)

    def t(key: str, /, **args: Any) -> str:
        return find(key, args.get("n")).format(**args)

    return t


@functools.cache
def finder(lang: Lang) -> Callable[[str, Any], str]:
    """The function from a key and a number (or None) to the sentence as the catalogue has it."""
    with (COMPILED / f"{lang}.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)

    def find(key: str, n: Any = None) -> str:
        text = catalogue.ngettext(key, key, n) if isinstance(n, int) else key
        if text == key:
            text = catalogue.gettext(key)
        if text == key:
            raise MissingText(key)
        return text

    return find


def forget() -> None:
    """Read the catalogues again at the next use: they were compiled anew."""
    translator.cache_clear()
    finder.cache_clear()
