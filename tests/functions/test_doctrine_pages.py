"""The doctrines' pages: places, editor, files (P22, F27)."""

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.feinthold.doctrine.house import HOUSE
from engine.games.feinthold.doctrine.language import ACTIONS, CONDITIONS, PLACES, SHARES
from engine.games.feinthold.doctrine.wire import parse
from engine.times import DAY, SECOND
from functions.web import doctrine_form
from infra.forms import decode
from infra.i18n import translator
from tests.support.browser import Answer, Browser
from tests.support.duelling import duel, member, post_json, run_due
from tests.support.site import TestSite, pages, site_in
from tests.support.solo import begin, save
from tests.web.support import FACE


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


def fields(doctrine: Mapping[str, Any]) -> dict[str, str]:
    """The doctrine as the editor's form sends it."""
    sent = {"doctrine.version": "1", "doctrine.name": doctrine["name"]}
    for r, rule in enumerate(doctrine["rules"]):
        for part in ("if", "then"):
            for c, clause in enumerate(rule[part]):
                sent |= {f"doctrine.rules.{r}.{part}.{c}.{key}": str(value) for key, value in clause.items()}
    return sent


def upload(browser: Browser, text: str, slot: str = "1") -> Answer:
    """Send a file by the import form."""
    parts = {"csrf": browser.csrf, "slot": slot, "file": text}
    file = {"file": "; filename=x.json"}
    body = "".join(
        f'--xyz\r\nContent-Disposition: form-data; name="{name}"{file.get(name, "")}\r\n\r\n{value}\r\n'
        for name, value in parts.items()
    )
    headers = {"content-type": "multipart/form-data; boundary=xyz", "accept": "text/html"}
    return browser.send("POST", "/doctrines/import", headers, f"{body}--xyz--\r\n")


