"""Challenges: rated or not, what they move, exactly once (P15, P16, P23)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform import challenges
from engine.platform.challenges import ChallengeChange, Challenger, Meeting, Months, Why
from engine.platform.doctrines import Contender
from engine.platform.duels.records import Duel, DuelId
from engine.platform.elo import Rating
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

MONTHS = Months("2026-09", None, None, NOW, NOW)


def start(meeting: Meeting | None, now: Instant = NOW, under_way: Duel | None = None, *findings: Why) -> Decision[Duel]:
    kept = Read(meeting) if meeting else None
    return challenges.start(DuelId("g1"), wanted(rated=None), kept, under_way, findings, SEED, now)


def settle(duel: Duel, *findings: Why, **known: Any) -> Decision[None]:
    parts = {"meeting": None, "challenger": None, "contender": None, "there": None} | known
    return challenges.settle(
        duel, parts["meeting"], parts["challenger"], parts["contender"], parts["there"], MONTHS, findings
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
        decision = challenges.take_back(Read(mine), Read(theirs), Read(me), Read(it))
        (me,), (it,) = written(decision, Challenger), written(decision, Contender)
        again = written(decision, ChallengeChange)
        assert challenges.take_back(Read(again[0]), Read(again[1]), Read(me), Read(it)).changes == ()
    assert me.rating == start_of_mine - kept
    assert me.rating + it.rating == total
    assert me.games == len(games) - len(voided)
