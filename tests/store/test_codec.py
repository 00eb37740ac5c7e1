"""Records as JSON and back; keys as text in the right order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NewType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra import codec
from infra.store import Down

Ticks = NewType("Ticks", int)


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    at: Ticks = Ticks(0)


@dataclass(frozen=True, slots=True)
class Outer:
    id: str
    colour: Literal["red", "blue"] = "red"
    share: float = 0.5
    either: int | str | None = None
    one: Inner | None = None
    many: tuple[Inner, ...] = ()
    pair: tuple[str, Inner] | None = None
    plain: tuple[int, ...] = ()
    by_seat: Mapping[str, tuple[Inner, ...]] = field(default_factory=lambda: MappingProxyType({}))
    scores: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Later:
    id: str
    plain: tuple[int, ...] = ()
    added: str = "new"


@dataclass(frozen=True, slots=True)
class Odd:
    members: set[str]


inners = st.builds(Inner, st.text(), st.integers(-(2**63), 2**63))
outers = st.builds(
    Outer,
    st.text(),
    st.sampled_from(["red", "blue"]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.integers() | st.text(),
    st.none() | inners,
    st.lists(inners, max_size=3).map(tuple),
    st.none() | st.tuples(st.text(), inners),
    st.lists(st.integers(), max_size=3).map(tuple),
    st.dictionaries(st.text(), st.lists(inners, max_size=2).map(tuple), max_size=2),
    st.dictionaries(st.text(), st.integers(), max_size=2),
    st.dictionaries(st.text(), st.none() | st.booleans() | st.lists(st.text(), max_size=2), max_size=2),
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.text(' !"~\x00\x01/0az', max_size=4)
numbers = st.integers(-(2**63), 2**63) | st.integers(-11, 11)


@settings(max_examples=50)
@given(outers)
def test_a_record_comes_back_from_its_bytes(value: Outer) -> None:
    assert codec.load(Outer, codec.unpack(codec.pack(codec.dump(value)))) == value


def test_frozen_mappings_are_written_too() -> None:
    value = Outer("o", by_seat=MappingProxyType({"a": (Inner("x"),)}), about={"deep": MappingProxyType({"k": (1,)})})
    raw = codec.unpack(codec.pack(codec.dump(value)))
    assert raw["about"] == {"deep": {"k": [1]}}
    assert raw["by_seat"] == {"a": [{"name": "x", "at": 0}]}


def test_long_records_are_compressed() -> None:
    short, long = (codec.pack(codec.dump(Inner("é" * n))) for n in (10, 1000))
    assert short[:1] == b"{"
    assert len(long) < 200
    assert codec.unpack(long)["name"] == "é" * 1000


def test_records_may_gain_and_lose_fields() -> None:
    assert codec.load(Later, codec.dump(Outer("o", plain=(1, 2)))) == Later("o", (1, 2), "new")
    assert codec.load(Outer, codec.dump(Later("o", (3,)))) == Outer("o", plain=(3,))


def test_a_field_without_default_must_be_there() -> None:
    with pytest.raises(ValueError, match="name"):
        codec.load(Inner, {"at": 3})


def test_a_type_that_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError):
        codec.dump(Odd({"a"}))


@given(st.lists(numbers, min_size=2, max_size=2), texts)
def test_numbers_sort_as_numbers(pair: list[int], text: str) -> None:
    low, high = sorted(pair)
    assert (codec.order((low, text)) < codec.order((high, ""))) is (low < high)
    assert (codec.order((Down(high), text)) < codec.order((Down(low), ""))) is (low < high)


@given(st.lists(st.tuples(texts, numbers), min_size=2, max_size=6))
def test_keys_sort_part_by_part(keys: list[tuple[str, int]]) -> None:
    assert sorted(keys, key=codec.order) == sorted(keys)


@given(texts, texts, texts)
def test_bounds_hold_exactly_what_begins_with_them(bound: str, first: str, second: str) -> None:
    low, high = codec.bounds((bound,), (bound,))
    assert (low <= codec.order((first, second)) <= high) is (first == bound)
    low, _ = codec.bounds((bound,), None)
    assert (low <= codec.order((first, second))) is (first >= bound)
    low, high = codec.bounds(None, (bound,))
    assert (low <= codec.order((first, second)) <= high) is (first <= bound)


@given(texts, texts, texts)
def test_beyond_a_key_come_the_later_ones(key: str, other: str, more: str) -> None:
    mark = codec.beyond(codec.order((key,)))
    assert (codec.order((other,)) > mark) is (other > key)
    assert (codec.order((other, more)) > mark) is (other > key or other == key)


def test_numbers_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="large"):
        codec.order((2**63 + 1,))
