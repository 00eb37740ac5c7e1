"""Whole games of Trébuchets at random: `python -m bench.trebuchet_games [games] [seed]`.

Sizes from 2 to 12 players take turns. Prints how long games are (at most 500 turns), how they end, and turns resolved a
second by `resolve` alone.
"""

import sys
import time
from collections import Counter

from engine.games import trebuchet
from engine.games.conduct import conduct
from engine.games.draws import SeededDice
from engine.games.protocol import Sent

LONGEST = 500


def main(games: int, seed: str) -> None:
    """Play, resolve every step a second time under the clock, and print."""
    policies = {seat: {"policy": "random"} for seat in trebuchet.SPEC.seats}
    lengths: dict[int, list[int]] = {}
    ends, resolving = Counter[str](), 0.0
    for number in range(games):
        seats, secret = 2 + number % 11, f"{seed}/{number}".encode()
        start = trebuchet.start({}, seats, SeededDice(secret, 0))
        steps = conduct(trebuchet, start, policies, secret, most=LONGEST)
        lengths.setdefault(seats, []).append(len(steps) - 1)
        outcome = trebuchet.standing(steps[-1].after).outcome
        ends[outcome.by if outcome else ""] += 1
        for step in steps:
            sent = {seat: Sent(thought.orders) for seat, thought in step.thoughts.items()}
            dice = SeededDice(secret, step.before.turn)
            begun = time.perf_counter()
            trebuchet.resolve(step.before, sent, dice)
            resolving += time.perf_counter() - begun
    turns = sum(sum(one) + len(one) for one in lengths.values())
    for seats, one in sorted(lengths.items()):
        ordered = sorted(one)
        print(f"{seats:2} players: median {ordered[len(one) // 2]} turns, longest {ordered[-1]}, games {len(one)}")
    print(f"ends {dict(ends)}; {turns} resolutions in {resolving:.2f} s: {turns / resolving:.0f} a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000, sys.argv[2] if len(sys.argv) > 2 else "bench")
