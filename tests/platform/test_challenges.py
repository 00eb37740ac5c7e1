"""Challenges: rated or not, what they move, exactly once (P15, P16, P23)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform import challenges
from engine.platform.challenge_months import ChallengeMonth, Months
from engine.platform.challenges import ChallengeChange, Challenger, Meeting, Why
from engine.platform.doctrines import Contender
from engine.platform.duels.records import Duel, DuelId
from engine.platform.elo import Rating
from engine.platform.members import MemberId
from engine.platform.ratings.moving import Calendar
from engine.platform.ratings.records import Holder
from engine.times import DAY, HOUR, Instant, later
from tests.platform.solo import (
    ANNA,
    NOW,
    RAM,
    SEED,
    Read,
    abandoned,
    begun,
    missed,
    over,
    sent,
    to_the_end,
    wanted,
    written,
)

ITS = MemberId("beth:1")
OF_BETH = Contender(ITS, MemberId("beth"), "Hammer", published=True)


def months(*rows: ChallengeMonth, month: str = "2026-09", later: tuple[str, ...] = (), own: bool = True) -> Months:
    """What is kept of both sides' months, as of `month`."""
    there = {(row.subject, row.month): Read(row) for row in rows}
    keys = [(one, m) for one in (ANNA, ITS) for m in (month, *later)]
    return Months(
        Calendar(month, later, own), {key: there.get(key) for key in keys}, {ANNA: Holder(NOW), ITS: Holder(NOW)}
    )


def start(meeting: Meeting | None, now: Instant = NOW, under_way: Duel | None = None, *findings: Why) -> Decision[Duel]:
    kept = Read(meeting) if meeting else None
    return challenges.start(DuelId("g1"), wanted(rated=None), kept, under_way, findings, SEED, now)


def settle(duel: Duel, *findings: Why, **known: Any) -> Decision[None]:
    parts = {"meeting": None, "challenger": None, "contender": None, "there": None} | known
    return challenges.settle(
        duel,
        parts["meeting"],
        parts["challenger"],
        parts["contender"],
        parts["there"],
        parts.get("months") or months(),
        findings,
    )


def test_layout_and_side_are_drawn_and_the_opponents_orders_are_there_at_once() -> None:
    duel = start(None).answer
    assert duel.options == {} and {p.seat for p in duel.players} == {"a", "b"}
    assert next(p.sheet for p in duel.players if p.policy) is not None
    assert (duel.deadline or 0) - (duel.opened or 0) == 3 * DAY


def test_ones_first_orders_resolve_the_turn() -> None:
    assert sent(start(None).answer).turn == 2


def test_the_first_three_in_seven_rolling_days_are_rated() -> None:
    meeting, rated = None, []
    for day in (0, 1, 2, 3, 6, 7, 8):
        decision = start(meeting, later(NOW, day * DAY))
        (met,) = written(decision, Meeting)
        meeting = replace(met, running=None)
        rated.append((decision.answer.rated, decision.answer.unrated_why))
    yes, often = (True, ""), (False, "often")
    assert rated == [yes, yes, yes, often, often, yes, yes]


def test_when_the_next_one_is_rated_is_told() -> None:
    meeting = Meeting(ANNA, RAM, None, tuple(later(NOW, n * HOUR) for n in range(3)))
    now = later(NOW, DAY)
    again = challenges.rated_again_at(meeting, now)
    assert again == NOW + challenges.WEEK
    assert challenges.unrated_because(meeting, (), Instant(again - 1)) == "often"
    assert challenges.unrated_because(meeting, (), again) == ""
    assert challenges.rated_again_at(meeting, again) is None


@settings(deadline=None)
@given(st.lists(st.integers(0, 20 * DAY), max_size=25))
def test_never_more_than_three_rated_starts_in_any_seven_days(gaps: list[int]) -> None:
    starts = []
    meeting = None
    for at in sorted(later(NOW, gap) for gap in gaps):
        decision = start(meeting, at)
        (met,) = written(decision, Meeting)
        meeting = replace(met, running=None)
        if decision.answer.rated:
            starts.append(at)
    for at in starts:
        assert sum(at <= other < at + challenges.WEEK for other in starts) <= 3


def test_one_challenge_at_a_time_against_a_doctrine() -> None:
    under_way = begun(wanted())
    meeting = Meeting(ANNA, RAM, under_way.id, (NOW,))
    with pytest.raises(Refusal, match="challenge_running"):
        start(meeting, NOW, under_way)
    assert start(meeting, NOW, over(under_way, "me")).answer.rated  # ended, if not yet settled


def test_findings_make_it_unrated_from_the_start_and_do_not_use_up_a_rated_one() -> None:
    decision = start(None, NOW, None, "linked")
    assert (decision.answer.rated, decision.answer.unrated_why) == (False, "linked")
    (met,) = written(decision, Meeting)
    assert met.starts == ()
    lost = over(replace(decision.answer), "it")
    assert written(settle(lost), ChallengeChange) == []


