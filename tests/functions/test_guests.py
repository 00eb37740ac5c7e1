"""Guests: playing without an account, and keeping it all on signing up (P3, L17)."""

from pathlib import Path
from typing import Any

import pytest

from engine.platform.duels.records import Duel, Proposals
from engine.platform.members import MemberId
from engine.platform.rivalries import Opponents
from functions.tick import tick
from infra.records import DUEL, MEMBER, MEMBER_GAME, RATED
from tests.support.browser import Answer, Browser
from tests.support.duelling import member, post_json, run_due
from tests.support.people import sign_in, sign_up
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    found = site_in(tmp_path)
    tick(found.site)
    return found


def guest(client: str = "192.0.2.7") -> Browser:
    browser = Browser(client=client)
    browser.data("/play/relief")
    return browser


def against_computer(browser: Browser, level: str = "level1") -> str:
    answer = post_json(browser, "/play/relief", {"level": level, "seat": "red", "board": "classic"})
    assert answer.status == 303, answer.text
    browser.data(answer.location)
    return answer.location


def move(browser: Browser, path: str) -> Answer:
    page = browser.data(path)
    orders = {"move": page["view"]["moves"][0]["move"]}
    return post_json(browser, f"{path}/orders", {"turn": page["duel"]["turn"], "after": 0, "orders": orders})


def row(site: TestSite, path: str) -> Duel:
    found = site.site.store.get(DUEL, path.rpartition("/")[2])
    assert found is not None
    return found.value


def play_guest(site: TestSite, browser: Browser, other: Browser, pace: str = "days1") -> str:
    """An open game proposed by a guest and taken by somebody else."""
    made = post_json(browser, "/duels", {"game": "relief", "pace": pace, "request": str(site.sources.now())})
    assert made.status == 303, made.text
    browser.data("/duels")
    taken = post_json(other, f"{made.location}/accept", {})
    assert taken.status == 303, taken.text
    return made.location


@pytest.mark.parametrize("level", ["level1", "level2", "level3"])
def test_the_computer_answers_in_a_job_and_to_effect_once(site: TestSite, level: str) -> None:
    browser = guest()
    path = against_computer(browser, level)
    assert move(browser, path).status == 200
    waiting = browser.data(path)
    assert waiting["duel"]["quick"] and "orders" not in waiting["may"]
    run_due(site)
    run_due(site)
    page = browser.data(path)
    assert page["duel"]["turn"] == 3 and len(page["duel"]["words"]) == 2 and "orders" in page["may"]
    assert row(site, path).kind == "practice" and row(site, path).rated is None


def test_a_guest_is_known_by_a_cookie_for_a_year_and_finds_their_games(site: TestSite) -> None:
    browser = guest()
    path = against_computer(browser)
    assert any("guest=" in cookie and "Max-Age=31536000" in cookie for cookie in browser.set_cookies)
    assert [line["id"] for line in browser.data("/")["awaiting"]] == [path.rpartition("/")[2]]
    assert Browser().data(path)["yours"] is False


def test_guests_do_only_what_guests_may(site: TestSite) -> None:
    browser = guest()
    against_computer(browser)
    assert browser.get("/preferences").status == 401
    refused = post_json(browser, "/duels", {"game": "feinthold", "pace": "days1"})
    assert refused.status == 401 and refused.json["error"]["code"] == "sign_in_needed"


def test_forged_and_foreign_cookies_are_nobody(site: TestSite) -> None:
    browser = guest()
    path = against_computer(browser)
    other = Browser(cookies={**browser.cookies, "guest": browser.cookies["guest"][:-2] + "xx"})
    assert other.data(path)["yours"] is False


def test_whoever_has_a_link_accepts_it_without_an_account(site: TestSite) -> None:
    anna = member(site, "Anna")
    made = post_json(anna, "/duels", {"game": "relief", "pace": "days1", "link": "1"})
    friend = Browser()
    page = friend.get(made.location)
    assert "Accept as a guest" in page.text
    assert friend.post(f"{made.location}/accept").status == 303
    assert friend.data(made.location)["yours"] is True
    assert "as a guest" not in friend.get(made.location).text


