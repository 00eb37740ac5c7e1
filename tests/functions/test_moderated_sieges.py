"""Sieges that moderators stop: what becomes of the game, its fees, and of those who played (P21b, P29)."""

from dataclasses import replace
from functools import partial

import pytest

from engine.platform.ledger.records import escrow
from engine.times import DAY, SECOND
from functions.effects import carry_out
from infra.faults import Fault
from infra.records import ACT
from tests.support.browser import Browser
from tests.support.clubs import act, answered, done, moderator
from tests.support.duelling import post_json
from tests.support.jobs import at_once, jobs
from tests.support.moderating import run_with, undone
from tests.support.sieging import Sieging, announced, begun, codes, credits, give, opened, to_the_end
from tests.support.site import TestSite

THREE = ("anna", "beth", "chris")


@pytest.fixture
def siege(site: TestSite) -> Sieging:
    """Three in the first turn of a siege for 25 credits each, of 30."""
    give(site, 30, *THREE)
    return begun(site, 3, fee=25)


def purses(site: TestSite) -> list[int]:
    return [credits(site, f"member/{name}") for name in THREE]


def pot(siege: Sieging) -> int:
    return credits(siege.site, escrow("tournament", siege.id))


class TestARunningOne:
    def test_ends_without_honours_and_every_fee_comes_back(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        siege.everybody()
        done(site, mod, "stop_siege", siege.id)
        state = siege.state
        assert (state.stage, state.awaits, state.deadline) == ("ended", (), None)
        assert state.result is not None and (state.result.by, dict(state.result.honours)) == ("stopped", {})
        assert (purses(site), pot(siege)) == ([30, 30, 30], 0)

    def test_fees_come_back_to_who_left_too_and_once_only(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        id = done(site, mod, "stop_siege", siege.id)
        row = site.calm.store.get(ACT, id)
        assert row is not None
        for _ in range(2):
            carry_out(site.site, replace(row.value, carried=False))
            siege.run()
        assert (purses(site), pot(siege)) == ([30, 30, 30], 0)

    def test_its_pages_say_so_to_everybody(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        siege.everybody(text="Once upon a time")
        done(site, mod, "stop_siege", siege.id)
        for path in ("", "/turns/1", "/story"):
            page = Browser().get(siege.path + path)
            assert page.status == 200 and "The moderators stopped this tournament" in page.seen, path
        file = Browser().get(f"{siege.path}/story/download").text
        assert "Once upon a time" in file and "The moderators stopped this tournament" in file
        assert Browser().data(f"{siege.path}/dice")["verdict"]["honest"]
        assert Browser().get(f"{siege.path}/download").status == 200

    def test_a_text_that_was_still_secret_stays_so(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        assert siege.send("p1", siege.thought("p1"), text="Not yet published").status == 200
        done(site, mod, "stop_siege", siege.id)
        for path in ("", "/turns/0", "/story", "/story/download", "/download"):
            assert "Not yet published" not in Browser().get(siege.path + path).text

    def test_nothing_is_played_any_more(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        sent = siege.thought("p1")
        done(site, mod, "stop_siege", siege.id)
        assert codes(siege.send("p1", sent)) == ["turn_over"]
        siege.pass_time(3 * DAY + 3 * SECOND)
        assert siege.state.turn == 1 and siege.state.stage == "ended"
        assert jobs(site, "siege") == []

    def test_those_who_played_are_mailed_once_with_the_reason_and_may_answer_once(
        self, site: TestSite, siege: Sieging, mod: Browser
    ) -> None:
        before = len(site.post.letters)
        act(mod, "stop_siege", siege.id, reason="Threats on <every> turn.")
        siege.run()
        letters = site.post.letters[before:]
        assert sorted(x.to for x in letters) == [f"{name}@example.org" for name in THREE]
        assert {x.subject for x in letters} == {"A tournament of yours was stopped"}
        assert all("Threats on <every> turn." in x.text and "The Siege" in x.text for x in letters)
        anna = siege.players["p1"]
        id = anna.data("/decisions")["decisions"][0]["id"]
        page = anna.get(f"/decisions/{id}")
        assert siege.path in page.text and "Mona" not in page.text
        assert answered(anna, id).status == 303
        assert answered(anna, id, "Once more.").status == 422

    def test_undoing_it_is_said_and_takes_nothing_up_again(
        self, site: TestSite, siege: Sieging, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "stop_siege", siege.id)
        anna = siege.players["p1"]
        assert "can’t be put right again" in anna.get(f"/decisions/{id}").seen
        assert "can’t be put right again" in site.post.last("anna@example.org").text
        undone(site, id, anna, other_mod)
        assert "stays as it is" in anna.get(f"/decisions/{id}").seen
        assert "stays as it is" in site.post.last("anna@example.org").text
        assert siege.state.stage == "ended" and purses(site) == [30, 30, 30]
        assert anna.data(f"/decisions/{id}")["decision"]["state"] == "undone"


class TestBeforeTheFirstTurn:
    def test_one_that_is_open_is_cancelled(self, site: TestSite, mod: Browser) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=25)
        done(site, mod, "stop_siege", siege.id)
        assert siege.state.stage == "cancelled" and purses(site)[:2] == [30, 30] and pot(siege) == 0
        assert "The moderators stopped this tournament" in Browser().get(siege.path).seen
        siege.pass_time(2 * DAY)
        assert siege.state.stage == "cancelled"

    def test_one_that_is_being_prepared_too(self, site: TestSite, mod: Browser) -> None:
        give(site, 30, *THREE)
        siege = opened(site, 3, fee=25)
        assert siege.send("p1", siege.thought("p1")).status == 200
        done(site, mod, "stop_siege", siege.id)
        assert siege.state.stage == "cancelled" and purses(site) == [30, 30, 30] and pot(siege) == 0
        assert [s["id"] for s in siege.players["p1"].data("/sieges")["mine"]] == []

    def test_whose_opening_comes_in_the_same_moment_is_stopped_all_the_same(self, site: TestSite, mod: Browser) -> None:
        give(site, 30, "anna", "beth")
        siege = announced(site, 2, fee=25)
        assert act(mod, "stop_siege", siege.id).status == 303
        siege.pass_time(DAY)
        assert siege.state.stage == "cancelled" and purses(site)[:2] == [30, 30]


class TestWhatCanNotBeStopped:
    def test_what_is_over_or_not_there(self, site: TestSite, siege: Sieging, mod: Browser) -> None:
        assert act(mod, "stop_siege", "nothing").json["error"]["code"] == "no_such_siege"
        to_the_end(siege)
        assert act(mod, "stop_siege", siege.id).json["error"]["code"] == "not_in_progress"

    def test_ones_own_or_that_of_somebody_played_of_late(self, site: TestSite, mod: Browser) -> None:
        siege = announced(site, 2, seats=4)
        mona = moderator(site, "Mina")
        assert post_json(mona, f"{siege.path}/join", {}).status == 303
        assert act(mona, "stop_siege", siege.id).json["error"]["code"] == "own_matter"
        siege.pass_time(DAY)
        siege.players["p3"] = mona
        siege.everybody()
        assert act(mona, "freeze", "anna").json["error"]["code"] == "own_matter"
        for _ in range(4):
            siege.pass_time(8 * DAY)
        assert siege.state.stage == "ended"
        site.sources.move(30 * DAY)
        assert act(mona, "freeze", "anna", request="later").status == 303

    def test_members_and_strangers_can_not(self, site: TestSite, siege: Sieging) -> None:
        assert act(siege.players["p1"], "stop_siege", siege.id).status == 404
        assert siege.state.stage == "playing"


class TestWhateverGoesWrong:
    @pytest.mark.parametrize("fault", [Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.LOST_ANSWER, Fault.CONFLICT])
    @pytest.mark.parametrize("at", range(5))
    def test_a_crash_between_any_two_commits_costs_nothing(
        self, site: TestSite, siege: Sieging, mod: Browser, fault: Fault, at: int
    ) -> None:
        assert act(mod, "stop_siege", siege.id).status == 303
        run_with(site, [*([None] * at), fault])
        siege.pass_time(DAY)
        assert (siege.state.stage, purses(site), pot(siege)) == ("ended", [30, 30, 30], 0)
        told = [x.to for x in site.post.letters if x.subject == "A tournament of yours was stopped"]
        assert sorted(told) == sorted(set(told))

    def test_two_moderators_and_the_last_orders_at_once(
        self, site: TestSite, siege: Sieging, mod: Browser, other_mod: Browser
    ) -> None:
        for seat in ("p1", "p2"):
            assert siege.send(seat, siege.thought(seat)).status == 200
        last = siege.thought("p3")
        at_once(
            [
                partial(act, mod, "stop_siege", siege.id),
                partial(act, other_mod, "stop_siege", siege.id),
                partial(siege.send, "p3", last),
            ]
        )
        siege.run()
        assert (siege.state.stage, purses(site), pot(siege)) == ("ended", [30, 30, 30], 0)
