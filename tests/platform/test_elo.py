"""Elo (P15)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.platform.elo import START, Rating, Score, expected, gained

RATINGS = st.integers(-10_000, 40_000).map(Rating)
SCORES: st.SearchStrategy[Score] = st.sampled_from((0, 1, 2))


def test_everybody_starts_at_1000_points() -> None:
    assert START == 10_000


def test_equals_move_half_of_k() -> None:
    assert (gained(START, START, 2), gained(START, START, 1), gained(START, START, 0)) == (160, 0, -160)


def test_four_hundred_points_ahead_is_ten_times_as_likely() -> None:
    assert round(expected(Rating(14_000), START), 6) == round(10 / 11, 6)
    assert gained(Rating(14_000), START, 2) == 29  # 32 x 1/11 = 2.9 points
    assert gained(START, Rating(14_000), 2) == 291


@given(RATINGS, RATINGS, SCORES)
def test_what_one_gains_the_other_loses(own: Rating, other: Rating, score: Score) -> None:
    against: Score = 2 if score == 0 else 0 if score == 2 else 1
    assert gained(own, other, score) == -gained(other, own, against)


@given(RATINGS, RATINGS)
def test_a_win_never_costs_and_a_loss_never_pays(own: Rating, other: Rating) -> None:
    assert gained(own, other, 2) >= 0 >= gained(own, other, 0)
    assert gained(own, other, 0) <= gained(own, other, 1) <= gained(own, other, 2)
