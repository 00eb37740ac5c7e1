"""Ratings on the site: told before and after, leaderboards, histories (P13, P15, P16)."""

from pathlib import Path
from random import Random

import pytest

from engine.decisions import Change, Decision, Put
from engine.platform.duels.records import DuelId
from engine.platform.elo import Rating
from engine.platform.links import Link
from engine.platform.members import Member, MemberId
from engine.platform.ratings.bands import counters, shifted
from engine.platform.ratings.records import EVER, Board, RatingChange, Standing
from engine.times import DAY, HOUR, later
from functions.web.rating_chart import HEIGHT, LEFT, WIDTH, chart
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.site import TestSite, site_in

GAME = Board("feinthold")


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def played(site: TestSite, one: Browser, other: Browser, request: str) -> Duelling:
    """A duel that its second player abandons after a turn's orders."""
    form = {"game": "feinthold", "pace": "days1", "opponent": "", "request": request}
    path = post_json(one, "/duels", form).location
    other.data(path)
    post_json(other, f"{path}/accept", {})
    seats = {one.data(path)["you"]: one, other.data(path)["you"]: other}
    game = Duelling(site, path.rpartition("/")[2], seats["a"], seats["b"])
    assert game.send("a", {}).status == 200
    other.data(game.path)
    other.post(f"{game.path}/abandon")
    run_due(site)
    return game


def listed(site: TestSite, number: int) -> list[Standing]:
    """So many members with a rated game."""
    random = Random(2)
    standings = []
    for n in range(number):
        id = MemberId(f"m{n}")
        there = Member(id, f"Member {n}", f"{id}@example.org", "en", "UTC", site.sources.now())
        standing = Standing(id, GAME, EVER, there.joined, Rating(random.randint(9_000, 11_000)), won=1)
        changes: tuple[Change, ...] = (Put(there, 0), Put(standing, 0), *counters(shifted(None, standing)))
        site.calm.store.commit(Decision(changes, None))
        standings.append(standing)
    return sorted(standings, key=lambda s: (-s.tenths, s.joined, s.member))


