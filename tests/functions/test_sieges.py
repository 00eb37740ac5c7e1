"""A siege over HTTP: entering, preparing, firing, writing, ending (T1-T17, P21b)."""

from pathlib import Path

import pytest

from engine.games.verify import verify
from engine.platform.ledger.records import Balance, escrow, purse
from engine.platform.sieges.records import LONGEST_TEXT, SUBMISSIONS
from engine.times import DAY, HOUR, SECOND
from infra.records import JOB, REPORT, SIEGE_POST
from tests.support.browser import Browser
from tests.support.duelling import post_json
from tests.support.sieging import Sieging, announced, begun, opened, to_the_end
from tests.support.site import TestSite, site_in

UNIT = {"formation": [1, 4, 6], "centres": ["C3", "C6", "C9"]}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def credits(site: TestSite, account: str) -> int:
    return site.calm.store.count(Balance(account))  # type: ignore[arg-type]


def give(site: TestSite, credits: int, *members: str) -> None:
    from engine.decisions import Decision
    from engine.platform.ledger.moving import move
    from engine.platform.ledger.records import HOUSE, Line
    from engine.platform.members import MemberId

    for member in members:
        lines = (Line(HOUSE, -credits), Line(purse(MemberId(member)), credits))
        debts = {MemberId(member): None}
        site.calm.store.commit(Decision(move(f"given/{member}", "gift", site.sources.now(), lines, {}, debts), None))


def codes(answer: object) -> list[str]:
    error = answer.json["error"]  # type: ignore[attr-defined]
    return [problem["code"] for problem in error["problems"]] or [error["code"]]


def message_of(siege: Sieging, notice: str) -> list[str]:
    return sorted(m.to.partition("@")[0] for m in siege.site.post.letters if m.reference.endswith(f"/{notice}"))


class TestEntering:
    def test_one_form_sent_twice_announces_once(self, site: TestSite) -> None:
        one = announced(site, 1)
        body = {"name": "x", "seats": 4, "pace": "days1", "opens": site.sources.now() + DAY, "request": "r"}
        again = post_json(one.players["p1"], "/sieges", body)
        assert again.location == one.path

    @pytest.mark.parametrize(
        ("field", "value", "code"),
        [
            ("name", "  ", "title_missing"),
            ("name", "n" * 61, "title_long"),
            ("seats", 13, "seats_unknown"),
            ("seats", 1, "seats_unknown"),
            ("pace", "days8", "turns_unknown"),
            ("fee", 101, "fee_unreadable"),
            ("fee", "1.5", "fee_unreadable"),
            ("opens", 5, "opening_unfit"),
            ("opens", "never", "opening_unfit"),
            ("zone", "Middle/Earth", "zone_unknown"),
        ],
    )
    def test_an_unfit_announcement_is_explained(self, site: TestSite, field: str, value: object, code: str) -> None:
        one = announced(site, 1)
        body = {"name": "x", "seats": 4, "pace": "days1", "opens": site.sources.now() + DAY, field: value}
        answer = post_json(one.players["p1"], "/sieges", {**body, "request": "s"})
        assert answer.status == 400 and codes(answer) == [code]

    def test_fees_wait_in_escrow_and_come_back_to_who_leaves_before_the_opening(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=20)
        assert credits(site, escrow("tournament", siege.id)) == 40
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        assert (credits(site, "member/beth"), credits(site, escrow("tournament", siege.id))) == (30, 20)
        assert post_json(siege.players["p2"], f"{siege.path}/join", {}).status == 303
        assert credits(site, "member/beth") == 10

    def test_who_cannot_pay_does_not_enter(self, site: TestSite) -> None:
        give(site, 30, "anna")
        siege = announced(site, 1, fee=20)
        from tests.support.duelling import member

        poor = member(site, "Poor")
        assert codes(post_json(poor, f"{siege.path}/join", {})) == ["credits_short"]

    def test_who_blocked_an_entrant_does_not_sit_with_them(self, site: TestSite) -> None:
        siege = announced(site, 1, seats=4)
        from tests.support.duelling import member

        other = member(site, "Zoe")
        assert post_json(other, "/members/anna/block", {}).status == 303
        assert codes(post_json(other, f"{siege.path}/join", {})) == ["blocked_entrant"]

    def test_no_seat_beyond_the_last_and_none_after_the_opening(self, site: TestSite) -> None:
        from tests.support.duelling import member

        siege = announced(site, 2)
        late = member(site, "Zoe")
        assert codes(post_json(late, f"{siege.path}/join", {})) == ["siege_full"]
        siege.pass_time(DAY)
        assert codes(post_json(late, f"{siege.path}/join", {})) == ["siege_closed"]

    def test_with_fewer_than_two_it_is_cancelled_and_the_fee_comes_back(self, site: TestSite) -> None:
        give(site, 30, "anna")
        siege = announced(site, 1, fee=20)
        siege.pass_time(DAY)
        assert siege.state.stage == "cancelled"
        assert (credits(site, "member/anna"), credits(site, escrow("tournament", siege.id))) == (30, 0)
        assert message_of(siege, "siege_cancelled") == ["anna"]
        assert "Cancelled" in Browser().get(siege.path).seen


