"""Limits: so many in a window, then a refusal that says how long to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refusal
from engine.platform.rates import LINKS_FROM_CLIENT, LINKS_TO_ADDRESS, Limit, counter, spend
from engine.times import MINUTE, SECOND, Instant

NOW = Instant(1_790_000_000_000)
THREE = Limit("three", 3, 10 * MINUTE)


def test_each_use_is_counted_and_the_floor_holds_the_limit() -> None:
    (add,) = spend((THREE, counter(THREE, "ada", NOW), -2), now=NOW)
    assert (add.by, add.floor) == (-1, -3)


def test_a_full_window_is_refused_until_its_end() -> None:
    rate = counter(THREE, "ada", NOW)
    with pytest.raises(Refusal) as refused:
        spend((THREE, rate, -3), now=NOW)
    assert refused.value.code == "too_often"
    wait = refused.value.detail["seconds"]
    assert isinstance(wait, int)
    assert NOW + (wait - 1) * SECOND < rate.ends <= NOW + wait * SECOND
    assert refused.value.detail["n"] == -(-wait // 60)


def test_the_longest_of_several_waits_counts() -> None:
    uses = [(limit, counter(limit, "x", NOW), -limit.most) for limit in (THREE, Limit("day", 1, 24 * 60 * MINUTE))]
    with pytest.raises(Refusal) as refused:
        spend(*uses, now=NOW)
    assert refused.value.detail["seconds"] == -(-(uses[1][1].ends - NOW) // SECOND)


def test_addresses_and_clients_are_counted_apart() -> None:
    assert counter(LINKS_TO_ADDRESS, "x", NOW).subject != counter(LINKS_FROM_CLIENT, "x", NOW).subject


@given(st.integers(0, 2**45))
def test_windows_follow_each_other_without_gap(at: int) -> None:
    rate = counter(THREE, "x", Instant(at))
    assert at < rate.ends <= at + THREE.span
    assert counter(THREE, "x", Instant(rate.ends)).ends == rate.ends + THREE.span