class Filled(HTMLParser):
    """What a browser would send of the editor's form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self._select = ""
        self._template = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "template":
            self._template += 1
        if self._template:
            return
        if tag == "select":
            self._select = has["name"] or ""
        elif tag == "option" and ("selected" in has or self._select not in self.sent):
            self.sent[self._select] = has["value"] or ""
        elif tag == "input" and (has.get("name") or "").startswith("doctrine."):
            self.sent[has["name"] or ""] = has.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._template -= 1


@pytest.mark.parametrize("name", HOUSE)
def test_a_form_and_json_save_the_same_doctrine(anna: Browser, name: str) -> None:
    anna.get("/doctrines/1")
    assert anna.post("/doctrines/1", fields(HOUSE[name])).status == 303
    save(anna, 2, name)
    by_form, by_json = (json.loads(anna.get(f"/doctrines/{n}/export").text) for n in (1, 2))
    assert by_form == by_json == HOUSE[name]


def test_the_editor_shows_what_was_saved(anna: Browser) -> None:
    save(anna, 1)
    shown = doctrine_form.typed(decode(Filled(anna.get("/doctrines/1").text).sent.items())["doctrine"])
    assert shown == HOUSE["pivot"]


def test_a_doctrine_of_eight_full_rules_fits_into_a_form(anna: Browser) -> None:
    observed = {"is": "observed", "place": "centre", "op": ">=", "n": 2, "within": 2}
    move = {"do": "move", "from": "my_hq", "to": "centre", "units": "half", "decoys": 0}
    full = {"version": 1, "name": "Full", "rules": [{"if": [observed] * 3, "then": [move] * 2}] * 8}
    anna.get("/doctrines/1")
    assert anna.post("/doctrines/1", {**fields(full), "slot": "1", "do": "save"}).status == 303
    assert json.loads(anna.get("/doctrines/1/export").text) == full


def test_a_refused_form_keeps_everything_and_says_what_is_wrong_beside_its_list(anna: Browser) -> None:
    anna.get("/doctrines/1")
    wrong = fields(HOUSE["ram"]) | {
        "doctrine.name": " ",
        "doctrine.rules.0.if.0.owner": "nobody",
        "doctrine.rules.6.then.1.units": "13",
    }
    answer = anna.post("/doctrines/1", wrong)
    assert answer.status == 422
    assert Filled(answer.text).sent == wrong
    for field in ("rules.0.if.0.owner", "rules.6.then.1.units"):
        assert re.search(
            rf'id="{re.escape(field)}"[^>]* aria-invalid="true" aria-describedby="{re.escape(field)}:problem"',
            answer.text,
        )
        assert f'<a href="#{field}">' in answer.text
    assert 'aria-describedby="name-problem"' in answer.text
    assert "Rule 7, action 2: Choose a number from 0 to 12." in answer.seen


@pytest.mark.parametrize(
    ("doctrine", "code"),
    [
        (None, "bad_name"),
        ({"version": 2, "name": "x", "rules": []}, "newer_version"),
        ({"version": "2", "name": "x", "rules": []}, "newer_version"),
        ({"version": "9" * 5_000, "name": "x", "rules": []}, "bad_shape"),
        ({"version": 1, "name": "x", "rules": [HOUSE["ram"]["rules"][0]] * 9}, "too_many_rules"),
        ({"version": 1, "name": "x", "rules": []}, "no_rules"),
        (
            {
                "version": 1,
                "name": "x",
                "rules": [{"if": [{"is": "moon"}], "then": [{"do": "predict", "place": "centre"}]}],
            },
            "bad_word",
        ),
        (
            {"version": 1, "name": "x", "rules": [{"if": [], "then": [{"do": "predict", "place": "centre"}]}]},
            "bad_clauses",
        ),
        ({"version": 1, "name": "x", "rules": 5}, "bad_shape"),
        ({"version": 1, "name": "x", "rules": [7]}, "bad_shape"),
        ("text", "bad_name"),
    ],
)
def test_bad_doctrines_are_refused_with_their_reasons(anna: Browser, doctrine: Any, code: str) -> None:
    answer = post_json(anna, "/doctrines/1", {"doctrine": doctrine})
    assert answer.status == 422
    assert code in [problem["code"] for problem in answer.json["error"]["problems"]]
    assert anna.data("/doctrines")["slots"][0]["name"] is None


def test_buttons_change_the_form_and_keep_nothing(anna: Browser) -> None:
    anna.get("/doctrines/1")
    sent = fields(HOUSE["ram"])
    expected = {"up.1": [1, 0, *range(2, 8)], "down.0": [1, 0, *range(2, 8)], "delete.7": list(range(7))}
    for do, order in expected.items():
        page = anna.post("/doctrines/1", {**sent, "do": do}, accept="application/json").json
        assert page["doctrine"]["rules"] == [HOUSE["ram"]["rules"][n] for n in order]
    assert anna.data("/doctrines")["slots"][0]["name"] is None


def test_rules_can_be_copied_up_to_eight(anna: Browser) -> None:
    anna.get("/doctrines/1")
    two = {**HOUSE["ram"], "rules": HOUSE["ram"]["rules"][:2]}
    page = anna.post("/doctrines/1", {**fields(two), "do": "copy.0"}, accept="application/json").json
    assert page["doctrine"]["rules"] == [two["rules"][0], two["rules"][0], two["rules"][1]]
    full = anna.post("/doctrines/1", {**fields(HOUSE["ram"]), "do": "copy.0"}, accept="application/json").json
    assert len(full["doctrine"]["rules"]) == 8


def test_another_kind_gets_its_own_lists_when_asked_for(anna: Browser) -> None:
    anna.get("/doctrines/1")
    sent = fields(
        {"version": 1, "name": "x", "rules": [{"if": [{"is": "threat"}], "then": [{"do": "scout", "place": "centre"}]}]}
    )
    sent |= {"doctrine.rules.0.if.0.is": "units", "doctrine.rules.0.then.0.do": "move"}
    page = anna.post("/doctrines/1", {**sent, "do": "show"}, accept="application/json").json
    (rule,) = page["doctrine"]["rules"]
    assert set(rule["if"][0]) == {"is", "place", "op", "n"} and set(rule["then"][0]) == {
        "do",
        "from",
        "to",
        "units",
        "decoys",
    }
    assert post_json(anna, "/doctrines/1", {"doctrine": page["doctrine"]}).status == 303


BUTTONS = st.one_of(
    st.sampled_from(("add", "show", "save.1", "up", "up.x", "cut_if.0", "copy.99", "delete.-1", "__class__.0")),
    st.builds(
        "{}.{}".format, st.sampled_from(("up", "down", "copy", "delete", "add_if", "add_then")), st.integers(0, 9)
    ),
    st.builds("{}.{}.{}".format, st.sampled_from(("cut_if", "cut_then")), st.integers(0, 9), st.integers(0, 3)),
)


@given(st.sampled_from(list(HOUSE)), st.lists(BUTTONS, max_size=12))
@settings(max_examples=60, deadline=None)
def test_whatever_is_pressed_a_valid_doctrine_stays_valid_or_empty(name: str, pressed: list[str]) -> None:
    doctrine = doctrine_form.typed(HOUSE[name])
    for do in pressed:
        doctrine = doctrine_form.pressed(doctrine, do)
    assert len(parse(doctrine).rules) == len(doctrine["rules"])


JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(max_size=5),
        st.sampled_from((*PLACES, *SHARES, "if", "is", "do")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(("rules", "name", "version", "if", "then", "is", "do", "n", "place")), inner, max_size=4
        ),
    ),
    max_leaves=12,
)


@given(JUNK, st.sampled_from(("add", "show", "copy.0", "add_if.0", "up.1")))
@settings(max_examples=80, deadline=None)
def test_any_json_can_be_shown_in_the_editor_again(raw: Any, do: str) -> None:
    typed = doctrine_form.typed(raw)
    for doctrine in (typed, doctrine_form.pressed(typed, do)):
        form = doctrine_form.form(translator("fr"), doctrine, ())
        data = {"slot": 1, "doctrine": doctrine, "form": form, "lists": [], "problems": [], "imported": False}
        assert pages().render("pages/doctrines/editor.html", "fr", "UTC", {"page": data, "visit": FACE})


def test_every_condition_and_action_has_lists_for_scripts_to_put_in_place() -> None:
    kinds = [(one["part"], one["kind"]) for one in doctrine_form.templates(translator("en"))]
    assert kinds == [*(("if", kind) for kind in CONDITIONS), *(("then", kind) for kind in ACTIONS)]


def test_a_file_opens_in_the_editor_and_is_kept_only_when_saved(anna: Browser) -> None:
    anna.get("/doctrines")
    answer = upload(anna, json.dumps(HOUSE["pivot"]))
    assert answer.status == 200 and "Nothing is kept before you save" in answer.seen
    assert anna.data("/doctrines")["slots"][0]["name"] is None
    anna.get("/doctrines")
    assert anna.post("/doctrines/1", Filled(answer.text).sent).status == 303
    assert json.loads(anna.get("/doctrines/1/export").text) == HOUSE["pivot"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Choose a file first"),
        ("{", "not JSON"),
        ("[" * 20_000, "not JSON"),
        ('{"version": 1, "name": "x", "rules": [], "\\ud800": 1}', "not JSON"),
        ('{"version": 2, "name": "x", "rules": []}', "newer version"),
        (json.dumps({**HOUSE["ram"], "rules": HOUSE["ram"]["rules"] * 2}), "at most 8 rules"),
        ('{"version": 1, "name": "x", "rules": [{"if": [{"is": "moon"}], "then": []}]}', "Choose from the list"),
        ('"a doctrine"', "This is not a doctrine"),
    ],
)
def test_a_bad_file_says_what_is_wrong_with_it(anna: Browser, text: str, said: str) -> None:
    anna.get("/doctrines")
    answer = upload(anna, text)
    assert answer.status == 422 and said in answer.seen


def test_a_deleted_default_still_plays_in_the_games_it_was_given_to(site: TestSite, anna: Browser) -> None:
    save(anna, 1, name="Mine")
    anna.post("/doctrines/default", {"default": "1"})
    game = begin(site, anna, "/practice", {"ai": "ram"})
    assert anna.post("/doctrines/1/delete").status == 303
    assert anna.data("/doctrines")["default"] == 0
    game.miss()
    ruled = game.page["report"]["ruled"]
    assert ruled["doctrine"]["name"] == "Mine" and len(ruled["notes"]) == 8
    later = begin(site, anna, "/practice", {"ai": "ram", "request": "2"})
    assert later.page["stand_in"] is None


def test_a_missed_turn_is_marked_and_its_rules_are_shown_to_their_owner_alone(site: TestSite, anna: Browser) -> None:
    save(anna, 1, name="Mine")
    anna.post("/doctrines/default", {"default": "1"})
    game = begin(site, anna, "/practice", {"ai": "ram"})
    game.miss()
    shown = anna.get(game.path).seen
    assert "Your doctrine Mine played this turn" in shown and "only you see this" in shown
    game.finish()
    own, other = anna.get(f"{game.path}/replay?step=1"), member(site, "Beth").get(f"{game.path}/replay?step=1")
    assert "played by the default doctrine" in own.seen and "played by the default doctrine" in other.seen
    assert "conditions not met" in own.seen and "conditions not met" not in other.seen
    stranger = member(site, "Chris")
    assert stranger.data(f"{game.path}/replay?step=1")["ruled"] is None
    assert "notes" not in stranger.get(f"{game.path}/download", "application/json").text


def test_both_sides_of_a_duel_bring_their_default_as_it_is_at_the_start(site: TestSite, anna: Browser) -> None:
    beth = member(site, "Beth")
    for who in (anna, beth):
        save(who, 1, name="Mine")
        who.post("/doctrines/default", {"default": "1"})
    game = duel(site, anna, beth)
    site.sources.move(DAY + 3 * SECOND)
    run_due(site)
    for seat in ("a", "b"):
        assert game.page(seat)["report"]["ruled"]["doctrine"]["name"] == "Mine"


def test_places_are_the_members_own(site: TestSite, anna: Browser) -> None:
    save(anna, 1)
    beth = member(site, "Beth")
    assert beth.data("/doctrines")["slots"][0]["name"] is None
    assert beth.get("/doctrines/1/export").status == 422
    for path in ("/doctrines/0", "/doctrines/4", "/doctrines/x"):
        assert anna.get(path).status == 422


def test_who_is_not_signed_in_is_shown_the_bench(site: TestSite) -> None:
    stranger = Browser()
    assert 'href="/bench"' in stranger.get("/doctrines").text
    assert stranger.get("/doctrines/1").status == 401
    assert stranger.post("/doctrines/1", {"doctrine.name": "x"}).status in (401, 403)
