"""The Daily Front from its pages: start, secrecy, leaderboard, past days (P24, P25)."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.platform.clocks import Gap, Pulse
from engine.platform.daily_front import front
from engine.platform.links import Link
from engine.platform.local_days import begins, following
from engine.platform.members import MemberId
from engine.times import DAY, MINUTE, SECOND, Instant, later
from functions import fronts, nightly, settlements
from functions.jobs import front as finishing
from functions.serve import Nights
from infra.records import DUEL, FRONT, FRONT_GAME, JOB, MONTHLY
from tests.support.browser import Browser
from tests.support.duelling import member, post_json, run_due
from tests.support.site import TestSite, site_in
from tests.support.solo import SoloGame, begin, save

ZONE = "Europe/Paris"


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


def today(site: TestSite) -> str:
    return fronts.today(site.site, site.sources.now())


def start(site: TestSite, browser: Browser) -> SoloGame:
    return begin(site, browser, "/front", {"day": today(site)})


def at(site: TestSite, instant: int) -> None:
    site.sources.time = Instant(instant)


def make_final(site: TestSite, day: str) -> None:
    """Go to when the day's last possible game has ended, and do what is due."""
    at(site, begins(following(day), ZONE) + 15 * MINUTE)
    run_due(site)


def test_the_map_appears_only_after_start(site: TestSite, anna: Browser) -> None:
    day = front(site.site.settings.secret, today(site), ZONE)
    page = anna.data("/front")
    assert (page["layout"], page["seat"], page["seed"]) == (None, None, None)
    assert day.seed not in anna.get("/front").text and "fh-map" not in anna.get("/front").text
    game = start(site, anna)
    assert game.page["view"]["layout"] == day.layout and game.page["you"] == day.seat
    assert "fh-map" in anna.get(game.path).text


def test_looking_at_a_front_starts_nothing(site: TestSite, anna: Browser) -> None:
    anna.get("/front")
    assert site.site.store.get(FRONT_GAME, today(site), "anna") is None


def test_one_game_a_day_however_often_start_is_pressed(site: TestSite, anna: Browser) -> None:
    game = start(site, anna)
    assert start(site, anna).id == game.id
    game.finish()
    assert start(site, anna).id == game.id
    assert "Start" not in [word for word in anna.get("/front").seen.split() if word == "Start"]


def test_tomorrows_is_never_served(site: TestSite, anna: Browser) -> None:
    nightly.nightly(site.site)
    tomorrow = following(today(site))
    assert site.site.store.get(FRONT, tomorrow) is not None
    for path in (f"/front/{tomorrow}", f"/front/{following(today(site), 2)}", "/front/1999-01-01", "/front/never"):
        assert anna.get(path).status == 404
    assert post_json(anna, f"/front/{tomorrow}/retry", {}).status == 404
    assert post_json(anna, "/front", {"day": tomorrow}).json["error"]["code"] == "front_over"


def test_a_missing_day_is_made_on_the_first_visit_the_same(site: TestSite, anna: Browser, tmp_path: Path) -> None:
    anna.get("/front")
    made = site.site.store.get(FRONT, today(site))
    (tmp_path / "other").mkdir()
    other = site_in(tmp_path / "other")
    nightly.nightly(other.site)
    again = other.site.store.get(FRONT, today(other))
    assert made is not None and again is not None and made.value == again.value


def test_the_night_may_come_any_number_of_times(site: TestSite) -> None:
    first = nightly.nightly(site.site)
    kept = [site.site.store.get(FRONT, day) for day in (first, following(first))]
    for _ in range(3):
        assert nightly.nightly(site.site) == first
        site.sources.move(60 * MINUTE)
    assert kept == [site.site.store.get(FRONT, day) for day in (first, following(first))]


@pytest.mark.parametrize("around", ["2026-10-25", "2027-03-28"])
def test_both_changes_of_the_clocks_have_one_front_a_day(site: TestSite, around: str) -> None:
    at(site, begins(following(around, -2), ZONE))
    nights = Nights()
    while today(site) != following(around, 3):
        nights(site.site)
        site.sources.move(20 * MINUTE)
    days = [following(around, n) for n in range(-2, 4)]
    rows = [site.site.store.get(FRONT, day) for day in days]
    assert all(row is not None for row in rows)
    kept = [row.value for row in rows if row is not None]
    assert all(one.closes == two.opens for one, two in pairwise(kept))


def test_a_game_begun_before_midnight_belongs_to_its_day(site: TestSite, anna: Browser) -> None:
    day = today(site)
    at(site, begins(following(day), ZONE) - 1)
    game = start(site, anna)
    site.sources.move(2 * SECOND)
    assert anna.data("/front")["day"] == following(day)
    game.finish()
    assert anna.data(f"/front/{day}")["mine"]["game"] == game.id
    assert anna.data("/front")["mine"] is None and anna.data("/front")["start"] is True


