"""What the pages of sieges show and offer: the map, the form, the story as a book, what comes next."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.times import DAY, HOUR
from functions.web.boards.trebuchet import draw
from functions.web.boards.trebuchet.picture import picture
from tests.support.browser import Browser
from tests.support.duelling import duel, post_json
from tests.support.sieging import Sieging, begun, opened, to_the_end
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def form(siege: Sieging, **fields: str) -> dict[str, str]:
    """The fields of a shot's form as a browser sends them."""
    return {"turn:int": str(siege.state.turn), "after:int": "0", **fields}


def field(impacts: list[dict[str, Any]], losses: list[dict[str, Any]]) -> dict[str, Any]:
    """A view with nothing but these impacts and losses."""
    return {"columns": 8, "rows": 11, "impacts": impacts, "losses": losses, "shown": [], "units": {}}


class TestTheMap:
    SHOTS = ("p1", "p2", "p3")

    def at(self, cell: list[int], *, lost: str = "") -> list[Any]:
        impacts = [{"turn": 1, "player": p, "cell": cell, "bonus": None} for p in self.SHOTS]
        losses = [{"turn": 1, "player": "p2", "cell": lost, "servant": True}] if lost else []
        return [mark for mark in draw(field(impacts, losses), 1).marks if mark.kind == "impact"]

    def test_shots_on_one_cell_are_one_mark_with_all_their_numbers(self) -> None:
        assert [mark.number for mark in self.at([3, 4])] == ["1·2·3"]

    def test_where_something_was_lost_the_impact_leaves_room_for_it(self) -> None:
        assert [mark.corner for mark in self.at([3, 4], lost="C4")] == [True]
        assert [mark.corner for mark in self.at([3, 4], lost="C5")] == [False]

    def test_impacts_off_the_field_keep_their_numbers_to_themselves(self) -> None:
        impacts = [
            {"turn": 1, "player": "p1", "cell": [0, 4], "bonus": None},
            {"turn": 1, "player": "p2", "cell": [1, 4], "bonus": None},
        ]
        assert [m.number for m in draw(field(impacts, []), 1).marks if m.kind == "impact"] == ["2"]

    def test_a_picture_of_such_a_turn_is_drawn(self) -> None:
        impacts = [{"turn": 1, "player": "p1", "cell": [3, 4], "bonus": None}] * 2
        losses = [{"turn": 1, "player": "p2", "cell": "C4", "servant": True}]
        assert picture(field(impacts, losses), 1) != picture(field(impacts, []), 1)

    def test_the_target_sent_is_marked_without_scripts_and_for_nobody_else(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.send("p1", siege.thought("p1"))
        marked = {seat: 'class="mark aim"' in siege.players[seat].get(siege.path).text for seat in ("p1", "p2")}
        assert marked == {"p1": True, "p2": False}
        assert 'class="mark aim"' not in Browser().get(siege.path).text


class TestTheForm:
    def test_a_preview_leads_to_itself_and_keeps_what_was_typed(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna = siege.players["p1"]
        assert f'formaction="{siege.path}/orders#preview"' in anna.get(siege.path).text
        answer = anna.post(
            f"{siege.path}/orders", form(siege, **{"orders.target": "D4", "text": "*so*", "do": "preview"})
        )
        assert 'id="preview"' in answer.text and "<em>so</em>" in answer.text and 'value="D4"' in answer.text
        assert siege.state.seat("p1").sheet is None  # type: ignore[union-attr]

    def test_while_a_text_is_awaited_its_form_stays_open(self, site: TestSite) -> None:
        siege = begun(site, 2)
        orders = siege.thought("p1")
        siege.send("p1", orders, follow=True)
        assert '<details class="change" open>' in siege.players["p1"].get(siege.path).text
        siege.send("p1", orders, text="Here it is.")
        assert '<details class="change">' in siege.players["p1"].get(siege.path).text

    def test_the_day_that_counts_is_written_as_days_are(self, site: TestSite) -> None:
        siege = begun(site, 2)
        siege.send("p1", siege.thought("p1"))
        assert re.search(r"It counts from \w{3} \d+ \w{3} 20\d\d", siege.players["p1"].get(siege.path).seen)

    def test_ones_own_texts_are_not_offered_for_a_report(self, site: TestSite) -> None:
        siege = begun(site, 2)
        siege.everybody(text="Loaded.")
        path = f"{siege.path}/turns/1"
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            page = siege.players[seat].get(path).text
            assert f'action="{path}/0.{other}/report"' in page and f'action="{path}/0.{seat}/report"' not in page


class TestTheStory:
    def test_each_turn_of_it_has_the_map_that_everybody_saw(self, site: TestSite) -> None:
        siege = begun(site, 3)
        to_the_end(siege)
        turns = siege.page("p1")["siege"]["turns"]
        data = siege.players["p1"].data(f"{siege.path}/story")
        assert [chapter["turn"] for chapter in data["chapters"] if chapter["view"]] == turns[
            : len(data["chapters"]) - 1
        ]
        assert all(chapter["view"]["units"] == {} for chapter in data["chapters"][:-1] if chapter["view"])
        book = Browser().get(f"{siege.path}/story").text
        assert all(f'id="map-{turn}"' in book for turn in turns[:5])

    def test_it_names_its_days_once_and_leads_back(self, site: TestSite) -> None:
        siege = begun(site, 2)
        to_the_end(siege)
        book = Browser().get(f"{siege.path}/story").text
        days = book.split('<p class="quiet">')[1].split("</p>")[0]
        assert days.count("<time") == (2 if " – " in days else 1) and len(
            set(re.findall(r">([^<]+)</time>", days))
        ) == days.count("<time")
        assert f'<a href="{siege.path}">The tournament’s page</a>' in book

    def test_its_end_is_told_once_in_the_file(self, site: TestSite) -> None:
        siege = begun(site, 2)
        to_the_end(siege)
        text = Browser().get(f"{siege.path}/story/download").text
        assert text.count("Winner on points") + text.count("Winners on points") == 1

    def test_long_texts_go_on_a_page_of_their_own_and_none_is_left_out(self, site: TestSite) -> None:
        siege = begun(site, 12)
        for _ in range(4):
            siege.everybody(text="word " * 1_900)
        to_the_end(siege)
        path, seen = f"{siege.path}/story", []
        pages = 0
        while path and pages < 60:
            data = Browser().data(path)
            seen += [chapter["turn"] for chapter in data["chapters"]]
            assert sum(len(c["preludes"]) for c in data["chapters"]) <= 24
            path = f"{siege.path}/story?from={data['next']}" if data["next"] is not None else ""
            pages += 1
        assert seen == sorted(set(seen)) and set(siege.state.resolved) == set(seen)


class TestWhatComesNext:
    def test_after_the_orders_the_next_game_is_a_click_away(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna, beth = siege.players["p1"], siege.players["p2"]
        game = duel(site, anna, beth, "days1")
        sent = anna.post(f"{siege.path}/orders", form(siege, **{"orders.target": "D4"}))
        if sent.status == 422:
            sent = anna.post(f"{siege.path}/orders", form(siege, **{"orders.target": "D5"}))
        assert f'class="button" href="{game.path}"' in anna.follow(sent).text

    def test_a_siege_is_the_next_game_when_no_duel_waits(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna, beth = siege.players["p1"], siege.players["p2"]
        game = duel(site, anna, beth, "days1")
        seat = "a" if game.a is anna else "b"
        assert game.send(seat, {}).json["next"]["id"] == siege.id
        assert f'class="button" href="{siege.path}"' in anna.get(f"{game.path}?sent=1").text

    def test_finished_sieges_stand_in_the_history_with_their_honours(self, site: TestSite) -> None:
        siege = begun(site, 2)
        anna = siege.players["p1"]
        assert anna.data("/history")["sieges"] == []
        to_the_end(siege)
        for seat, browser in siege.players.items():
            line = browser.data("/history")["sieges"][0]
            assert siege.state.result is not None
            assert line["won"] is any(seat in seats for seats in siege.state.result.honours.values())
        assert f'href="{siege.path}"' in Browser().get("/members/anna/history").text


class TestPreparing:
    def test_a_place_that_is_impossible_is_explained_beside_the_places(self, site: TestSite) -> None:
        siege = opened(site, 2)
        anna = siege.players["p1"]
        anna.get(siege.path)
        fields = {
            "turn:int": "0",
            "after:int": "0",
            "orders.formation.+:int": ["1", "4", "6"],
            "orders.centres.+": ["D4", "H6", "A1"],
        }
        answer = anna.post(f"{siege.path}/orders", fields)
        assert answer.status == 422 and "A1" in answer.seen and 'aria-describedby="centres-problem"' in answer.text
        assert 'value="D4"' in answer.text and 'value="A1"' in answer.text

    def test_home_counts_down_to_the_opening_and_then_asks(self, site: TestSite) -> None:
        siege = opened(site, 2)
        post_json(siege.players["p1"], f"{siege.path}/orders", {})
        assert siege.id in [line["id"] for line in siege.players["p1"].data("/")["awaiting"]]
        siege.pass_time(DAY - HOUR)
        assert "setting up" in siege.players["p1"].get("/").seen
