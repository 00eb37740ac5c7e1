"""Elo (P15): start 1000, K 32, kept to a tenth of a point as a whole number of tenths."""

from typing import Final, Literal, NewType

Rating = NewType("Rating", int)  # in tenths of a point
Score = Literal[0, 1, 2]  # in halves of a point: a loss, a draw, a win

START: Final = Rating(10_000)
K: Final = 320  # tenths of a point
SPREAD: Final = 4_000  # tenths: so far ahead, ten times as likely to win


def gained(own: Rating, other: Rating, score: Score) -> int:
    """The tenths of a point that one's rating gains by a game, negative for a loss; the other's loses as many (P15)."""
    return round(K * (score / 2 - expected(own, other)))


def expected(own: Rating, other: Rating) -> float:
    """The score to be expected, from 0 to 1: 1/(1 + 10^(d/400)) with d the opponent's rating less one's own (P15)."""
    return float(1 / (1 + 10 ** ((other - own) / SPREAD)))
