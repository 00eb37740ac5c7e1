"""Texts of a siege: secret, public, harmless, hidden (T16)."""

from pathlib import Path

import pytest

from engine.times import DAY, SECOND
from infra.records import SIEGE_POST
from tests.support.browser import Browser
from tests.support.duelling import member, post_json
from tests.support.sieging import begun, codes, to_the_end
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


class TestTexts:
    def test_a_text_is_secret_until_the_turn_is_resolved(self, site: TestSite) -> None:
        siege = begun(site, 2)
        siege.send("p1", siege.thought("p1"), text="The *hushed* text")
        beth = siege.players["p2"]
        for path in (siege.path, f"{siege.path}/turns/0", f"{siege.path}/version"):
            assert "hushed" not in beth.get(path).text
        assert beth.get(f"{siege.path}/turns/1").status == 404
        siege.send("p2", siege.thought("p2"))
        assert "<em>hushed</em>" in Browser().get(f"{siege.path}/turns/1").text

    def test_twenty_thousand_characters_and_no_more(self, site: TestSite) -> None:
        siege = begun(site, 2)
        shot = siege.thought("p1")
        assert codes(siege.send("p1", shot, text="é" * 20_001)) == ["text_long"]
        assert siege.send("p1", shot, text="é" * 20_000).status == 200

    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "<img src=x onerror=alert(1)>",
            "![x](https://elsewhere.example/x.png)",
            '<a href="data:text/html,x">x</a>',
            "`<svg/onload=alert(1)>`",
        ],
    )
    def test_scripts_and_pictures_in_texts_do_nothing(self, site: TestSite, text: str) -> None:
        siege = begun(site, 2)
        siege.everybody(text=text)
        page = Browser().get(f"{siege.path}/turns/1").text
        main = page[page.index("<main") : page.index("</main>")]
        for harm in ("<script>", "<img", "<svg/onload", '<a href="javascript', '<a href="data'):
            assert harm not in main
        assert "alert(1)" in main or "elsewhere" in main or "data:text" in main

    def test_reactions_go_to_the_last_results_until_seven_days_after_the_last(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna = siege.players["p1"]
        body = {"text": "Bravo **Beth**!", "request": "one"}
        done = post_json(anna, f"{siege.path}/topic", body)
        assert done.status == 303 and done.location.startswith(f"{siege.path}/turns/0#post-")
        assert post_json(anna, f"{siege.path}/topic", body).status == 303
        assert Browser().get(f"{siege.path}/turns/0").text.count("<strong>Beth</strong>") == 1
        to_the_end(siege)
        late = {"text": "Well played", "request": "two"}
        assert post_json(anna, f"{siege.path}/topic", late).status == 303
        site.sources.move(7 * DAY + SECOND)
        assert codes(post_json(anna, f"{siege.path}/topic", {**late, "request": "three"})) == ["topic_closed"]

    def test_who_does_not_play_does_not_react(self, site: TestSite) -> None:
        siege = begun(site, 2)
        zoe = member(site, "Zoe")
        assert codes(post_json(zoe, f"{siege.path}/topic", {"text": "x"})) == ["not_playing"]

    def test_quoting_and_preview_change_nothing(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna = siege.players["p1"]
        post_json(anna, f"{siege.path}/topic", {"text": "First\nline", "request": "one"})
        post = site.calm.store.query(SIEGE_POST, "", siege.id, limit=5).rows[0].value
        page = anna.get(f"{siege.path}/turns/0?quote={post.id}").text
        assert "&gt; First" in page
        commits = site.store.commits
        shown = anna.post(f"{siege.path}/topic", {"text": "A **draft**", "do": "preview"})
        assert shown.status == 200 and "<strong>draft</strong>" in shown.text and "A **draft**" in shown.text
        shot = {"turn:int": "1", "after:int": "0", "orders.target": "A1", "text": "A *shot*", "do": "preview"}
        seen = anna.post(f"{siege.path}/orders", shot)
        assert "<em>shot</em>" in seen.text and 'value="A1"' in seen.text
        assert site.store.commits == commits
