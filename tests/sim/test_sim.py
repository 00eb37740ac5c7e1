"""Whatever goes wrong, the site keeps its promises (200 worlds)."""

import pytest

from tests.sim.alone import simulate_alone
from tests.sim.run import simulate

SEEDS = 200
CHUNK = 20


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_promises_are_kept_in_every_world(first: int) -> None:
    reports = [simulate(seed) for seed in range(first, first + CHUNK)]
    assert all(report.duels and report.turns for report in reports)
    assert sum(report.crashes for report in reports) > CHUNK
    assert sum(report.mails for report in reports) > CHUNK


def test_the_same_seed_plays_the_same_world() -> None:
    assert simulate(3) == simulate(3)


def test_a_calm_world_has_no_crash_and_every_mail() -> None:
    report = simulate(11, faults=False)
    assert report.crashes == 0
    assert report.mails


@pytest.mark.parametrize("first", range(0, 2 * CHUNK, CHUNK))
def test_promises_are_kept_where_members_play_doctrines(first: int) -> None:
    reports = [simulate_alone(seed) for seed in range(first, first + CHUNK)]
    assert all(report.duels and report.turns for report in reports)
    assert sum(report.crashes for report in reports) > CHUNK


def test_the_same_seed_plays_the_same_doctrines() -> None:
    assert simulate_alone(4) == simulate_alone(4)
