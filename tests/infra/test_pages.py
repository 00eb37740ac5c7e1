"""Texts, dates and escaping in templates."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError

from engine.platform.members import Lang
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant
from functions.web.arrival import arrive
from infra import build, i18n
from infra.i18n import MissingText, translator
from infra.pages import Pages, ago, number, span, when
from tests.support.events import event
from tests.support.site import site_in

T = translator("en")
F = translator("fr")


def at(year: int, month: int, day: int, hour: int, minute: int = 0) -> Instant:
    return Instant(int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() * 1000))


def rendered(template: str, name: str = "x.html", lang: Lang = "en", zone: str = "Europe/Paris", **data: Any) -> str:
    pages = Pages()
    pages.environment.loader = DictLoader({name: template})
    return pages.render(name, lang, zone, data)


@pytest.mark.parametrize(
    ("instant", "zone", "english", "french"),
    [
        (at(2026, 11, 30, 13, 5), "Europe/Paris", "Mon 30 Nov 2026, 14:05 CET", "lun. 30 nov. 2026 à 14:05 CET"),
        (at(2026, 8, 1, 23, 30), "Europe/Paris", "Sun 2 Aug 2026, 01:30 CEST", "dim. 2 août 2026 à 01:30 CEST"),
        (at(2026, 10, 25, 0, 30), "Europe/Paris", "Sun 25 Oct 2026, 02:30 CEST", "dim. 25 oct. 2026 à 02:30 CEST"),
        (at(2026, 10, 25, 1, 30), "Europe/Paris", "Sun 25 Oct 2026, 02:30 CET", "dim. 25 oct. 2026 à 02:30 CET"),
        (at(2026, 1, 1, 0), "America/Sao_Paulo", "Wed 31 Dec 2025, 21:00 UTC-03", "mer. 31 déc. 2025 à 21:00 UTC-03"),
        (at(2026, 1, 1, 0), "Asia/Kathmandu", "Thu 1 Jan 2026, 05:45 UTC+0545", "jeu. 1 janv. 2026 à 05:45 UTC+0545"),
    ],
)
def test_an_instant_is_told_in_the_reader_s_zone(instant: Instant, zone: str, english: str, french: str) -> None:
    assert when(instant, T, zone) == english
    assert when(instant, F, zone) == french


@pytest.mark.parametrize(
    ("ms", "english", "french"),
    [
        (0, "0 s", "0 s"),
        (-5, "0 s", "0 s"),
        (999, "0 s", "0 s"),
        (59 * SECOND, "59 s", "59 s"),
        (MINUTE, "1 min", "1 min"),
        (2 * DAY + 3 * HOUR + 59 * MINUTE, "2 d 3 h", "2 j 3 h"),
        (DAY + 5 * MINUTE, "1 d", "1 j"),
    ],
)
def test_a_span_is_told_in_its_two_largest_units(ms: int, english: str, french: str) -> None:
    assert (span(ms, T), span(ms, F)) == (english, french)


@pytest.mark.parametrize(
    ("ms", "english", "french"),
    [
        (2 * DAY + 3 * HOUR, "2 d ago", "il y a 2 j"),
        (5 * MINUTE + SECOND, "5 min ago", "il y a 5 min"),
        (59 * SECOND, "59 s ago", "il y a 59 s"),
        (0, "0 s ago", "il y a 0 s"),
    ],
)
def test_how_long_ago_is_told_in_the_largest_unit(ms: int, english: str, french: str) -> None:
    assert (ago(ms, T), ago(ms, F)) == (english, french)


def test_numbers_are_written_as_the_language_does() -> None:
    assert [number(x, "fr") for x in (1016.5, 3, -2.0, 0.25)] == ["1016,5", "3", "\u22122", "0,2"]
    assert number(-1016.5, "en") == "\u22121016.5"


def test_a_number_chooses_the_plural() -> None:
    assert [T("shell.problems", n=n) for n in (1, 2)] == ["One thing to mend:", "2 things to mend:"]
    assert F("shell.problems", n=0).startswith("Un point")


def test_a_key_without_text_is_an_error() -> None:
    with pytest.raises(MissingText):
        T("shell.nothing")
    with pytest.raises(MissingText):
        rendered("{{ t('shell.nothing') }}")


@given(st.text(max_size=30))
def test_whatever_fills_a_page_is_escaped(text: str) -> None:
    page = rendered("{{ x }}|{{ t('date.ago', span=x) }}", x=text)
    assert not {"<", ">", '"', "'"} & set(page)


def test_texts_for_mails_are_left_as_they_are() -> None:
    assert rendered("{{ t('date.ago', span=x) }}", "x.txt", x="<b>") == "<b> ago"


def test_dates_are_marked_up_in_pages_only() -> None:
    instant = at(2026, 11, 30, 13, 5)
    marked = rendered("{{ when(i) }}", i=instant)
    assert marked.startswith('<time datetime="2026-11-30T13:05:00Z" title="Europe/Paris">Mon 30')
    assert rendered("{{ when(i) }}", "x.txt", i=instant) == "Mon 30 Nov 2026, 14:05 CET"


def test_the_language_reaches_imported_macros() -> None:
    pages = Pages()
    macro = "{% macro m() %}{{ t('shell.nav.rules') }}{% endmacro %}"
    pages.environment.loader = DictLoader({"m.html": macro, "x.html": "{% import 'm.html' as m %}{{ m.m() }}"})
    assert [pages.render("x.html", lang, "UTC", {}) for lang in i18n.LANGS] == ["Rules", "Règles"]


def test_what_a_template_lacks_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendered("{{ nobody }}")
    with pytest.raises(LookupError):
        rendered("{{ asset('nothing.css') }}")


def test_templates_compile_to_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.pages.COMPILED", tmp_path / "templates")
    build.templates()
    face = arrive(site_in(tmp_path).site, event("/")).face
    data = {"page": {"mails": ()}, "visit": face}
    one, other = Pages(compiled=True), Pages()
    assert one.render("pages/mailbox.html", "en", "UTC", data) == other.render("pages/mailbox.html", "en", "UTC", data)


def test_templates_compiled_once_are_kept_and_made_anew_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, compiled = tmp_path / "templates", list[str]()
    folder.mkdir()
    monkeypatch.setattr("infra.pages.TEMPLATES", folder)
    monkeypatch.setattr("infra.pages.KEPT", tmp_path / "kept")
    compiling = Environment.compile

    def compile(self: Environment, *args: Any, **more: Any) -> Any:
        compiled.append(str(args[1]))
        return compiling(self, *args, **more)

    monkeypatch.setattr(Environment, "compile", compile)
    (folder / "x.html").write_text("one")
    (folder / "y.txt").write_text("other")
    build.kept()
    assert compiled == ["x.html", "y.txt"]
    assert [Pages(kept=True).render("x.html", "en", "UTC", {}) for _ in range(2)] == ["one", "one"]
    assert len(compiled) == 2
    pages = Pages(kept=True)
    pages.render("x.html", "en", "UTC", {})
    (folder / "x.html").write_text("two")
    assert pages.render("x.html", "en", "UTC", {}) == "two"
    assert compiled == ["x.html", "y.txt", "x.html"]


@pytest.mark.parametrize("there", [True, False])
def test_a_page_is_shown_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """On a read-only disk, or where somebody has cleared the folder of a running site."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "x.html").write_text("one")
    monkeypatch.setattr("infra.pages.TEMPLATES", folder)
    monkeypatch.setattr("infra.pages.KEPT", folder / "x.html" / "kept")
    if there:
        monkeypatch.setattr("infra.pages.KEPT", tmp_path / "kept")
    pages = Pages(kept=True)
    if there:
        (tmp_path / "kept").rmdir()
    assert pages.render("x.html", "en", "UTC", {}) == "one"


