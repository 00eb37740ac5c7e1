"""Ratings: what a duel moves, standings by month, taking back, places (P13, P15, P16, P26)."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decisions import Change, Decision, Put
from engine.platform import rated
from engine.platform.duels.records import Duel, DuelId, Player, Result
from engine.platform.elo import START, Rating
from engine.platform.members import MemberId
from engine.platform.ratings.bands import WIDTHS, above, counters, shifted
from engine.platform.ratings.moving import Calendar
from engine.platform.ratings.records import COMMON, EVER, Board, Holder, Rated, RatingChange, Standing
from engine.platform.rivalries import begin, between
from engine.times import Instant, later
from functions.standings import place, placed
from infra.records import RATED, RATING_CHANGE, STANDING
from tests.support.site import TestSite, site_in

NOW = Instant(1_790_000_000_000)
ANNA, BETH = MemberId("anna"), MemberId("beth")
GAME = Board("feinthold")
HOLDERS = {ANNA: Holder(Instant(1)), BETH: Holder(Instant(2))}
SEPTEMBER = Calendar("2026-09")


def duel(id: str, result: Result, **more: Any) -> Duel:
    fields: dict[str, Any] = {"stage": "ended", "ended": NOW, "result": result, "rated": True, **more}
    players = (Player(ANNA, "a"), Player(BETH, "b"))
    return Duel(DuelId(id), "feinthold", "days1", ANNA, BETH, NOW, players, **fields)


class Club:
    """The standings of two members, as a store keeps them."""

    def __init__(self, folder: Path) -> None:
        self.site: TestSite = site_in(folder)

    def commit(self, changes: tuple[Change, ...]) -> None:
        self.site.calm.store.commit(Decision(changes, None))

    def standings(self, calendar: Calendar) -> Any:
        keys = [(m, b, month) for m in (ANNA, BETH) for b in (GAME, COMMON) for month in calendar.all]
        return {(m, b, month): self.site.calm.store.get(STANDING, m, month, b) for m, b, month in keys}

    def settle(self, over: Duel, calendar: Calendar = SEPTEMBER) -> None:
        why = rated.verdict(over)
        boards = rated.boards(over, why)
        self.commit(rated.settle(over, None, why, HOLDERS, calendar, self.standings(calendar)))
        assert boards or why

    def undo(self, id: str, calendar: Calendar, again: bool = False) -> None:
        row = self.site.calm.store.get(RATED, id)
        assert row
        self.apply(rated.give_again if again else rated.take_back, row, calendar)

    def apply(self, act: Any, row: Any, calendar: Calendar = SEPTEMBER) -> None:
        self.commit(act(row, HOLDERS, calendar, self.standings(calendar), later(NOW, 5)))

    def standing(self, member: MemberId, month: str = EVER, board: Board = GAME) -> Standing:
        row = self.site.calm.store.get(STANDING, member, month, board)
        return row.value if row else Standing(member, board, month, HOLDERS[member].joined)

    def records(self, member: MemberId, board: Board = GAME) -> list[RatingChange]:
        rows = self.site.calm.store.query(RATING_CHANGE, "", member, limit=200).rows
        return [row.value for row in rows if row.value.board == board]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


class TestWhatCounts:
    @pytest.mark.parametrize(
        ("over", "findings", "why"),
        [
            (duel("d", Result("a", "hq")), (), ""),
            (duel("d", Result(None, "draw")), (), ""),
            (duel("d", Result("a", "forfeit")), (), ""),
            (duel("d", Result(None, "silence")), (), "cancelled"),
            (duel("d", Result(None, "outage")), (), "cancelled"),
            (duel("d", Result("a", "hq"), rated=False, unrated_why="often"), (), "often"),
            (duel("d", Result("a", "hq"), rated=False, unrated_why="linked"), ("frozen",), "linked"),
            (duel("d", Result("a", "hq")), ("frozen", "fair_play"), "frozen"),
            (duel("d", Result("a", "hq")), ("fair_play",), "fair_play"),
        ],
    )
    def test_and_why_not(self, over: Duel, findings: Any, why: str) -> None:
        assert rated.verdict(over, findings) == why

    def test_is_told_before_the_start(self) -> None:
        met = between(ANNA, BETH)
        for n in range(3):
            assert rated.forecast(met, "", NOW) == ""
            met = begin(met, DuelId(f"d{n}"), NOW)
        assert rated.forecast(met, "", NOW) == "often"
        assert rated.forecast(None, "linked", NOW) == "linked"

    def test_a_match_forfeited_by_frozen_ratings_moves_the_common_elo_alone(self) -> None:
        match = duel("d", Result("a", "forfeit"), kind="match")
        assert rated.boards(match, "frozen") == (COMMON,)
        assert rated.boards(replace(match, kind="duel"), "frozen") == ()
        assert rated.boards(replace(match, result=Result("a", "hq")), "frozen") == ()

    def test_one_that_does_not_count_leaves_its_reason_and_moves_nothing(self, club: Club) -> None:
        club.settle(duel("d", Result(None, "silence")))
        row = club.site.calm.store.get(RATED, "d")
        assert row is not None and row.value == Rated(DuelId("d"), NOW, "cancelled")
        assert club.records(ANNA) == []


class TestMoving:
    def test_a_first_win_is_worth_sixteen_points_on_both_boards(self, club: Club) -> None:
        club.settle(duel("d", Result("a", "hq")))
        for board in (GAME, COMMON):
            assert club.standing(ANNA, board=board).tenths == 10_160
            assert club.standing(BETH, board=board).tenths == 9_840
        assert [(c.before, c.after) for c in club.records(ANNA)] == [(10_000, 10_160)]

    @pytest.mark.parametrize("acts", ["forget", "forget forget void again", "void forget again", "void again forget"])
    def test_what_a_freeze_made_lost_is_forgotten_once_and_for_good(self, club: Club, acts: str) -> None:
        match = duel("d", Result("a", "forfeit"), kind="match")
        self.commit_frozen(club, match)
        assert club.standing(ANNA, board=COMMON).tenths == 10_160
        named = {"forget": rated.forget, "void": rated.take_back, "again": rated.give_again}
        for act in acts.split():
            club.apply(named[act], club.site.calm.store.get(RATED, "d"))
        for member in (ANNA, BETH):
            assert club.standing(member, board=COMMON).tenths == 10_000
            assert sum(c.after - c.before for c in club.records(member, COMMON)) == 0
            assert club.standing(member, board=COMMON).games == 0

    def commit_frozen(self, club: Club, match: Duel) -> None:
        club.commit(rated.settle(match, None, "frozen", HOLDERS, SEPTEMBER, club.standings(SEPTEMBER)))

    def test_undoing_takes_back_exactly_what_it_gave_whatever_came_since(self, club: Club) -> None:
        for n, result in enumerate((Result("a", "hq"), Result("a", "hq"), Result(None, "draw"), Result("b", "hq"))):
            club.settle(duel(f"d{n}", result))
        moved = club.records(ANNA)[0]
        before = club.standing(ANNA)
        club.undo("d0", SEPTEMBER)
        after = club.standing(ANNA)
        assert after.tenths == before.tenths - (moved.after - moved.before)
        assert (after.won, after.games) == (before.won - 1, before.games - 1)
        club.undo("d0", SEPTEMBER)
        assert club.standing(ANNA) == after
        club.undo("d0", SEPTEMBER, again=True)
        assert club.standing(ANNA) == before

    def test_a_month_that_is_over_stays_as_it_was(self, club: Club) -> None:
        club.settle(duel("d", Result("a", "hq")))
        september = club.standing(ANNA, "2026-09")
        club.undo("d", Calendar("2026-10", own=False))
        assert club.standing(ANNA, "2026-09") == september
        october = club.standing(ANNA, "2026-10")
        assert (october.tenths, october.games) == (START, 0)
        assert club.standing(ANNA).games == 0

    def test_a_game_settled_after_its_month_counts_in_it_all_the_same(self, club: Club) -> None:
        club.settle(duel("d2", Result("a", "hq")), Calendar("2026-10"))
        club.settle(duel("d1", Result(None, "draw")), Calendar("2026-09", ("2026-10",)))
        for member in (ANNA, BETH):
            september, october = club.standing(member, "2026-09"), club.standing(member, "2026-10")
            assert (september.games, september.drawn, october.games) == (1, 1, 1)
            (late,) = [c for c in club.records(member) if c.game == "d1"]
            assert september.tenths == START + late.after - late.before
            assert (october.began, october.tenths) == (september.tenths, club.standing(member).tenths)

    @settings(max_examples=15, deadline=None)
    @given(steps=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abdu")), min_size=1, max_size=12))
    def test_ratings_are_the_sum_of_their_records(self, tmp_path_factory: Any, steps: Any) -> None:
        club = Club(tmp_path_factory.mktemp("club"))
        known: set[str] = set()
        for n, (which, what) in enumerate(steps):
            id = f"d{which}" if what == "u" else f"d{n + 10}"
            if what != "u":
                winner = None if what == "d" else what
                club.settle(duel(id, Result(winner, "hq" if winner else "draw")))
                known.add(id)
            elif known:
                club.undo(sorted(known)[which % len(known)], SEPTEMBER, again=bool(which % 2))
        for member in (ANNA, BETH):
            for board in (GAME, COMMON):
                moved = sum(c.after - c.before for c in club.records(member, board))
                assert club.standing(member, board=board).tenths == START + moved
        assert club.standing(ANNA).tenths + club.standing(BETH).tenths == 2 * START


class TestPlaces:
    @given(st.integers(-3_000, 40_000), st.integers(-3_000, 40_000))
    def test_the_bands_above_a_rating_hold_exactly_what_is_above_it(self, mine: int, other: int) -> None:
        hits = sum(reach.lowest <= other // reach.width <= reach.highest for reach in above(Rating(mine)) for _ in (0,))
        assert hits == (1 if other > mine else 0)

    def test_ones_place_is_found_by_few_counters(self) -> None:
        narrow = sum(reach.highest - reach.lowest + 1 for reach in above(Rating(10_123)) if reach.width < WIDTHS[0])
        assert narrow <= 19 + 49

    def test_ones_place_is_that_of_the_whole_list(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        random = Random(1)
        standings = [_standing(n, Rating(random.randint(9_900, 10_100))) for n in range(120)]
        _list(site, standings)
        listed = sorted(standings, key=lambda s: (-s.tenths, -s.games, s.joined))
        before = site.store.reads
        assert [place(site.site, s) for s in listed] == list(range(1, 121))
        assert site.store.reads - before <= 4 * 120
        assert placed(site.site, GAME, EVER) == 120


def _standing(number: int, tenths: Rating) -> Standing:
    return Standing(MemberId(f"m{number}"), GAME, EVER, Instant(number), tenths, won=1 + number % 3)


def _list(site: TestSite, standings: Iterable[Standing]) -> None:
    for standing in standings:
        site.calm.store.commit(Decision((Put(standing, 0), *counters(shifted(None, standing))), None))
