"""Days on local time (P9): one a day, whatever the clocks do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.platform.local_days import begins, day_of, ends, following, is_day, month_of, weekday
from engine.times import HOUR, Instant

ZONES = ("Europe/Paris", "America/Santiago", "Asia/Beirut", "Pacific/Apia", "UTC")


@given(st.integers(1_500_000_000_000, 2_500_000_000_000).map(Instant), st.sampled_from(ZONES))
def test_every_instant_is_in_one_day(instant: Instant, zone: str) -> None:
    day = day_of(instant, zone)
    assert begins(day, zone) <= instant < ends(day, zone)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-30", 24)])
def test_paris_has_a_short_day_and_a_long_one(day: str, hours: int) -> None:
    assert ends(day, "Europe/Paris") - begins(day, "Europe/Paris") == hours * HOUR


@pytest.mark.parametrize("zone", ZONES)
def test_the_days_of_a_year_follow_each_other_without_gap(zone: str) -> None:
    day = "2026-01-01"
    for _ in range(366):
        assert day_of(begins(day, zone), zone) == day
        assert ends(day, zone) == begins(following(day), zone) > begins(day, zone)
        day = following(day)


def test_a_midnight_that_the_clocks_jump_over_is_the_instant_after_it() -> None:
    start = begins("2026-09-06", "America/Santiago")
    assert day_of(Instant(start - 1), "America/Santiago") == "2026-09-05"
    assert day_of(start, "America/Santiago") == "2026-09-06"


def test_weekdays_and_months() -> None:
    assert (weekday("2026-11-30"), weekday("2026-11-29")) == (1, 7)
    assert month_of("2026-11-30") == "2026-11"


@pytest.mark.parametrize("text", ["", "2026-13-01", "2026-1-1", "20261130", "2026-W01-1", "today", "2026-02-29"])
def test_other_texts_are_no_days(text: str) -> None:
    assert not is_day(text)
