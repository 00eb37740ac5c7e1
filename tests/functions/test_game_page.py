"""A duel's page: to each reader what is theirs to see and do (P2, P14, P14b), as a page and as JSON alike."""

import html
import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from engine.decisions import Json
from engine.platform.members import Lang
from engine.times import MINUTE
from infra.faults import Fault
from infra.forms import decode
from tests.support.browser import Answer, Browser
from tests.support.costs import by_link
from tests.support.duelling import Duelling, duel, member, post_json
from tests.support.jobs import Script, state, turns
from tests.support.site import TestSite, site_in

HOLD: Final[Json] = {"predict": "centre"}
WRONG: Final[Json] = {
    "reinforce": [{"at": "hq_a", "units": 4, "decoys": 3}],
    "move": [{"from": "hq_a", "to": "fwd_a", "units": 9, "decoys": 0}],
    "scout": ["centre"],
    "predict": "fwd_b",
}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"))


def typed(page: str) -> list[tuple[str, str]]:
    """The fields of the page's order form, as it would send them."""
    form = next(part for part in page.split("<form")[1:] if "data-orders" in part.partition(">")[0])
    form = form.partition("</form>")[0]
    found = []
    for tag in re.findall(r"<input [^>]*>", form):
        at = dict(re.findall(r'([\w:-]+)="([^"]*)"', tag))
        if at.get("type") != "checkbox" or re.search(r"\bchecked\b", tag):
            found.append((html.unescape(at["name"]), html.unescape(at.get("value", ""))))
    for name, options in re.findall(r'<select [^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found.append((html.unescape(name), html.unescape(chosen[1]) if chosen else ""))
    return found


def filled(page: str, **changes: str) -> list[tuple[str, str]]:
    """The same with some fields filled in, each named by the end of its name."""
    fields = typed(page)
    for name, value in changes.items():
        there = [n for n, (field, _) in enumerate(fields) if field == name]
        assert there, (name, [field for field, _ in fields])
        fields[there[0]] = (name, value)
    return fields


def send_form(browser: Browser, path: str, fields: list[tuple[str, str]]) -> Answer:
    """Send the order form as a browser without scripts does."""
    pairs = [pair for pair in fields if pair[0] != "csrf"] + [("csrf", browser.csrf)]
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}
    return browser.send("POST", path, headers, urlencode(pairs))


