"""Home and the lists (point 6): what awaits me first, the most urgent on top; every list a page at a time."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.members import MemberId
from engine.times import DAY, HOUR, MINUTE
from functions import lists
from infra.records import DUEL, MEMBER
from tests.support.browser import Browser
from tests.support.costs import busy
from tests.support.duelling import duel, member, post_json
from tests.support.sieging import announced
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def ids(lines: list[dict[str, str]]) -> list[str]:
    return [line["id"] for line in lines]


def test_what_awaits_me_comes_first_the_most_urgent_on_top(site: TestSite) -> None:
    anna = member(site, "Anna")
    games = {pace: duel(site, anna, member(site, f"Foe {pace}"), pace) for pace in ("days3", "days1", "days2")}
    page = anna.data("/")
    assert ids(page["awaiting"]) == [games[pace].id for pace in ("days1", "days2", "days3")]
    mine = next(seat for seat in ("a", "b") if getattr(games["days1"], seat) is anna)
    games["days1"].send(mine, {})
    page = anna.data("/")
    assert ids(page["awaiting"]) == [games["days2"].id, games["days3"].id]
    assert ids(page["running"]) == [games["days1"].id]


def test_home_tells_by_its_version_that_something_has_come(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")

    def asked(had: str) -> int:
        return beth.send("GET", "/awaiting/version", {"if-none-match": f'"{had}"'}).status

    had = beth.data("/")["version"]
    assert asked(had) == 204
    path = post_json(anna, "/duels", {"pace": "blitz", "opponent": "Beth", "request": "r"}).location
    assert asked(had) == 200
    had = beth.data("/")["version"]
    post_json(beth, f"{path}/accept", {})
    assert asked(had) == 200
    assert asked(beth.data("/")["version"]) == 204
    assert Browser().get("/awaiting/version", "application/json").status == 401


def test_a_ready_room_awaits_whoever_is_not_there_yet(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    path = post_json(anna, "/duels", {"pace": "blitz", "request": "r"}).location
    post_json(beth, f"{path}/accept", {})
    for who in (anna, beth):
        assert [line["stage"] for line in who.data("/")["awaiting"]] == ["ready"]
    post_json(anna, f"{path}/ready", {})
    assert anna.data("/")["awaiting"] == []
    assert len(beth.data("/")["awaiting"]) == 1


def test_what_is_left_of_a_turn_stands_out_when_it_is_little(site: TestSite) -> None:
    anna = member(site, "Anna")
    duel(site, anna, member(site, "Beth"))
    assert 'class="urgent"' not in anna.get("/").text
    site.sources.move(DAY - 4 * HOUR)
    assert 'class="urgent"' in anna.get("/").text


def test_sieges_await_me_among_the_duels_by_their_deadlines(site: TestSite) -> None:
    siege = announced(site, 2)
    anna, beth = siege.players["p1"], siege.players["p2"]
    first = duel(site, anna, beth, "days1")
    assert [line["id"] for line in anna.data("/")["running"]] == [siege.id]
    assert "opens" in anna.get("/").seen and "Yet to open" in anna.get("/games").seen
    assert "Waiting for your opponents" not in anna.get("/").seen
    siege.pass_time(DAY - HOUR)
    second = duel(site, anna, beth, "days3")
    siege.pass_time(HOUR)
    assert ids(anna.data("/")["awaiting"]) == [first.id, second.id, siege.id]
    home = anna.get("/")
    assert f'href="{siege.path}"' in home.text and "The Siege" in home.seen and "setting up" in home.seen
    siege.send("p1", siege.thought("p1"))
    assert siege.id in ids(anna.data("/")["running"]) and siege.id in ids(beth.data("/games")["awaiting"])


def test_more_games_than_are_shown_are_a_click_away(site: TestSite) -> None:
    anna = busy(site, 30)
    page = anna.data("/")
    assert len(page["awaiting"]) + len(page["running"]) == 12
    assert page["more"]
    assert 'href="/games"' in anna.get("/").text


def test_all_games_under_way_page_by_page_each_once_in_order(site: TestSite) -> None:
    anna = busy(site, 45)
    seen, after, pages = [], "", 0
    while True:
        page = anna.data(f"/games?after={after}")
        lines = page["awaiting"] + page["running"]
        seen += lines
        pages += 1
        after = page["after"]
        if not after:
            break
    assert pages == 3
    assert len({line["id"] for line in seen}) == len(seen) == 45
    keys = [(not line["yours"], line["deadline"], line["id"]) for line in seen]
    assert keys == sorted(keys)


def test_open_proposals_page_by_page_each_once_the_latest_first(site: TestSite) -> None:
    anna, reader = busy(site, 30), member(site, "Reader")
    for n in range(5):
        site.sources.move(MINUTE)
        post_json(member(site, f"Late {n}"), "/duels", {"pace": "days1", "request": "r"})
    seen, after = [], ""
    while True:
        page = reader.data(f"/duels?after={after}")
        seen += page["proposals"]
        after = page["after"]
        if not after:
            break
    assert len({line["id"] for line in seen}) == len(seen) == 65
    assert [line["proposer"]["name"] for line in seen[:5]] == [f"Late {n}" for n in (4, 3, 2, 1, 0)]
    own = anna.data("/duels")
    assert own["mine"] and "Anna" not in {line["proposer"]["name"] for line in own["proposals"]}


@pytest.mark.parametrize("after", ["x", "0.x", "2.1.a", "1.²", "0." + "9" * 99, "%00", "0.1790000000000.' or 1"])
@pytest.mark.parametrize("path", ["/games", "/duels", "/history"])
def test_an_address_that_names_no_place_shows_the_beginning_or_nothing(site: TestSite, path: str, after: str) -> None:
    anna = busy(site, 3)
    assert anna.get(f"{path}?after={after}").status == 200


def test_who_has_nothing_is_told_how_to_begin(site: TestSite) -> None:
    anna = member(site, "Anna")
    for path in ("/", "/games", "/history"):
        page = anna.get(path)
        assert page.status == 200
        assert 'class="empty"' in page.text and 'href="/duels"' in page.text


def test_a_stranger_is_told_what_the_site_is_and_sees_what_is_proposed(site: TestSite) -> None:
    post_json(member(site, "Anna"), "/duels", {"pace": "days1", "request": "r"})
    page = Browser().get("/")
    assert "Sign in or join" in page.seen
    assert "Anna" in page.seen
    assert Browser().get("/games").status == 401
    assert Browser().get("/history").status == 401


def test_a_member_who_is_gone_is_named_as_one(site: TestSite) -> None:
    anna = member(site, "Anna")
    game = duel(site, anna, member(site, "Beth"))
    row = site.calm.store.get(MEMBER, MemberId("beth"))
    assert row is not None
    site.calm.store.commit(Decision((Put(replace(row.value, deleted=True, name="gone 7"), row.version),), None))
    for path in ("/", "/games"):
        assert "against a former member" in anna.get(path).seen
        assert "gone 7" not in anna.get(path).text
    assert "a former member" in anna.get(game.path).seen
    post_json(anna, f"{game.path}/abandon", {})


def test_names_with_markup_are_text(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    duel(site, anna, beth)
    row = site.calm.store.get(MEMBER, MemberId("beth"))
    assert row is not None
    odd = '<img src=x onerror="alert(1)">'
    site.calm.store.commit(Decision((Put(replace(row.value, name=odd), row.version),), None))
    for path in ("/", "/games", "/duels"):
        assert "<img src=x" not in anna.get(path).text
    assert anna.data("/")["awaiting"][0]["opponent"]["name"] == odd


def test_the_index_lists_a_duel_once_for_each_player_and_not_after_its_end(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    game = duel(site, anna, beth)
    for who in ("anna", "beth"):
        assert [d.id for d in lists.running(site.calm, MemberId(who))[0]] == [game.id]
    post_json(anna, f"{game.path}/abandon", {})
    assert lists.running(site.calm, MemberId("anna")) == ([], "")
    row = site.calm.store.get(DUEL, game.id)
    assert row is not None and row.value.stage == "ended"


def test_a_stranger_s_home_shows_the_games_and_leads_to_one_played_without_an_account(site: TestSite) -> None:
    page = Browser().get("/").text
    assert [
        path for path in ("/duels", "/play/relief", "/sieges") if f'class="button primary" href="{path}"' in page
    ] == [
        "/duels",
        "/play/relief",
        "/sieges",
    ]
    assert '<a class="button big" href="/play/relief">' in page


def test_a_guest_s_home_leads_to_the_games_and_to_an_account(site: TestSite) -> None:
    browser = Browser()
    browser.get("/play/relief")
    browser.post("/play/relief", {"level": "level1", "seat": "blue"})
    page = browser.get("/").text.split("<main")[1].split("</main>")[0]
    assert 'href="/play"' in page and 'href="/sign-in"' in page and "/duels#propose" not in page


def test_what_was_proposed_to_me_stands_above_what_i_could_begin(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    post_json(anna, "/duels", {"pace": "days1", "opponent": "Beth", "request": "r"})
    page = beth.get("/").text
    assert page.index('id="invited"') < page.index('href="/duels#propose"')
