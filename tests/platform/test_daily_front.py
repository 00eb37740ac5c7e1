"""The Daily Front: the same game for everybody, once a day; its order and its points (P24, P25, P9)."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Add, Decision, Hold, Job
from engine.errors import Refusal
from engine.platform import daily_front
from engine.platform.daily_front import Front, FrontGame, Monthly, Starter
from engine.platform.duels.records import Duel, DuelId
from engine.platform.local_days import following
from engine.platform.members import MemberId
from engine.platform.ratings.records import Holder
from engine.times import MINUTE, SECOND, Instant, later
from tests.platform.solo import ANNA, Read, abandoned, after, missed, over, sent, to_the_end, written

BETH = MemberId("beth")
SECRET = b"a site's secret"
ZONE = "Europe/Paris"
MONDAY = "2026-11-30"
DAY = daily_front.front(SECRET, MONDAY, ZONE)
NOW = later(DAY.opens, 12 * 60 * MINUTE)
FINAL = replace(DAY, final=later(DAY.closes, daily_front.LAST_GAME))


def start(entry: FrontGame | None = None, received: Instant = NOW, **starter: Any) -> Decision[DuelId]:
    return daily_front.start(DAY, Read(entry) if entry else None, Starter(ANNA, **starter), received, received)


def game(decision: Decision[DuelId]) -> Duel:
    return after(decision)


def settle(duel: Duel, entry: FrontGame | None = None, month: Monthly | None = None, why: Any = "") -> Decision[None]:
    entry = entry or FrontGame(MONDAY, ANNA, duel.id, NOW)
    return daily_front.settle(duel, Read(entry), Read(month) if month else None, Holder(Instant(5)), 1_000, why)


# Worked out apart from the site's own code: HMAC-SHA-256(secret, "front/<date>") is the seed, and the first two rolls
# of its turn 0 (T17) give the layout (d10) and the side (d2).
KNOWN = (("2026-11-30", 10, "a"), ("2026-12-01", 3, "a"), ("2026-12-06", 6, "a"))


def test_the_week_has_its_ai_for_every_day_and_sunday_more_noise() -> None:
    days = [daily_front.front(SECRET, following(MONDAY, n), ZONE) for n in range(7)]
    assert [day.ai for day in days] == ["sentinel", "pivot", "ram", "sentinel", "pivot", "ram", "ram"]
    assert [day.noise for day in days] == [1, 1, 1, 1, 1, 1, 2]


def test_a_dates_game_is_the_same_on_every_machine_and_run() -> None:
    code = (
        "from engine.platform.daily_front import front\n"
        f"print([front({SECRET!r}, d, {ZONE!r}) for d in {[following(MONDAY, n) for n in range(20)]!r}])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert outputs == {f"{[daily_front.front(SECRET, following(MONDAY, n), ZONE) for n in range(20)]}\n"}


@pytest.mark.parametrize(("day", "layout", "seat"), KNOWN)
def test_known_days(day: str, layout: int, seat: str) -> None:
    made = daily_front.front(SECRET, day, ZONE)
    assert (made.layout, made.seat) == (layout, seat)


def test_layout_and_side_follow_from_the_secret_and_the_date() -> None:
    other = daily_front.front(b"another secret", MONDAY, ZONE)
    assert other.seed != DAY.seed
    days = [daily_front.front(SECRET, following(MONDAY, n), ZONE) for n in range(400)]
    assert {day.layout for day in days} == set(range(1, 11)) and {day.seat for day in days} == {"a", "b"}
    assert len({day.seed for day in days}) == 400


@pytest.mark.parametrize("around", ["2026-03-29", "2026-10-25"])
def test_no_day_is_skipped_or_doubled_when_the_clocks_change(around: str) -> None:
    days = [daily_front.front(SECRET, following(around, n), ZONE) for n in (-1, 0, 1)]
    assert [day.closes for day in days[:2]] == [day.opens for day in days[1:]]
    assert len({day.day for day in days}) == len({day.seed for day in days}) == 3


def test_a_day_is_made_once_with_the_job_that_makes_it_final() -> None:
    made = daily_front.make(None, DAY)
    (job,) = written(made, Job)
    assert (job.id, job.due) == (f"front/{MONDAY}", DAY.closes + 15 * MINUTE)
    assert daily_front.make(DAY, DAY).changes == ()


def test_everybody_gets_the_same_game() -> None:
    first = game(start())
    other = daily_front.start(DAY, None, Starter(BETH), NOW, later(NOW, MINUTE))
    second = game(other)
    assert first.state == second.state and first.options == second.options == {"layout": DAY.layout}
    assert {p.seat for p in first.members} == {p.seat for p in second.members} == {DAY.seat}
    rivals = [next(p for p in duel.players if p.policy) for duel in (first, second)]
    assert rivals[0].policy == rivals[1].policy
    assert rivals[0].sheet is not None and rivals[1].sheet is not None
    assert rivals[0].sheet.orders == rivals[1].sheet.orders


def test_games_of_a_day_have_receipts_of_their_own() -> None:
    other = daily_front.start(DAY, None, Starter(BETH), NOW, NOW)
    one, two = (next(p.sheet for p in game(d).players if p.policy) for d in (start(), other))
    assert one is not None and two is not None and one.commitment != two.commitment


def test_it_is_played_on_the_blitz_clock() -> None:
    duel = game(start())
    assert (duel.deadline or 0) - (duel.opened or 0) == 120 * SECOND
    second = sent(duel)
    assert second.turn == 2 and (second.deadline or 0) - (second.opened or 0) == 60 * SECOND


def test_one_game_a_member_a_day() -> None:
    first = start()
    (entry,) = written(first, FrontGame)
    again = start(entry)
    assert again.changes == () and again.answer == first.answer
    done = replace(entry, ended=NOW, result="lost")
    assert start(done).answer == first.answer


def test_a_game_cancelled_by_an_outage_leaves_the_day_free() -> None:
    first = start()
    (entry,) = written(first, FrontGame)
    second = start(replace(entry, ended=NOW, by="outage", why="no_result"))
    assert second.answer != first.answer
    (fresh,) = written(second, FrontGame)
    assert fresh.ended is None


@pytest.mark.parametrize(("before_midnight", "allowed"), [(1, True), (0, False), (-1, False)])
def test_a_game_begun_before_midnight_belongs_to_its_day(before_midnight: int, allowed: bool) -> None:
    received = Instant(DAY.closes - before_midnight)
    if not allowed:
        with pytest.raises(Refusal, match="front_over"):
            start(received=received)
        return
    decision = daily_front.start(DAY, None, Starter(ANNA), received, later(received, 3 * SECOND))
    (entry,) = written(decision, FrontGame)
    assert (entry.day, game(decision).front) == (MONDAY, MONDAY)


def test_the_longest_game_begun_before_midnight_ends_before_the_day_is_final() -> None:
    duel = to_the_end(game(start(received=Instant(DAY.closes - 1))), missed)
    assert duel.ended is not None and DAY.closes < duel.ended < DAY.closes + daily_front.LAST_GAME


def test_retries_are_for_who_has_played_or_for_days_that_are_final() -> None:
    entry = written(start(), FrontGame)[0]
    ended = replace(entry, ended=NOW, result="lost")
    for kept, mine in ((DAY, None), (DAY, entry)):
        with pytest.raises(Refusal, match="front_not_yet"):
            daily_front.retry(kept, mine, DuelId("r"), ANNA, None, NOW)
    with pytest.raises(Refusal, match="front_not_yet"):  # the day's Start is free again: its map is no exercise
        daily_front.retry(DAY, replace(ended, result="none", by="outage"), DuelId("r"), ANNA, None, NOW)
    for kept, mine in ((DAY, ended), (FINAL, None)):
        duel = daily_front.retry(kept, mine, DuelId("r"), ANNA, None, NOW).answer
        assert (duel.kind, duel.front, duel.options) == ("practice", MONDAY, {"layout": DAY.layout})
        assert settle(over(duel, "me"), ended).changes == ()


def test_a_day_is_final_once_its_last_possible_game_is_over() -> None:
    due = later(DAY.closes, daily_front.LAST_GAME)
    for running, now in ((False, later(due, -1)), (True, due)):
        (again,) = written(daily_front.finish(Read(DAY), running, now), Job)
        assert again.due > now
    (final,) = written(daily_front.finish(Read(DAY), running=False, now=due), Front)
    assert final.final == due
    assert daily_front.finish(Read(final), running=False, now=due).changes == ()


@pytest.mark.parametrize(("winner", "points"), [("me", 3), (None, 1), ("it", 0)])
def test_a_win_earns_three_points_a_draw_one(winner: str | None, points: int) -> None:
    duel = replace(over(game(start()), winner, sheets=6), played=6)
    decision = settle(duel)
    (entry,), (month,) = written(decision, FrontGame), written(decision, Monthly)
    assert entry.ranked and (entry.turns, entry.thinking) == (6, 1_000)
    assert (month.month, month.points, month.days, month.joined) == ("2026-11", points, 1, 5)
    assert [c for c in decision.changes if isinstance(c, Add)] == [Add(daily_front.tally(entry), 1)]


def test_settling_again_changes_nothing() -> None:
    duel = over(game(start()), "me", sheets=8)
    (entry,) = written(settle(duel), FrontGame)
    assert settle(duel, entry).changes == ()


@pytest.mark.parametrize(
    ("winner", "sheets", "why"), [("me", 4, "stand_in"), (None, 4, "stand_in"), ("it", 0, ""), ("me", 5, "")]
)
def test_wins_and_draws_played_mostly_by_a_doctrine_are_not_ranked(winner: str | None, sheets: int, why: str) -> None:
    duel = replace(over(game(start()), winner, sheets=sheets), played=8)
    (entry,) = written(settle(duel), FrontGame)
    assert entry.why == why


@pytest.mark.parametrize("why", ["superhuman", "frozen", "regular"])
def test_what_was_found_keeps_a_game_off_the_board(why: Any) -> None:
    decision = settle(over(game(start()), "it", sheets=8), why=why)
    (entry,) = written(decision, FrontGame)
    assert (entry.why, entry.ranked) == (why, False)
    assert written(decision, Monthly) == [] and not any(isinstance(c, Add) for c in decision.changes)


def test_a_linked_accounts_second_game_is_not_ranked() -> None:
    begun = FrontGame(MONDAY, BETH, DuelId("hers"), NOW)
    decision = start(linked={BETH: Read(begun)})
    (entry,) = written(decision, FrontGame)
    duel = replace(over(game(decision), "me", sheets=8), played=8)
    (ended,) = written(settle(duel, entry), FrontGame)
    assert (entry.why, ended.why) == ("linked", "linked")


@pytest.mark.parametrize("cancelled", [True, False])
def test_the_first_start_of_linked_accounts_holds_that_none_has_begun(cancelled: bool) -> None:
    hers = FrontGame(MONDAY, BETH, DuelId("hers"), NOW, ended=NOW, by="outage", why="no_result")
    decision = start(linked={BETH: Read(hers, 7) if cancelled else None})
    (entry,) = written(decision, FrontGame)
    (held,) = [change for change in decision.changes if isinstance(change, Hold)]
    assert entry.why == "" and isinstance(held.value, FrontGame)
    assert (held.value.day, held.value.member, held.was) == (MONDAY, BETH, 7 if cancelled else 0)


def test_frozen_ratings_are_not_ranked_from_the_start() -> None:
    (entry,) = written(start(frozen=True), FrontGame)
    assert entry.why == "frozen"


def test_abandoning_after_orders_is_a_loss_before_them_no_result() -> None:
    (lost,) = written(settle(abandoned(sent(game(start())))), FrontGame)
    assert (lost.result, lost.turns, lost.ranked) == ("lost", 1, True)
    (none,) = written(settle(abandoned(game(start()))), FrontGame)
    assert (none.result, none.why) == ("none", "no_result")


def test_a_stopped_game_is_not_ranked_and_says_so() -> None:
    (entry,) = written(settle(over(game(start()), by="stopped", winner=None, sheets=8)), FrontGame)
    assert (entry.result, entry.why, entry.ranked) == ("none", "stopped", False)


def test_a_removed_game_takes_its_points_along_once() -> None:
    decision = settle(over(game(start()), "me", sheets=8))
    (entry,), (month,) = written(decision, FrontGame), written(decision, Monthly)
    removal = daily_front.remove(Read(entry), Read(month), "removed")
    (gone,), (left,) = written(removal, FrontGame), written(removal, Monthly)
    assert (left.points, left.won, left.days) == (0, 0, 0) and not gone.ranked
    assert daily_front.remove(Read(gone), Read(left), "removed").changes == ()


ENTRIES = st.builds(
    FrontGame,
    day=st.just(MONDAY),
    member=st.just(ANNA),
    game=st.just(DuelId("g")),
    at=st.just(NOW),
    ended=st.just(NOW),
    result=st.sampled_from(("won", "drawn", "lost")),
    turns=st.integers(1, 8),
    positions=st.integers(0, 7),
    income=st.integers(5, 90),
    thinking=st.integers(0, 500_000),
)


@given(ENTRIES, ENTRIES)
def test_the_leaderboards_order(one: FrontGame, two: FrontGame) -> None:
    better = one.place < two.place
    if one.result != two.result:
        assert better == (["won", "drawn", "lost"].index(one.result) < ["won", "drawn", "lost"].index(two.result))
    elif one.result == "won" and one.turns != two.turns:
        assert better == (one.turns < two.turns)
    elif one.result == "lost" and one.turns != two.turns:
        assert better == (one.turns > two.turns)
    elif one.positions != two.positions:
        assert better == (one.positions > two.positions)
    else:
        assert better == (one.income > two.income)
        assert (one.place == two.place) == (one.income == two.income)
