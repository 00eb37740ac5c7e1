"""Voiding a duel: it counts no more, and undone it counts again (P16, P17c, P29)."""

from engine.times import HOUR
from functions import reconcile
from tests.support.browser import Browser
from tests.support.clubs import (
    act,
    credits,
    done,
    name_of,
    rating,
    won,
)
from tests.support.duelling import Duelling, post_json, run_due
from tests.support.moderating import undone
from tests.support.site import TestSite


class TestVoiding:
    def test_points_and_stakes_go_back(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        winner, loser = won(game)
        assert (credits(site, winner), rating(site, winner), rating(site, loser)) == (120, 10_160, 9_840)
        done(site, mod, "void", game.id)
        assert credits(site, winner) == credits(site, loser) == 100
        assert rating(site, winner) == rating(site, loser) == rating(site, winner, "common") == 10_000
        history = game.a.data("/history")["games"][0]
        assert (history["result"], history["by"]) == ("none", "voided")

    def test_twice_is_once(self, site: TestSite, game: Duelling, mod: Browser, other_mod: Browser) -> None:
        winner, loser = won(game)
        first, second = act(mod, "void", game.id), act(other_mod, "void", game.id)
        assert first.status == second.status == 303
        run_due(site)
        assert credits(site, winner) == credits(site, loser) == 100
        assert rating(site, winner) == rating(site, loser) == 10_000

    def test_a_winner_who_has_spent_the_stake_owes_it(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        winner, loser = won(game)
        spender = game.a if name_of(game.a) == winner else game.b
        for n in range(2):
            body = {"game": "feinthold", "pace": "days1", "opponent": "", "stake": "60", "request": f"spend {n}"}
            assert post_json(spender, "/duels", body).status == 303
            site.sources.move(1)
        assert credits(site, winner) == 0
        done(site, mod, "void", game.id)
        run_due(site)
        assert (credits(site, winner), credits(site, loser)) == (0, 100)
        mine = [d["id"] for d in spender.data("/duels")["mine"]]
        assert post_json(spender, f"/games/{mine[0]}/withdraw", {}).status == 303
        run_due(site)
        assert credits(site, winner) == 40

    def test_with_the_stakes_still_in_escrow_it_waits_for_them(
        self, site: TestSite, game: Duelling, mod: Browser
    ) -> None:
        reconcile.stop(site.site, "test")
        winner, loser = won(game)
        done(site, mod, "void", game.id)
        assert (credits(site, winner), credits(site, loser)) == (80, 80)
        for _ in range(48):
            site.sources.move(HOUR)
            run_due(site)
        reconcile.let_go_on(site.site)
        for _ in range(3):
            site.sources.move(HOUR)
            run_due(site)
        assert credits(site, winner) == credits(site, loser) == 100
        assert rating(site, winner) == rating(site, loser) == 10_000

    def test_undone_everything_counts_again(
        self, site: TestSite, game: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        winner, loser = won(game)
        id = done(site, mod, "void", game.id)
        champion = game.a if name_of(game.a) == winner else game.b
        undone(site, id, champion, other_mod)
        assert (credits(site, winner), credits(site, loser)) == (120, 80)
        assert (rating(site, winner), rating(site, loser)) == (10_160, 9_840)
        assert champion.data("/history")["games"][0]["result"] == "won"
        assert act(mod, "void", game.id, request="2").text == ""
        run_due(site)
        assert credits(site, winner) == 100