def test_a_win_moves_both_ratings_by_as_much() -> None:
    decision = settle(over(begun(wanted()), "me", sheets=8))
    (me,), (it,) = written(decision, Challenger), written(decision, Contender)
    assert (me.rating, it.rating) == (10_160, 9_840)
    assert (me.won, me.drawn, me.lost, it.won, it.drawn, it.lost) == (1, 0, 0, 0, 0, 1)
    mine, its = written(decision, ChallengeChange)
    assert (mine.before, mine.after, mine.score) == (10_000, 10_160, 2)
    assert (its.before, its.after, its.score) == (10_000, 9_840, 0)


@pytest.mark.parametrize(
    ("winner", "sheets", "played", "why"),
    [
        ("me", 4, 8, "stand_in"),
        ("me", 5, 8, ""),
        (None, 4, 8, "stand_in"),
        (None, 5, 8, ""),
        ("it", 0, 8, ""),
        ("it", 8, 8, ""),
    ],
)
def test_a_loss_always_counts_a_win_or_draw_with_more_than_half_of_the_turns(
    winner: str | None, sheets: int, played: int, why: str
) -> None:
    duel = replace(over(begun(wanted()), winner, sheets=sheets), played=played)
    assert challenges.why_not(duel) == why
    assert bool(written(settle(duel), Challenger)) is not bool(why)


def test_abandoning_after_orders_is_a_loss_that_counts() -> None:
    duel = abandoned(sent(begun(wanted())))
    assert duel.result is not None and duel.result.by == "forfeit"
    (me,) = written(settle(duel), Challenger)
    assert me.lost == 1


def test_abandoning_before_any_orders_has_no_result_and_moves_nothing() -> None:
    duel = abandoned(begun(wanted()))
    assert challenges.why_not(duel) == "no_result"
    assert written(settle(duel), Challenger) == []


def test_a_game_that_a_default_doctrine_played_alone_has_no_result() -> None:
    duel = to_the_end(begun(wanted(stand_in={"policy": "pivot"})), missed)
    assert duel.result is not None and duel.result.by == "silence"
    assert challenges.why_not(duel) == "no_result"


def test_beyond_the_three_not_even_a_loss_counts() -> None:
    duel = over(begun(wanted(rated=False, why="often")), "it")
    assert challenges.why_not(duel) == "often"
    assert settle(duel).changes == ()


def test_orders_faster_than_a_humans_count_for_nothing_not_even_a_loss() -> None:
    decision = settle(over(begun(wanted()), "it"), "superhuman")
    assert written(decision, Challenger) == []
    (kept,) = written(decision, ChallengeChange)
    assert (kept.why, kept.before) == ("superhuman", kept.after)


def test_settling_again_changes_nothing() -> None:
    duel = over(begun(wanted()), "it")
    first = settle(duel, meeting=Read(Meeting(ANNA, RAM, duel.id, (NOW,))))
    (met,), (mine, _) = written(first, Meeting), written(first, ChallengeChange)
    assert met.running is None
    assert settle(duel, there=mine, meeting=Read(met)).changes == ()
    for why in written(settle(duel, "superhuman"), ChallengeChange):
        assert settle(duel, there=why).changes == ()


def test_a_game_under_way_is_not_settled() -> None:
    assert settle(begun(wanted())).changes == ()


def test_settling_late_leaves_the_next_challenge_under_way() -> None:
    duel = over(begun(wanted()), "it")
    assert written(settle(duel, meeting=Read(Meeting(ANNA, RAM, DuelId("next")))), Meeting) == []


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(("me", "it", None)), st.booleans()), max_size=12),
    st.integers(8_000, 15_000).map(Rating),
)
def test_voiding_takes_back_exactly_what_was_moved(games: list[tuple[str | None, bool]], its: Rating) -> None:
    me, it = Challenger(ANNA), Contender(RAM, None, "", published=True, rating=its)
    voided = []
    for number, (winner, voiding) in enumerate(games):
        duel = over(begun(wanted(), f"g{number}"), winner, sheets=8)
        decision = settle(duel, challenger=Read(me), contender=Read(it))
        (me,), (it,) = written(decision, Challenger), written(decision, Contender)
        if voiding:
            voided.append(written(decision, ChallengeChange))
    total = me.rating + it.rating
    kept = sum(change.after - change.before for changes in voided for change in changes[:1])
    start_of_mine = me.rating
    for mine, theirs in voided:
        decision = challenges.take_back(Read(mine), Read(theirs), Read(me), Read(it), months())
        (me,), (it,) = written(decision, Challenger), written(decision, Contender)
        again = written(decision, ChallengeChange)
        assert challenges.take_back(Read(again[0]), Read(again[1]), Read(me), Read(it), months()).changes == ()
    assert me.rating == start_of_mine - kept
    assert me.rating + it.rating == total
    assert me.games == len(games) - len(voided)


