"""Every text exists in both languages, says the same in both, and is asked for."""

import ast

import pytest

from tests.lint.catalogues import (
    Text,
    Uses,
    catalogue,
    differences,
    in_python,
    in_template,
    missing,
    typography,
    unused,
    used,
)

ENGLISH = catalogue("en")
FRENCH = catalogue("fr")
USES = used()


def test_both_languages_have_the_same_texts() -> None:
    assert "\n".join(differences(ENGLISH, FRENCH)) == ""


def test_every_text_that_is_asked_for_is_there() -> None:
    assert "\n".join(missing(ENGLISH, USES)) == ""


def test_every_text_is_asked_for() -> None:
    assert "\n".join(unused(ENGLISH, USES)) == ""


@pytest.mark.parametrize(("lang", "texts"), [("en", ENGLISH), ("fr", FRENCH)])
def test_texts_are_set_with_care(lang: str, texts: dict[str, Text]) -> None:
    found = [f"{key}: {what}" for key, text in texts.items() for form in text.forms for what in typography(lang, form)]
    assert "\n".join(found) == ""


def test_a_difference_is_found() -> None:
    one = {"a": Text("x", ("{n} b",)), "c": Text("x", ("d",))}
    other = {"a": Text("x", ("{m} b",)), "e": Text("x", ("",))}
    assert len(list(differences(one, other))) == 3
    assert list(differences({"a": Text("x", ("",))}, {"a": Text("x", ("b",))})) == ["a: empty"]
    assert len(list(differences({"a": Text("x", ("b",))}, {"a": Text("x", ("b", "b"))}))) == 1


def test_a_missing_key_and_a_missing_argument_are_found() -> None:
    uses = Uses()
    in_python(ast.parse("t('a.b'); visit.t(f'a.{x}.c'); raise_(Refusal('no'))"), "m.py", uses)
    in_template("{{ t('d', n=1) }}{{ t('e.' ~ x) }}{{ t('f' if x else 'g') }}", "m.html", uses)
    texts = {"d": Text("x", ("{m}",)), "g": Text("x", ("g",))}
    assert len(list(missing(texts, uses))) == 6


def test_an_unused_key_is_found() -> None:
    uses = Uses()
    in_python(ast.parse("t('a'); t(f'b.{x}'); raise_(Refusal('no'))"), "m.py", uses)
    texts = {key: Text("x", ("y",)) for key in ("a", "b.c", "b.c.d", "refusal.no", "refusal.gone")}
    assert list(unused(texts, uses)) == ["x: b.c.d", "x: refusal.gone"]


@pytest.mark.parametrize(("lang", "text"), [("en", "it's"), ("fr", "Quoi ?"), ("fr", "Quoi?"), ("fr", "« a »")])
def test_careless_setting_is_found(lang: str, text: str) -> None:
    assert list(typography(lang, text))


def test_careful_setting_passes() -> None:
    assert not list(typography("fr", "L’ordre\u202f: «\u202fa\u202f»\u202f! à 12:30, https://x.org/?a=b"))
