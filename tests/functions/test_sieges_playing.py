"""Firing, and the letters that come of it (T5-T7, P8)."""

import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

from engine.platform.sieges.records import SUBMISSIONS
from engine.times import DAY, HOUR, SECOND
from tests.support.browser import Browser
from tests.support.duelling import member, post_json
from tests.support.jobs import at_once
from tests.support.sieging import begun, codes, opened, told
from tests.support.site import TestSite, site_in

UNIT = {"formation": [1, 4, 6], "centres": ["C3", "C6", "C9"]}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


class TestFiring:
    def test_the_turn_is_resolved_when_all_have_sent(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.everybody()
        assert siege.state.resolved[-1] == 1

    def test_however_long_a_request_is_named_the_siege_does_not_grow_by_it(self, site: TestSite) -> None:
        siege = begun(site, 3)
        name = "x" * 30_000
        siege.send("p1", siege.thought("p1"), request=name)
        sheet = siege.state.players[0].sheet
        assert sheet is not None and sheet.number == 1 and max(map(len, sheet.requests)) <= 64
        siege.send("p1", siege.thought("p1"), request=name)
        again = siege.state.players[0].sheet
        assert again is not None and again.number == 1  # the same request

    def test_the_next_game_is_offered_once_the_shot_is_sent(self, site: TestSite) -> None:
        siege = begun(site, 3)
        offer = {"game": "feinthold", "pace": "days1", "opponent": "Anna", "request": "d"}
        path = post_json(siege.players["p2"], "/duels", offer).location
        assert post_json(siege.players["p1"], f"{path}/accept", {}).status == 303
        page = f"{siege.path}?sent=0"  # where sending led, of the turn before
        assert "next-game" not in siege.players["p1"].get(page).text
        siege.send("p1", siege.thought("p1"))
        assert "next-game" in siege.players["p1"].get(page).text

    def test_or_at_the_deadline_and_not_before(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.send("p1", siege.thought("p1"))
        siege.pass_time(3 * DAY + SECOND)
        assert siege.state.turn == 1
        siege.pass_time(2 * SECOND)
        assert siege.state.resolved[-1] == 1 and siege.turn(1).by == "deadline"

    @pytest.mark.parametrize(
        ("orders", "code"),
        [
            ({"target": "Z9"}, "off_field"),
            ({"target": "D0"}, "bad_cell"),
            ({"target": "<script>"}, "bad_cell"),
            ({"target": "D4", "bonus": "rock"}, "not_held"),
            ({"target": "D4", "bonus": "shield"}, "not_offensive"),
            ({"target": "D4", "choose": ["fire"]}, "not_earned"),
            ({"target": "D4", "bonus": "bomb"}, "bad_bonus"),
            (UNIT, "wrong_stage"),
            (None, "bad_shape"),
        ],
    )
    def test_impossible_shots_are_explained(self, site: TestSite, orders: object, code: str) -> None:
        siege = begun(site, 2)
        answer = siege.send("p1", orders)
        assert answer.status == 422 and code in codes(answer)

    def test_the_own_cell_is_no_target(self, site: TestSite) -> None:
        siege = begun(site, 2)
        own = siege.page("p1")["view"]["units"]["p1"]["trebuchet"]
        assert codes(siege.send("p1", {"target": own})) == ["own_cell"]

    def test_late_orders_foreigners_and_past_turns_are_refused(self, site: TestSite) -> None:
        siege = begun(site, 2)
        assert codes(siege.send("p1", siege.thought("p1"), turn=0)) == ["turn_over"]
        shot = siege.thought("p1")
        stranger = member(site, "Zoe")
        body = {"turn": 1, "after": 0, "orders": shot}
        assert post_json(stranger, f"{siege.path}/orders", body).json["error"]["code"] == "not_playing"
        assert post_json(Browser(), f"{siege.path}/orders", body).status in (401, 403)
        site.sources.move(3 * DAY + SECOND)
        assert codes(siege.send("p1", shot)) == ["closed"]

    def test_the_day_is_that_of_the_last_change_of_target_in_the_sieges_zone(self, site: TestSite) -> None:
        siege = begun(site, 2, zone="Pacific/Auckland")
        siege.send("p1", {"target": "A1"})
        first = siege.page("p1")["receipt"]["day"]
        site.sources.move(DAY)
        siege.send("p1", {"target": "a1"}, text="Again the same.")
        assert siege.page("p1")["receipt"]["day"] == first
        siege.send("p1", {"target": "A2"})
        assert siege.page("p1")["receipt"]["day"] > first

    def test_a_text_to_follow_holds_the_turn_back(self, site: TestSite) -> None:
        siege = begun(site, 2)
        shot = siege.thought("p1")
        siege.send("p1", shot, follow=True)
        siege.send("p2", siege.thought("p2"))
        assert siege.state.turn == 1
        assert siege.send("p1", shot, text="Here it is.").json["closed"]

    def test_three_turns_without_a_shot_and_one_is_out(self, site: TestSite) -> None:
        siege = begun(site, 3)
        for _ in range(3):
            if siege.state.stage == "playing":
                for seat in ("p1", "p2"):
                    if seat in siege.state.awaits:
                        siege.send(seat, {"target": siege.thought(seat)["target"]})
                siege.pass_time(3 * DAY + 3 * SECOND)
        assert "p3" not in siege.state.awaits

    def test_one_form_sent_twice_is_one_submission(self, site: TestSite) -> None:
        siege = begun(site, 2)
        body = {"turn": 1, "after": 0, "orders": siege.thought("p1")}
        first = post_json(siege.players["p1"], f"{siege.path}/orders", body)
        again = post_json(siege.players["p1"], f"{siege.path}/orders", body)
        assert first.json["sheet"] == again.json["sheet"]
        assert siege.page("p1")["after"] == 1

    def test_twelve_who_send_at_once_are_all_heard_and_the_turn_is_played_once(
        self, site: TestSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(site.sources, "pause", time.sleep)
        monkeypatch.setattr(site.sources, "jitter", Random(5).random)
        siege = begun(site, 12)
        shots = {seat: siege.thought(seat) for seat in siege.state.awaits}
        answers: list[int] = []

        def send(seat: str) -> None:
            answers.append(siege.send(seat, shots[seat], turn=1).status)

        at_once([partial(send, seat) for seat in shots])
        assert answers == [200] * 12
        assert siege.state.resolved[-1] == 1 and set(siege.turn(1).sheets) == set(shots)

    def test_a_target_may_be_changed_only_so_often(self, site: TestSite) -> None:
        siege = begun(site, 2)
        targets = [f"{column}{row}" for column in "ABC" for row in range(1, 12)]
        answers = [siege.send("p1", {"target": at}) for at in targets]
        taken = [a for a in answers if a.status == 200]
        assert len(taken) == SUBMISSIONS

    def test_who_leaves_is_out_and_the_turn_waits_no_more(self, site: TestSite) -> None:
        siege = begun(site, 3)
        for seat in ("p1", "p2"):
            siege.send(seat, {"target": siege.thought(seat)["target"]})
        assert post_json(siege.players["p3"], f"{siege.path}/leave", {}).status == 303
        assert siege.state.resolved[-1] == 1
        assert "p3" not in siege.state.awaits
        assert "leaves the tournament" in Browser().get(f"{siege.path}/turns/1").seen


class TestMails:
    def test_a_warning_comes_when_a_fifth_is_left_and_no_target_is_in(self, site: TestSite) -> None:
        siege = begun(site, 2)
        siege.send("p1", siege.thought("p1"))
        siege.pass_time(3 * DAY * 8 // 10 - HOUR)
        assert told(siege, "siege_warning") == []
        siege.pass_time(2 * HOUR)
        assert told(siege, "siege_warning") == ["beth"]

    def test_results_come_in_words_and_as_the_public_map(self, site: TestSite) -> None:
        siege = begun(site, 2)
        siege.everybody()
        siege.run()
        letter = next(m for m in site.post.letters if m.reference.endswith("/2/anna/siege_turn"))
        assert "What happened in turn 1" in letter.text and 'src="cid:map"' in letter.html
        assert letter.pictures[0].data.startswith(b"\x89PNG")

    def test_its_link_opens_that_siege_and_nothing_else(self, site: TestSite) -> None:
        siege = begun(site, 2)
        letter = next(m for m in site.post.letters if m.reference.endswith("/1/beth/siege_turn"))
        link = next(line for line in letter.text.splitlines() if "/turn/" in line).removeprefix("http://localhost:8000")
        browser = Browser()
        assert "Beth" in browser.get(link).seen
        assert browser.post(link).location == siege.path
        page = browser.data(siege.path)
        assert page["you"] == "p2" and page["may"] == ["orders"]
        assert post_json(browser, f"{siege.path}/leave", {}).status == 403
        siege.everybody()
        assert browser.data(siege.path)["you"] is None
        browser.get(siege.path)
        assert browser.post(f"{siege.path}/fresh-link").status == 200
        siege.run()
        assert site.post.letters[-1].to == "beth@example.org"

    def test_muted_kinds_are_not_sent(self, site: TestSite) -> None:
        siege = opened(site, 2)
        sent = len(told(siege, "siege_turn"))
        anna = siege.players["p1"]
        letter = next(m for m in site.post.letters if m.to == "anna@example.org")
        assert letter.unsubscribe is not None
        anna.get("/preferences")
        siege.everybody()
        siege.run()
        assert len(told(siege, "siege_turn")) == sent + 2