class TestMonths:
    """A member against a member's doctrine, month by month (P26)."""

    def test_a_challenge_counts_for_both_in_the_month_in_which_it_ended(self) -> None:
        decision = self.settle("g1", months())
        mine, its = written(decision, ChallengeMonth)
        assert (mine.subject, mine.rating, mine.games, mine.author) == (ANNA, 10_160, 1, None)
        assert (its.subject, its.rating, its.games, its.author) == (ITS, 9_840, 1, "beth")

    def test_settled_late_it_leaves_its_month_as_if_it_had_not_been(self) -> None:
        """September's second challenge is settled after October's first: both months stand as if in order."""
        me, it = Challenger(ANNA, Rating(10_160)), replace(OF_BETH, rating=Rating(9_840))
        september = (self.month("2026-09", ANNA, 10_160, 1), self.month("2026-09", ITS, 9_840, 1))
        october = self.settle("g3", months(month="2026-10"), me, it)
        (me,), (it,) = written(october, Challenger), written(october, Contender)
        rows = (*september, *written(october, ChallengeMonth))
        late = self.settle("g2", months(*rows, later=("2026-10",)), me, it)
        after = {(row.subject, row.month): row for row in written(late, ChallengeMonth)}
        moved = {change.subject: change.after - change.before for change in written(late, ChallengeChange)}
        assert moved[ANNA] == -moved[ITS] > 0
        assert after[ANNA, "2026-09"].rating == 10_160 + moved[ANNA] and after[ANNA, "2026-09"].games == 2
        assert after[ANNA, "2026-10"].began == after[ANNA, "2026-09"].rating and after[ANNA, "2026-10"].games == 1
        (rated,) = written(late, Challenger)
        assert after[ANNA, "2026-10"].rating == rated.rating

    def test_the_months_first_one_settled_late_begins_where_the_next_month_began(self) -> None:
        october = self.settle("g2", months(month="2026-10"))
        (me,), (it,) = written(october, Challenger), written(october, Contender)
        late = self.settle("g1", months(*written(october, ChallengeMonth), later=("2026-10",)), me, it)
        first = next(row for row in written(late, ChallengeMonth) if (row.subject, row.month) == (ANNA, "2026-09"))
        moved = next(c.after - c.before for c in written(late, ChallengeChange) if c.subject == ANNA)
        assert (first.began, first.rating, first.games) == (10_000, 10_000 + moved, 1)

    def test_voiding_in_the_same_month_takes_points_and_game_out_of_it_and_undone_they_are_back(self) -> None:
        settled = self.settle("g1", months())
        before = written(settled, ChallengeMonth)
        voided = self.void(settled, months(*before))
        after = {row.subject: (row.rating, row.games) for row in written(voided, ChallengeMonth)}
        assert after == {ANNA: (10_000, 0), ITS: (10_000, 0)}
        mine, theirs = written(voided, ChallengeChange)
        (me,), (it,) = written(voided, Challenger), written(voided, Contender)
        kept = months(*written(voided, ChallengeMonth))
        again = challenges.give_again(Read(mine), Read(theirs), Read(me), Read(it), kept)
        assert written(again, ChallengeMonth) == before

    def test_voiding_later_leaves_the_month_that_is_over_and_moves_the_one_that_is_not(self) -> None:
        settled = self.settle("g1", months())
        next_month = (self.month("2026-10", ANNA, 10_500, 3), self.month("2026-10", ITS, 9_500, 3))
        voided = self.void(settled, months(*next_month, month="2026-10", own=False))
        after = {(row.subject, row.month): (row.rating, row.games) for row in written(voided, ChallengeMonth)}
        assert after == {(ANNA, "2026-10"): (10_340, 3), (ITS, "2026-10"): (9_660, 3)}
        assert written(self.void(settled, months(month="2026-10", own=False)), ChallengeMonth) == []

    def test_house_ais_have_no_months(self) -> None:
        decision = settle(over(begun(wanted()), "me", sheets=8))
        assert [row.subject for row in written(decision, ChallengeMonth)] == [ANNA]

    def settle(self, id: str, kept: Months, me: Challenger | None = None, it: Contender = OF_BETH) -> Decision[None]:
        duel = over(begun(wanted(rival=ITS, policy={"policy": "ram"}), id), "me", sheets=8)
        return settle(duel, challenger=Read(me) if me else None, contender=Read(it), months=kept)

    def void(self, settled: Decision[None], kept: Months) -> Decision[None]:
        mine, theirs = written(settled, ChallengeChange)
        (me,), (it,) = written(settled, Challenger), written(settled, Contender)
        return challenges.take_back(Read(mine), Read(theirs), Read(me), Read(it), kept)

    def month(self, month: str, subject: MemberId, rating: int, games: int) -> ChallengeMonth:
        author = MemberId("beth") if subject == ITS else None
        return ChallengeMonth(month, subject, NOW, author, Rating(rating), games, Rating(10_000))
