"""House rules that no ready-made linter knows: each takes a source and tells what is wrong with it."""

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

MOST_LINES: Final = 350
LONGEST_FUNCTION: Final = 60

_IMPURE: Final = frozenset(
    {
        "time",
        "random",
        "uuid",
        "os",
        "logging",
        "secrets",
        "pathlib",
        "io",
        "socket",
        "subprocess",
        "tempfile",
        "shutil",
    }
)
_IMPURE_CALLS: Final = frozenset(("open", "input", "exec", "eval", "__import__"))
_CLOCKS: Final = frozenset(("now", "utcnow", "today"))

_TAG: Final = re.compile(r"<[a-zA-Z][^>]*>")
_INLINE: Final = (
    (re.compile(r"<style\b"), "a style element"),
    (re.compile(r"<script(?![^>]*\bsrc=)"), "a script without src"),
    (re.compile(r"<script[^>]*>\s*[^<\s]"), "a script with content"),
    (re.compile(r"javascript:"), "a javascript: address"),
)
_INLINE_ATTRIBUTES: Final = (
    (re.compile(r"\sstyle\s*="), "a style attribute"),
    (re.compile(r"\son[a-z]+\s*="), "an event attribute"),
)
_MACHINE: Final = re.compile(r"(?<![\w.:/~-])/(?:work|root|home|farm|opt|Users|mnt)/[\w.]")


def impurities(tree: ast.AST) -> Iterator[str]:
    """What in a module of the engine depends on more than its arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"imports {alias.name}" for alias in node.names if alias.name.split(".")[0] in _IMPURE)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in _IMPURE:
            yield f"imports from {node.module}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _IMPURE_CALLS:
            yield f"calls {node.func.id}()"
        elif isinstance(node, ast.Attribute) and node.attr in _CLOCKS and _names_a_date(node.value):
            yield f"reads the clock by .{node.attr}"


def oversizes(tree: ast.AST, source: str) -> Iterator[str]:
    """What is too long in a module."""
    lines = source.count("\n")
    if lines > MOST_LINES:
        yield f"has {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"{node.name} has {length} lines"


def inline_code(template: str) -> Iterator[str]:
    """What in a page's template the content security policy would refuse."""
    plain = re.sub(r"\{[{%#].*?[#%}]\}", "", template, flags=re.DOTALL)
    yield from (what for pattern, what in _INLINE if pattern.search(plain))
    for tag in _TAG.findall(plain):
        yield from (f"{what}: {tag}" for pattern, what in _INLINE_ATTRIBUTES if pattern.search(tag))


def machine_paths(text: str) -> Iterator[str]:
    """Absolute paths that exist on somebody's machine only."""
    yield from (match[0] for match in _MACHINE.finditer(text))


def _names_a_date(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("datetime", "date")


def games_named(tree: ast.AST, games: Collection[str]) -> Iterator[str]:
    """Where a module names a game: as text, or by importing something of its folders."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in games:
            yield f"names {node.value} in line {node.lineno}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"imports of {game}" for game in _of_games(node.module, games))
            if node.module in ("engine.games", "functions.web.boards"):
                yield from (f"imports {alias.name}" for alias in node.names if alias.name in games)
        elif isinstance(node, ast.Import):
            yield from (f"imports of {game}" for alias in node.names for game in _of_games(alias.name, games))


def _of_games(module: str, games: Collection[str]) -> Iterator[str]:
    parts = module.split(".")
    homes = parts[:2] == ["engine", "games"], parts[:3] == ["functions", "web", "boards"]
    if any(homes):
        yield from (part for part in parts[2:4] if part in games)