class TestReaders:
    def test_a_spectator_sees_who_pace_and_turn_and_nothing_else(self, site: TestSite, game: Duelling) -> None:
        game.send("a", HOLD)
        for reader in (member(site, "Chris"), Browser()):
            page = reader.data(game.path)
            assert [seat["member"]["name"] for seat in page["seats"]] in (["Anna", "Beth"], ["Beth", "Anna"])
            assert (page["duel"]["pace"], page["duel"]["turn"]) == ("days1", 1)
            for hidden in ("opened", "deadline", "seed"):
                assert page["duel"][hidden] is None
            for empty in ("view", "report", "receipt", "you", "next"):
                assert page[empty] is None
            assert page["may"] == [] and page["sheet"] == {} and page["notes"] == ""
            assert not any(seat["sent"] or seat["commitment"] for seat in page["seats"])
            assert "<svg" not in reader.get(game.path).text.partition("<main")[2]

    def test_the_page_and_its_json_are_made_of_the_same_data(
        self, game: Duelling, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rendered: list[Any] = []
        real = game.site.site.pages.render

        def render(template: str, lang: Lang, zone: str, data: Any) -> str:
            rendered.append(data["page"])
            return real(template, lang, zone, data)

        monkeypatch.setattr(game.site.site.pages, "render", render)
        game.send("a", HOLD)
        for seat in ("a", "b"):
            browser = getattr(game, seat)
            browser.get(game.path)
            data = browser.data(game.path)
            data.pop("csrf")
            assert json.loads(json.dumps(rendered[-1], default=dict)) == data

    def test_a_player_sees_that_the_other_has_sent_and_what_binds_them(self, game: Duelling) -> None:
        sheet = game.send("a", HOLD).json["sheet"]
        seen = game.page("b")["seats"][0]
        assert (seen["sent"], seen["commitment"], seen["submissions"]) == (True, sheet["commitment"], 0)
        assert "centre" not in json.dumps({**game.page("b"), "view": None})

    def test_what_may_be_done_is_what_succeeds(self, site: TestSite, game: Duelling) -> None:
        assert set(game.page("a")["may"]) == {"orders", "draft", "notes", "abandon"}
        chris = member(site, "Chris")
        for action in ("accept", "decline", "withdraw", "ready", "abandon", "rematch", "draft", "notes", "orders"):
            body = {"turn": 1, "after": 0, "orders": {}, "notes": ""}
            assert post_json(chris, f"{game.path}/{action}", body).status >= 400, action
        assert state(game).stage == "playing"

    def test_a_game_that_is_not_there(self) -> None:
        for path in ("/games/nothing", "/games/nothing/version", "/games/nothing/replay", "/games/nothing/download"):
            assert Browser().get(path).status == 404


class TestTurnLinks:
    def test_a_turn_mails_session_sends_orders_and_sees_no_other_game(self, site: TestSite, game: Duelling) -> None:
        other = duel(site, member(site, "Dora"), game.a, pace="days2")
        assert other.id
        browser = by_link(site, game)
        page = browser.data(game.path)
        assert set(page["may"]) == {"orders", "draft", "notes"}
        body = {"turn": 1, "after": 0, "orders": HOLD}
        answer = post_json(browser, f"{game.path}/orders", body)
        assert answer.status == 200
        assert answer.json["next"] is None
        assert browser.data(f"{game.path}?sent=1")["next"] is None
        assert game.a.data(f"{game.path}?sent=1")["next"]["id"] == other.id
        assert post_json(browser, f"{game.path}/abandon", {}).status == 403
        assert browser.get("/games").status == 401


class TestRefusedForms:
    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_everything_typed_is_kept_and_each_problem_stands_beside_its_field(
        self, site: TestSite, lang: Lang
    ) -> None:
        game = duel(site, member(site, "Anna", lang=lang), member(site, "Beth", lang=lang))
        page = game.a.get(game.path).text
        fields = filled(page, **_wrong(page))
        answer = send_form(game.a, f"{game.path}/orders", fields)
        assert answer.status == 422
        assert sorted(typed(answer.text)) == sorted(_with_token(fields, answer.text))
        for code in ("too_many_here", "not_enough_units"):
            problem = next(p for p in _problems(game, fields) if p["code"] == code)
            assert f'id="{problem["field"]}"' in answer.text
            assert html.escape(problem["message"], quote=False) in html.unescape(answer.text).replace("&#39;", "'")
        assert state(game).players[0].sheet is None

    def test_the_corrected_form_is_taken_and_its_receipt_shown(self, game: Duelling) -> None:
        page = game.a.get(game.path).text
        refused = send_form(game.a, f"{game.path}/orders", filled(page, **_wrong(page)))
        right = filled(refused.text, **dict.fromkeys(_wrong(page), "0"))
        answer = send_form(game.a, f"{game.path}/orders", right)
        assert (answer.status, answer.location) == (303, f"{game.path}?sent=1")
        assert "Orders received" in game.a.follow(answer).seen

    def test_too_late_keeps_what_was_typed_on_the_page(self, site: TestSite, game: Duelling) -> None:
        page = game.a.get(game.path).text
        site.sources.time = (state(game).deadline or 0) + 1  # type: ignore[assignment]
        answer = send_form(game.a, f"{game.path}/orders", filled(page))
        assert answer.status == 422
        assert "came after the deadline" in answer.seen

    def test_an_old_page_of_an_earlier_turn_is_refused_in_words(self, game: Duelling) -> None:
        page = game.a.get(game.path).text
        for seat in ("a", "b"):
            game.send(seat, HOLD)
        answer = send_form(game.a, f"{game.path}/orders", filled(page))
        assert answer.status == 422
        assert "Turn 1 is over" in answer.seen
        assert "Your orders for turn 2" in answer.seen


class TestDesk:
    def test_a_draft_is_kept_on_the_server_for_any_browser_and_judged_by_nobody(
        self, site: TestSite, game: Duelling
    ) -> None:
        body = {"turn": 1, "after": 0, "orders": WRONG}
        assert post_json(game.a, f"{game.path}/draft", body).status == 303
        linked = by_link(site, game)
        assert linked.data(game.path)["sheet"] == WRONG
        assert game.page("b")["sheet"] == {}
        assert state(game).players[0].sheet is None

    def test_it_is_put_aside_by_a_submission_and_by_the_next_turn(self, game: Duelling) -> None:
        post_json(game.a, f"{game.path}/draft", {"turn": 1, "after": 0, "orders": WRONG})
        game.send("a", HOLD)
        assert game.page("a")["sheet"]["predict"] == "centre"
        post_json(game.a, f"{game.path}/draft", {"turn": 1, "after": 1, "orders": WRONG})
        assert game.page("a")["sheet"] == WRONG
        game.send("b", HOLD)
        assert game.page("a")["sheet"] == {}

    def test_the_forms_second_button_saves_a_draft(self, game: Duelling) -> None:
        page = game.a.get(game.path).text
        answer = send_form(game.a, f"{game.path}/draft", filled(page, **_wrong(page)))
        assert answer.status == 303
        assert sorted(typed(game.a.follow(answer).text)) == sorted(_with_token(filled(page, **_wrong(page)), page))

    def test_notes_are_ones_own_and_last_beyond_the_end(self, site: TestSite, game: Duelling) -> None:
        text = "<script>alert(1)</script>\n\u202eקשר"
        assert post_json(game.a, f"{game.path}/notes", {"notes": text}).status == 303
        post_json(game.b, f"{game.path}/abandon", {})
        assert game.page("a")["notes"] == text
        assert game.page("b")["notes"] == ""
        assert member(site, "Chris").data(game.path)["notes"] == ""
        assert "<script>alert" not in game.a.get(game.path).text

    def test_notes_too_long_are_refused_and_kept_as_typed(self, game: Duelling) -> None:
        text = "a" * 4_001
        game.a.get(game.path)
        answer = game.a.post(f"{game.path}/notes", {"notes": text})
        assert answer.status == 422
        assert text in answer.text and 'id="notes-problem"' in answer.text
        assert game.page("a")["notes"] == ""

    def test_neither_is_anything_that_the_opponents_refresh_could_notice(self, game: Duelling) -> None:
        before = game.b.get(f"{game.path}/version").headers["etag"]
        post_json(game.a, f"{game.path}/draft", {"turn": 1, "after": 0, "orders": HOLD})
        post_json(game.a, f"{game.path}/notes", {"notes": "attack"})
        assert game.b.get(f"{game.path}/version").headers["etag"] == before


class TestLiveRefresh:
    def ask(self, browser: Browser, game: Duelling, tag: str = "", query: str = "") -> Answer:
        headers = {"accept": "application/json", **({"if-none-match": tag} if tag else {})}
        return browser.send("GET", f"{game.path}/version{query}", headers)

    def test_204_while_nothing_changed_and_a_new_tag_when_something_did(self, game: Duelling) -> None:
        tag = self.ask(game.b, game).headers["etag"]
        assert self.ask(game.b, game, tag).status == 204
        assert self.ask(game.b, game, tag).text == ""
        game.send("a", HOLD)
        changed = self.ask(game.b, game, tag)
        assert changed.status == 200
        assert changed.headers["etag"] != tag
        assert changed.json["version"] == changed.headers["etag"].strip('"')

    def test_a_turn_that_closed_is_a_change_for_everybody(self, site: TestSite, game: Duelling) -> None:
        readers = (game.a, game.b, member(site, "Chris"), Browser())
        tags = [self.ask(reader, game).headers["etag"] for reader in readers]
        for seat in ("a", "b"):
            game.send(seat, HOLD)
        for reader, tag in zip(readers, tags, strict=True):
            assert self.ask(reader, game, tag).status == 200

    def test_a_stranger_does_not_learn_that_orders_were_sent(self, site: TestSite, game: Duelling) -> None:
        chris = member(site, "Chris")
        tag = self.ask(chris, game).headers["etag"]
        game.send("a", HOLD)
        site.sources.move(MINUTE)
        assert self.ask(chris, game, tag).status == 204

    def test_time_passing_changes_nothing(self, site: TestSite, game: Duelling) -> None:
        tag = self.ask(game.a, game).headers["etag"]
        site.sources.move(30 * MINUTE)
        assert self.ask(game.a, game, tag, "?beat").status == 204


def test_a_sign_of_life_that_a_busy_store_does_not_take_costs_nobody_the_answer(tmp_path: Path) -> None:
    script = Script()
    site = site_in(tmp_path, plan=script)
    game = duel(site, member(site, "Anna"), member(site, "Beth"))
    script.faults = [Fault.BUSY]
    assert game.a.get(f"{game.path}/version?beat").status == 200
    assert script.faults == []


def test_the_last_turn_is_told_each_event_once(game: Duelling) -> None:
    game.send("a", {"move": [{"from": "hq_a", "to": "fwd_a", "units": 3}], "predict": "centre"})
    game.send("b", {"scout": ["fwd_a"]})
    for seat in ("a", "b"):
        told = game.page(seat)["report"]["facts"]
        assert len({json.dumps(fact, sort_keys=True) for fact in told}) == len(told)
        known = [f for f in turns(game)[0].facts if f.known_to is None or seat in f.known_to]
        assert [fact["code"] for fact in told] == [fact.code for fact in known]


def _wrong(page: str) -> dict[str, str]:
    """Fields of the form with figures that break F5 and F6."""
    names = [name for name, _ in typed(page)]
    placed = next(n for n in names if re.search(r"reinforce.*units", n))
    moved = next(n for n in names if re.search(r"move.*units", n))
    return {placed: "5", moved: "9"}


def _with_token(fields: list[tuple[str, str]], page: str) -> list[tuple[str, str]]:
    token = dict(typed(page)).get("csrf", "")
    return [(name, token if name == "csrf" else value) for name, value in fields]


def _problems(game: Duelling, fields: list[tuple[str, str]]) -> list[Any]:
    orders = decode(tuple(pair for pair in fields if pair[0] != "csrf"))["orders"]
    found: list[Any] = game.send("a", orders, turn=1, after=0).json["error"]["problems"]
    return found