def test_what_was_compiled_otherwise_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How templates are compiled is said in `infra.pages`: escaping, blanks, filters."""
    folder, other = tmp_path / "templates", tmp_path / "pages.py"
    folder.mkdir()
    (folder / "x.html").write_text("{{ word }}")
    other.write_text("# escapes nothing")
    monkeypatch.setattr("infra.pages.TEMPLATES", folder)
    monkeypatch.setattr("infra.pages.KEPT", tmp_path / "kept")
    with monkeypatch.context() as before:
        before.setattr("infra.pages.__file__", str(other))
        before.setattr("infra.pages.select_autoescape", lambda _: False)
        assert Pages(kept=True).render("x.html", "en", "UTC", {"word": "<b>"}) == "<b>"
    assert Pages(kept=True).render("x.html", "en", "UTC", {"word": "<b>"}) == "&lt;b&gt;"


def test_a_key_in_two_files_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en").mkdir()
    head = (build.LOCALES / "en" / "errors.po").read_text("utf-8").partition("\n\n")[0]
    for name in ("a.po", "b.po"):
        (tmp_path / "en" / name).write_text(f'{head}\n\nmsgid "k"\nmsgstr "v"\n', "utf-8")
    monkeypatch.setattr(build, "LOCALES", tmp_path)
    with pytest.raises(ValueError, match=r"b\.po has 'k'"):
        build.merged("en")
