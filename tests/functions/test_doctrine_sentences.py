"""Every rule in a sentence, in both languages (F27)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.feinthold.doctrine.language import ACTIONS, CONDITIONS, Parameter
from functions.web.boards.feinthold import rule as told
from functions.web.boards.feinthold.doctrines import choices
from infra.i18n import LANGS, translator

ALWAYS = {"is": "always"}
SCOUT = {"do": "scout", "place": "their_hq"}


def clause(head: str, kinds: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Any condition or action of the lists."""

    def words(kind: str) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({head: st.just(kind), **{p[0]: word(p) for p in kinds[kind]}})

    return st.sampled_from(list(kinds)).flatmap(words)


def word(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Any choice of a parameter's list, a number as a number."""
    values = [value for value, _ in choices(translator("en"), parameter)]
    return st.sampled_from([int(value) if value.isdigit() else value for value in values])


RULES = st.fixed_dictionaries(
    {
        "if": st.lists(clause("is", CONDITIONS), min_size=1, max_size=3),
        "then": st.lists(clause("do", ACTIONS), min_size=1, max_size=2),
    }
)


@pytest.mark.parametrize(
    ("lang", "rule", "sentence"),
    [
        (
            "fr",
            {
                "if": [
                    {"is": "flag", "place": "centre", "owner": "mine"},
                    {"is": "presence", "place": "their_post"},
                    {"is": "units", "place": "my_hq", "op": ">=", "n": 3},
                ],
                "then": [{"do": "move", "from": "my_hq", "to": "centre", "units": "half", "decoys": 1}],
            },
            "Si le centre est à moi et qu’une présence adverse est visible au poste adverse et que j’ai au moins "
            "3 unités à mon QG, alors déplacer la moitié des unités et 1 leurre de mon QG vers le centre.",
        ),
        (
            "en",
            {
                "if": [{"is": "observed", "place": "their_hq", "op": "<=", "n": 4, "within": 1}, ALWAYS],
                "then": [SCOUT, {"do": "reinforce", "place": "strongest", "units": 1, "decoys": 0}],
            },
            "If the last known figure at the enemy HQ, at most 1 turn old, is at most 4, then scout the enemy HQ, then "
            "place 1 unit at my strongest position.",
        ),
        (
            "en",
            {"if": [{"is": "turn", "op": "<=", "n": 2}], "then": [{"do": "entrench", "place": "most_threatened"}]},
            "If it is turn 2 or earlier, then entrench my most threatened position.",
        ),
        ("fr", {"if": [ALWAYS], "then": [SCOUT]}, "Toujours\u202f: éclairer le QG adverse."),
    ],
)
def test_sentences_read_as_a_player_would_say_them(lang: Any, rule: dict[str, Any], sentence: str) -> None:
    assert told(translator(lang), rule) == sentence


@given(RULES)
def test_every_rule_has_a_sentence_in_both_languages(rule: dict[str, Any]) -> None:
    for lang in LANGS:
        sentence = told(translator(lang), rule)
        assert sentence.endswith(".") and not set("{}_") & set(sentence)


@given(RULES, RULES)
def test_rules_that_differ_read_differently(one: dict[str, Any], other: dict[str, Any]) -> None:
    def meant(rule: dict[str, Any]) -> Any:
        conditions = [condition for condition in rule["if"] if condition != ALWAYS]
        return conditions, rule["then"]

    for lang in LANGS:
        same = told(translator(lang), one) == told(translator(lang), other)
        assert same == (meant(one) == meant(other))
