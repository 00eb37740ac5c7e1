"""The order form: what it holds comes back as the same orders, legal or not, and each problem has its field."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.games import feinthold
from engine.games.draws import SeededDice
from engine.games.feinthold import State
from engine.games.feinthold.layouts import POSITIONS
from engine.platform.members import Lang
from functions.web.boards import feinthold as board
from infra.forms import decode
from infra.i18n import LANGS, translator
from tests.web.support import Document, page_of, played, random_games, read_page, shown, view

STATE = played()
PLACES = st.sampled_from((*POSITIONS, "mars"))
FIGURES = st.one_of(st.integers(0, 12), st.sampled_from((-1, "two", "1.5")))
LINES = st.fixed_dictionaries({"at": PLACES, "units": FIGURES, "decoys": FIGURES})
MOVES = st.fixed_dictionaries({"from": PLACES, "to": PLACES, "units": FIGURES, "decoys": FIGURES})
TYPED = st.fixed_dictionaries(
    {},
    optional={
        "reinforce": st.lists(LINES, max_size=4),
        "move": st.lists(MOVES, max_size=5),
        "entrench": st.lists(PLACES, max_size=4),
        "scout": st.lists(PLACES, max_size=4),
        "predict": PLACES,
    },
)


def form_of(state: State, side: str, sheet: object, lang: Lang = "en") -> Document:
    return read_page(shown(page_of(state, side, sheet), lang))


def orders_in(document: Document) -> Any:
    return decode(document.fields)["orders"]


@pytest.mark.parametrize("lang", LANGS)
def test_legal_orders_come_back_as_they_were(lang: Lang) -> None:
    for n, state in enumerate(random_games(2)):
        for side in ("a", "b"):
            thought = feinthold.think(feinthold.view(state, side), {"policy": "random"}, SeededDice(b"form", n))
            sent = orders_in(form_of(state, side, feinthold.write(thought.orders), lang))
            assert feinthold.parse(sent) == thought.orders


def test_an_empty_form_orders_nothing() -> None:
    assert feinthold.parse(orders_in(form_of(STATE, "a", {}))) == feinthold.parse({})


@settings(max_examples=30, deadline=None)
@given(TYPED)
def test_whatever_was_typed_is_still_there(typed: dict[str, Any]) -> None:
    sent = orders_in(form_of(STATE, "a", typed))
    assert _bag(sent) == _bag(typed)


@settings(max_examples=30, deadline=None)
@given(TYPED)
def test_each_problem_is_said_beside_its_field_and_its_link_leads_there(typed: dict[str, Any]) -> None:
    problems = _problems(typed)
    html = shown(page_of(STATE, "a", typed, problems))
    document = read_page(html)
    assert len(set(document.ids)) == len(document.ids)
    for problem in problems:
        if problem["field"]:
            assert problem["field"] in document.ids
            assert problem["field"] in document.anchors
            assert f"{problem['field']}:problem" in document.ids


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(("reinforce", "move", "scout", "predict", "at", "from", "to", "units")), x
            )
        ),
    )
)
def test_any_json_at_all_can_stand_in_a_form(raw: Any) -> None:
    form = board.fill(view(STATE, "a"), raw)
    assert form.points == view(STATE, "a")["points"]
    board.plan(view(STATE, "a"), raw)
    assert board.orders(translator("en"), "a", raw)


def test_cost_and_what_is_left_are_worked_out_without_scripts() -> None:
    typed = {"reinforce": [{"at": "hq_a", "units": 2, "decoys": 1}], "entrench": ["fwd_a"], "scout": ["fwd_b", "hq_b"]}
    form = board.fill(view(STATE, "a"), typed)
    assert (form.points, form.cost, form.left) == (12, 10, 2)
    assert "10" in shown(page_of(STATE, "a", typed))


def test_only_what_may_be_ordered_is_offered() -> None:
    form = board.fill(view(STATE, "a"), {})
    places = {block.at: block for block in form.blocks}
    assert set(places) == {"hq_a", "fwd_a", "post_a", "centre"}
    assert places["post_a"].reinforce is None  # never on a post (F5)
    assert places["hq_a"].entrench is None  # the HQ always is (F7)
    assert [tick.at for tick in form.scouts] == ["post_b", "fwd_b", "hq_b"]  # none of one's own (F8)
    assert len(form.predict) == 7  # any position (F9)


def test_a_relay_cut_off_from_the_hq_gets_no_reinforcements() -> None:
    seen = dict(view(STATE, "a"))
    seen["flags"] = {**seen["flags"], "fwd_a": None, "post_a": None}
    form = board.fill(seen, {})
    assert {block.at for block in form.blocks if block.reinforce} == {"hq_a"}


@pytest.mark.parametrize("lang", LANGS)
def test_the_form_has_few_enough_fields_for_the_server(lang: Lang) -> None:
    most = max(len(form_of(state, side, {}, lang).fields) for state in random_games(4, b"wide") for side in ("a", "b"))
    assert 20 < most < 150  # infra.forms refuses more than 200


def _problems(typed: object) -> tuple[dict[str, Any], ...]:
    try:
        found = feinthold.check(feinthold.view(STATE, "a"), feinthold.parse(typed))
    except Malformed as error:
        found = error.problems
    t = translator("en")
    return tuple(
        {"code": p.code, "at": p.at, "field": p.field, "message": board.problem(t, "a", p.code, p.at, p.detail)}
        for p in found
    )


def _bag(orders: dict[str, Any]) -> list[str]:
    """The orders as comparable lines, without those that say nothing."""
    lines = [f"{orders.get('predict') or 'none'} predicted"]
    for key in ("entrench", "scout"):
        lines += [f"{key} {name}" for name in orders.get(key, ())]
    for key in ("reinforce", "move"):
        for line in orders.get(key, ()):
            figures = [str(line.get(what) or 0) for what in ("units", "decoys")]
            if figures != ["0", "0"]:
                lines.append(" ".join([key, line.get("at", ""), line.get("from", ""), line.get("to", ""), *figures]))
    return sorted(lines)
