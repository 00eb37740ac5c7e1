"""What a process that serves for long does before anybody asks for a page."""

import subprocess
import sys
from typing import Final

READY: Final = """
import sys
from functions import serve
serve.make_ready()
before = set(sys.modules)
from engine.games import registry
from functions.web import app, boards, routes
for _, _, target in routes.ROUTES:
    app._load(target)
for game in registry.GAMES:
    registry.game(game), boards.board(game)
print(sorted(set(sys.modules) - before))
"""


def test_no_reader_waits_for_what_is_imported() -> None:
    """Neither for a page's module nor for a game's."""
    done = subprocess.run([sys.executable, "-c", READY], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