def test_a_guests_rated_game_moves_the_games_rating_only_and_the_fourth_in_a_day_none(site: TestSite) -> None:
    anna, browser = member(site, "Anna"), guest()
    for n in range(4):
        site.sources.move(1000)
        other = member(site, f"Other{n}")
        path = play_guest(site, browser, other)
        assert row(site, path).rated is (n < 3), n
        assert row(site, path).unrated_why == ("" if n < 3 else "guest")
    site.sources.move(24 * 3_600_000)
    tick(site.site)
    assert row(site, play_guest(site, browser, anna)).rated is True


def test_signing_up_keeps_everything(site: TestSite) -> None:
    browser = guest()
    path = against_computer(browser)
    move(browser, path)
    before = row(site, path).players
    id = sign_up(browser, site, "gwen@example.org", "Gwen")
    run_due(site)
    assert id in {p.member for p in before}
    assert browser.data(path)["yours"] is True and "guest" not in browser.cookies
    kept = site.site.store.get(MEMBER, id)
    assert kept and not kept.value.guest and kept.value.name == "Gwen"
    assert browser.get("/preferences").status == 200


def test_a_member_who_signs_in_gets_the_guests_games(site: TestSite) -> None:
    first = Browser()
    id = sign_up(first, site, "gwen@example.org", "Gwen")
    browser = guest("192.0.2.8")
    path = against_computer(browser)
    guest_id = next(p.member for p in row(site, path).players if p.policy is None)
    sign_in(browser, site, "gwen@example.org")
    run_due(site)
    assert browser.data(path)["yours"] is True
    assert site.site.store.get(MEMBER_GAME, guest_id, path.rpartition("/")[2]) is None
    assert site.site.store.get(MEMBER_GAME, id, path.rpartition("/")[2]) is not None
    gone = site.site.store.get(MEMBER, guest_id)
    assert gone and gone.value.deleted


def test_a_game_begun_with_a_guest_moves_the_games_rating_only_even_after_the_guest_has_signed_in(
    site: TestSite,
) -> None:
    sign_up(Browser(), site, "gwen@example.org", "Gwen")
    anna, browser = member(site, "Anna"), guest("192.0.2.8")
    path = play_guest(site, browser, anna)
    for who in (anna, browser, anna, browser):
        if "orders" in who.data(path)["may"]:
            move(who, path)
    sign_in(browser, site, "gwen@example.org")
    run_due(site)
    browser.data(path)
    assert post_json(browser, f"{path}/abandon", {}).status == 303
    run_due(site)
    moved = site.site.store.get(RATED, path.rpartition("/")[2])
    assert moved and {str(one.board) for one in moved.value.moved} == {"relief"}


def test_a_guests_open_proposal_becomes_one_of_the_members(site: TestSite) -> None:
    id = MemberId(sign_up(Browser(), site, "gwen@example.org", "Gwen"))
    anna, browser = member(site, "Anna"), guest("192.0.2.8")
    made = post_json(browser, "/duels", {"game": "relief", "pace": "days1", "request": "r"})
    sign_in(browser, site, "gwen@example.org")
    run_due(site)
    assert site.site.store.count(Proposals(id)) == -1
    run_due(site)
    anna.data("/duels")
    assert post_json(anna, f"{made.location}/accept", {}).status == 303
    assert site.site.store.count(Proposals(id)) == 0
    assert not any(player.guest for player in row(site, made.location).players)