class TestDuels:
    def test_a_fourth_one_within_a_day_is_told_to_be_unrated_before_and_after(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        for n in range(3):
            game = played(site, anna, beth, f"r{n}")
            assert anna.data(game.path)["duel"]["rated"] is True
        form = {"game": "feinthold", "pace": "days1", "opponent": "Beth", "request": "r9"}
        path = post_json(anna, "/duels", form).location
        for reader in (anna, beth):
            facts = reader.data(path)["duel"]
            assert (facts["rated"], facts["unrated_why"]) == (False, "often")
        assert "unrated: more than 3 duels" in beth.get(path).seen
        fourth = played(site, anna, beth, "r10")
        facts = anna.data(fourth.path)["duel"]
        assert (facts["rated"], facts["unrated_why"], facts["moved"]) == (False, "often", [])
        site.sources.move(DAY)
        assert anna.data(path)["duel"]["rated"] is True

    def test_between_linked_accounts_are_unrated(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        one, other = MemberId("anna"), MemberId("beth")
        links = (Link(one, other, site.sources.now()), Link(other, one, site.sources.now()))
        site.calm.store.commit(Decision(tuple(Put(link, 0) for link in links), None))
        game = played(site, anna, beth, "r")
        assert anna.data(game.path)["duel"]["unrated_why"] == "linked"
        assert anna.data("/members/anna")["record"]["ratings"] == []

    def test_count_by_the_start_of_the_game_not_by_its_acceptance(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        game = duel(site, anna, beth, "blitz")
        assert game.page("a")["duel"]["rated"] is True
        for n in range(3):
            form = {"game": "feinthold", "pace": "rapid", "opponent": "Beth", "request": f"q{n}"}
            path = post_json(anna, "/duels", form).location
            beth.data(path)
            assert post_json(beth, f"{path}/accept", {}).status == 303
        assert beth.data(path)["duel"]["rated"] is True

    def test_frozen_members_play_none(self, site: TestSite) -> None:
        anna = member(site, "Anna", frozen=site.sources.now())
        form = {"game": "feinthold", "pace": "days1", "opponent": "", "request": "r"}
        assert post_json(anna, "/duels", form).json["error"]["code"] == "frozen"

    def test_show_beside_the_result_what_they_moved(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        page = anna.get(played(site, anna, beth, "r").path).seen
        assert "Anna +16" in page
        assert "Beth −16" in page


class TestLeaderboards:
    def test_ones_own_place_costs_the_same_whatever_the_size(self, site: TestSite) -> None:
        standings = listed(site, 150)
        anna = member(site, "Anna")
        mine = Standing(MemberId("anna"), GAME, EVER, site.sources.now(), Rating(standings[90].tenths), won=9)
        site.calm.store.commit(Decision((Put(mine, 0), *counters(shifted(None, mine))), None))
        before = site.store.reads
        page = anna.data("/leaderboards/feinthold?from=me")
        names = 50
        assert site.store.reads - before <= names + 15
        assert (page["mine"]["place"], page["placed"], page["rows"][0]["place"]) == (91, 151, 91)
        assert page["rows"][0]["you"]

    def test_pages_follow_each_other(self, site: TestSite) -> None:
        standings = listed(site, 120)
        reader, seen, path = Browser(), [], "/leaderboards/feinthold"
        for _ in range(5):
            page = reader.data(path)
            seen += [(row["place"], row["member"]["id"]) for row in page["rows"]]
            if not page["after"]:
                break
            path = f"/leaderboards/feinthold?after={page['after']}"
        assert seen == [(n, s.member) for n, s in enumerate(standings, 1)]

    def test_a_place_of_the_month_takes_eight_rated_games(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        for n in range(8):
            played(site, anna, beth, f"r{n}")
            site.sources.move(8 * HOUR)
            month = anna.data("/leaderboards/feinthold?month=2026-09")
            assert [row["place"] for row in month["rows"]] == ([None, None] if n < 7 else [1, 2])
        assert month["mine"] == {"place": 1, "rating": month["rows"][0]["rating"], "games": 8, "missing": 0}

    @pytest.mark.parametrize("path", ["/leaderboards/chess", "/leaderboards/common?month=2026-13"])
    def test_others_are_not_there(self, site: TestSite, path: str) -> None:
        assert Browser().get(path).status == 404

    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_are_there_without_anybody_on_them(self, site: TestSite, lang: str) -> None:
        assert Browser(lang=lang).get("/leaderboards").status == 200


class TestHistories:
    def test_have_a_chart_and_a_table_page_by_page(self, site: TestSite) -> None:
        anna = member(site, "Anna")
        rating = 10_000
        for n in range(45):
            at = later(site.sources.now(), n * HOUR)
            change = RatingChange(
                MemberId("anna"), GAME, DuelId(f"d{n}"), 0, at, MemberId("anna"), Rating(rating), Rating(rating + n), 2
            )
            rating += n
            site.calm.store.commit(Decision((Put(change, 0),), None))
        first = anna.data("/members/anna/ratings/feinthold")
        assert (first["chart"]["games"], first["chart"]["to"], len(first["changes"])) == (45, rating / 10, 20)
        second = anna.data(f"/members/anna/ratings/feinthold?after={first['after']}")
        assert second["changes"][0]["after"] == first["changes"][-1]["before"]
        page = anna.get("/members/anna/ratings/feinthold")
        assert page.text.count("<tr>") == 21
        assert "from 1000 to 1099 in the last 45 games" in page.text

    def test_of_nobody_and_of_no_board_are_not_there(self, site: TestSite) -> None:
        member(site, "Anna")
        assert Browser().get("/members/nobody/ratings/feinthold").status == 404
        assert Browser().get("/members/anna/ratings/chess").status == 404

    @pytest.mark.parametrize("ratings", [[10_000, 10_000], [10_000, 10_160, 9_500], list(range(9_000, 12_000, 7))])
    def test_charts_keep_within_their_frame(self, ratings: list[int]) -> None:
        drawn = chart(ratings)
        assert drawn is not None
        points = [tuple(map(float, pair.split(","))) for pair in drawn["points"].split()]
        assert all(LEFT <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
        assert len(drawn["lines"]) <= 6

    def test_there_is_no_chart_of_nothing(self) -> None:
        assert chart([10_000]) is None
