"""Tournaments over HTTP: entering, the bracket, the pot (P18-P21)."""

import html
import re
from dataclasses import replace

import pytest

from engine.decisions import Add, Decision, Put
from engine.platform.ledger.records import Balance, escrow, purse
from engine.platform.members import Lang, MemberId
from engine.platform.tournaments.records import OpenCups, Tournament, TournamentId
from engine.times import DAY, HOUR, Instant
from functions import reconcile
from infra.records import DUEL, TOURNAMENT
from tests.support.browser import Answer, Browser
from tests.support.clubs import act, moderator
from tests.support.duelling import member, post_json, run_due
from tests.support.interleaving import just_before_the_commit
from tests.support.moderating import cup, matches
from tests.support.site import TestSite

NAMES = ("Anna", "Beth", "Chris", "Dora")


@pytest.fixture
def people(site: TestSite) -> list[Browser]:
    there = [member(site, name) for name in NAMES]
    purses = tuple(Add(Balance(purse(MemberId(name.lower()))), 50) for name in NAMES)
    site.site.store.commit(Decision(purses, None))
    return there


def credits(site: TestSite, name: str) -> int:
    return site.site.store.count(Balance(purse(MemberId(name.lower()))))


def create(browser: Browser, fee: int = 20, size: int = 4) -> str:
    answer = post_json(browser, "/tournaments", {"size": size, "fee": fee, "request": "r"})
    assert answer.status == 303, answer.text
    return answer.location


def test_it_starts_when_full_with_a_match_for_everybody(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    page = people[0].data(path)
    assert page["tournament"]["stage"] == "playing"
    first, second, final = matches(people[0], path)
    assert [side["name"] for m in (first, second) for side in m["sides"]] == ["Anna", "Dora", "Beth", "Chris"]
    assert first["duel"] and second["duel"] and final["sides"] == [None, None]
    game = people[0].data(f"/games/{first['duel']}")
    assert (game["duel"]["pace"], game["duel"]["turn"], "orders" in game["may"]) == ("half_day", 1, True)
    started = [letter for letter in site.post.letters if letter.reference.endswith("/cup_started")]
    assert len(started) == 4
    assert credits(site, "Anna") == 30


def test_the_champion_takes_the_pot_once(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    first, second, _ = matches(people[0], path)
    assert post_json(people[3], f"/games/{first['duel']}/abandon", {}).status == 303
    run_due(site)
    assert post_json(people[2], f"/games/{second['duel']}/abandon", {}).status == 303
    run_due(site)
    final = matches(people[0], path)[2]
    assert [side["name"] for side in final["sides"]] == ["Anna", "Beth"]
    assert post_json(people[0], f"/games/{final['duel']}/abandon", {}).status == 303
    run_due(site)
    page = people[0].data(path)
    assert (page["tournament"]["stage"], page["champion"]["name"]) == ("ended", "Beth")
    assert [credits(site, name) for name in NAMES] == [30, 110, 30, 30]
    assert site.site.store.count(Balance(escrow("tournament", path.rpartition("/")[2]))) == 0
    assert site.post.last("beth@example.org").subject == "You have won the tournament of 4"
    assert site.post.last("anna@example.org").subject == "Beth has won your tournament"


def test_a_double_no_show_on_both_sides_leaves_no_champion_and_fees_come_back(
    site: TestSite, people: list[Browser]
) -> None:
    path = cup(site, people)
    for _ in range(9):
        site.sources.move(DAY // 2 + 2_000)
        run_due(site)
    page = people[0].data(path)
    assert (page["tournament"]["stage"], page["champion"]) == ("ended", None)
    assert [m["by"] for m in matches(people[0], path)] == ["nobody", "nobody", "nobody"]
    assert [credits(site, name) for name in NAMES] == [50] * 4


def test_the_pot_waits_as_long_as_payouts_are_stopped(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    first, second, _ = matches(people[0], path)
    for browser, match in ((people[3], first), (people[2], second)):
        assert post_json(browser, f"/games/{match['duel']}/abandon", {}).status == 303
    run_due(site)
    reconcile.stop(site.site, "test")
    final = matches(people[0], path)[2]
    assert post_json(people[0], f"/games/{final['duel']}/abandon", {}).status == 303
    for _ in range(30):
        run_due(site)
        site.sources.move(HOUR)
    assert [credits(site, name) for name in NAMES] == [30] * 4
    reconcile.let_go_on(site.site)
    run_due(site)
    assert people[0].data(path)["champion"]["name"] == "Beth"
    assert [credits(site, name) for name in NAMES] == [30, 110, 30, 30]


def test_nobody_has_the_fee_back_as_long_as_payouts_are_stopped(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0])
    post_json(people[1], f"{path}/join", {})
    reconcile.stop(site.site, "test")
    refused = post_json(people[1], f"{path}/leave", {})
    assert (refused.status, refused.json["error"]["code"]) == (422, "payouts_stopped")
    assert "stopped" in refused.json["error"]["message"]
    assert people[1].data(path)["may"] == ["leave"] and credits(site, "Beth") == 30
    reconcile.let_go_on(site.site)
    assert post_json(people[1], f"{path}/leave", {}).status == 303
    assert credits(site, "Beth") == 50


def test_where_there_is_no_fee_one_may_leave_while_payouts_are_stopped(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0], fee=0)
    reconcile.stop(site.site, "test")
    assert post_json(people[0], f"{path}/leave", {}).status == 303
    assert people[0].data(path)["tournament"]["stage"] == "cancelled"


def test_who_is_frozen_has_the_fee_back_once_payouts_go_on(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0])
    reconcile.stop(site.site, "test")
    assert act(moderator(site, "Mona"), "freeze", "anna").status == 303
    for _ in range(30):
        run_due(site)
        site.sources.move(HOUR)
    assert credits(site, "Anna") == 30
    reconcile.let_go_on(site.site)
    run_due(site)
    assert people[0].data(path)["tournament"]["stage"] == "cancelled"
    assert credits(site, "Anna") == 50


def test_not_full_after_a_week_it_is_cancelled(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0])
    post_json(people[1], f"{path}/join", {})
    site.sources.move(7 * DAY)
    run_due(site)
    assert people[0].data(path)["tournament"]["stage"] == "cancelled"
    assert [credits(site, name) for name in NAMES] == [50] * 4
    assert "cancelled" in site.post.last("beth@example.org").subject


