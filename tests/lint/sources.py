"""The project's own files, as the lint tests read them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CODE: Final = ("engine", "functions", "infra", "tests", "bench")
TEXTS: Final = {".py", ".html", ".txt", ".css", ".js", ".po", ".md", ".toml", ".yaml", ".svg", ""}


def python(*folders: str) -> Iterator[Path]:
    """The Python files of these folders of the project."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """A Python file, parsed."""
    return ast.parse(path.read_text("utf-8"), str(path))


def templates(*patterns: str) -> Iterator[Path]:
    """The templates of these patterns."""
    for pattern in patterns:
        yield from sorted((ROOT / "templates").rglob(pattern))


def texts() -> Iterator[Path]:
    """Every text file that is committed."""
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and path.suffix in TEXTS:
            yield path
    for folder in (*CODE, "templates", "docs", ".ci"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts:
                yield path


def short(path: Path) -> str:
    """The path within the project."""
    return path.relative_to(ROOT).as_posix()
