"""Fair play from the page to the settlement: what superhuman orders mean, and who is left alone (P17b, P27, P28)."""

from pathlib import Path

import pytest

from engine.platform import notices
from engine.platform.duels.records import DuelId
from engine.times import DAY, SECOND
from functions.jobs import settle
from infra.records import LOAD, SHOWN
from tests.support.browser import Browser
from tests.support.clubs import (
    credits,
    full,
    in_escrow,
    marks,
    member,
    name_of,
    play,
    post,
    rating,
    staked,
    state,
    unrated,
)
from tests.support.duelling import Duelling, duel, run_due
from tests.support.people import link_in
from tests.support.site import TestSite, site_in

QUICK, SLOW = 900, 60_000


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    return staked(site, member(site, "Anna"), member(site, "Beth"), 20)


def shown(game: Duelling, turn: int) -> dict[str, int]:
    rows = game.site.calm.store.query(SHOWN, "", game.id, limit=50, start=(turn,), upto=(turn,)).rows
    return {row.value.member: row.value.at for row in rows}


def loads(game: Duelling, seat: str) -> int:
    who = name_of(game.who(seat))
    rows = game.site.calm.store.counts(LOAD, DuelId(game.id), limit=99, start=(who,), upto=(who,))
    return sum(n for _, n in rows)


class TestWhatIsNoted:
    def test_the_first_look_counts_and_stays(self, site: TestSite, game: Duelling) -> None:
        first = shown(game, 1)[name_of(game.a)]
        site.sources.move(5_000)
        game.a.get(game.path)
        assert shown(game, 1)[name_of(game.a)] == first

    @pytest.mark.parametrize("accept", ["text/html", "application/json"])
    def test_a_page_and_its_json_are_looks(self, site: TestSite, game: Duelling, accept: str) -> None:
        self.next_turn(game)
        site.sources.move(2_500)
        game.a.get(game.path, accept)
        assert shown(game, 2) == {name_of(game.a): site.sources.now()}

    def test_a_refresh_that_tells_of_something_new_is_one(self, site: TestSite, game: Duelling) -> None:
        self.next_turn(game)
        site.sources.move(2_500)
        game.a.get(f"{game.path}/version", "application/json")
        assert shown(game, 2) == {name_of(game.a): site.sources.now()}

    def test_a_refused_order_is_one(self, site: TestSite, game: Duelling) -> None:
        self.next_turn(game)
        assert post(game, "a", {"move": [{"from": "hq_a", "to": "hq_b", "units": 1, "decoys": 0}]}).status == 422
        assert set(shown(game, 2)) == {name_of(game.a)}

    def test_a_turn_mails_session_is_one(self, site: TestSite, game: Duelling) -> None:
        self.next_turn(game)
        run_due(site)
        link = link_in(site.post.last(f"{name_of(game.a)}@example.org").text)
        browser = Browser()
        browser.get(link)
        browser.post(link)
        assert shown(game, 2) == {}
        browser.get(game.path)
        assert set(shown(game, 2)) == {name_of(game.a)}

    def test_strangers_leave_no_trace(self, site: TestSite, game: Duelling) -> None:
        member(site, "Chris").get(game.path)
        Browser().get(game.path)
        assert set(shown(game, 1)) == {"anna", "beth"}

    def test_loads_are_counted_and_refreshes_are_not(self, game: Duelling) -> None:
        before = loads(game, "a")
        for _ in range(3):
            game.a.get(game.path)
        game.a.get(f"{game.path}/version", "application/json")
        game.a.send("GET", game.path, {"accept": "text/html", "x-refresh": "1"})
        assert loads(game, "a") == before + 3

    def next_turn(self, game: Duelling) -> None:
        for seat in ("a", "b"):
            assert post(game, seat, full(seat)).status == 200


