"""What each act of moderation means for each kind of game, where no file of its own says so (P13, P20-P29).

docs/moderation.md has the whole table, with where each of its cells is tested.
"""

from typing import Any

import pytest

from engine.platform.ledger.records import Balance, escrow
from engine.times import DAY, MINUTE
from infra.records import CHALLENGE_CHANGE, CHALLENGER, CONTENDER, FRONT_GAME, NO_SHOW
from tests.support.browser import Browser
from tests.support.clubs import (
    act,
    credits,
    done,
    in_escrow,
    member,
    name_of,
    rating,
    staked,
    state,
    unrated,
    won,
)
from tests.support.duelling import Duelling, duel, post_json, run_due
from tests.support.moderating import cup, match_game, matches, undone
from tests.support.sieging import announced, codes
from tests.support.site import TestSite
from tests.support.solo import SoloGame, begin, save


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


@pytest.fixture
def beth(site: TestSite) -> Browser:
    return member(site, "Beth")


@pytest.fixture
def people(site: TestSite, anna: Browser, beth: Browser) -> list[Browser]:
    return [anna, beth, member(site, "Chris"), member(site, "Dora")]


@pytest.fixture
def doctrine(beth: Browser) -> str:
    """Beth's, open to challenges."""
    save(beth, 1)
    assert post_json(beth, "/doctrines/1/publish", {}).status == 303
    return "beth:1"


def lose(match: Duelling, loser: str = "a") -> None:
    """A match is played and lost."""
    for seat in ("a", "b"):
        assert match.send(seat, {}).status == 200
    assert match.act(loser, "abandon").status == 303
    run_due(match.site)


def pot(site: TestSite, path: str) -> int:
    return site.calm.store.count(Balance(escrow("tournament", path.rpartition("/")[2])))


def doctrine_rating(site: TestSite, id: str) -> int:
    row = site.calm.store.get(CONTENDER, id)
    assert row is not None
    return int(row.value.rating)


class TestStopping:
    def test_a_ready_room_counts_against_nobody(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser
    ) -> None:
        body = {"game": "feinthold", "pace": "blitz", "opponent": "", "stake": "20", "request": "r"}
        path = post_json(anna, "/duels", body).location
        assert post_json(beth, f"{path}/accept", {}).status == 303
        assert anna.data(path)["duel"]["stage"] == "ready"
        done(site, mod, "stop", path.rpartition("/")[2])
        site.sources.move(40 * MINUTE)
        run_due(site)
        assert anna.data(path)["duel"]["outcome"]["by"] == "stopped"
        assert credits(site, "anna") == credits(site, "beth") == 100
        assert site.calm.store.query(NO_SHOW, "", "anna", limit=5).rows == ()

    def test_a_challenge_counts_for_nothing_and_another_may_begin(
        self, site: TestSite, anna: Browser, doctrine: str, mod: Browser
    ) -> None:
        game = begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "r"})
        assert game.send().status == 200
        before = doctrine_rating(site, doctrine)
        done(site, mod, "stop", game.id)
        assert game.page["duel"]["outcome"]["by"] == "stopped"
        assert site.calm.store.get(CHALLENGER, "anna") is None and doctrine_rating(site, doctrine) == before
        begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "s"})

    def test_a_front_is_not_ranked(self, site: TestSite, anna: Browser, mod: Browser) -> None:
        anna.data("/front")
        game = begin(site, anna, "/front", {})
        assert game.send().status == 200
        done(site, mod, "stop", game.id)
        assert ranked(site, game) == (False, "stopped")

    @pytest.mark.parametrize("winner", ["a", ""])
    def test_a_final_waits_for_its_moderator_then_the_pot_is_paid_or_fees_come_back(
        self, site: TestSite, people: list[Browser], mod: Browser, winner: str
    ) -> None:
        path = cup(site, people)
        for number in (0, 1):
            lose(match_game(site, people, path, number))
        final = match_game(site, people, path, 2)
        done(site, mod, "stop", final.id)
        assert pot(site, path) == 80 and people[0].data(path)["tournament"]["stage"] == "playing"
        named = name_of(final.who(winner)) if winner else ""
        done(site, mod, "decide_match", path.rpartition("/")[2], f"2/{named}")
        assert people[0].data(path)["tournament"]["stage"] == "ended" and pot(site, path) == 0
        purses = sorted(credits(site, name_of(browser)) for browser in people)
        assert purses == ([80, 80, 80, 160] if winner else [100, 100, 100, 100])


