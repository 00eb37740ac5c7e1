"""Entering and preparing a siege (T1-T3, P21b)."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.ledger.records import escrow
from engine.platform.members import Lang
from engine.times import DAY, HOUR, SECOND
from functions import reconcile
from infra.records import MEMBER
from tests.support.browser import Browser
from tests.support.clubs import act, moderator
from tests.support.duelling import member, post_json
from tests.support.sieging import announced, codes, credits, give, opened, told
from tests.support.site import TestSite, site_in

UNIT = {"formation": [1, 4, 6], "centres": ["C3", "C6", "C9"]}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


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

    def test_the_sixth_in_a_day_is_refused_with_the_form_kept(self, site: TestSite) -> None:
        anna = announced(site, 1).players["p1"]
        form = {"name": "Again", "seats": "4", "pace": "days1", "opens": "2026-10-01T20:00"}
        anna.get("/sieges/new")
        sent = [anna.post("/sieges", {**form, "request": str(n)}) for n in range(5)]
        assert [answer.status for answer in sent] == [303] * 4 + [422]
        assert "Too many requests" in sent[-1].seen and 'value="Again"' in sent[-1].text

    def test_fees_wait_in_escrow_and_come_back_to_who_leaves_before_the_opening(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=20)
        assert credits(site, escrow("tournament", siege.id)) == 40
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        assert (credits(site, "member/beth"), credits(site, escrow("tournament", siege.id))) == (30, 20)
        assert post_json(siege.players["p2"], f"{siege.path}/join", {}).status == 303
        assert credits(site, "member/beth") == 10

    def test_nobody_has_the_fee_back_as_long_as_payouts_are_stopped(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=20)
        reconcile.stop(site.calm, "test")
        assert codes(post_json(siege.players["p2"], f"{siege.path}/leave", {})) == ["payouts_stopped"]
        assert (credits(site, "member/beth"), credits(site, escrow("tournament", siege.id))) == (10, 40)
        reconcile.let_go_on(site.calm)
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        assert credits(site, "member/beth") == 30

    def test_who_is_removed_has_the_fee_back_once_payouts_go_on(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=20, opens=site.sources.now() + 20 * DAY)
        reconcile.stop(site.calm, "test")
        assert act(moderator(site, "Mona"), "freeze", "beth").status == 303
        for _ in range(30):
            siege.pass_time(HOUR)
        assert credits(site, "member/beth") == 10
        reconcile.let_go_on(site.calm)
        siege.pass_time(HOUR)
        assert [p.member for p in siege.state.players] == ["anna"] and credits(site, "member/beth") == 30

    def test_who_cannot_pay_does_not_enter(self, site: TestSite) -> None:
        give(site, 30, "anna")
        siege = announced(site, 1, fee=20)
        poor = member(site, "Poor")
        assert codes(post_json(poor, f"{siege.path}/join", {})) == ["credits_short"]

    def test_who_blocked_an_entrant_does_not_sit_with_them(self, site: TestSite) -> None:
        siege = announced(site, 1, seats=4)
        other = member(site, "Zoe")
        assert post_json(other, "/members/anna/block", {}).status == 303
        assert codes(post_json(other, f"{siege.path}/join", {})) == ["blocked_entrant"]

    def test_no_seat_beyond_the_last_and_none_after_the_opening(self, site: TestSite) -> None:
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
        assert told(siege, "siege_cancelled") == ["anna"]
        assert "Cancelled" in Browser().get(siege.path).seen


class TestPreparing:
    def test_everybody_is_told_and_the_last_unit_in_starts_the_battle(self, site: TestSite) -> None:
        siege = opened(site, 3)
        assert told(siege, "siege_prepare") == ["anna", "beth", "chris"]
        siege.everybody()
        siege.run()
        assert siege.state.turn == 1
        assert told(siege, "siege_turn") == ["anna", "beth", "chris"]

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
        assert told(siege, "siege_out") == ["chris"]

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
        assert told(siege, "siege_again") == ["anna", "beth"]
        siege.pass_time(DAY + 3 * SECOND)
        assert siege.state.turn == 1
        letter = next(m for m in site.post.letters if m.reference.endswith("/1/anna/siege_turn"))
        assert "2 units stand on the field" in letter.text and "Nobody was hit" not in letter.text

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

    @pytest.mark.parametrize(
        ("lang", "said"),
        [
            ("en", ("“ZZ” is no cell", "Q99 is not on the field")),
            ("fr", ("« ZZ » n’est pas une case", "Q99 n’est pas sur le terrain")),
        ],
    )
    def test_every_place_that_is_none_is_named(self, site: TestSite, lang: Lang, said: tuple[str, ...]) -> None:
        siege = opened(site, 2)
        browser = siege.players["p1"]
        row = site.calm.store.get(MEMBER, "anna")
        assert row is not None
        site.calm.store.commit(Decision((Put(replace(row.value, lang=lang), row.version),), None))
        answer = siege.send("p1", {**UNIT, "centres": ["zz", "q99", "C6"]})
        assert codes(answer) == ["bad_cell", "off_field"]
        browser.get(siege.path)
        fields = {"turn:int": "0", "after:int": "0", "orders.formation.+:int": ["1", "4", "6"]}
        back = browser.post(f"{siege.path}/orders", {**fields, "orders.centres.+": ["ZZ", "q99", "C6"]})
        assert back.status == 422 and all(words in back.seen for words in said)

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
