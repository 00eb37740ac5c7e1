"""Compile what the site reads at run time. `python -m infra.build`: catalogues to `.mo`, and templates that changed."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from infra import i18n, pages

LOCALES: Final = pages.TEMPLATES / "locales"
EXTENSIONS: Final = ("html", "txt", "svg")
PLURALS: Final = {"en": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}


def catalogues() -> None:
    """Compile each language's `.po` files to one `.mo`, if any is newer; ValueError if two hold the same key."""
    for lang in i18n.LANGS:
        sources = sorted((LOCALES / lang).glob("*.po"))
        target = i18n.COMPILED / f"{lang}.mo"
        newest = max(path.stat().st_mtime_ns for path in (LOCALES / lang, *sources))
        if not target.exists() or target.stat().st_mtime_ns <= newest:
            _write(target, merged(lang))
    i18n.forget()


def merged(lang: str) -> Catalog:
    """All texts of a language; ValueError if two files hold the same key."""
    whole: Catalog = Catalog(locale=lang)
    whole.mime_headers = [("Plural-Forms", PLURALS[lang])]  # the locale's own rule for French has a third form
    for path in sorted((LOCALES / lang).glob("*.po")):
        for message in messages(path, lang):
            if message.id in whole:
                raise ValueError(f"{path.name} has {message.id!r}, which is there already")
            whole[message.id] = message
    return whole


def messages(path: Path, lang: str) -> Iterator[Any]:
    """The messages of one `.po` file, without its header."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=lang, abort_invalid=True)
    return (message for message in catalogue if message.id)


def templates() -> None:
    """Compile all templates to modules, for a read-only task root."""
    shutil.rmtree(pages.COMPILED, ignore_errors=True)
    pages.Pages().environment.compile_templates(
        pages.COMPILED, extensions=list(EXTENSIONS), zip=None, ignore_errors=False
    )


def kept() -> None:
    """Compile the templates that have changed, for the site on one machine: no first reader of a page waits for it."""
    environment = pages.Pages(kept=True).environment
    for name in environment.list_templates(extensions=EXTENSIONS):
        environment.get_template(name)


def _write(target: Path, catalogue: Catalog) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        write_mo(file, catalogue)
    Path(file.name).replace(target)


if __name__ == "__main__":
    catalogues()
    kept()
