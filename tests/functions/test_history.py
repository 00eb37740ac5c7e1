"""Finished games (point 6): the latest first, everybody's public, each with how it ended for whom."""

from pathlib import Path

import pytest

from engine.times import MINUTE
from tests.support.browser import Browser
from tests.support.duelling import duel, member, post_json, run_due
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def finished(site: TestSite, one: Browser, number: int, first: int = 0) -> list[str]:
    """So many games against as many members, abandoned by them; their ids, the latest first."""
    ids = []
    for n in range(first, first + number):
        game = duel(site, one, member(site, f"Foe {n}"), pace="days1")
        loser = game.b if game.a is one else game.a
        game.send("a", {})
        post_json(loser, f"{game.path}/abandon", {})
        run_due(site)
        site.sources.move(MINUTE)
        ids.append(game.id)
    return ids[::-1]


def test_the_latest_come_first_with_their_results(site: TestSite) -> None:
    anna = member(site, "Anna")
    ids = finished(site, anna, 3)
    page = anna.data("/history")
    assert [line["id"] for line in page["games"]] == ids
    assert {(line["result"], line["by"]) for line in page["games"]} == {("won", "forfeit")}
    assert "by forfeit" in anna.get("/history").seen


def test_others_see_them_too_each_from_the_members_side(site: TestSite) -> None:
    anna = member(site, "Anna")
    (id,) = finished(site, anna, 1)
    for reader in (Browser(), anna):
        assert [line["result"] for line in reader.data("/members/anna/history")["games"]] == ["won"]
        lost = reader.data("/members/foe 0/history")["games"]
        assert [(line["id"], line["result"]) for line in lost] == [(id, "lost")]
    assert "Finished games of Anna" in Browser().get("/members/anna/history").seen


def test_a_page_at_a_time_each_game_once(site: TestSite) -> None:
    anna = member(site, "Anna")
    ids = finished(site, anna, 23)
    first = anna.data("/history")
    assert first["first"] and first["after"]
    second = anna.data(f"/history?after={first['after']}")
    assert not second["first"] and not second["after"]
    assert [line["id"] for line in first["games"] + second["games"]] == ids


def test_games_without_result_say_why(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    game = duel(site, anna, beth)
    post_json(anna, f"{game.path}/abandon", {})
    run_due(site)
    assert [(line["result"], line["by"]) for line in anna.data("/history")["games"]] == [("none", "cancelled")]
    assert "no result cancelled" in anna.get("/history").seen


def test_of_nobody_there_is_none(site: TestSite) -> None:
    assert site.site
    assert Browser().get("/members/nobody/history").status == 404
