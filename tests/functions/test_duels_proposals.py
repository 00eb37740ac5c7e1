"""Proposals over HTTP (P5b, P10, P14b): made, refused as typed, accepted once, lapsed, played again."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.platform.blocks import Block
from engine.platform.duels.records import OPEN_PROPOSALS, NoShow, Proposals
from engine.platform.members import Lang, MemberId
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant, later
from functions import tick
from infra.records import DUEL
from tests.support.browser import Answer, Browser
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.jobs import Script, at_once, ticked
from tests.support.site import TestSite, site_in


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def site(tmp_path: Path, script: Script) -> TestSite:
    return site_in(tmp_path, plan=script)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


@pytest.fixture
def beth(site: TestSite) -> Browser:
    return member(site, "Beth")


def propose(browser: Browser, opponent: str = "", pace: str = "days1", request: str = "r") -> Answer:
    body = {"game": "feinthold", "pace": pace, "opponent": opponent, "request": request}
    return post_json(browser, "/duels", body)


def proposed(browser: Browser, opponent: str = "", pace: str = "days1", request: str = "r") -> str:
    answer = propose(browser, opponent, pace, request)
    assert answer.status == 303, answer.text
    return answer.location


def code(answer: Answer) -> str:
    return str(answer.json["error"]["code"])


class TestMaking:
    def test_open_ones_are_seen_by_all_and_accepted_by_one(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        path = proposed(anna)
        chris = member(site, "Chris")
        assert [line["id"] for line in Browser().data("/duels")["proposals"]] == [path.rpartition("/")[2]]
        assert "accept" in beth.data(path)["may"]
        assert post_json(beth, f"{path}/accept", {}).status == 303
        assert code(post_json(chris, f"{path}/accept", {})) == "not_for_you"
        assert Browser().data("/duels")["proposals"] == []

    def test_of_two_who_accept_at_once_one_plays(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        anna, beth, chris = (member(site, name) for name in ("Anna", "Beth", "Chris"))
        path = proposed(anna)
        answers: list[int] = []
        at_once([lambda w=who: answers.append(post_json(w, f"{path}/accept", {}).status) for who in (beth, chris)])  # type: ignore[misc]
        assert sorted(answers) == [303, 403]
        row = site.calm.store.get(DUEL, path.rpartition("/")[2])
        assert row is not None and len(row.value.players) == 2

    def test_one_to_a_member_is_for_that_member(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        path = proposed(anna, "beth")
        chris = member(site, "Chris")
        assert chris.data("/duels")["proposals"] == []
        assert [line["opponent"]["name"] for line in beth.data("/")["invited"]] == ["Anna"]
        assert code(post_json(chris, f"{path}/accept", {})) == "not_for_you"
        assert code(post_json(chris, f"{path}/decline", {})) == "not_for_you"

    def test_the_form_is_one_proposal_however_often_it_is_sent(self, anna: Browser) -> None:
        page = anna.get("/duels").text
        request = re.search(r'name="request" value="([^"]+)"', page)
        assert request
        form = {"pace": "feinthold/days2", "opponent": "", "request": request[1]}
        assert len({anna.post("/duels", form).location for _ in range(3)}) == 1
        assert [line["pace"] for line in anna.data("/")["mine"]] == ["days2"]

    def test_ten_open_ones_at_most_and_one_withdrawn_makes_room(self, site: TestSite, anna: Browser) -> None:
        paths = [proposed(anna, request=f"r{n}") for n in range(OPEN_PROPOSALS)]
        refused = propose(anna, request="one more")
        assert code(refused) == "too_many_proposals"
        assert str(OPEN_PROPOSALS) in refused.json["error"]["message"]
        assert post_json(anna, f"{paths[0]}/withdraw", {}).status == 303
        assert propose(anna, request="one more").status == 303
        assert site.calm.store.count(Proposals(MemberId("anna"))) == -OPEN_PROPOSALS

    @pytest.mark.parametrize("lang", ["en", "fr"])
    @pytest.mark.parametrize(
        ("typed", "field"),
        [
            ({"opponent": "Nobody <b>", "pace": "feinthold/days3"}, "opponent"),
            ({"opponent": "Anna", "pace": "feinthold/rapid"}, "opponent"),
            ({"opponent": "", "pace": "feinthold/hourly"}, "pace"),
            ({"opponent": "", "pace": "chess/days1"}, "game"),
            ({"opponent": "\u202eBeth", "pace": "feinthold/days1"}, "opponent"),
        ],
    )
    def test_a_refused_form_comes_back_as_typed_with_the_reason_beside_its_field(
        self, site: TestSite, typed: dict[str, str], field: str, lang: Lang
    ) -> None:
        anna = member(site, "Anna", lang=lang)
        anna.get("/duels")
        answer = anna.post("/duels", {**typed, "request": "r"})
        assert answer.status == 422
        assert f'id="{field}-problem"' in answer.text
        assert "<b>" not in answer.text
        shown = re.search(r'name="opponent" value="([^"]*)"', answer.text)
        assert shown and shown[1].replace("&lt;", "<").replace("&gt;", ">") == typed["opponent"]
        if typed["pace"].startswith("feinthold/") and field != "pace":
            assert f'value="{typed["pace"]}" checked' in answer.text

    def test_names_are_found_however_they_are_typed(self, anna: Browser, beth: Browser) -> None:
        assert propose(anna, "  BETH ").status == 303

    def test_who_is_not_signed_in_is_asked_to_and_comes_back(self, site: TestSite) -> None:
        stranger = Browser()
        stranger.data("/duels")
        assert propose(stranger).status == 401
        assert "/sign-in?next=/duels" in stranger.get("/duels").text


class TestAnswering:
    def test_a_declined_one_ends_and_frees_its_place(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        path = proposed(anna, "Beth")
        assert post_json(beth, f"{path}/decline", {}).status == 303
        assert post_json(beth, f"{path}/decline", {}).status == 303
        assert anna.data(path)["duel"]["outcome"]["by"] == "declined"
        assert site.calm.store.count(Proposals(MemberId("anna"))) == 0
        assert beth.data("/")["invited"] == []
        assert [line["by"] for line in anna.data("/history")["games"]] == ["declined"]
        assert Browser().data("/members/anna/history")["games"] == []

    def test_it_lapses_after_seven_days(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        path = proposed(anna, "Beth")
        tick.tick(site.site)
        ticked(site, site.sources.time + 7 * DAY - SECOND)
        run_due(site)
        assert "accept" in beth.data(path)["may"]
        ticked(site, site.sources.time + SECOND)
        run_due(site)
        assert beth.data(path)["duel"]["outcome"]["by"] == "lapsed"
        assert code(post_json(beth, f"{path}/accept", {})) == "gone"
        assert anna.data("/")["mine"] == [] and beth.data("/")["invited"] == []

    @pytest.mark.parametrize(("one", "other"), [("anna", "beth"), ("beth", "anna")])
    def test_between_members_of_whom_one_blocked_the_other_there_is_no_duel(
        self, site: TestSite, anna: Browser, beth: Browser, one: str, other: str
    ) -> None:
        path = proposed(anna)
        site.calm.store.commit(Decision((Put(Block(MemberId(one), MemberId(other), other, Instant(0)), 0),), None))
        assert code(post_json(beth, f"{path}/accept", {})) == "blocked"
        assert code(propose(anna, "Beth", request="r2")) == "blocked"
        assert code(propose(beth, "Anna", request="r3")) == "blocked"

    def test_three_ready_rooms_missed_bar_from_live_duels_and_it_says_until_when(
        self, site: TestSite, anna: Browser, beth: Browser
    ) -> None:
        now = site.sources.now()
        path = proposed(beth, pace="blitz", request="live")
        for hours in (1, 2, 3):
            there = NoShow(MemberId("anna"), later(now, -hours * HOUR), state_id(path))
            site.calm.store.commit(Decision((Put(there, 0),), None))
        answer = propose(anna, pace="rapid")
        assert code(answer) == "barred"
        assert "until Tue 22 Sep 2026, 15:13 CEST" in answer.json["error"]["message"]
        assert code(post_json(anna, f"{path}/accept", {})) == "barred"
        assert propose(anna, pace="days1").status == 303
        anna.get("/duels")
        page = anna.post("/duels", {"pace": "feinthold/blitz", "request": "x"})
        assert page.status == 422
        assert 'id="pace-problem"' in page.text
        assert "15:13 CEST" in page.seen

    def test_nor_can_what_was_proposed_before_be_accepted_meanwhile(
        self, site: TestSite, anna: Browser, beth: Browser
    ) -> None:
        live, slow = proposed(anna, pace="blitz", request="live"), proposed(anna, pace="days1", request="slow")
        for hours in (1, 2, 3):
            missed = NoShow(MemberId("anna"), later(site.sources.now(), -hours * HOUR), state_id(live))
            site.calm.store.commit(Decision((Put(missed, 0),), None))
        answer = post_json(beth, f"{live}/accept", {})
        assert code(answer) == "barred_other"
        assert "until Tue 22 Sep 2026, 15:13 CEST" in answer.json["error"]["message"]
        assert post_json(beth, f"{slow}/accept", {}).status == 303
        site.sources.move(DAY)
        assert post_json(beth, f"{live}/accept", {}).status == 303

    def test_a_ready_room_closes_after_thirty_minutes(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        path = proposed(anna, pace="blitz")
        post_json(beth, f"{path}/accept", {})
        post_json(anna, f"{path}/ready", {})
        tick.tick(site.site)
        ticked(site, site.sources.time + 30 * MINUTE)
        run_due(site)
        assert anna.data(path)["duel"]["outcome"] == {"winner": None, "by": "no_show"}
        assert code(post_json(beth, f"{path}/ready", {})) == "gone"

    def test_both_ready_at_once_begins_the_game_once(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        anna, beth = member(site, "Anna"), member(site, "Beth")
        path = proposed(anna, pace="rapid")
        post_json(beth, f"{path}/accept", {})
        at_once([lambda: post_json(anna, f"{path}/ready", {}), lambda: post_json(beth, f"{path}/ready", {})])
        page = anna.data(path)
        assert (page["duel"]["stage"], page["duel"]["turn"]) == ("playing", 1)


class TestAgain:
    def over(self, site: TestSite, anna: Browser, beth: Browser) -> Duelling:
        game = duel(site, anna, beth, pace="days2")
        game.send("a", {})
        post_json(game.b, f"{game.path}/abandon", {})
        return game

    def test_a_rematch_is_one_click_and_one_proposal(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        game = self.over(site, anna, beth)
        paths = {post_json(game.a, f"{game.path}/rematch", {}).location for _ in range(3)}
        assert len(paths) == 1
        page = game.b.data(paths.pop())
        assert page["duel"]["pace"] == "days2"
        assert "accept" in page["may"]

    def test_the_opponents_click_accepts_it(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        game = self.over(site, anna, beth)
        asked = post_json(game.a, f"{game.path}/rematch", {}).location
        for _ in range(2):
            assert post_json(game.b, f"{game.path}/rematch", {}).location == asked
        assert game.a.data(asked)["duel"]["stage"] == "playing"
        assert post_json(game.a, f"{game.path}/rematch", {}).location == asked
        assert game.a.data("/")["mine"] == [] and game.b.data("/")["mine"] == []

    @pytest.mark.parametrize("end", ["withdraw", "decline", "lapse"])
    def test_one_that_came_to_nothing_can_be_asked_for_again(
        self, site: TestSite, anna: Browser, beth: Browser, end: str
    ) -> None:
        game = self.over(site, anna, beth)
        first = post_json(game.a, f"{game.path}/rematch", {}).location
        if end == "lapse":
            tick.tick(site.site)
            ticked(site, site.sources.time + 7 * DAY)
            run_due(site)
        else:
            post_json(game.a if end == "withdraw" else game.b, f"{first}/{end}", {})
        assert game.a.data(first)["duel"]["stage"] == "ended"
        asked = {post_json(game.a, f"{game.path}/rematch", {}).location for _ in range(2)}
        assert len(asked) == 1 and asked != {first}
        assert post_json(game.b, f"{game.path}/rematch", {}).location in asked
        assert game.a.data(asked.pop())["duel"]["stage"] == "playing"

    def test_the_opponent_sees_it_on_the_page_of_the_game(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        game = self.over(site, anna, beth)
        page = game.b.data(game.path)
        assert page["lingers"] and page["rematch"] is None
        asked = post_json(game.a, f"{game.path}/rematch", {}).location
        assert game.b.send("GET", f"{game.path}/version", {"if-none-match": f'"{page["version"]}"'}).status == 200
        after = game.b.data(game.path)
        assert f"/games/{after['rematch']}" == asked
        assert game.b.send("GET", f"{game.path}/version", {"if-none-match": f'"{after["version"]}"'}).status == 204
        assert game.a.data(game.path)["rematch"] is None
        assert "asks for a rematch." in game.b.get(game.path).seen

    def test_strangers_ask_for_none(self, site: TestSite, anna: Browser, beth: Browser) -> None:
        game = self.over(site, anna, beth)
        assert code(post_json(member(site, "Chris"), f"{game.path}/rematch", {})) == "not_playing"

    def test_the_game_after_a_submission_is_the_most_urgent_other_one(
        self, site: TestSite, anna: Browser, beth: Browser
    ) -> None:
        slow, quick = duel(site, anna, beth, pace="days3"), duel(site, anna, beth, pace="days1")
        assert slow.send("a", {}).json["next"]["id"] == quick.id
        answer = slow.a.get(f"{slow.path}?sent=1")
        assert f'href="/games/{quick.id}"' in answer.text


def state_id(path: str) -> Any:
    return path.rpartition("/")[2]
