"""What the facts of games show, and what they must not show (P27)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decisions import Json
from engine.platform import marks
from engine.platform.duels.records import Duel, DuelId, Player, Result, Sheet, Turn
from engine.platform.fair_play import findings as rules
from engine.platform.fair_play import histories
from engine.platform.fair_play.findings import busiest, findings, is_full, median, regular, superhuman
from engine.platform.fair_play.records import Finding, Gain, Gains, Paced, Shown, Tempo
from engine.platform.marks import Mark
from engine.platform.members import MemberId
from engine.times import DAY, MINUTE, SECOND, Instant, later
from infra.store import Row

T = TypeVar("T")

ANNA, BETH = MemberId("anna"), MemberId("beth")
NOON = Instant(1_790_000_000_000)
FULL: Json = {"reinforce": [{"at": "hq_a", "units": 1, "decoys": 0}], "move": [], "entrench": [], "scout": []}
GUESS: Json = {"reinforce": [], "move": [], "entrench": [], "scout": [], "predict": "centre"}

OPENED = [Instant(NOON + n * DAY) for n in range(8)]


def over(game: str = "feinthold") -> Duel:
    players = (Player(ANNA, "a", sheets=8), Player(BETH, "b", sheets=8))
    return Duel(
        DuelId("d"),
        game,
        "days1",
        ANNA,
        BETH,
        NOON,
        players,
        stage="ended",
        played=8,
        ended=later(NOON, 8 * DAY),
        result=Result("a", "positions"),
    )


def sheet(at: Instant, orders: Json = FULL, by: str = "member") -> Sheet:
    full = at if is_full(orders) and by == "member" else None
    return Sheet(orders, 1, at, "", (), "stand_in" if by == "stand_in" else "member", full=full)


def played(delays: Sequence[int], orders: Json = FULL, by: str = "member") -> list[Turn]:
    """Turns in which Anna's sheet came so long after the turn's opening; Beth takes an hour."""
    return [
        Turn(
            DuelId("d"),
            n + 1,
            OPENED[n],
            later(OPENED[n], DAY),
            "sent",
            {"a": sheet(later(OPENED[n], delay), orders, by), "b": sheet(later(OPENED[n], 3_600 * SECOND + n * n))},
            (),
            {},
        )
        for n, delay in enumerate(delays)
    ]


def signs(turns: Sequence[Turn], firsts: Sequence[Shown] = (), game: str = "feinthold") -> set[tuple[str, MemberId]]:
    found = findings(over(game), turns, firsts, {})
    return {(f.sign, f.member) for f in found if f.member == ANNA}


class TestSuperhuman:
    def test_a_median_under_three_seconds_over_five_full_sheets_is(self) -> None:
        assert ("superhuman", ANNA) in signs(played([900, 1_500, 2_999, 60_000, 2_000]))

    def test_a_median_of_three_seconds_or_more_is_not(self) -> None:
        assert signs(played([900, 1_500, 3_000, 60_000, 9_000])) == set()

    def test_four_full_sheets_show_nothing(self) -> None:
        assert signs(played([100, 900, 300, 1_200])) == set()

    def test_the_median_counts_not_the_mean(self) -> None:
        assert ("superhuman", ANNA) in signs(played([500, 600, 700, 10**7, 10**7 + 9]))

    def test_the_middle_two_of_an_even_number_are_averaged(self) -> None:
        assert ("superhuman", ANNA) in signs(played([100, 1_700, 2_000, 3_999, 50_000, 61_000]))
        assert signs(played([100, 1_700, 2_000, 4_000, 50_000, 61_000])) == set()

    def test_predictions_alone_are_no_full_sheets(self) -> None:
        assert signs(played([200] * 8, GUESS)) == set()

    def test_empty_sheets_are_no_full_sheets(self) -> None:
        assert signs(played([200] * 8, {"reinforce": [], "move": [], "entrench": [], "scout": []})) == set()

    def test_a_doctrines_turns_are_nobodys(self) -> None:
        assert signs(played([0] * 8, FULL, "stand_in")) == set()

    def test_a_game_without_any_sheet_shows_nothing(self) -> None:
        turns = [replace(turn, sheets={}) for turn in played([1] * 8)]
        assert findings(over(), turns, (), {}) == ()

    def test_the_delay_runs_from_when_the_turn_was_first_shown(self) -> None:
        turns = played([3_600_900] * 6)
        firsts = [Shown(DuelId("d"), n + 1, ANNA, later(OPENED[n], 3_600_000 - n * n)) for n in range(6)]
        assert ("superhuman", ANNA) in signs(turns, firsts)

    def test_what_was_shown_to_the_other_says_nothing(self) -> None:
        turns = played([3_600_900 + 9_999_999 * (n % 3) for n in range(6)])
        firsts = [Shown(DuelId("d"), n + 1, BETH, later(OPENED[n], 3_600_000)) for n in range(6)]
        assert signs(turns, firsts) == set()

    def test_orders_sent_unseen_run_from_the_opening(self) -> None:
        turns = played([800 + n * n for n in range(6)])
        late = [Shown(DuelId("d"), n + 1, ANNA, later(OPENED[n], 50_000)) for n in range(6)]
        assert ("superhuman", ANNA) in signs(turns, late)

    def test_moves_of_a_game_of_words_may_come_at_once(self) -> None:
        turns = [replace(t, sheets={"a": replace(t.sheets["a"], orders={"move": "a2a3"})}) for t in played([300] * 8)]
        assert signs(turns, game="relief") == set()


class TestRegular:
    def test_a_spread_under_five_per_cent_of_the_mean_is(self) -> None:
        assert signs(played([60_000, 60_500, 59_500, 60_100, 59_900])) == {("regular", ANNA)}

    def test_a_wider_spread_is_not(self) -> None:
        assert not regular([60_000, 66_000, 54_000, 61_000, 59_000])

    def test_four_sheets_show_nothing(self) -> None:
        assert not regular([60_000] * 4)

    @given(st.lists(st.integers(0, 10**8), min_size=5, max_size=8))
    @settings(max_examples=80)
    def test_it_is_the_standard_deviation(self, took: list[int]) -> None:
        import statistics

        mean, spread = statistics.fmean(took), statistics.pstdev(took)
        if abs(spread - mean * 0.05) > 1e-6 * max(1.0, mean):
            assert regular(took) == (spread < 0.05 * mean)
        assert median(took) == statistics.median(took)


class TestLoads:
    def test_over_sixty_within_ten_minutes_are_a_mark(self) -> None:
        loads = {ANNA: dict.fromkeys(range(9), 7)}
        assert [(f.sign, f.detail["n"]) for f in findings(over(), [], (), loads)] == [("loads", 63)]

    def test_sixty_are_none(self) -> None:
        assert findings(over(), [], (), {ANNA: dict.fromkeys(range(100), 6)}) == ()

    def test_minutes_far_apart_are_not_added(self) -> None:
        assert busiest({0: 40, 10: 40}) == 40
        assert busiest({0: 40, 9: 40}) == 80
        assert busiest({}) == 0


class TestPooled:
    def test_four_sheets_a_game_are_found_over_several_games(self) -> None:
        tempo, found = Tempo(ANNA), None
        for n in range(2):
            decision = histories.pool(_row(tempo), ANNA, Paced(DuelId(f"g{n}"), OPENED[n], (900, 1_000, 1_100, 1_200)))
            tempo, found = decision.changes[0].value, decision.answer  # type: ignore[union-attr,assignment]
        assert found is not None and found.sign == "pooled" and found.detail["n"] == 8

    def test_the_last_ten_games_count(self) -> None:
        quick = tuple(Paced(DuelId(f"q{n}"), OPENED[0], (500,)) for n in range(5))
        slow = [Paced(DuelId(f"s{n}"), OPENED[1], (90_000,)) for n in range(10)]
        tempo = Tempo(ANNA, quick)
        for game in slow:
            decision = histories.pool(_row(tempo), ANNA, game)
            tempo = decision.changes[0].value  # type: ignore[union-attr,assignment]
        assert len(tempo.games) == 10 and decision.answer is None
        assert all(game.game.startswith("s") for game in tempo.games)

    def test_games_without_full_sheets_push_none_out(self) -> None:
        tempo = Tempo(ANNA, (Paced(DuelId("g"), OPENED[0], (500,)),))
        assert histories.pool(_row(tempo), ANNA, Paced(DuelId("h"), OPENED[1], ())).changes == ()

    def test_a_game_is_entered_once(self) -> None:
        tempo = Tempo(ANNA, (Paced(DuelId("g"), OPENED[0], (500,)),))
        assert histories.pool(_row(tempo), ANNA, tempo.games[0]).changes == ()


class TestGains:
    def gains(self, games: Sequence[tuple[str, int, bool]]) -> set[str]:
        gains = Gains(ANNA, "2026-09", "feinthold")
        found: tuple[Finding, ...] = ()
        for n, (other, tenths, young) in enumerate(games):
            gain = Gain(DuelId(f"g{n}"), MemberId(other), tenths, young)
            decision = histories.gain(_row(gains), gains, gain, NOON)
            gains, found = decision.changes[0].value, decision.answer  # type: ignore[union-attr,assignment]
        return {f.sign for f in found}

    def test_over_half_from_one_opponent_is_a_mark(self) -> None:
        assert self.gains([("beth", 160, False)] * 5 + [("cleo", 100, False)] * 5) == {"one_opponent"}

    def test_half_is_none(self) -> None:
        assert self.gains([("beth", 160, False)] * 5 + [("cleo", 160, False)] * 5) == set()

    def test_over_half_from_new_accounts_is_a_mark(self) -> None:
        games = [(f"new{n}", 160, True) for n in range(6)] + [(f"old{n}", 150, False) for n in range(5)]
        assert self.gains(games) == {"young_opponents"}

    def test_nothing_is_said_before_eight_games(self) -> None:
        assert self.gains([("beth", 160, True)] * 7) == set()

    def test_losses_are_no_gains(self) -> None:
        assert self.gains([("beth", -160, True)] * 9) == set()

    def test_an_account_is_young_for_thirty_days(self) -> None:
        assert histories.is_young(NOON, later(NOON, 30 * DAY - 1))
        assert not histories.is_young(NOON, later(NOON, 30 * DAY))


class TestFronts:
    def test_equal_sheets_have_one_digest(self) -> None:
        one, other = played([5_000] * 4), played([90_000] * 4)
        player = over().players[0]
        assert rules.digest(one, player) == rules.digest(other, player) is not None

    def test_other_sheets_have_another(self) -> None:
        player = over().players[0]
        assert rules.digest(played([1] * 4), player) != rules.digest(played([1] * 5), player)

    def test_fewer_than_three_full_sheets_say_nothing(self) -> None:
        player = over().players[0]
        assert rules.digest(played([1] * 2), player) is None
        assert rules.digest(played([1] * 8, GUESS), player) is None


class TestMarks:
    FOUND = Finding("superhuman", ANNA, DuelId("g"), NOON, detail={"n": 5, "median": 900})

    def test_a_finding_is_entered_once(self) -> None:
        mark = marks.enter(None, self.FOUND).changes[0].value  # type: ignore[union-attr]
        assert isinstance(mark, Mark) and mark.open
        assert marks.enter(_row(mark), self.FOUND).changes == ()

    def test_a_dismissed_mark_comes_back_only_with_new_evidence(self) -> None:
        mark = Mark(ANNA, "superhuman", "", NOON, (), ("g",))
        dismissed = marks.dismiss(_row(mark))[0].value
        assert isinstance(dismissed, Mark) and not dismissed.open
        assert marks.enter(_row(dismissed), self.FOUND).changes == ()
        again = marks.enter(_row(dismissed), replace(self.FOUND, game=DuelId("h"))).changes[0].value  # type: ignore[union-attr]
        assert isinstance(again, Mark) and again.open and again.known == ("g", "h")


@pytest.mark.parametrize("took", [[], [1], [1, 2, 3, 4]])
def test_few_sheets_are_never_superhuman(took: list[int]) -> None:
    assert not superhuman(took)


def test_loads_are_counted_by_member_and_minute() -> None:
    counted = [(BETH, 3, 2), (ANNA, 1, 4), (ANNA, 2, 1)]
    assert rules.by_minute(counted) == {ANNA: {1: 4, 2: 1}, BETH: {3: 2}}
    assert MINUTE == 60_000


def _row(value: T) -> Row[T]:
    return Row(value, 1)
