"""Names (P4): what they may hold, that none passes for another, and that freed ones are kept back."""

import unicodedata
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decisions import Kept
from engine.errors import Malformed, Refusal
from engine.platform.members import MemberId
from engine.platform.names import KEPT_BACK, LONGEST, Name, cleaned, free, take
from engine.times import Instant, later
from infra.folding import forms
from infra.store import Row

ADA, BEA = MemberId("ada"), MemberId("bea")
NOW = Instant(1_790_000_000_000)

letters = st.text(st.characters(codec="utf-8", categories=("Lu", "Ll", "Nd", "Lo", "Mn", "Pd", "Zs")), max_size=30)


@pytest.mark.parametrize(
    "name", ["Ada", "Jean-Paul", "O’Neil", "Élodie 2", "Ωmega", "Иван", "דוד", "محمد", "李明", "a1"]
)
def test_names_of_many_scripts_are_kept_as_typed(name: str) -> None:
    assert cleaned(name) == unicodedata.normalize("NFKC", name)


def test_compatible_forms_and_spaces_are_made_plain() -> None:
    assert cleaned("  Ａｄａ   ﬁn ") == "Ada fin"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("<b>Ada</b>", "name_character"),
        ("＜b＞", "name_character"),
        ("Ada&amp;", "name_character"),
        ("Ada\u200f", "name_character"),
        ("\u202eadA", "name_character"),
        ("Ad\u200ba", "name_character"),
        ("Ada\x00", "name_character"),
        ("Ada\nBea", "name_character"),
        ("Ada\ud800", "name_character"),
        ("Ada 👑", "name_character"),
        ("a" * 200, "name_long"),
        ("a" * (LONGEST + 1), "name_long"),
        ("", "name_short"),
        ("  ", "name_short"),
        ("A", "name_short"),
        ("1234", "name_shape"),
        ("-Ada", "name_shape"),
        ("Ada-", "name_shape"),
        ("Ada--Bea", "name_shape"),
        ("A\u0316\u0316\u0316\u0316da", "name_shape"),
        ("Moderator", "name_taken"),
    ],
)
def test_refuses_names_that_mislead_or_break_a_page(name: str, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        cleaned(name)
    assert [(p.code, p.field) for p in refused.value.problems] == [(code, "name")]


@given(st.text(max_size=40))
@settings(max_examples=300)
def test_cleaning_is_done_once_and_leaves_nothing_invisible(raw: str) -> None:
    try:
        name = cleaned(raw)
    except Malformed:
        return
    assert cleaned(name) == name
    assert 2 <= len(name) <= LONGEST
    assert not any(unicodedata.category(c).startswith(("C", "S")) or c in '<>&"' for c in name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ida", "IDA"),
        ("Ida", "lda"),
        ("paypal", "paypaI"),
        ("Ada", "Аdа"),  # Cyrillic
        ("Hans", "Нans"),
        ("Anna", "ΑΝΝΑ"),  # Greek
        ("Otto", "0tto"),
        ("Barn", "Bam"),
        ("Ada", "Ａｄａ"),
        ("Élodie", "E\u0301lodie"),
        ("Straße", "STRASSE"),
        ("O’Neil", "O'Neil"),
        ("Duel 1", "Duel l"),
    ],
)
def test_names_that_look_alike_share_a_form(one: str, other: str) -> None:
    assert set(forms(one)) & set(forms(other))


@pytest.mark.parametrize(("one", "other"), [("Ada", "Eda"), ("lda", "ida"), ("Elodie", "Élodie"), ("Jan", "Jon")])
def test_names_that_differ_to_the_eye_share_none(one: str, other: str) -> None:
    assert not set(forms(one)) & set(forms(other))


@given(letters)
@settings(max_examples=300)
def test_no_change_of_case_or_width_makes_a_new_name(name: str) -> None:
    for same in (name.upper().lower(), name.casefold(), unicodedata.normalize("NFD", name)):
        if unicodedata.normalize("NFKC", same).casefold() == unicodedata.normalize("NFKC", name).casefold():
            assert set(forms(same)) & set(forms(name))


def held(*names: Name) -> Mapping[str, Kept[Name] | None]:
    return {name.folded: Row(name, 7) for name in names}


def test_a_free_name_is_taken_in_all_its_forms() -> None:
    changes = take(ADA, "Ida", forms("Ida"), {}, NOW)
    assert [(c.value, c.was) for c in changes] == [(Name("ida", ADA), 0), (Name("lda", ADA), 0)]


def test_anothers_name_is_refused_next_to_its_field() -> None:
    with pytest.raises(Refusal) as refused:
        take(BEA, "lda", forms("lda"), held(Name("lda", ADA)), NOW)
    assert refused.value.code == "name_taken"
    assert refused.value.problems[0].field == "name"


def test_ones_own_name_in_another_case_needs_no_change() -> None:
    assert take(ADA, "ADA", ("ada",), held(Name("ada", ADA)), NOW) == ()


def test_a_freed_name_is_kept_back_for_a_year_from_others_only() -> None:
    freed = held(Name("ada", ADA, freed=NOW))
    with pytest.raises(Refusal):
        take(BEA, "Ada", ("ada",), freed, later(NOW, KEPT_BACK - 1))
    assert take(ADA, "Ada", ("ada",), freed, later(NOW, 1))[0].value == Name("ada", ADA)
    taken = take(BEA, "Ada", ("ada",), freed, later(NOW, KEPT_BACK))
    assert [(c.value, c.was) for c in taken] == [(Name("ada", BEA), 7)]


def test_only_what_one_bears_is_freed() -> None:
    there = held(Name("ada", ADA), Name("bea", BEA), Name("old", ADA, freed=NOW))
    changes = free(ADA, ("ada", "bea", "old", "none"), there, NOW)
    assert [c.value for c in changes] == [Name("ada", ADA, freed=NOW)]