class TestSuperhumanInADuel:
    def test_the_other_takes_both_stakes_even_after_losing(self, site: TestSite, game: Duelling) -> None:
        fast, slow = name_of(game.a), name_of(game.b)
        play(game, 1, {"a": QUICK, "b": SLOW}, {"a": {"move": [{"from": "hq_a", "to": "fwd_a", "units": 2}]}})
        play(game, 5, {"a": QUICK, "b": SLOW})
        self.finish(game)
        run_due(site)
        result = state(game).result
        assert result is not None and result.winner == "a"
        assert (credits(site, fast), credits(site, slow), in_escrow(site, game)) == (80, 120, 0)
        assert unrated(site, game) == "fair_play"
        assert rating(site, fast) == rating(site, slow) == rating(site, fast, "common") == 10_000
        assert "superhuman" in marks(site, fast) and "superhuman" not in marks(site, slow)
        told = {letter.to: letter.text for letter in site.post.letters if letter.reference.endswith("/result")}
        assert "You have lost your stake of 20 credits" in told[f"{fast}@example.org"]
        assert "You have won the stake: 20 credits" in told[f"{slow}@example.org"]

    def test_a_forfeit_against_it_only_returns_the_stakes(self, site: TestSite, game: Duelling) -> None:
        play(game, 6, {"a": QUICK, "b": SLOW})
        assert game.act("b", "abandon").status == 303
        run_due(site)
        assert credits(site, "anna") == credits(site, "beth") == 100
        assert unrated(site, game) == "fair_play"

    def test_who_is_superhuman_and_forfeits_loses_the_stakes(self, site: TestSite, game: Duelling) -> None:
        play(game, 6, {"a": QUICK, "b": SLOW})
        assert game.act("a", "abandon").status == 303
        run_due(site)
        assert credits(site, name_of(game.b)) == 120

    def test_both_superhuman_get_their_stakes_back(self, site: TestSite, game: Duelling) -> None:
        play(game, 6, {"a": QUICK, "b": QUICK})
        self.finish(game)
        run_due(site)
        assert credits(site, "anna") == credits(site, "beth") == 100
        assert unrated(site, game) == "fair_play"

    def test_fetching_json_instead_of_pages_changes_nothing(self, site: TestSite, game: Duelling) -> None:
        for _ in range(6):
            for seat, delay in (("a", QUICK), ("b", SLOW)):
                game.who(seat).get(game.path, "application/json")
                site.sources.move(delay)
                assert post(game, seat, full(seat)).status == 200
            site.sources.move(9_000)
        self.finish(game)
        run_due(site)
        assert "superhuman" in marks(site, name_of(game.a))

    def test_sending_again_later_hides_nothing(self, site: TestSite, game: Duelling) -> None:
        for _ in range(6):
            game.page("a")
            site.sources.move(QUICK)
            assert post(game, "a", full("a")).status == 200
            site.sources.move(SLOW)
            assert post(game, "a", {**full("a"), "predict": "centre"}).status == 200
            play(game, 1, {"b": SLOW}, {"a": None})
        self.finish(game)
        run_due(site)
        assert "superhuman" in marks(site, name_of(game.a))

    def test_a_placeholder_sent_at_once_is_no_full_sheet(self, site: TestSite, game: Duelling) -> None:
        for n in range(6):
            game.page("a")
            site.sources.move(QUICK)
            assert post(game, "a", {}).status == 200
            site.sources.move(SLOW + 9_000 * n)
            assert post(game, "a", full("a")).status == 200
            play(game, 1, {"b": SLOW}, {"a": None})
        self.finish(game)
        run_due(site)
        assert marks(site, name_of(game.a)) == set()

    def finish(self, game: Duelling) -> None:
        """The rest of the game, slowly and with empty sheets."""
        play(game, 20, {"a": 50_000, "b": 61_000}, {"a": {}, "b": {}})
        assert state(game).stage == "ended"


class TestWhoIsLeftAlone:
    def test_a_quick_player_with_a_median_of_three_seconds(self, site: TestSite, game: Duelling) -> None:
        for n in range(8):
            for seat, delay in (("a", 3_000 + 211 * (n % 3)), ("b", SLOW + 9_000 * n)):
                if state(game).stage == "ended":
                    break
                game.page(seat)
                site.sources.move(delay)
                assert post(game, seat, full(seat)).status == 200
        assert self.settled(site, game) == set()
        assert unrated(site, game) == ""

    def test_a_game_without_a_move(self, site: TestSite, game: Duelling) -> None:
        site.sources.move(20 * DAY)
        assert game.act("a", "abandon").status == 303
        run_due(site)
        assert marks(site, "anna") == marks(site, "beth") == set()
        assert credits(site, "anna") == credits(site, "beth") == 100

    def test_four_full_sheets(self, site: TestSite, game: Duelling) -> None:
        play(game, 4, {"a": QUICK, "b": SLOW})
        TestSuperhumanInADuel().finish(game)
        assert "superhuman" not in self.settled(site, game)
        assert unrated(site, game) == ""

    def test_four_full_sheets_a_game_are_found_in_the_second(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        for _ in range(2):
            game = duel(site, anna, beth)
            quick = "a" if name_of(game.a) == "anna" else "b"
            play(game, 4, {"a": SLOW, "b": SLOW, quick: QUICK})
            TestSuperhumanInADuel().finish(game)
            run_due(site)
        assert "pooled" in marks(site, "anna")
        assert unrated(site, game) == ""

    def settled(self, site: TestSite, game: Duelling) -> set[str]:
        if state(game).stage != "ended":
            assert game.act("b", "abandon").status == 303
        run_due(site)
        return marks(site, name_of(game.a)) | marks(site, name_of(game.b))


def test_a_page_loaded_over_and_over_is_marked(site: TestSite, game: Duelling) -> None:
    for _ in range(62):
        game.a.get(game.path)
        site.sources.move(5 * SECOND)
    play(game, 1, {"a": SLOW, "b": SLOW})
    assert game.act("b", "abandon").status == 303
    run_due(site)
    assert marks(site, name_of(game.a)) == {"loads"}
    assert unrated(site, game) == ""


def test_settling_again_adds_nothing(site: TestSite, game: Duelling) -> None:
    play(game, 6, {"a": QUICK, "b": SLOW})
    TestSuperhumanInADuel().finish(game)
    run_due(site)
    before = site.store.commits
    settle.run(site.site, notices.settle(DuelId(game.id), site.sources.now()))
    run_due(site)
    assert credits(site, name_of(game.b)) == 120
    assert site.store.commits - before <= 2  # the lists, written anew as they are