class TestVoiding:
    def test_a_match_gives_points_back_and_leaves_bracket_and_pot(
        self, site: TestSite, people: list[Browser], mod: Browser, other_mod: Browser
    ) -> None:
        path = cup(site, people)
        first = match_game(site, people, path, 0)
        lose(first)
        winner = name_of(first.b)
        id = done(site, mod, "void", first.id)
        assert rating(site, winner) == rating(site, winner, "common") == 10_000
        assert [s["id"] for s in matches(people[0], path)[0]["sides"] if s["won"]] == [winner] and pot(site, path) == 80
        undone(site, id, first.a, other_mod)
        assert rating(site, winner) == rating(site, winner, "common") == 10_160

    def test_a_relief_duel_gives_points_back(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser, other_mod: Browser
    ) -> None:
        game = duel(site, anna, beth, game="relief")
        for seat in game.seats:
            chosen = game.page(seat)["view"]["moves"][0]["move"]
            assert game.send(seat, {"move": chosen}).status == 200
        assert game.act(game.seats[0], "abandon").status == 303
        run_due(site)
        assert {rating(site, who, "relief") for who in ("anna", "beth")} == {9_840, 10_160}
        id = done(site, mod, "void", game.id)
        assert {rating(site, who, "relief") for who in ("anna", "beth")} == {10_000}
        undone(site, id, anna, other_mod)
        assert {rating(site, who, "relief") for who in ("anna", "beth")} == {9_840, 10_160}

    def test_a_challenge_gives_both_ratings_back(
        self, site: TestSite, anna: Browser, doctrine: str, mod: Browser, other_mod: Browser
    ) -> None:
        game = begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "r"})
        game.finish()
        moved = doctrine_rating(site, doctrine)
        assert moved != 10_000
        id = done(site, mod, "void", game.id)
        assert doctrine_rating(site, doctrine) == 10_000
        undone(site, id, anna, other_mod)
        assert doctrine_rating(site, doctrine) == moved

    def test_an_unrated_duel_gives_its_stakes_back(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser
    ) -> None:
        for _ in range(3):
            won(staked(site, anna, beth, 0))
            site.sources.move(1)
        game = staked(site, anna, beth, 20)
        winner, loser = won(game)
        assert unrated(site, game) == "often" and credits(site, winner) == 120
        before = rating(site, winner)
        done(site, mod, "void", game.id)
        assert credits(site, winner) == credits(site, loser) == 100 and rating(site, winner) == before

    def test_practice_has_nothing_to_void(self, site: TestSite, anna: Browser, mod: Browser) -> None:
        game = begin(site, anna, "/practice", {"ai": "ram", "request": "r"})
        game.finish()
        assert codes(act(mod, "void", game.id)) == ["nothing_to_void"]


class TestFreezing:
    def test_a_ready_room_ends_without_result(self, site: TestSite, anna: Browser, beth: Browser, mod: Browser) -> None:
        body = {"game": "feinthold", "pace": "rapid", "opponent": "", "stake": "20", "request": "r"}
        path = post_json(anna, "/duels", body).location
        assert post_json(beth, f"{path}/accept", {}).status == 303
        done(site, mod, "freeze", "anna")
        run_due(site)
        assert beth.data(path)["duel"]["outcome"]["by"] == "stopped"
        assert credits(site, "anna") == credits(site, "beth") == 100

    def test_a_front_under_way_is_not_ranked(self, site: TestSite, anna: Browser, mod: Browser) -> None:
        anna.data("/front")
        game = begin(site, anna, "/front", {})
        done(site, mod, "freeze", "anna")
        game.finish()
        assert ranked(site, game) == (False, "frozen")

    def test_a_front_that_is_over_keeps_its_place(self, site: TestSite, anna: Browser, mod: Browser) -> None:
        anna.data("/front")
        game = begin(site, anna, "/front", {})
        game.finish()
        site.sources.move(1)
        done(site, mod, "freeze", "anna")
        run_due(site)
        assert ranked(site, game)[0]

    def test_the_ratings_of_the_members_doctrines_stand_still_too(
        self, site: TestSite, anna: Browser, doctrine: str, mod: Browser
    ) -> None:
        running = begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "r"})
        assert running.send().status == 200
        done(site, mod, "freeze", "beth")
        running.finish()
        assert doctrine_rating(site, doctrine) == 10_000
        change = site.calm.store.get(CHALLENGE_CHANGE, "anna", running.id)
        assert change is not None and change.value.why == "frozen"
        later = begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "s"})
        assert later.page["duel"]["unrated_why"] == "frozen"

    def test_practice_goes_on(self, site: TestSite, anna: Browser, mod: Browser) -> None:
        game = begin(site, anna, "/practice", {"ai": "ram", "request": "r"})
        done(site, mod, "freeze", "anna")
        run_due(site)
        assert game.page["duel"]["stage"] == "playing"

    def test_no_siege_is_announced_or_entered(self, site: TestSite, mod: Browser) -> None:
        siege = announced(site, 1, seats=4)
        zoe = member(site, "Zoe")
        done(site, mod, "freeze", "zoe")
        body = {"name": "x", "seats": 4, "pace": "days1", "opens": site.sources.now() + 2 * DAY, "request": "s"}
        assert codes(post_json(zoe, "/sieges", body)) == ["frozen"]
        assert codes(post_json(zoe, f"{siege.path}/join", {})) == ["frozen"]


