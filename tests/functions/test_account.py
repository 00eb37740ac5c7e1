"""Members' rights: everything kept about them to download, and leaving for good (P5)."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.platform.addresses import mailbox_key
from engine.platform.gifts import Gift, Owner, gift_key
from engine.platform.ledger.records import BOOKS
from engine.platform.members import Mailbox, MemberId
from engine.times import DAY, MINUTE
from functions import reconcile
from infra.records import BALANCE, BLOCK, BOOK, BROWSER_USE, GIFT, MAILBOX, NAME
from tests.support.browser import Browser
from tests.support.clubs import account, act, credits, in_escrow, member, moderator, name_of, play, staked, state
from tests.support.duelling import Duelling, post_json, run_due
from tests.support.leaving import fresh, leave, settled
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in
from tests.support.solo import begin, save


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    """Anna, whose mailbox is known."""
    anna = member(site, "Anna")
    secret = site.site.settings.secret
    address = "anna@example.org"
    rows = (Put(Mailbox(mailbox_key(secret, address), MemberId("anna")), 0), _gift(site, address))
    site.calm.store.commit(Decision(rows, None))
    return anna


def _gift(site: TestSite, address: str) -> Put:
    return Put(Gift(gift_key(site.site.settings.secret, address), (Owner(MemberId("anna")),)), 0)


class TestExport:
    def test_everything_kept_is_in_it(self, site: TestSite, anna: Browser) -> None:
        beth = member(site, "Beth")
        save(anna, 1)
        game = staked(site, anna, beth, 10)
        assert post_json(anna, f"{game.path}/notes", {"notes": "my own plan"}).status == 303
        seat = "a" if name_of(game.a) == "anna" else "b"
        assert game.send(seat, {"predict": "centre"}).status == 200
        post_json(anna, "/members/beth/block", {})
        post_json(anna, "/members/beth/report", {"reason": "Rude."})
        whole = _everything(anna)
        text = json.dumps(whole)
        for kept in ("anna@example.org", "my own plan", "centre", "pivot", "Rude.", "stake/"):
            assert kept.lower() in text.lower(), kept
        assert whole["profile"]["credits"] == 90
        assert whole["running"][0]["notes"] == "my own plan"

    def test_nothing_of_others_is(self, site: TestSite, anna: Browser) -> None:
        beth = member(site, "Beth")
        game = staked(site, anna, beth, 0)
        seat = "a" if name_of(game.a) == "beth" else "b"
        assert game.send(seat, {"reinforce": [{"at": f"hq_{seat}", "units": 1, "decoys": 2}]}).status == 200
        post_json(beth, f"{game.path}/notes", {"notes": "beths plan"})
        post_json(beth, "/members/anna/report", {"reason": "told in confidence"})
        text = json.dumps(_everything(anna))
        for secret in ("beths plan", "told in confidence", "beth@example.org", state(game).seed, f'"hq_{seat}"'):
            assert secret not in text, secret

    def test_strangers_and_turn_links_get_nothing(self, site: TestSite, anna: Browser) -> None:
        assert Browser().get("/account/export").status == 401
        assert Browser().get("/account").status == 401
        assert anna.get("/account/export/secrets").status == 404


class TestLeaving:
    def test_it_asks_for_a_fresh_sign_in(self, site: TestSite, anna: Browser) -> None:
        site.sources.move(11 * MINUTE)
        page = anna.get("/account/delete")
        assert "/sign-in?again=1&amp;next=/account/delete" in page.text
        assert 'action="/account/delete"' not in page.text
        anna.get("/account")
        answer = anna.post("/account/delete", {"confirm": "yes"}, "application/json")
        assert answer.json["error"]["code"] == "sign_in_again"
        assert not account(site, "anna").deleted
        assert anna.get("/sign-in?again=1&next=/account/delete").status == 200

    def test_it_asks_to_confirm(self, site: TestSite, anna: Browser) -> None:
        browser = fresh(site, "anna")
        browser.get("/account/delete")
        assert browser.post("/account/delete", {}).status == 422
        assert not account(site, "anna").deleted

    def test_name_address_and_sessions_go_at_once(self, site: TestSite, anna: Browser) -> None:
        assert leave(site, "anna").status == 200
        gone = account(site, "anna")
        assert (gone.deleted, gone.name, gone.address, gone.roles) == (True, "", "", ())
        assert anna.get("/account").status == 401
        key = mailbox_key(site.site.settings.secret, "anna@example.org")
        assert site.calm.store.get(MAILBOX, key) is None
        page = member(site, "Beth").get("/members/anna")
        assert "Anna" not in page.text

    def test_the_name_is_kept_back_for_a_year(self, site: TestSite, anna: Browser) -> None:
        leave(site, "anna")
        beth = member(site, "Beth")
        beth.get("/preferences")
        assert beth.post("/preferences", {"name": "Anna"}).status == 422
        site.sources.move(365 * DAY)
        beth = fresh(site, "beth")
        beth.get("/preferences")
        assert beth.post("/preferences", {"name": "Anna"}).status == 303
        assert site.calm.store.get(NAME, "anna") is not None

    def test_games_and_stakes_under_way(self, site: TestSite, anna: Browser) -> None:
        beth, chris = member(site, "Beth"), member(site, "Chris")
        lost = staked(site, anna, beth, 20)
        play(lost, 1, {"a": 40_000, "b": 50_000})
        unplayed = staked(site, anna, chris, 30)
        body = {"game": "feinthold", "pace": "days1", "opponent": "", "stake": "10", "request": "open"}
        offered = post_json(anna, "/duels", body).location
        post_json(chris, "/duels", {**body, "opponent": "Anna", "request": "asked"})
        challenge = begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": "c"})
        assert challenge.send().status == 200
        leave(site, "anna")
        settled(site)
        assert credits(site, "anna") == 0
        assert (credits(site, "beth"), credits(site, "chris")) == (120, 100)
        assert in_escrow(site, lost) == in_escrow(site, unplayed) == 0
        outcome = state(lost).result
        assert outcome is not None and (outcome.by, outcome.winner) == ("forfeit", _seat(lost, "beth"))
        assert beth.data(offered)["duel"]["outcome"]["by"] == "withdrawn"
        assert state(Duelling(site, challenge.id, anna, anna)).stage == "ended"
        assert _total(site) == 0

    def test_tournaments(self, site: TestSite, anna: Browser) -> None:
        people = [anna, *(member(site, name) for name in ("Beth", "Chris", "Dora"))]
        running = _cup(people, 20, "one")
        run_due(site)
        opened = _cup(people[:2], 30, "two")
        leave(site, "anna")
        settled(site)
        assert credits(site, "anna") == 0
        page = people[1].data(running)
        first = next(m for row in page["rounds"] for m in row)
        assert first["by"] == "forfeit"
        assert not any(side["won"] for side in first["sides"] if side["id"] == "anna")
        assert [e["id"] for e in people[1].data(opened)["entrants"]] == ["beth"]
        assert _total(site) == 0

    def test_a_fee_that_comes_back_later_goes_to_the_house_too(self, site: TestSite, anna: Browser) -> None:
        people = [anna, *(member(site, name) for name in ("Beth", "Chris", "Dora"))]
        running = _cup(people, 20, "one")
        run_due(site)
        leave(site, "anna")
        for _ in range(14):
            settled(site)
            site.sources.move(DAY)
        settled(site)
        assert people[1].data(running)["tournament"]["stage"] == "ended"
        assert credits(site, "anna") == 0
        assert _total(site) == 0

    @pytest.mark.parametrize("stopped", [True, False])
    def test_so_does_a_stake_that_comes_back_when_all_is_done(
        self, site: TestSite, anna: Browser, stopped: bool
    ) -> None:
        beth, mod = member(site, "Beth"), moderator(site, "Mona")
        game = staked(site, anna, beth, 20)
        play(game, 1, {"a": 40_000, "b": 50_000})
        if stopped:
            reconcile.stop(site.calm, "test")
        leave(site, "anna")
        settled(site)
        settled(site)
        if stopped:
            site.sources.move(DAY)
            reconcile.let_go_on(site.calm)
            run_due(site)
        assert (credits(site, "anna"), credits(site, "beth")) == (0, 120)
        site.sources.move(40 * DAY)
        assert act(mod, "void", game.id).status == 303
        settled(site)
        assert (credits(site, "anna"), credits(site, "beth")) == (0, 100)
        assert _total(site) == 0

    def test_what_else_is_kept_goes(self, site: TestSite, anna: Browser) -> None:
        beth = member(site, "Beth")
        save(anna, 1)
        post_json(anna, "/doctrines/1/publish", {})
        post_json(anna, "/members/beth/block", {})
        post_json(beth, "/members/anna/block", {})
        leave(site, "anna")
        settled(site)
        store = site.calm.store
        assert store.get(BOOK, "anna") is None
        assert store.get(BLOCK, "anna", "beth") is None and store.get(BLOCK, "beth", "anna") is None
        assert store.query(BROWSER_USE, "member", "anna", limit=5).rows == ()
        assert post_json(beth, "/challenges", {"doctrine": "anna:1", "request": "r"}).status != 303

    def test_results_stay_without_a_name(self, site: TestSite, anna: Browser) -> None:
        beth = member(site, "Beth")
        game = staked(site, anna, beth, 0)
        play(game, 1, {"a": 40_000, "b": 50_000})
        assert game.act(_seat(game, "beth"), "abandon").status == 303
        run_due(site)
        leave(site, "anna")
        assert beth.data("/history")["games"][0]["result"] == "lost"
        assert beth.get(f"{game.path}/replay").status == 200
        assert "Anna" not in beth.get("/history").text + beth.get(game.path).text

    def test_twice_is_once(self, site: TestSite, anna: Browser) -> None:
        one, other = fresh(site, "anna"), fresh(site, "anna")
        for browser in (one, other):
            browser.get("/account/delete")
        assert one.post("/account/delete", {"confirm": "yes"}).status == 200
        assert other.post("/account/delete", {"confirm": "yes"}).status in (200, 401, 403)
        settled(site)
        assert credits(site, "anna") == 0 and _total(site) == 0


class TestComingBack:
    def test_the_first_credits_are_given_once_in_twelve_months(self, site: TestSite) -> None:
        first = sign_up(Browser(), site, "Zoe+games@example.org", "Zoe")
        assert credits(site, first) == 100
        leave(site, first)
        settled(site)
        second = sign_up(Browser(), site, "zoe@example.org", "Zora")
        assert second != first and credits(site, second) == 0
        leave(site, second)
        settled(site)
        site.sources.move(365 * DAY)
        third = sign_up(Browser(), site, "zoe@example.org", "Zita")
        assert credits(site, third) == 100

    def test_an_address_that_is_free_makes_a_new_member(self, site: TestSite, anna: Browser) -> None:
        leave(site, "anna")
        again = sign_up(Browser(), site, "anna@example.org", "Another")
        assert again != "anna" and account(site, "anna").deleted
        key = gift_key(site.site.settings.secret, "anna@example.org")
        row = site.calm.store.get(GIFT, key)
        assert row is not None
        assert [(owner.member, owner.freed is None) for owner in row.value.owners] == [("anna", False), (again, True)]

    def test_a_moderator_who_left_moderates_no_more(self, site: TestSite) -> None:
        mod = moderator(site, "Mona")
        leave(site, "mona")
        assert mod.get("/moderation").status == 404


def _everything(browser: Browser) -> dict[str, Any]:
    whole: dict[str, Any] = {"profile": browser.get("/account/export", "application/json").json}
    for name, address in whole["profile"]["sections"].items():
        path = address.removeprefix("http://localhost:8000")
        whole[name] = browser.get(path, "application/json").json["rows"]
    return whole


def _cup(people: list[Browser], fee: int, request: str) -> str:
    path = post_json(people[0], "/tournaments", {"size": 4, "fee": fee, "request": request}).location
    for browser in people[1:]:
        assert post_json(browser, f"{path}/join", {}).status == 303
    return path


def _seat(game: Duelling, who: str) -> str:
    return "a" if name_of(game.a) == who else "b"


def _total(site: TestSite) -> int:
    """What all accounts sum to."""

    rows = [row for book in range(BOOKS) for row in site.calm.store.counts(BALANCE, book, limit=999)]
    assert all(n >= 0 for counter, n in rows if counter.account != "house")
    return sum(n for _, n in rows)
