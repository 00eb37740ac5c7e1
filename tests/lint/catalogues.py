"""The catalogues against what asks for their keys."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jinja2 import Environment, nodes

from infra.build import LOCALES, messages
from tests.lint.sources import python, short, templates, tree

_PLACE: Final = re.compile(r"\{([a-z_]+)\}")
_DYNAMIC: Final = "[A-Za-z0-9_-]+"
_DYNAMIC_WITHIN: Final = "[A-Za-z0-9_.-]+"  # below two fixed parts


@dataclass(frozen=True, slots=True)
class Text:
    """A message: its forms, one or two."""

    file: str
    forms: tuple[str, ...]

    @property
    def places(self) -> frozenset[str]:
        """The names of what fills it."""
        return frozenset(place for form in self.forms for place in _PLACE.findall(form))


@dataclass(frozen=True, slots=True)
class Uses:
    """What the sources ask for: keys with the arguments given (None: not known), patterns of keys, other strings."""

    keys: dict[str, list[tuple[str, frozenset[str] | None]]] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    strings: set[str] = field(default_factory=set)

    def add(self, where: str, parts: tuple[str | None, ...], given: frozenset[str] | None) -> None:
        """Enter a use: `parts` of its key, None where it is computed."""
        if None not in parts:
            self.keys.setdefault("".join(p for p in parts if p), []).append((where, given))
        elif any(parts):
            free = _DYNAMIC_WITHIN if (parts[0] or parts[1] or "").count(".") > 1 else _DYNAMIC
            self.patterns["".join(free if p is None else re.escape(p) for p in parts)] = where


def catalogue(lang: str) -> dict[str, Text]:
    """All texts of a language; ValueError if a key is there twice."""
    found: dict[str, Text] = {}
    for path in sorted((LOCALES / lang).glob("*.po")):
        keys = re.findall(r'^msgid "(.+)"$', path.read_text("utf-8"), flags=re.MULTILINE)
        if len(set(keys)) != len(keys) or not found.keys().isdisjoint(keys):
            raise ValueError(f"{path.name}: {sorted(k for k in keys if keys.count(k) > 1 or k in found)}")
        for message in messages(path, lang):
            plural = isinstance(message.id, tuple)
            found[message.id[0] if plural else message.id] = Text(
                path.name, tuple(message.string) if plural else (message.string,)
            )
    return found


def differences(one: Mapping[str, Text], other: Mapping[str, Text]) -> Iterator[str]:
    """What does not match between two languages."""
    yield from (f"{key}: only in one language" for key in sorted(one.keys() ^ other.keys()))
    for key in sorted(one.keys() & other.keys()):
        if not all(one[key].forms) or not all(other[key].forms):
            yield f"{key}: empty"
        if len(one[key].forms) != len(other[key].forms):
            yield f"{key}: plural in one language only"
        if one[key].places != other[key].places:
            yield f"{key}: {sorted(one[key].places)} and {sorted(other[key].places)}"


def used() -> Uses:
    """Everything that Python code and templates ask for."""
    uses = Uses()
    for path in python("engine", "functions", "infra"):
        in_python(tree(path), short(path), uses)
    for path in templates("*.html", "*.txt"):
        in_template(path.read_text("utf-8"), short(path), uses)
    return uses


def in_python(module: ast.AST, where: str, uses: Uses) -> None:
    """Enter what a module asks for by `t(…)`, by the codes of refusals and problems, and its other strings."""
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            uses.strings.add(node.value)
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        prefix = _prefix(name, where)
        if prefix is None:
            continue
        known = not any(keyword.arg is None for keyword in node.keywords)
        given = frozenset(k.arg for k in node.keywords if k.arg) if known and name == "t" else None
        for parts in _python_keys(node.args[0]):
            uses.add(where, (prefix, *parts), given)


def in_template(source: str, where: str, uses: Uses) -> None:
    """Enter what a template asks for by `t(…)`, and its other strings."""
    parsed = Environment().parse(source)
    uses.strings.update(const.value for const in parsed.find_all(nodes.Const) if isinstance(const.value, str))
    for call in parsed.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "t" and call.args:
            given = None if call.dyn_kwargs else frozenset(keyword.key for keyword in call.kwargs)
            for parts in _template_keys(call.args[0]):
                uses.add(where, parts, given)


def missing(texts: Mapping[str, Text], uses: Uses) -> Iterator[str]:
    """Keys that are asked for and not there, and arguments that a text needs and is not given."""
    for key, calls in sorted(uses.keys.items()):
        for where, given in calls:
            if key not in texts:
                yield f"{where}: {key} is in no catalogue"
            elif given is not None and texts[key].places - given:
                yield f"{where}: {key} needs {sorted(texts[key].places - given)}"
    for pattern, where in sorted(uses.patterns.items()):
        if not any(re.fullmatch(pattern, key) for key in texts):
            yield f"{where}: no key matches {pattern}"


def unused(texts: Mapping[str, Text], uses: Uses) -> Iterator[str]:
    """Keys that nothing asks for. Of refusals and problems the code itself must stand somewhere."""
    for key, text in sorted(texts.items()):
        area, _, code = key.partition(".")
        asked = key in uses.keys or key in uses.strings
        if area in ("refusal", "problem"):
            asked = asked or code in uses.strings
        elif not asked:
            asked = any(re.fullmatch(pattern, key) for pattern in uses.patterns)
        if not asked:
            yield f"{text.file}: {key}"


def _prefix(name: str, where: str) -> str | None:
    if name == "t":
        return ""
    if where.startswith(("engine/games/", "engine/__main__")):
        return None
    return {"Refusal": "refusal.", "Problem": "problem."}.get(name)


def _python_keys(node: ast.expr) -> list[tuple[str | None, ...]]:
    if isinstance(node, ast.IfExp):
        return [*_python_keys(node.body), *_python_keys(node.orelse)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [(node.value,)]
    if isinstance(node, ast.JoinedStr):
        parts = (str(part.value) if isinstance(part, ast.Constant) else None for part in node.values)
        return [tuple(parts)]
    return []


def _template_keys(node: Any) -> list[tuple[str | None, ...]]:
    if isinstance(node, nodes.CondExpr):
        return [*_template_keys(node.expr1), *_template_keys(node.expr2)]
    if isinstance(node, nodes.Const):
        return [(str(node.value),)]
    if isinstance(node, nodes.Concat):
        return [tuple(str(part.value) if isinstance(part, nodes.Const) else None for part in node.nodes)]
    return []


def typography(lang: str, text: str) -> Iterator[str]:
    """What is set as no printer of the language would."""
    words = re.sub(r"</[^>]*>|https?://\S+", "", text)
    words = re.sub(r"<[^>]*>", "\u2060", words)  # what a tag opens stands for itself: a bare “?” is no question
    if "'" in words or '"' in words:
        yield "straight quotes"
    if lang == "fr":
        if re.search(r"[\w)»] ?[;:!?](?=\s|$)", words) or re.search(r"«(?!\u202f)|(?<!\u202f)»", words):
            yield "no narrow space by a mark that needs one"
        if " …" in words or "..." in words:
            yield "dots"