def test_join_and_leave_as_often_as_one_likes_until_it_is_full(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0])
    for _ in range(2):
        assert post_json(people[1], f"{path}/join", {}).status == 303
        assert post_json(people[1], f"{path}/join", {}).status == 303
        assert credits(site, "Beth") == 30
        assert post_json(people[1], f"{path}/leave", {}).status == 303
        assert credits(site, "Beth") == 50
    full_one = [post_json(browser, f"{path}/join", {}).status for browser in people[1:]]
    assert full_one == [303, 303, 303]
    refused = post_json(people[1], f"{path}/leave", {})
    assert (refused.status, refused.json["error"]["code"]) == (422, "tournament_closed")


def test_places_taken_are_counted_as_the_language_does(site: TestSite, people: list[Browser]) -> None:
    path = create(people[0])
    assert "1 place prise sur 4" in people[1].get(f"{path}?lang=fr").text
    post_json(people[1], f"{path}/join", {})
    assert "2 places prises sur 4" in people[1].get(f"{path}?lang=fr").text
    assert "2 of 4 places taken" in people[1].get(f"{path}?lang=en").text


def test_a_match_is_told_from_a_duel_and_leads_to_its_bracket(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    assert "Feinthold · Tournament · 12 hours a turn" in people[0].get("/").seen
    game = matches(people[0], path)[0]["duel"]
    assert f'<a href="{path}">Tournament</a>' in people[0].get(f"/games/{game}").text


def test_a_match_whose_players_are_known_is_about_to_begin(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    row = site.site.store.get(TOURNAMENT, TournamentId(path.rpartition("/")[2]))
    assert row is not None
    begun = tuple(replace(match, duel=None) for match in row.value.matches)
    site.site.store.commit(Decision((Put(replace(row.value, matches=begun), row.version),), None))
    page = people[0].get(path).seen
    assert page.count("it begins in a moment") == 2 and page.count("waiting for its players") == 1


def test_what_one_cannot_pay_is_refused_with_the_balance_and_the_form_kept(
    site: TestSite, people: list[Browser]
) -> None:
    people[0].get("/tournaments")
    answer = people[0].post("/tournaments", {"size": "8", "fee": "60", "request": "x"})
    assert answer.status == 422
    assert "50" in answer.seen
    assert 'value="60"' in answer.text
    for fee, size in (("101", "4"), ("-1", "4"), ("ten", "4"), ("5", "6"), ("5", "")):
        again = people[0].post("/tournaments", {"size": size, "fee": fee, "request": "y"})
        assert again.status == 422, (fee, size)


def opened(browser: Browser, request: int, **more: object) -> Answer:
    return post_json(browser, "/tournaments", {"size": 4, "fee": 0, "request": f"r{request}", **more})


@pytest.mark.parametrize(("lang", "words"), [("en", "5 open tournaments"), ("fr", "5 tournois ouverts")])
def test_a_member_has_at_most_five_open_ones_created_at_a_time(site: TestSite, lang: Lang, words: str) -> None:
    emil = member(site, "Emil", lang)
    made = [opened(emil, n).location for n in range(5)]
    assert opened(emil, 3).location == made[3]
    refused = opened(emil, 5)
    assert (refused.status, refused.json["error"]["code"]) == (422, "too_many_tournaments")
    assert words in refused.json["error"]["message"]
    emil.get("/tournaments")
    again = emil.post("/tournaments", {"size": "8", "fee": "7", "request": "r6"})
    assert again.status == 422 and words in again.seen
    assert 'value="7"' in again.text and 'value="8" checked' in again.text


def test_one_that_starts_is_cancelled_or_lapses_makes_place_for_another(site: TestSite, people: list[Browser]) -> None:
    anna, *others = people
    made = [opened(anna, n).location for n in range(5)]
    for n, browser in enumerate(others):
        assert post_json(browser, f"{made[0]}/join", {}).status == 303
        assert opened(anna, 10 + n).status == 422
    run_due(site)
    assert anna.data(made[0])["tournament"]["stage"] == "playing"
    assert opened(anna, 20).status == 303 and opened(anna, 21).status == 422
    assert post_json(anna, f"{made[1]}/leave", {}).status == 303
    assert opened(anna, 30).status == 303 and opened(anna, 31).status == 422
    post_json(others[0], f"{made[2]}/join", {})
    post_json(anna, f"{made[2]}/leave", {})
    assert opened(anna, 32).status == 422  # it is open still, with others in it
    site.sources.move(7 * DAY)
    run_due(site)
    assert [opened(anna, 40 + n).status for n in range(6)] == [303] * 5 + [422]


def test_one_opened_before_they_were_counted_gives_no_more_room(site: TestSite, people: list[Browser]) -> None:
    path = opened(people[0], 0).location
    row = site.site.store.get(TOURNAMENT, path.rpartition("/")[2])
    assert row is not None
    before = (Put(replace(row.value, counted=False), row.version), Add(OpenCups(MemberId("anna")), 1))
    site.site.store.commit(Decision(before, None))
    assert post_json(people[0], f"{path}/leave", {}).status == 303
    assert [opened(people[0], n).status for n in range(1, 7)] == [303] * 5 + [422]


def test_of_two_created_in_the_same_moment_the_sixth_is_refused(site: TestSite, people: list[Browser]) -> None:
    for n in range(4):
        opened(people[0], n)
    with just_before_the_commit(site, Tournament, lambda: opened(people[0], 4)):
        assert opened(people[0], 5).json["error"]["code"] == "too_many_tournaments"


def test_every_open_running_and_past_one_is_on_some_page(site: TestSite) -> None:
    now, anna = site.sources.now(), MemberId("anna")
    browser = member(site, "Anna")
    ids: dict[str, list[str]] = {}
    for stage in ("open", "playing", "ended"):
        cups = [
            Tournament(TournamentId(f"{stage}{n:02}"), anna, 4, 0, Instant(now - n * HOUR), (anna,), stage=stage,
                       started=now, ended=now)
            for n in range(30)
        ]  # fmt: skip
        site.site.store.commit(Decision(tuple(Put(cup, 0) for cup in cups), None))
        ids[stage] = [cup.id for cup in cups]
    for stage, group in (("open", "open"), ("playing", "running"), ("ended", "past")):
        path, found = "/tournaments", []
        for number in range(3):
            page = browser.get(path)
            listed = re.findall(rf'href="/tournaments/({stage}\d+)"', page.text)
            assert (f'href="/tournaments#{group}"' in page.text) == (number > 0)
            found += listed
            following = re.search(rf'href="(/tournaments\?{group}=[^"#]+)#{group}"', page.text)
            path = html.unescape(following[1]) if following else ""
        assert path == "" and found == ids[stage]


def test_the_bracket_survives_every_job_run_twice_or_late(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    id = path.rpartition("/")[2]
    before = site.site.store.get(TOURNAMENT, id)
    from functions.settlements import settle
    from functions.tournaments import advance, bring_forward

    for _ in range(3):
        bring_forward(site.site, id)
    after = site.site.store.get(TOURNAMENT, id)
    assert before is not None and after is not None and after.value == before.value
    first = matches(people[0], path)[0]
    post_json(people[3], f"/games/{first['duel']}/abandon", {})
    run_due(site)
    row = site.site.store.get(DUEL, first["duel"])
    decided = site.site.store.get(TOURNAMENT, id)
    assert row is not None and decided is not None
    for again in (settle, advance, settle):
        again(site.site, row.value)
    unchanged = site.site.store.get(TOURNAMENT, id)
    assert unchanged is not None and unchanged.value == decided.value


def test_pages_read_a_bounded_number_of_records(site: TestSite, people: list[Browser]) -> None:
    path = cup(site, people)
    for page, most in ((path, 8), ("/tournaments", 20)):
        site.store.reads = 0
        people[0].data(page)
        assert site.store.reads <= most, page
