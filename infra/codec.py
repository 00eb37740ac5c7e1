"""Records as JSON, and keys as text that sorts right: both stores use it, so that they cannot differ.

Converters are compiled at a class's first use. Unknown keys are ignored and missing ones take the field's default, so a
record may gain and lose fields while old ones are in the store.
"""

import dataclasses
import functools
import json
import types
import typing
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from infra.store import Down, Part

T = TypeVar("T")
Convert = Callable[[Any], Any]
Pair = tuple[Convert | None, Convert | None]  # to JSON and back; None: the value as it is

PLAIN_UPTO: Final = 900  # bytes; longer bodies are compressed
LARGEST_INT: Final = 2**63
ABOVE: Final = "\x7f"  # sorts after every encoded order
_SCALARS: Final = frozenset((str, int, bool, float, types.NoneType))
_ANYTHING: Final = frozenset((Any, object))


def dump(value: Any) -> dict[str, Any]:
    """A dataclass value as a JSON object; raises TypeError if a field's type is not one that records may have."""
    writers = _plan(type(value)).writers
    return {name: write(getattr(value, name)) if write else getattr(value, name) for name, write in writers}


def load(cls: type[T], raw: Mapping[str, Any]) -> T:
    """The value of this dataclass that `dump` wrote; raises ValueError if a field without a default is missing."""
    plan = _plan(cls)
    if not plan.required <= raw.keys():
        raise ValueError(f"{cls.__name__} without {', '.join(sorted(plan.required - raw.keys()))}")
    return cls(**{name: read(raw[name]) if read else raw[name] for name, read in plan.readers if name in raw})


def pack(raw: Mapping[str, Any]) -> bytes:
    """A JSON object as bytes, compressed above 900."""
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"), default=_mapping).encode()
    return text if len(text) <= PLAIN_UPTO else zlib.compress(text, 6)


def unpack(body: bytes) -> dict[str, Any]:
    """The JSON object that `pack` wrote."""
    raw: dict[str, Any] = json.loads(body if body[:1] == b"{" else zlib.decompress(body))
    return raw


def order(parts: Iterable[Part | Down]) -> str:
    """Parts as text which compares (by code point, as UTF-8 does) as the parts do one by one, numbers before strings.

    Each part ends in a space, which sorts before all else and stands nowhere inside a part: what begins with the same
    parts begins with the same text. Numbers go from -2^63 to 2^63; ValueError beyond.
    """
    return "".join([_part(part) for part in parts])


def bounds(start: Iterable[Part | Down] | None, upto: Iterable[Part | Down] | None) -> tuple[str, str]:
    """The lowest and highest text of the orders whose leading parts lie within `start` and `upto`, both included."""
    upper = order(upto) if upto is not None else ""
    return order(start) if start is not None else " ", upper[:-1] + "!" if upper else ABOVE


def beyond(text: str) -> str:
    """The lowest text that sorts after this order and is one."""
    return text + "!"


def _part(part: Part | Down) -> str:
    if isinstance(part, str):
        return "~" + (part if part.isalnum() else part.translate(_ESCAPED)) + " "
    number = -part.number if isinstance(part, Down) else part
    if not -LARGEST_INT <= number <= LARGEST_INT:
        raise ValueError(f"too large for a key: {number}")
    digits = str(abs(number))
    if number >= 0:
        return chr(ord("a") + len(digits)) + digits + " "
    return chr(ord("Z") - len(digits)) + digits.translate(_COMPLEMENT) + " "


_ESCAPED: Final = {number: "!" + chr(ord("0") + number) for number in range(ord("!") + 1)}
_COMPLEMENT: Final = str.maketrans("0123456789", "9876543210")


def _mapping(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"not JSON: {value!r}")


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    writers: tuple[tuple[str, Convert | None], ...]
    readers: tuple[tuple[str, Convert | None], ...]
    required: frozenset[str]


_PLANS: Final[dict[type, _Plan]] = {}


def _plan(cls: type) -> _Plan:
    found = _PLANS.get(cls)
    if found is None:
        found = _PLANS[cls] = _compiled(cls)
    return found


def _compiled(cls: type) -> _Plan:
    hints = typing.get_type_hints(cls)
    fields = [f for f in dataclasses.fields(cls) if f.init]
    pairs = [(f.name, _pair(hints[f.name])) for f in fields]
    required = [f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING]
    return _Plan(
        tuple((name, write) for name, (write, _) in pairs),
        tuple((name, read) for name, (_, read) in pairs),
        frozenset(required),
    )


def _pair(hint: Any) -> Pair:
    hint = _base(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in _SCALARS or hint in _ANYTHING or origin is typing.Literal:
        return None, None
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return dump, functools.partial(load, hint)
    if origin in (types.UnionType, typing.Union):
        return _union(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return _mappings(arguments)
    raise TypeError(f"a record's field can't be {hint!r}")


def _union(options: tuple[Any, ...]) -> Pair:
    """Scalars stand for themselves; of other types a union may have one."""
    pairs = [pair for pair in (_pair(o) for o in options if o not in _SCALARS) if pair != (None, None)]
    if not pairs:
        return None, None
    if len(pairs) > 1:
        raise TypeError(f"a record's field can't be one of {options!r}")
    write, read = pairs[0]
    return _unless_scalar(write), _unless_scalar(read)


def _unless_scalar(convert: Convert | None) -> Convert | None:
    if convert is None:
        return None
    return lambda value: value if type(value) in _SCALARS else convert(value)


def _tuple(arguments: tuple[Any, ...]) -> Pair:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        write, read = _pair(arguments[0])
        return (
            (lambda values: [write(v) for v in values]) if write else list,
            (lambda values: tuple([read(v) for v in values])) if read else tuple,
        )
    pairs = [_pair(a) for a in arguments]
    return (
        lambda values: [p[0](v) if p[0] else v for p, v in zip(pairs, values, strict=True)],
        lambda values: tuple([p[1](v) if p[1] else v for p, v in zip(pairs, values, strict=True)]),
    )


def _mappings(arguments: tuple[Any, ...]) -> Pair:
    if _base(arguments[0]) is not str:
        raise TypeError("a record's mappings have strings for keys")
    write, read = _pair(arguments[1])
    return (
        (lambda value: {k: write(v) for k, v in value.items()}) if write else dict,
        (lambda value: {k: read(v) for k, v in value.items()}) if read else None,
    )


def _base(hint: Any) -> Any:
    while isinstance(hint, typing.NewType):
        hint = hint.__supertype__
    return hint
