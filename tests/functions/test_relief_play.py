"""Relief on the platform: moves, clocks, absence, draws, watching (L14-L16, P6, P7, P12, P14)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.times import MINUTE, SECOND
from functions.tick import tick
from infra.records import DUEL
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.site import TestSite, site_in

Game = Callable[..., Duelling]


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    found = site_in(tmp_path)
    tick(found.site)
    return found


@pytest.fixture
def live(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"), pace="live", game="relief")


@pytest.fixture
def slow(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"), game="relief")


def move(game: Duelling, seat: str, word: str | None = None) -> str:
    """Make a move (the first legal one, or this), the word of it."""
    chosen = word or str(game.page(seat)["view"]["moves"][0]["move"])
    answer = game.send(seat, {"move": chosen})
    assert answer.status == 200, answer.text
    return chosen


def wait(game: Duelling, span: int, *here: str) -> None:
    """Let time pass, the players of these seats looking at the page every 10 s; ticks come and jobs run."""
    site = game.site
    left = span
    while left > 0:
        step = min(left, 10 * SECOND)
        site.sources.move(step)
        left -= step
        if site.sources.now() // MINUTE != (site.sources.now() - step) // MINUTE:
            tick(site.site)
        for seat in here:
            game.who(seat).get(f"{game.path}/version?beat", "application/json")
        run_due(site)


def outcome(game: Duelling) -> Any:
    return game.page("red")["duel"]["outcome"]


def test_a_move_closes_its_turn_and_the_other_side_is_to_move(slow: Duelling) -> None:
    word = move(slow, "red")
    page = slow.page("blue")
    assert page["duel"]["words"] == [word] and page["duel"]["awaits"] == ["blue"]
    assert page["may"] == ["orders", "draft", "notes", "abandon"]
    assert page["view"]["last"] == word and page["report"]["facts"][0]["code"] in ("moved", "captured")
    assert "orders" not in slow.page("red")["may"]


@pytest.mark.parametrize("orders", [{}, {"move": ""}, {"move": "a1a1"}, {"move": 7}, {"move": "c10c9"}, [], "x"])
def test_what_is_no_legal_move_changes_nothing(slow: Duelling, orders: Any) -> None:
    answer = slow.send("red", orders)
    assert answer.status == 422 and answer.json["error"]["problems"][0]["message"]
    assert slow.page("red")["duel"]["words"] == []


def test_a_move_out_of_turn_is_refused(slow: Duelling) -> None:
    answer = slow.send("blue", {"move": "c10c9"})
    assert answer.status == 422 and answer.json["error"]["code"] == "not_awaited"


def test_a_form_without_scripts_makes_a_move(slow: Duelling) -> None:
    red = slow.who("red")
    page = red.get(slow.path)
    assert '<option value="c1c2"' in page.text and "<optgroup" in page.text
    answer = red.post(f"{slow.path}/orders", {"turn:int": "1", "after:int": "0", "orders.move": "c1c2"})
    assert answer.status == 303
    assert slow.page("red")["duel"]["words"] == ["c1c2"]


def test_without_scripts_the_page_asks_again_every_30_seconds(live: Duelling) -> None:
    for seat in ("red", "blue"):
        assert '<noscript><meta http-equiv="refresh" content="30"></noscript>' in live.who(seat).get(live.path).text


def test_only_the_side_to_move_spends_time(live: Duelling) -> None:
    wait(live, 60 * SECOND, "red", "blue")
    move(live, "red")
    wait(live, 30 * SECOND, "red", "blue")
    move(live, "blue")
    left = {seat["seat"]: seat["left"] for seat in live.page("red")["seats"]}
    assert left == {"red": 9 * MINUTE, "blue": 9 * MINUTE + 30 * SECOND}


def test_clocks_are_right_after_a_reload(live: Duelling) -> None:
    wait(live, 70 * SECOND, "red", "blue")
    page = live.page("blue")
    assert page["duel"]["deadline"] - page["now"] == 10 * MINUTE - 70 * SECOND
    text = live.who("blue").get(live.path).text
    assert ">8:50<" in text and ">10:00<" in text


def test_who_runs_out_of_time_loses_with_nobody_looking(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    wait(live, 10 * MINUTE - 10 * SECOND, "red", "blue")
    assert outcome(live) is None
    wait(live, 15 * SECOND, "red", "blue")
    assert outcome(live) == {"winner": "blue", "by": "time"}


def test_a_move_made_in_time_counts_and_early_and_late_wake_ups_do_nothing(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    wait(live, 10 * MINUTE - 10 * SECOND, "red", "blue")
    live.site.sources.move(9 * SECOND)
    run_due(live.site)
    move(live, "red")
    live.site.sources.move(3 * SECOND)
    run_due(live.site)
    run_due(live.site)
    page = live.page("red")
    assert page["duel"]["outcome"] is None and page["duel"]["turn"] == 4
    assert next(s["left"] for s in page["seats"] if s["seat"] == "red") == 1 * SECOND


def test_who_leaves_a_live_game_for_90_seconds_loses_it_after_a_warning(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    wait(live, 40 * SECOND, "red")
    assert not any(seat["away"] for seat in live.page("red")["seats"])
    wait(live, 10 * SECOND, "red")
    page = live.page("red")
    away = next(seat["away"] for seat in page["seats"] if seat["seat"] == "blue")
    assert away - page["now"] == 40 * SECOND
    assert (
        "Beth has left" in live.who("red").get(live.path).seen or "Anna has left" in live.who("red").get(live.path).seen
    )
    wait(live, 60 * SECOND, "red")
    assert outcome(live) == {"winner": "red", "by": "absence"}


def test_any_request_for_the_game_is_a_sign_of_life(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    for _ in range(4):
        wait(live, 80 * SECOND, "red")
        live.page("blue")
    assert outcome(live) is None


def test_who_never_came_back_before_any_move_cancels_the_game(live: Duelling) -> None:
    wait(live, 120 * SECOND, "red")
    assert outcome(live) == {"winner": None, "by": "silence"}


def test_an_outage_is_nobodys_absence(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    live.site.sources.move(4 * MINUTE)
    tick(live.site.site)
    run_due(live.site)
    assert outcome(live) is None
    wait(live, 60 * SECOND, "red", "blue")
    assert outcome(live) is None


def test_a_clock_that_ran_out_in_an_outage_cancels_the_live_game(live: Duelling) -> None:
    move(live, "red")
    move(live, "blue")
    live.site.sources.move(12 * MINUTE)
    run_due(live.site)
    tick(live.site.site)
    live.site.sources.move(6 * SECOND)
    run_due(live.site)
    assert outcome(live) == {"winner": None, "by": "outage"}


def test_by_correspondence_a_missed_deadline_loses_and_cancels_if_one_has_not_moved(slow: Duelling) -> None:
    move(slow, "red")
    wait_days(slow)
    assert outcome(slow) == {"winner": None, "by": "silence"}


def test_by_correspondence_who_misses_the_deadline_loses(slow: Duelling) -> None:
    move(slow, "red")
    move(slow, "blue")
    wait_days(slow)
    assert outcome(slow) == {"winner": "blue", "by": "time"}


def wait_days(game: Duelling) -> None:
    """More than a day passes, with a tick each minute."""
    for _ in range(24 * 60 + 2):
        game.site.sources.move(MINUTE)
        tick(game.site.site)
    run_due(game.site)


def test_a_draw_is_offered_and_agreed(slow: Duelling) -> None:
    assert slow.act("red", "offer-draw").status == 422
    move(slow, "red")
    move(slow, "blue")
    assert slow.act("blue", "offer-draw").status == 303
    assert "accept-draw" in slow.page("red")["may"] and "decline-draw" in slow.page("blue")["may"]
    assert "offers a draw" in slow.who("red").get(slow.path).seen
    assert slow.act("blue", "accept-draw").status == 422
    assert slow.act("red", "accept-draw").status == 303
    assert slow.act("red", "accept-draw").status == 303
    assert outcome(slow) == {"winner": None, "by": "agreement"}
    assert "agreed to a draw" in slow.who("red").get(slow.path).seen


def test_a_draw_is_declined_by_word_or_by_moving_on(slow: Duelling) -> None:
    move(slow, "red")
    move(slow, "blue")
    slow.act("blue", "offer-draw")
    assert slow.act("red", "decline-draw").status == 303
    assert slow.page("red")["duel"]["draw"] == ""
    assert slow.act("blue", "offer-draw").status == 422
    assert "another from move 13 on" in slow.who("blue").get(slow.path).seen
    assert "another from move" not in slow.who("red").get(slow.path).seen
    slow.act("red", "offer-draw")
    move(slow, "red")
    assert slow.page("blue")["duel"]["draw"] == "red"
    move(slow, "blue")
    assert slow.page("blue")["duel"]["draw"] == ""


def test_anybody_watches_and_nobody_but_the_players_acts(slow: Duelling) -> None:
    move(slow, "red")
    for stranger in (Browser(), member(slow.site, "Chris")):
        page = stranger.data(slow.path)
        assert page["view"]["pieces"] and page["duel"]["words"] and page["may"] == []
        shown = stranger.get(slow.path)
        assert "<form" not in shown.text.partition("<main")[2].partition("</main>")[0]
        assert stranger.get(f"{slow.path}/version", "application/json").status == 200
    refused = post_json(member(slow.site, "Dora"), f"{slow.path}/orders", {"turn": 2, "after": 0, "orders": {}})
    assert refused.status == 403


def test_resigning_loses(slow: Duelling) -> None:
    move(slow, "red")
    slow.act("blue", "abandon")
    assert outcome(slow) == {"winner": "red", "by": "forfeit"}


def test_a_page_reads_six_records_at_most(live: Duelling) -> None:
    move(live, "red")
    for path in (live.path, f"{live.path}/version?beat"):
        for reader in (live.who("red"), live.who("blue"), member(live.site, f"Guest{len(path)}")):
            before = live.site.store.reads
            reader.get(path)
            assert live.site.store.reads - before <= 6


def test_live_refresh_tells_of_the_move_and_the_page_knows_its_version(live: Duelling) -> None:
    blue = live.who("blue")
    shown = blue.data(live.path)["version"]
    same = blue.send("GET", f"{live.path}/version?beat", {"if-none-match": f'"{shown}"', "accept": "application/json"})
    assert same.status == 204
    move(live, "red")
    changed = blue.send(
        "GET", f"{live.path}/version?beat", {"if-none-match": f'"{shown}"', "accept": "application/json"}
    )
    assert changed.status == 200
    assert 'data-every="500"' in blue.get(live.path).text


def test_a_friends_challenge_is_unrated_and_may_name_a_board(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    made = post_json(anna, "/duels", {"game": "relief", "pace": "days1", "opponent": "Beth", "board": "cross"})
    assert made.status == 303, made.text
    post_json(beth, f"{made.location}/accept", {})
    row = site.site.store.get(DUEL, made.location.rpartition("/")[2])
    assert row and row.value.rated is False and row.value.unrated_why == "friendly"
    assert beth.data(made.location)["view"]["board"] == "cross"


def test_a_link_is_in_no_list_and_whoever_has_it_may_accept(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    made = post_json(anna, "/duels", {"game": "relief", "pace": "days1", "link": "1", "board": "spurs"})
    assert made.status == 303
    assert beth.data("/duels")["proposals"] == []
    assert "accept" in beth.data(made.location)["may"]
    assert post_json(beth, f"{made.location}/accept", {}).status == 303
    assert beth.data(made.location)["view"]["board"] == "spurs"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "relief", "pace": "days1", "board": "cross"}, "unknown_option"),
        ({"game": "relief", "pace": "days1", "link": "1", "board": "nowhere"}, "unknown_option"),
        ({"game": "relief", "pace": "blitz"}, "unknown_pace"),
        ({"game": "feinthold", "pace": "days1", "link": "1"}, "no_links"),
        ({"game": "trebuchet", "pace": "days1"}, "unknown_game"),
    ],
)
def test_proposals_that_can_not_be(site: TestSite, fields: dict[str, str], code: str) -> None:
    answer = post_json(member(site, "Anna"), "/duels", fields)
    assert answer.status == 422 and answer.json["error"]["code"] == code


def test_turn_mails_tell_the_last_move_and_the_position_in_words(slow: Duelling) -> None:
    move(slow, "red", "c1c2")
    run_due(slow.site)
    letter = slow.site.post.letters[-1]
    assert "Red moves the Explorer from c1 to c2." in letter.text
    assert "Red, 0 points: Sentinels on e1, f1; Vanguards on d1, g1; Explorers on h1, c2." in letter.text
    assert "Blue, 0 points" in letter.html and "/turn/" in letter.text


def test_running_games_are_listed_for_everybody_to_watch(slow: Duelling) -> None:
    assert Browser().data("/play/relief")["under_way"] == []
    move(slow, "red")
    assert [game["id"] for game in Browser().data("/play/relief")["under_way"]] == [slow.id]
    assert f"/games/{slow.id}" in Browser().get("/play/relief").text
    slow.act("blue", "abandon")
    assert Browser().data("/play/relief")["under_way"] == []


def test_the_play_page_costs_few_reads(slow: Duelling) -> None:
    for n in range(8):
        other = duel(slow.site, member(slow.site, f"One{n}"), member(slow.site, f"Two{n}"), game="relief")
        move(other, "red")
        post_json(member(slow.site, f"Three{n}"), "/duels", {"game": "relief", "pace": "days1"})
    before = slow.site.store.reads
    assert slow.who("red").get("/play/relief").status == 200
    assert slow.site.store.reads - before <= 4 + 5 + 10
