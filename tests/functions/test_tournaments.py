"""Tournaments over HTTP: entering, the bracket, the pot (P18-P21)."""

import pytest

from engine.decisions import Add, Decision
from engine.platform.ledger.records import Balance, escrow, purse
from engine.platform.members import MemberId
from engine.times import DAY, HOUR
from functions import reconcile
from infra.records import DUEL, TOURNAMENT
from tests.support.browser import Browser
from tests.support.clubs import act, moderator
from tests.support.duelling import member, post_json, run_due
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
