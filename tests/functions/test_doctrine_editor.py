"""What the doctrines' pages begin with: a rule that orders something, a place that is free."""

from pathlib import Path

import pytest

from functions.web import doctrine_form
from infra.i18n import translator
from tests.functions.test_doctrine_pages import Filled
from tests.support.browser import Browser
from tests.support.duelling import member
from tests.support.site import site_in
from tests.support.solo import save


def test_what_is_begun_says_something() -> None:
    assert doctrine_form.blank()["rules"][0]["then"] == [{"do": "reinforce", "place": "my_hq", "units": 1, "decoys": 0}]
    for template in doctrine_form.templates(translator("en")):
        for one in template["clause"]["lists"]:
            assert one["key"] not in ("n", "units") or one["chosen"] == "1", template["kind"]


def test_units_that_are_not_named_are_none() -> None:
    only_decoys = {"rules": [{"if": [{"is": "always"}], "then": [{"do": "reinforce", "decoys": 2}]}]}
    assert doctrine_form.pressed(only_decoys, "show")["rules"][0]["then"][0]["units"] == 0


def test_a_file_goes_into_the_first_free_place_unless_another_is_chosen(tmp_path: Path) -> None:
    anna = member(site_in(tmp_path), "Anna")
    save(anna, 1)
    assert '<option value="2" selected>' in anna.get("/doctrines").text
    save(anna, 2)
    save(anna, 3)
    full = anna.get("/doctrines")
    assert full.status == 200 and "selected" not in full.text.split('name="slot"')[1].split("</select>")[0]


@pytest.mark.parametrize(("lang", "name"), [("en", "Draft"), ("fr", "Essai")])
def test_the_bench_tries_what_it_begins_with_at_a_click(tmp_path: Path, lang: str, name: str) -> None:
    site_in(tmp_path)
    stranger = Browser(lang=lang)
    sent = Filled(stranger.get("/bench").text).sent
    assert sent["doctrine.name"] == name
    assert stranger.post("/bench", {**sent, "do": "bench"}).location.startswith("/bench/results")