def test_a_form_of_yesterday_starts_nothing_today(site: TestSite, anna: Browser) -> None:
    day = today(site)
    at(site, begins(following(day), ZONE))
    assert post_json(anna, "/front", {"day": day}).json["error"]["code"] == "front_over"


def test_a_finisher_sees_the_own_view_only_and_nobody_else_anything(site: TestSite, anna: Browser) -> None:
    beth = member(site, "Beth")
    game = start(site, anna)
    page = game.finish()
    own = page["you"]
    assert page["view"]["side"] == own and page["duel"]["seed"] is None
    for eyes in ("all", "a", "b"):
        replay = anna.data(f"{game.path}/replay?step=2&eyes={eyes}")
        assert replay["view"]["side"] == own
        assert [seat for seat, orders in replay["orders"].items() if orders is not None] == [own]
        assert {fact["seat"] for fact in replay["facts"]} <= {own, None}
    assert anna.get(f"{game.path}/download").status == 422
    assert beth.get(f"{game.path}/replay").status == beth.get(f"{game.path}/download").status == 422
    hers = beth.data(game.path)
    assert hers["view"] is None and hers["report"] is None and hers["duel"]["options"] == {}
    seed = front(site.site.settings.secret, today(site), ZONE).seed
    for browser in (anna, beth):
        for path in (game.path, "/front", f"/front/{today(site)}", "/front/archive"):
            assert seed not in browser.get(path).text


def test_everything_is_shown_once_the_day_is_final(site: TestSite, anna: Browser) -> None:
    beth, day = member(site, "Beth"), today(site)
    game = start(site, anna)
    game.finish()
    make_final(site, day)
    kept = front(site.site.settings.secret, day, ZONE)
    page = beth.data(f"/front/{day}")
    assert (page["seed"], page["layout"], page["seat"]) == (kept.seed, kept.layout, kept.seat)
    replay = beth.data(f"{game.path}/replay?step=1&eyes=all")
    assert all(orders is not None for orders in replay["orders"].values())
    assert beth.get(f"{game.path}/download").status == 200
    assert game.id in beth.get("/front/archive").text and day in beth.get("/front/archive").text


def test_a_day_is_not_final_while_one_of_its_games_goes_on(site: TestSite, anna: Browser) -> None:
    day = today(site)
    at(site, begins(following(day), ZONE) - SECOND)
    game = start(site, anna)
    row = site.site.store.get(JOB, f"front/{day}")
    assert row is not None
    at(site, begins(following(day), ZONE) + 15 * MINUTE)
    finishing.run(site.site, row.value)  # before the game's own clock was heard
    assert anna.data(f"/front/{day}")["final"] is None
    for _ in range(12):
        site.sources.move(2 * MINUTE)
        run_due(site)
    assert game.page["duel"]["stage"] == "ended"
    assert anna.data(f"/front/{day}")["final"] is not None


def test_making_a_day_final_twice_early_or_for_no_day_changes_nothing(site: TestSite, anna: Browser) -> None:
    anna.get("/front")
    row = site.site.store.get(JOB, f"front/{today(site)}")
    assert row is not None
    finishing.run(site.site, row.value)
    assert anna.data("/front")["final"] is None
    day = today(site)
    make_final(site, day)
    final = anna.data(f"/front/{day}")["final"]
    site.sources.move(MINUTE)
    finishing.run(site.site, row.value)
    assert anna.data(f"/front/{day}")["final"] == final


def test_the_leaderboard_ranks_and_shares_ranks(site: TestSite) -> None:
    games = []
    for name in ("Anna", "Beth", "Chris"):
        games.append(start(site, member(site, name)))
        if name == "Chris":
            games[-1].send()
            assert post_json(games[-1].browser, f"{games[-1].path}/abandon", {}).status == 303
            run_due(site)
        else:
            games[-1].finish()
    page = games[0].browser.data("/front")
    ranks = {row["member"]["name"]: row["rank"] for row in page["rows"]}
    assert ranks == {"Anna": 1, "Beth": 1, "Chris": 3}
    assert page["mine"]["rank"] == 1 and page["games"] == 3
    assert all(row["thinking"] == 20 * SECOND * row["turns"] for row in page["rows"])


def test_the_months_points_have_a_page(site: TestSite, anna: Browser) -> None:
    start(site, anna).finish()
    month = today(site)[:7]
    (row,) = anna.data(f"/front/month/{month}")["rows"]
    assert (row["rank"], row["member"]["name"], row["days"]) == (1, "Anna", 1)
    assert anna.get("/front/month/2026-13").status == anna.get("/front/month/x").status == 404