@pytest.mark.parametrize("ended", [False, True])
def test_games_between_a_guest_and_the_member_it_becomes_are_voided(site: TestSite, ended: bool) -> None:
    first = Browser()
    sign_up(first, site, "gwen@example.org", "Gwen")
    browser = guest("192.0.2.8")
    path = play_guest(site, browser, first)
    for turn in (1, 2):
        for who in (first, browser):
            if "orders" in who.data(path)["may"]:
                assert move(who, path).status == 200, turn
    if ended:
        post_json(browser, f"{path}/abandon", {})
    run_due(site)
    sign_in(browser, site, "gwen@example.org")
    run_due(site)
    assert first.data(path)["duel"]["outcome"] == {"winner": None, "by": "voided"}


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"level": "level9"}, "level"),
        ({"board": "x"}, "board"),
        ({"pace": "blitz"}, "pace"),
        ({"seat": "green"}, "seat"),
    ],
)
def test_what_is_not_offered_is_refused_beside_its_field(site: TestSite, fields: dict[str, Any], at: str) -> None:
    answer = post_json(guest(), "/play/relief", fields)
    assert answer.status == 422 and answer.json["error"]["problems"][0]["field"] == at
    assert guest("192.0.2.9").post("/play/relief", fields).status in (422, 403)


def test_no_mail_goes_to_a_guest(site: TestSite) -> None:
    anna, browser = member(site, "Anna"), guest()
    path = play_guest(site, browser, anna)
    for who in (anna, browser, anna, browser):
        if "orders" in who.data(path)["may"]:
            move(who, path)
        run_due(site)
    assert {letter.to for letter in site.post.letters} == {"anna@example.org"}


def test_games_without_a_computer_have_no_page_of_their_own(site: TestSite) -> None:
    assert Browser().get("/play/feinthold").status == 404
    assert Browser().get("/play/chess").status == 404
    assert Browser().get("/play").status == 200


def test_a_game_against_the_computer_is_replayed_and_played_again(site: TestSite) -> None:
    browser = guest()
    path = against_computer(browser)
    move(browser, path)
    run_due(site)
    assert browser.get(f"{path}/replay?step=1").status == 200
    assert "Computer, level 1" in browser.get(path).seen
    post_json(browser, f"{path}/abandon", {})
    run_due(site)
    assert browser.get(path).status == 200
    again = post_json(browser, f"{path}/rematch", {})
    assert again.status == 303 and post_json(browser, f"{path}/rematch", {}).location == again.location
    assert browser.data(again.location)["duel"]["options"] == {"board": "classic"}
    assert any(line["opponent"]["name"] == "Computer, level 1" for line in browser.data("/history")["games"])


def test_ratings_move_for_the_game_and_not_for_all_games_together(site: TestSite) -> None:
    anna, browser = member(site, "Anna"), guest()
    path = play_guest(site, browser, anna)
    for who in (anna, browser, anna, browser):
        if "orders" in who.data(path)["may"]:
            move(who, path)
    assert row(site, path).rated is True
    post_json(browser, f"{path}/abandon", {})
    run_due(site)
    moved = site.site.store.get(RATED, path.rpartition("/")[2])
    assert moved and {str(one.board) for one in moved.value.moved} == {"relief"}


def test_games_with_guests_open_no_stakes(site: TestSite) -> None:
    anna = member(site, "Anna")
    for n in range(3):
        browser = guest(f"192.0.2.{n}")
        path = play_guest(site, browser, anna)
        for who in (anna, browser, anna, browser):
            if "orders" in who.data(path)["may"]:
                move(who, path)
        post_json(browser, f"{path}/abandon", {})
        run_due(site)
        site.sources.move(1)
    assert site.site.store.count(Opponents(MemberId("anna"))) == 0


def test_after_a_game_against_the_computer_one_click_begins_the_next(site: TestSite) -> None:
    browser = guest()
    path = against_computer(browser)
    move(browser, path)
    browser.post(f"{path}/abandon")
    ended = browser.get(path)
    assert f'action="{path}/rematch"' in ended.text and 'href="/play/relief"' in ended.text
    again = browser.post(f"{path}/rematch")
    assert again.status == 303 and again.location != path
    assert browser.post(f"{path}/rematch").location == again.location
    fresh, before = row(site, again.location), row(site, path)
    assert fresh.stage == "playing" and fresh.options == before.options
    assert {p.member for p in fresh.players} == {p.member for p in before.players}
    assert f'action="{path}/rematch"' not in Browser().get(path).text


def test_a_guest_has_no_session_to_sign_out_of(site: TestSite) -> None:
    browser = guest()
    assert "/sign-out" not in browser.get(against_computer(browser)).text
