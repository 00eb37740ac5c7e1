"""Forms become JSON by the names of their fields."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Malformed
from infra.forms import MOST_BYTES, MOST_FIELDS, decode


@pytest.mark.parametrize(
    ("fields", "json"),
    [
        ([], {}),
        ([("a", "x")], {"a": "x"}),
        ([("a", "x"), ("a", "y")], None),
        ([("move.0.from", "hq_a"), ("move.0.units:int", "2")], {"move": [{"from": "hq_a", "units": 2}]}),
        ([("move.7.from", "b"), ("move.2.from", "a"), ("move.10.from", "c")], {"move": [{"from": x} for x in "abc"]}),
        ([("entrench.+", "fwd_a"), ("entrench.+", "post_b")], {"entrench": ["fwd_a", "post_b"]}),
        ([("entrench.+", "")], {}),
        ([("entrench.+", ""), ("entrench.+", "x")], {"entrench": ["x"]}),
        ([("predict:text_or_null", "")], {"predict": None}),
        ([("predict:text_or_null", " hq_b ")], {"predict": "hq_b"}),
        ([("turn:int", " 12 ")], {"turn": 12}),
        ([("turn:int", "")], {}),
        ([("turn:int", "two")], {"turn": "two"}),
        ([("turn:int", "1.5")], {"turn": "1.5"}),
        ([("turn:int", "٣")], {"turn": "٣"}),
        ([("turn:int", "9" * 16)], {"turn": "9" * 16}),
        ([("turn:int", "-3")], {"turn": -3}),
        ([("sure:bool", "on"), ("old:bool", "")], {"sure": True, "old": False}),
        ([("a.b.c", "x"), ("a.d", "y")], {"a": {"b": {"c": "x"}, "d": "y"}}),
        ([("a:b", "x")], None),
        ([("a..b", "x")], None),
        ([(".", "x")], None),
        ([("", "x")], None),
        ([("a.b.c.d.e.f.g", "x")], None),
        ([("a", "x"), ("a.b", "y")], None),
        ([("a.b", "y"), ("a", "x")], None),
    ],
)
def test_names_write_json(fields: list[tuple[str, str]], json: Any) -> None:
    if json is None:
        with pytest.raises(Malformed):
            decode(fields)
    else:
        assert decode(fields) == json


@pytest.mark.parametrize(
    ("units", "decoys", "kept"), [("", "", False), ("0", "", False), ("0", "1", True), ("x", "", True)]
)
def test_a_line_without_figures_says_nothing(units: str, decoys: str, kept: bool) -> None:
    line = [("move.0.from", "hq_a"), ("move.0.units:int", units), ("move.0.decoys:int", decoys)]
    assert ("move" in decode(line) and decode(line)["move"] != []) is kept


def test_a_list_that_says_nothing_is_an_empty_list() -> None:
    assert decode([("move.0.from", "a"), ("move.0.units:int", "")]) == {"move": []}


def test_forms_have_bounds() -> None:
    decode([(f"a{i}", "x") for i in range(MOST_FIELDS)])
    with pytest.raises(Malformed):
        decode([(f"a{i}", "x") for i in range(MOST_FIELDS + 1)])
    with pytest.raises(Malformed):
        decode([("a", "x" * MOST_BYTES)])


NAMES = st.text("abc.:+019int_ ", max_size=14)


@given(st.lists(st.tuples(NAMES, st.text(max_size=5)), max_size=12))
def test_any_form_is_read_or_malformed(fields: list[tuple[str, str]]) -> None:
    try:
        read = decode(fields)
    except Malformed as error:
        assert all(problem.code in ("form_unreadable", "form_too_large") for problem in error.problems)
    else:
        assert all(isinstance(key, str) for key in read)


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["hq_a", "fwd_a"])), max_size=8), st.randoms())
def test_lines_keep_their_order_however_they_are_sent(lines: list[tuple[int, str]], chance: Any) -> None:
    fields = [
        field
        for i, (units, at) in enumerate(lines)
        for field in ((f"move.{i}.from", at), (f"move.{i}.units:int", str(units)))
    ]
    chance.shuffle(fields)
    assert decode(fields) == ({"move": [{"from": at, "units": n} for n, at in lines]} if lines else {})