class TestLinking:
    def test_a_match_that_begins_later_moves_no_rating_and_decides_all_the_same(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        for number in (0, 1):
            first = match_game(site, people, path, number)
            if number == 1:
                winners = [name_of(match_game(site, people, path, 0).b), name_of(first.b)]
                done(site, mod, "link", *winners)
            lose(first)
        final = match_game(site, people, path, 2)
        before = rating(site, name_of(final.b)), rating(site, name_of(final.b), "common")
        assert state(final).unrated_why == "linked"
        lose(final)
        assert unrated(site, final) == "linked"
        assert (rating(site, name_of(final.b)), rating(site, name_of(final.b), "common")) == before
        assert people[0].data(path)["champion"]["id"] == name_of(final.b)

    def test_the_two_enter_no_tournament_together_and_no_siege(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser
    ) -> None:
        done(site, mod, "link", "anna", "beth")
        path = cup(site, [anna])
        assert codes(post_json(beth, f"{path}/join", {})) == ["linked_entrant"]
        body = {"name": "x", "seats": 4, "pace": "days1", "opens": site.sources.now() + 2 * DAY, "request": "s"}
        siege = post_json(anna, "/sieges", body).location
        assert codes(post_json(beth, f"{siege}/join", {})) == ["linked_entrant"]
        done(site, mod, "unlink", "anna", "beth")
        assert post_json(beth, f"{path}/join", {}).status == post_json(beth, f"{siege}/join", {}).status == 303

    def test_stakes_of_a_later_duel_go_back_and_after_unlinking_they_are_won(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser
    ) -> None:
        done(site, mod, "link", "anna", "beth")
        game = staked(site, anna, beth, 20)
        winner, loser = won(game)
        assert (credits(site, winner), credits(site, loser), in_escrow(site, game)) == (100, 100, 0)
        done(site, mod, "unlink", "anna", "beth")
        winner, loser = won(staked(site, anna, beth, 20))
        assert (credits(site, winner), credits(site, loser)) == (120, 80)

    def test_undoing_a_link_or_its_end_puts_it_right(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser, other_mod: Browser
    ) -> None:
        undone(site, done(site, mod, "link", "anna", "beth"), anna, other_mod)
        first = staked(site, anna, beth, 0)
        assert first.page("a")["duel"]["unrated_why"] == ""
        won(first)
        assert act(mod, "link", "anna", "beth", request="again").status == 303
        run_due(site)
        undone(site, done(site, mod, "unlink", "anna", "beth"), beth, other_mod)
        site.sources.move(1)
        assert staked(site, anna, beth, 0).page("a")["duel"]["unrated_why"] == "linked"


class TestHidingADoctrine:
    def test_a_challenge_under_way_goes_on_and_counts(
        self, site: TestSite, anna: Browser, doctrine: str, mod: Browser
    ) -> None:
        game = begin(site, anna, "/challenges", {"doctrine": doctrine, "request": "r"})
        done(site, mod, "hide_doctrine", doctrine)
        game.finish()
        assert doctrine_rating(site, doctrine) != 10_000

    def test_it_stays_hidden_when_it_is_published_again(
        self, site: TestSite, anna: Browser, beth: Browser, doctrine: str, mod: Browser
    ) -> None:
        done(site, mod, "hide_doctrine", doctrine)
        for what in ("unpublish", "publish"):
            assert post_json(beth, f"/doctrines/1/{what}", {}).status == 303
        assert codes(post_json(anna, "/challenges", {"doctrine": doctrine, "request": "r"})) == ["no_such_doctrine"]

    def test_what_was_reported_of_it_is_closed(
        self, site: TestSite, anna: Browser, doctrine: str, mod: Browser
    ) -> None:
        assert post_json(anna, f"/challenges/{doctrine}/report", {"reason": "A rude name"}).status == 303
        assert "A rude name" in mod.get("/moderation?of=reports").seen
        done(site, mod, "hide_doctrine", doctrine)
        assert "A rude name" not in mod.get("/moderation?of=reports").seen


class TestDismissing:
    def test_it_tells_nobody_and_touches_no_game(
        self, site: TestSite, anna: Browser, beth: Browser, mod: Browser
    ) -> None:
        game = staked(site, anna, beth, 20)
        post_json(beth, "/members/anna/report", {"reason": "Slow"})
        letters = len(site.post.letters)
        done(site, mod, "dismiss_report", "member/anna/beth")
        assert state(game).stage == "playing" and len(site.post.letters) == letters + 2  # the turn's, to both


def ranked(site: TestSite, game: SoloGame) -> tuple[bool, str]:
    """Whether a Front is on its leaderboard, and why not."""
    page: Any = game.page
    day = state(Duelling(site, game.id, game.browser, game.browser)).front
    row = site.calm.store.get(FRONT_GAME, day, "anna")
    assert row is not None and page["duel"]["stage"] == "ended"
    return row.value.ranked, row.value.why
