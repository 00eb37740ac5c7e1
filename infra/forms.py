"""Form fields to JSON by their names alone, so that no game needs code of its own to read its forms.

`move.0.from=hq_a` is `{"move": [{"from": "hq_a"}]}`; `entrench.+=fwd_a` appends to a list. A suffix gives the type:
`:int` (blank: left out; not a number: kept as typed, for validation to report), `:bool` (present and not blank: true),
`:text_or_null` (blank: null). A list item whose `:int` fields are all blank or zero is left out, as is a blank text
appended to a list.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

from engine.errors import Malformed, Problem

MOST_FIELDS: Final = 250  # a doctrine of eight full rules has 204
MOST_BYTES: Final = 300_000  # a text of 20,000 characters, each written with twelve (T16)
_DEEPEST: Final = 6
_NAME = re.compile(r"([^:]*)(?::(int|bool|text_or_null))?")
_LISTED = re.compile(r"\+?[0-9]{1,9}")
_INT = re.compile(r"[+-]?[0-9]{1,15}")


def decode(fields: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The JSON that the fields write; raises Malformed if they are too many, or contradict each other."""
    pairs = tuple(fields)
    if len(pairs) > MOST_FIELDS or sum(len(name) + len(text) for name, text in pairs) > MOST_BYTES:
        raise Malformed(Problem("form_too_large"))
    root = _Node()
    for name, text in pairs:
        _place(root, name, text)
    return _mapping(root)


class _Node:
    """A part of the tree being built: a value, or named parts; `blank` counts its `:int` fields that say nothing."""

    __slots__ = ("blank", "numbers", "parts", "value")

    def __init__(self) -> None:
        self.parts: dict[str, _Node] = {}
        self.value: Any = _NOTHING
        self.numbers = 0
        self.blank = 0


_NOTHING: Final = object()


def _place(root: _Node, name: str, text: str) -> None:
    match = _NAME.fullmatch(name)
    steps = match[1].split(".") if match else []
    kind = match[2] if match else None
    if not 0 < len(steps) <= _DEEPEST or not all(steps):
        raise Malformed(Problem("form_unreadable", field=name))
    holder = root
    for step in steps[:-1]:
        holder = holder.parts.setdefault(_key(holder, step), _Node())
    value = _value(kind, text)
    if kind == "int":
        holder.numbers += 1
        holder.blank += value is _NOTHING or value == 0
    if steps[-1] == "+" and text.strip() == "":
        return
    leaf = holder.parts.setdefault(_key(holder, steps[-1]), _Node())
    if leaf.parts or leaf.value is not _NOTHING:
        raise Malformed(Problem("form_unreadable", field=name))
    leaf.value = value


def _key(holder: _Node, step: str) -> str:
    if holder.value is not _NOTHING:
        raise Malformed(Problem("form_unreadable", field=step))
    return f"+{len(holder.parts)}" if step == "+" else step


def _value(kind: str | None, text: str) -> Any:
    bare = text.strip()
    if kind == "int":
        return _NOTHING if bare == "" else int(bare) if _INT.fullmatch(bare) else text
    if kind == "bool":
        return bare != ""
    if kind == "text_or_null":
        return bare or None
    return text


def _plain(node: _Node) -> Any:
    if not node.parts:
        return node.value
    if all(_LISTED.fullmatch(key) for key in node.parts):
        ordered = sorted(node.parts.items(), key=lambda item: (item[0][0] == "+", int(item[0])))
        items = (_plain(part) for _, part in ordered if not _says_nothing(part))
        return [item for item in items if item is not _NOTHING]
    return _mapping(node)


def _mapping(node: _Node) -> dict[str, Any]:
    plain = {key: _plain(part) for key, part in node.parts.items()}
    return {key: value for key, value in plain.items() if value is not _NOTHING}


def _says_nothing(item: _Node) -> bool:
    return item.numbers > 0 and item.blank == item.numbers
