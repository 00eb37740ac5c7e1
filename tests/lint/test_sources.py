"""The rules of the house hold everywhere, and each of them can fail."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.games.registry import GAMES
from tests.lint.rules import games_named, impurities, inline_code, machine_paths, oversizes
from tests.lint.sources import CODE, python, short, templates, texts, tree


def test_the_engine_depends_on_its_arguments_alone() -> None:
    assert _found((path, impurities(tree(path))) for path in python("engine")) == ""


def test_files_and_functions_stay_small() -> None:
    sizes = ((path, oversizes(tree(path), path.read_text("utf-8"))) for path in python(*CODE))
    assert _found(sizes) == ""


def test_pages_have_no_inline_script_or_style() -> None:
    pages = (path for path in templates("*.html", "*.svg") if "mail" not in path.parts)
    assert _found((path, inline_code(path.read_text("utf-8"))) for path in pages) == ""


def test_no_path_of_a_machine_is_in_the_tree() -> None:
    assert _found((path, machine_paths(path.read_text("utf-8"))) for path in texts()) == ""


def test_nothing_but_the_registry_knows_a_game_by_name() -> None:
    """A game is its folders, its templates and a line of the registry; doctrines are a language of their game's own."""
    doctrines = {
        f"functions/web/{name}.py" for name in ("bench", "challenges", "doctrine_form", "doctrines", "practice")
    }
    for path in python("engine/platform", "functions", "infra"):
        name = short(path)
        if not name.startswith(("functions/web/boards/", "functions/demo/")):
            found = [
                what for what in games_named(tree(path), GAMES) if name not in doctrines or what.startswith("names")
            ]
            assert found == [], name


def test_each_game_is_named_by_its_own_folders_alone() -> None:
    for home in ("engine/games", "functions/web/boards"):
        for game in GAMES:
            others = set(GAMES) - {game}
            assert _found((path, games_named(tree(path), others)) for path in python(f"{home}/{game}")) == ""


@pytest.mark.parametrize(
    "source",
    [
        "GAME = 'relief'",
        "from engine.games.relief import board",
        "from engine.games import relief",
        "import functions.web.boards.relief.map",
        "from functions.web.boards import relief",
    ],
)
def test_a_games_name_is_found(source: str) -> None:
    assert len(list(games_named(ast.parse(source), GAMES))) == 1
    assert not list(games_named(ast.parse("from engine.games import registry; x = 'in relief of'"), GAMES))


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "import os.path",
        "from random import choice",
        "def f():\n    import uuid",
        "open('x')",
        "from datetime import datetime\ndatetime.now()",
        "import datetime\nx = datetime.date.today()",
    ],
)
def test_an_impurity_is_found(source: str) -> None:
    assert list(impurities(ast.parse(source)))


def test_what_is_pure_passes() -> None:
    assert not list(impurities(ast.parse("import json\nfrom datetime import datetime\ndef f(now): return now + 1")))


def test_a_long_file_and_a_long_function_are_found() -> None:
    source = "def f():\n" + "    x = 1\n" * 400
    assert list(oversizes(ast.parse(source), source)) == ["has 401 lines", "f has 401 lines"]


@pytest.mark.parametrize(
    "template",
    [
        "<p style='x'>",
        '<p class="{{ a }}" style="{{ b }}">',
        "<style>p{}</style>",
        "<script>go()</script>",
        "<script src='x'>go()</script>",
        "<button onclick=go()>",
        "<a href='javascript:go()'>",
    ],
)
def test_inline_code_is_found(template: str) -> None:
    assert list(inline_code(template))


def test_a_script_file_is_no_inline_code() -> None:
    assert not list(inline_code('<script type="module" src="{{ asset(\'app.js\') }}"></script><p data-on=x>'))


def test_a_machine_path_is_found() -> None:
    assert list(machine_paths("see " + "/ho" + "me/ada/x"))
    assert not list(machine_paths("https://example.org" + "/ho" + "me/x"))


def _found(findings: Iterable[tuple[Path, Iterable[str]]]) -> str:
    return "\n".join(f"{short(path)}: {what}" for path, found in findings for what in found)
