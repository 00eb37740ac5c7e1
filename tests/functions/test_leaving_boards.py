"""Leaderboards and months' lists without those who left: full pages, right places, whatever comes later (P5, P26)."""

from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.platform.challenge_months import ChallengeMonth
from engine.platform.challenges import Challenger
from engine.platform.daily_front import Monthly
from engine.platform.elo import Rating
from engine.platform.members import Member, MemberId
from engine.platform.ratings.bands import counters, shifted
from engine.platform.ratings.records import COMMON, EVER, Board, Standing
from engine.times import DAY, MINUTE, Instant, later
from functions import duel_ratings, seasons
from functions.standings import leave_out, place, placed
from infra.faults import Fault, Faulty, Trouble
from infra.records import CHALLENGE_MONTH, CHALLENGER, HONOUR, MONTHLY, STANDING
from infra.store import StoreError
from tests.support.browser import Browser
from tests.support.clubs import credits, staked
from tests.support.clubs import member as old_member
from tests.support.duelling import Duelling, member, post_json, run_due
from tests.support.leaving import ask_to_leave, leave, settled
from tests.support.people import sign_in, sign_up
from tests.support.seasons import END, MONTH, closed, front, night, october
from tests.support.site import TestSite, site_in
from tests.support.solo import begin

GAME, RELIEF = Board("feinthold"), Board("relief")
CLOSING = later(END, 20 * MINUTE)


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def rows(site: TestSite, board: Board, month: str = EVER) -> list[Standing]:
    return [row.value for row in site.calm.store.query(STANDING, "board", month, board, limit=999).rows]


def right(site: TestSite, board: Board, month: str = EVER) -> list[str]:
    """Who stands on a board, with counted places that agree with the list."""
    found = rows(site, board, month)
    first = [standing for standing in found if standing.placed]
    assert placed(site.site, board, month) == len(first)
    assert [place(site.site, standing) for standing in first] == list(range(1, len(first) + 1))
    return [standing.member for standing in found]