class TestPreparing:
    def test_everybody_is_told_and_the_last_unit_in_starts_the_battle(self, site: TestSite) -> None:
        siege = opened(site, 3)
        assert message_of(siege, "siege_prepare") == ["anna", "beth", "chris"]
        siege.everybody()
        siege.run()
        assert siege.state.turn == 1
        assert message_of(siege, "siege_turn") == ["anna", "beth", "chris"]

    def test_who_does_not_prepare_is_out_and_has_the_fee_back(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth", "chris")
        siege = opened(site, 3, fee=20)
        for seat in ("p1", "p2"):
            assert siege.send(seat, siege.thought(seat)).status == 200
        siege.pass_time(3 * DAY + 3 * SECOND)
        assert siege.state.turn in (1, -1)
        if siege.state.turn == -1:
            siege.everybody()
        siege.run()
        assert credits(site, "member/chris") == 30
        assert credits(site, escrow("tournament", siege.id)) == 40
        assert message_of(siege, "siege_out") == ["chris"]

    def test_fewer_than_two_prepared_cancels_it(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = opened(site, 2, fee=20)
        siege.send("p1", siege.thought("p1"))
        siege.pass_time(3 * DAY + 3 * SECOND)
        assert siege.state.stage == "cancelled"
        assert (credits(site, "member/anna"), credits(site, "member/beth")) == (30, 30)

    def test_a_deadlock_asks_everybody_again_within_a_day(self, site: TestSite) -> None:
        siege = opened(site, 2)
        tight = {"formation": [1, 2, 3], "centres": ["D4", "D5", "E5"]}
        for seat in ("p1", "p2"):
            assert siege.send(seat, tight).status == 200
        siege.run()
        state = siege.state
        assert state.turn == -1 and state.deadline is not None and state.opened is not None
        assert state.deadline - state.opened == DAY
        assert message_of(siege, "siege_again") == ["anna", "beth"]
        siege.pass_time(DAY + 3 * SECOND)
        assert siege.state.turn == 1

    @pytest.mark.parametrize(
        ("orders", "code"),
        [
            ({**UNIT, "formation": [1, 4]}, "not_three"),
            ({**UNIT, "formation": [1, 4, 4]}, "duplicate"),
            ({**UNIT, "centres": ["A1", "C6", "C9"]}, "unit_off_field"),
            ({**UNIT, "centres": ["Z99", "C6", "C9"]}, "off_field"),
            ({**UNIT, "centres": ["C6", "C6", "C9"]}, "duplicate"),
            ({**UNIT, "centres": ["here", "C6", "C9"]}, "bad_cell"),
            ({"target": "C3"}, "wrong_stage"),
            ([], "bad_shape"),
        ],
    )
    def test_impossible_units_are_explained(self, site: TestSite, orders: object, code: str) -> None:
        siege = opened(site, 2)
        answer = siege.send("p1", orders)
        assert answer.status == 422 and codes(answer) == [code]

    def test_the_form_works_without_scripts_and_comes_back_as_typed(self, site: TestSite) -> None:
        siege = opened(site, 2)
        anna = siege.players["p1"]
        anna.get(siege.path)
        fields = {
            "turn:int": "0",
            "after:int": "0",
            "orders.formation.+:int": ["1", "4", "6"],
            "orders.centres.+": "c3",
        }
        back = anna.post(f"{siege.path}/orders", fields)
        assert back.status == 422 and "three different places" in back.seen
        assert 'value="c3"' in back.text and 'value="4" checked' in back.text
        fields["orders.centres.+"] = ["c3", "c6", "c9"]
        assert anna.post(f"{siege.path}/orders", fields).status == 303
        empty = anna.post(f"{siege.path}/orders", {"turn:int": "0", "after:int": "1"})
        assert empty.status == 422 and "three different cells" in empty.seen


class TestFiring:
    def test_the_turn_is_resolved_when_all_have_sent(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.everybody()
        assert siege.state.resolved[-1] == 1

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
        from tests.support.duelling import member

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
        assert message_of(siege, "siege_warning") == []
        siege.pass_time(2 * HOUR)
        assert message_of(siege, "siege_warning") == ["beth"]

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
        sent = len(message_of(siege, "siege_turn"))
        anna = siege.players["p1"]
        letter = next(m for m in site.post.letters if m.to == "anna@example.org")
        assert letter.unsubscribe is not None
        anna.get("/preferences")
        siege.everybody()
        siege.run()
        assert len(message_of(siege, "siege_turn")) == sent + 2


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
        assert codes(siege.send("p1", shot, text="é" * (LONGEST_TEXT + 1))) == ["text_long"]
        assert siege.send("p1", shot, text="é" * LONGEST_TEXT).status == 200

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
        from tests.support.duelling import member

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

    def test_a_text_can_be_reported_and_hidden(self, site: TestSite) -> None:
        from engine.platform.sieges.topic import hide
        from functions.acting import act

        siege = begun(site, 2)
        post_json(siege.players["p1"], f"{siege.path}/topic", {"text": "Vile words", "request": "one"})
        row = site.calm.store.query(SIEGE_POST, "", siege.id, limit=5).rows[0]
        at = f"{siege.path}/turns/0/{row.value.id}/report"
        assert post_json(siege.players["p2"], at, {"reason": "vile"}).status == 303
        subject = f"siege/{siege.id}/0/{row.value.id}"
        assert site.calm.store.get(REPORT, "text", subject, "beth") is not None
        act(site.site, lambda: hide(row, "insulting"))
        page = Browser().get(f"{siege.path}/turns/0")
        assert "Vile words" not in page.text and "insulting" in page.seen
        assert "Vile words" not in Browser().get(f"{siege.path}/turns/0", "application/json").text


class TestTheEnd:
    def test_the_pot_is_halved_between_the_honours(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth", "chris")
        siege = begun(site, 3, fee=25)
        to_the_end(siege)
        assert credits(site, escrow("tournament", siege.id)) == 0
        purses = [credits(site, f"member/{name}") for name in ("anna", "beth", "chris")]
        assert sum(purses) == 90
        assert siege.state.result is not None
        if siege.state.result.honours["survivor"] and len(siege.state.result.honours["points"]) == 1:
            assert sorted(p for p in purses if p > 5) in ([42, 43], [80])
        told = message_of(siege, "siege_won") + message_of(siege, "siege_over")
        assert sorted(told) == ["anna", "beth", "chris"]

    def test_not_one_shot_gives_the_fees_back(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = begun(site, 2, fee=25)
        for _ in range(3):
            siege.pass_time(3 * DAY + 3 * SECOND)
        assert siege.state.stage == "ended"
        assert (credits(site, "member/anna"), credits(site, "member/beth")) == (30, 30)

    def test_all_survivors_may_agree_to_end_it(self, site: TestSite) -> None:
        siege = begun(site, 3)
        for seat in siege.state.awaits:
            siege.send(seat, {**siege.thought(seat), "agree_end": True})
        siege.run()
        assert siege.state.result is not None and siege.state.result.by == "agreement"
        assert "agreed to end" in Browser().get(siege.path).seen

    def test_everything_is_shown_and_every_roll_can_be_recomputed(self, site: TestSite) -> None:
        siege = begun(site, 3)
        commitment = siege.page("p1")["siege"]["commitment"]
        assert siege.page("p1")["siege"]["seed"] is None
        assert Browser().get(f"{siege.path}/download").status == 404
        assert Browser().get(f"{siege.path}/story").status == 404
        to_the_end(siege)
        download = Browser().data(f"{siege.path}/download")
        assert download["commitment"] == commitment
        verdict = verify(download)
        assert verdict.honest and verdict.rolls > 0
        assert "recomputed" in Browser().get(f"{siege.path}/dice").seen
        assert set(Browser().data(siege.path)["view"]["units"]) == {"p1", "p2", "p3"}

    def test_the_story_is_a_book_and_a_file(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.everybody(text="Once upon a *time*")
        post_json(siege.players["p1"], f"{siege.path}/topic", {"text": "Hear, hear", "request": "one"})
        to_the_end(siege)
        book = Browser().get(f"{siege.path}/story")
        assert "<em>time</em>" in book.text and "Hear, hear" in book.seen
        file = Browser().get(f"{siege.path}/story/download")
        assert file.headers["content-type"].startswith("text/markdown")
        assert file.text.startswith("# The Siege") and "Once upon a *time*" in file.text

    def test_nothing_is_left_to_do(self, site: TestSite) -> None:
        siege = begun(site, 2)
        to_the_end(siege)
        siege.pass_time(30 * DAY)
        left = [r.value for s in range(4) for r in site.calm.store.query(JOB, "due", s, limit=9).rows]
        assert left == []


class TestCosts:
    def test_pages_take_few_reads_whatever_has_happened(self, site: TestSite) -> None:
        siege = begun(site, 12)
        for _ in range(3):
            siege.everybody(text="x" * 500)
        anna = siege.players["p1"]
        most = {"": 22, "/version?beat": 5, "/turns/1": 18, "/turns/3": 18, "/dice": 16}
        for path, reads in most.items():
            before = site.store.reads
            assert anna.get(siege.path + path).status == 200
            assert site.store.reads - before <= reads, (path, site.store.reads - before)
        before = site.store.reads
        anna.get("/sieges")
        assert site.store.reads - before <= 8

    def test_an_order_is_one_transaction_on_the_siege_its_text_its_turn_and_jobs(self, site: TestSite) -> None:
        siege = begun(site, 2)
        before, written = site.store.commits, len(site.store.written)
        siege.send("p1", siege.thought("p1"), text="A text")
        assert site.store.commits == before + 1
        assert sorted(site.store.written[written:]) == ["siege", "siege_post"]
        written = len(site.store.written)
        siege.send("p2", siege.thought("p2"))
        assert site.store.commits == before + 2
        assert set(site.store.written[written:]) == {"siege", "siege_turn", "job"}
