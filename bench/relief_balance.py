"""Is each board fair? The computer against itself.

`python -m bench.relief_balance [games a board] [level] [seed] [boards, with commas between them]`
"""

import sys
from collections import Counter

from bench.relief_levels import moved
from engine.games.relief.boards import BOARDS
from engine.games.relief.state import opening

FAIR = (0.45, 0.55)  # the first player's score
MOST_DRAWN = 0.15


def main(games: int, level: str, seed: str, boards: list[str]) -> None:
    """Print a line a board: the first player's score, draws, length in moves, ends."""
    print(f"level {level} against itself, {games} games a board")
    print(f"{'board':<10} {'first':>6} {'drawn':>6} {'moves':>6}  ends")
    for board in boards:
        won, drawn, length, ends = 0, 0, 0, Counter[str]()
        for number in range(games):
            state = opening(board)
            while state.outcome is None:
                state = moved(state, level, f"{seed}/{board}/{number}")
            won += state.outcome.winner == "red"
            drawn += state.outcome.winner is None
            length += state.ply
            ends[state.outcome.by] += 1
        score, share = (won + drawn / 2) / games, drawn / games
        fair = "" if FAIR[0] <= score <= FAIR[1] and share < MOST_DRAWN else "  out of bounds"
        told = ", ".join(f"{by} {count}" for by, count in ends.most_common())
        print(f"{board:<10} {score:>6.1%} {share:>6.1%} {length / games:>6.1f}  {told}{fair}", flush=True)


if __name__ == "__main__":
    count, strength, text, names = [*sys.argv[1:], *("200", "2", "balance", ",".join(BOARDS))[len(sys.argv) - 1 :]]
    main(int(count), strength, text, names.split(","))
