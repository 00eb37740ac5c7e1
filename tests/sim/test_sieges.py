"""Whatever goes wrong, a siege keeps its promises, to its end."""

import pytest

from tests.sim.sieges import simulate


@pytest.mark.parametrize("seed", range(6))
def test_a_siege_of_five_comes_to_its_end_with_faults(seed: int) -> None:
    outcome = simulate(seed, 5)
    assert outcome.turns > 1 and outcome.mails > 5 and outcome.crashes


def test_a_siege_of_twelve_comes_to_its_end_with_faults() -> None:
    outcome = simulate(12, 12)
    assert outcome.turns > 1 and outcome.crashes


def test_everybody_in_the_same_places_is_asked_again_and_drawn_in_the_end() -> None:
    assert simulate(1, 5, same_places=True).turns > 2


def test_the_same_seed_plays_the_same_siege() -> None:
    assert simulate(2, 5) == simulate(2, 5)