def test_settling_a_front_twice_counts_it_once(site: TestSite, anna: Browser) -> None:
    game = start(site, anna)
    game.finish()
    row = site.site.store.get(DUEL, game.id)
    assert row is not None
    settlements.settle(site.site, row.value)
    monthly = site.site.store.get(MONTHLY, today(site)[:7], "anna")
    assert monthly is not None and monthly.value.days == 1
    assert anna.data("/front")["games"] == 1


def test_missed_turns_are_played_by_the_default_doctrine_and_a_loss_so_played_is_ranked(
    site: TestSite, anna: Browser
) -> None:
    save(anna, 1, name="Mine")
    anna.post("/doctrines/default", {"default": "1"})
    game = start(site, anna)
    game.send()
    game.miss()
    assert game.page["report"]["ruled"]["doctrine"]["name"] == "Mine"
    while game.page["duel"]["stage"] != "ended":
        game.miss()
    mine = anna.data("/front")["mine"]
    assert mine["ranked"] is (mine["result"] == "lost")
    assert mine["why"] == ("" if mine["result"] == "lost" else "stand_in")


def test_a_game_nobody_played_is_not_ranked_and_says_why(site: TestSite, anna: Browser) -> None:
    game = start(site, anna)
    while game.page["duel"]["stage"] != "ended":
        game.miss()
    run_due(site)
    assert anna.data("/front")["mine"]["why"] == "no_result"
    assert "it has no result" in anna.get("/front").seen


def test_one_ranked_game_for_linked_accounts_the_first_started(site: TestSite, anna: Browser) -> None:
    beth = member(site, "Beth")
    one, other, now = MemberId("anna"), MemberId("beth"), site.sources.now()
    site.site.store.commit(Decision((Put(Link(one, other, now), 0), Put(Link(other, one, now), 0)), None))
    start(site, anna).finish()
    assert "will not be ranked" in beth.get("/front").seen
    start(site, beth).finish()
    assert anna.data("/front")["mine"]["ranked"] is True
    assert beth.data("/front")["mine"]["why"] == "linked"


def test_an_outage_gives_the_game_back(site: TestSite, anna: Browser) -> None:
    game = start(site, anna)
    deadline = game.page["duel"]["deadline"]
    pulse = Pulse("tick", later(deadline, 5 * MINUTE), (Gap(Instant(deadline - SECOND), later(deadline, 5 * MINUTE)),))
    site.site.store.commit(Decision((Put(pulse, None),), None))
    at(site, deadline + 5 * MINUTE)
    run_due(site)
    assert game.page["duel"]["outcome"]["by"] == "outage"
    page = anna.data("/front")
    assert (page["start"], page["retry"]) == (True, False)
    again = start(site, anna)
    assert again.id != game.id
    assert again.finish() and anna.data("/front")["mine"]["ranked"] is True


def test_retries_count_for_nothing(site: TestSite, anna: Browser) -> None:
    day = today(site)
    assert post_json(anna, f"/front/{day}/retry", {}).json["error"]["code"] == "front_not_yet"
    ranked = start(site, anna)
    ranked.finish()
    board = anna.data("/front")["rows"]
    again = begin(site, anna, f"/front/{day}/retry", {"request": "1"})
    assert begin(site, anna, f"/front/{day}/retry", {"request": "1"}).id == again.id
    assert again.page["view"]["layout"] == ranked.page["view"]["layout"]
    again.finish()
    assert anna.data("/front")["rows"] == board
    assert anna.get(f"{again.path}/replay?eyes=all&step=1").status == 200
    assert member(site, "Beth").get(f"{again.path}/replay").status == 422
    make_final(site, day)
    beth = member(site, "Chris")
    assert begin(site, beth, f"/front/{day}/retry", {}).finish()["duel"]["kind"] == "practice"


def test_no_mail_tells_of_a_front(site: TestSite, anna: Browser) -> None:
    start(site, anna).finish()
    assert site.post.letters == []


def test_strangers_are_asked_to_sign_in(site: TestSite) -> None:
    stranger = Browser()
    page = stranger.get("/front")
    assert page.status == 200 and 'action="/front"' not in page.text
    assert post_json(stranger, "/front", {"day": today(site)}).status in (401, 403)


def test_the_archive_has_pages(site: TestSite, anna: Browser) -> None:
    for _ in range(16):
        day = today(site)
        anna.get("/front")
        make_final(site, day)
    first: Any = anna.data("/front/archive")
    second = anna.data(f"/front/archive?after={first['after']}")
    days = [it["day"] for it in first["days"] + second["days"]]
    assert days == sorted(days, reverse=True) and len(set(days)) == 16
    assert second["after"] == ""


def test_a_day_goes_by_while_nobody_looks(site: TestSite, anna: Browser) -> None:
    day = today(site)
    site.sources.move(2 * DAY)
    assert anna.get(f"/front/{day}").status == 404
    assert anna.get("/front").status == 200
