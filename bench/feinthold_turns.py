"""Turns of Feinthold resolved per second in one process, by `resolve` itself, reports included."""

import time

from engine.games import feinthold
from engine.games.conduct import conduct
from engine.games.draws import GivenDice, SeededDice
from engine.games.protocol import Sent

GAMES = 200
ROUNDS = 5
RANDOM = {"policy": "random"}


def main() -> None:
    """Play random games once, then resolve all their turns again, five times; print the best round."""
    turns = []
    for number in range(GAMES):
        seed = number.to_bytes(4, "big")
        state = feinthold.start({}, 2, SeededDice(seed, 0))
        for step in conduct(feinthold, state, {"a": RANDOM, "b": RANDOM}, seed):
            turns.append((step.before, {seat: Sent(one.orders) for seat, one in step.thoughts.items()}))
    no_dice = GivenDice(())
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for state, sent in turns:
            feinthold.resolve(state, sent, no_dice)
        best = max(best, len(turns) / (time.perf_counter() - began))
    print(f"{len(turns)} turns of random games: {best:,.0f} resolved per second")


if __name__ == "__main__":
    main()