def plant(site: TestSite, number: int, *months: str) -> None:
    """So many members with a rating on a board, the best first, and with as much in each month."""
    for n in range(number):
        id = MemberId(f"m{n:03}")
        there = Member(id, f"Member {n}", f"{id}@example.org", "en", "UTC", site.sources.now())
        site.calm.store.commit(Decision((Put(there, 0),), None))
        for month in (EVER, *months):
            standing = Standing(id, GAME, month, Instant(n), Rating(11_000 - 7 * (n // 2)), won=8)
            site.calm.store.commit(Decision((Put(standing, 0), *counters(shifted(None, standing))), None))


def over(site: TestSite, one: Browser, other: Browser) -> Duelling:
    """A duel, not yet settled, that `other` gave up after orders of both."""
    game = staked(site, one, other, 0)
    for seat in game.seats:
        assert game.send(seat, {}).status == 200
    assert post_json(other, f"{game.path}/abandon", {}).status == 303
    return game


def test_pages_stay_full_and_places_run_on(site: TestSite) -> None:
    plant(site, 130, "2026-09")
    gone = [f"m{n:03}" for n in range(0, 130, 3)]
    for id in gone:
        leave_out(site.site, MemberId(id))
    reader = member(site, "Zoe")
    for query in ("", "month=2026-09"):
        first = reader.data(f"/leaderboards/feinthold?{query}")
        second = reader.data(f"/leaderboards/feinthold?{query}&after={first['after']}")
        assert [len(first["rows"]), len(second["rows"])] == [50, 36]
        lines = first["rows"] + second["rows"]
        assert [line["place"] for line in lines] == list(range(1, 87))
        assert not {line["member"]["id"] for line in lines} & set(gone)
        assert first["placed"] == 86
    right(site, GAME)
    right(site, GAME, "2026-09")


def test_a_long_history_is_left_out_whole_and_once(site: TestSite) -> None:
    months = [f"{year}-{month:02}" for year in range(2022, 2026) for month in range(1, 13)]
    plant(site, 3, *months)
    for _ in range(2):
        leave_out(site.site, MemberId("m001"))
        for month in (EVER, *months):
            assert right(site, GAME, month) == ["m000", "m002"]


def test_whatever_goes_wrong_on_the_way_it_is_once(site: TestSite) -> None:
    plant(site, 3, *[f"2025-{month:02}" for month in range(1, 13)], *[f"2024-{month:02}" for month in range(1, 13)])
    calm = site.site.store
    for fault in (Fault.LOST_ANSWER, Fault.BUSY, Fault.LOST_ANSWER):
        left = [2]

        def plan(moment: str, left: list[int] = left, fault: Fault = fault) -> Trouble | None:
            left[0] -= moment == "commit"
            return Trouble(fault if left[0] == 0 else Fault.BUSY) if left[0] <= 0 else None

        object.__setattr__(site.site, "store", Faulty(calm, plan))
        try:
            leave_out(site.site, MemberId("m001"))
        except StoreError:
            pass
        finally:
            object.__setattr__(site.site, "store", calm)
    leave_out(site.site, MemberId("m001"))
    for month in (EVER, "2025-01", "2024-12"):
        assert right(site, GAME, month) == ["m000", "m002"]


def test_who_deletes_the_account_leaves_every_list_at_once(site: TestSite) -> None:
    anna, beth = old_member(site, "Anna"), old_member(site, "Beth")
    over(site, anna, beth)
    game = begin(site, anna, "/front", {})
    game.finish()
    challenge = begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": "1"})
    challenge.send()
    post_json(anna, f"{challenge.path}/abandon", {})
    run_due(site)
    month = game.page["duel"]["front"][:7]
    for name, path in LISTS.items():
        assert "Anna" in beth.get(path.format(month=month)).seen, name
    leave(site, "anna")
    for name, path in LISTS.items():
        page = beth.get(path.format(month=month)).seen
        assert "Anna" not in page and "former member" not in page, name
    assert right(site, GAME) == right(site, GAME, month) == right(site, COMMON) == ["beth"]
    assert "former member" in beth.get("/front").seen  # a day's results stay, without the name


LISTS = {
    "ratings": "/leaderboards/feinthold",
    "common": "/leaderboards/common",
    "month": "/leaderboards/feinthold?month={month}",
    "challenges": "/challenges/ranking",
    "fronts": "/front/month/{month}",
}


def test_what_is_settled_after_the_deletion_is_left_out_too(site: TestSite) -> None:
    """The first rated game of all, challenge and Front are still to be settled when the account goes."""
    anna, beth = old_member(site, "Anna"), old_member(site, "Beth")
    running = staked(site, anna, beth, 0)
    for seat in running.seats:
        assert running.send(seat, {}).status == 200
    challenge = begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": "1"})
    challenge.send()
    today = begin(site, anna, "/front", {})
    today.send()
    ask_to_leave(site, "anna")
    settled(site)
    site.sources.move(20 * MINUTE)
    run_due(site)
    month = today.browser.data("/front")["day"][:7]
    assert right(site, GAME) == right(site, GAME, month) == right(site, COMMON) == ["beth"]
    kept: list[Any] = [
        site.calm.store.get(STANDING, "anna", EVER, GAME),
        site.calm.store.get(CHALLENGER, "anna"),
        site.calm.store.get(CHALLENGE_MONTH, month, "anna"),
    ]
    assert all(row is not None and row.value.gone for row in kept)
    front_month = site.calm.store.get(MONTHLY, month, "anna")
    assert front_month is None or front_month.value.gone
    assert beth.data("/challenges/ranking")["rows"] == []


def test_a_voiding_after_the_deletion_brings_nobody_back(site: TestSite) -> None:
    anna, beth = old_member(site, "Anna"), old_member(site, "Beth")
    game = over(site, anna, beth)
    run_due(site)
    leave(site, "anna")
    site.calm.store.commit(Decision(duel_ratings.take_back(site.site, game.id), None))
    assert right(site, GAME) == right(site, COMMON) == []
    site.calm.store.commit(Decision(duel_ratings.give_again(site.site, game.id), None))
    assert right(site, GAME) == right(site, COMMON) == ["beth"]


def test_a_guest_whom_a_member_took_over_is_on_no_board(site: TestSite) -> None:
    anna, other = Browser(), member(site, "Beth")
    sign_up(anna, site, "anna@example.org", "Anna")
    guest = Browser(client="192.0.2.7")
    guest.data("/play/relief")
    made = post_json(guest, "/duels", {"game": "relief", "pace": "days1", "request": "1"})
    guest.data("/duels")
    assert post_json(other, f"{made.location}/accept", {}).status == 303
    for browser in (guest, other, guest, other):
        page = browser.data(made.location)
        if "orders" in page["may"] and page["view"]["moves"]:
            orders = {"move": page["view"]["moves"][0]["move"]}
            post_json(browser, f"{made.location}/orders", {"turn": page["duel"]["turn"], "after": 0, "orders": orders})
    assert post_json(other, f"{made.location}/abandon", {}).status == 303
    run_due(site)
    assert len(right(site, RELIEF)) == 2
    sign_in(guest, site, "anna@example.org")
    run_due(site)
    assert right(site, RELIEF) == ["beth"]
    assert anna.data("/leaderboards/relief")["placed"] == 1


class TestSeasons:
    @pytest.fixture
    def site(self, tmp_path: Path) -> TestSite:
        """Four members with places in October."""
        site = october(tmp_path)
        front(site, later(END, 9 * MINUTE))
        return site

    @pytest.mark.parametrize("days_late", [-3, 4])
    @pytest.mark.parametrize("all_of_it", [True, False])
    def test_who_left_before_the_closure_has_no_place_and_all_others_keep_theirs(
        self, site: TestSite, days_late: int, all_of_it: bool
    ) -> None:
        """In the open month, or after it before a late closure; even before the lists have heard of it."""
        site.sources.time = later(END, (days_late - 1) * DAY)
        for name in ("anna", "dora"):
            ask_to_leave(site, name)
        if all_of_it:
            settled(site)
        night(site, max(CLOSING, later(END, days_late * DAY)))
        season = closed(site)
        assert [(p.member, p.credits) for p in season.places] == [("beth", 150), ("chris", 100)]
        assert {t.of: t.member for t in season.titles} == {"commander": "chris", "doctrine": "beth", "front": "chris"}

    def test_whose_doctrine_was_the_best_and_left_gives_the_title_to_the_next(self, site: TestSite) -> None:
        site.calm.store.commit(
            Decision(
                (Put(ChallengeMonth(MONTH, MemberId("anna:1"), END, MemberId("anna"), Rating(12_000), 10), 0),), None
            )
        )
        leave(site, "beth")
        settled(site)
        night(site, CLOSING)
        assert "doctrine" not in {t.of for t in closed(site).titles}
        tables = site.calm.store.query(CHALLENGE_MONTH, "table", MONTH, "doctrine", limit=9).rows
        assert [row.value.subject for row in tables] == ["anna:1"]

    def test_who_leaves_between_the_closure_and_the_payment_is_paid_nothing(self, site: TestSite) -> None:
        site.sources.time = CLOSING
        assert seasons.close(site.site, MONTH)
        ask_to_leave(site, "anna")
        settled(site)
        for _ in range(2):
            seasons.pay(site.site, MONTH)
        assert [credits(site, name) for name in ("anna", "beth", "chris")] == [0, 100, 60]
        assert site.calm.store.query(HONOUR, "", "anna", limit=9).rows == ()

    def test_a_closed_season_keeps_its_list_whoever_leaves(self, site: TestSite) -> None:
        night(site, CLOSING)
        before = closed(site)
        leave(site, "anna")
        settled(site)
        assert closed(site) == before
        assert member(site, "Eve").data(f"/seasons/{MONTH}")["places"][0]["member"]["name"] == ""


def test_records_of_the_lists_hold_who_is_gone() -> None:
    """What an index asks: somebody gone is on no list, whatever they reached."""
    now = Instant(0)
    for gone in (True, False):
        made = (
            Standing(MemberId("a"), GAME, EVER, now, won=9, gone=gone),
            Challenger(MemberId("a"), won=9, gone=gone),
            ChallengeMonth(MONTH, MemberId("a"), now, games=9, gone=gone),
            Monthly(MONTH, MemberId("a"), now, days=9, gone=gone),
        )
        assert [one.listed for one in made] == [not gone] * 4
