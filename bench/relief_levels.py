"""How the computer's levels do against each other: `python -m bench.relief_levels [games] [first] [second] [seed]`.

A player is a level (1–3) or `random`. Boards and colours take turns; the score counts a draw as half.
"""

import sys
import time
from collections import Counter

from engine.games import relief
from engine.games.draws import SeededDice
from engine.games.relief.boards import BOARDS
from engine.games.relief.computer import best_move
from engine.games.relief.pieces import SIDES
from engine.games.relief.rules import play
from engine.games.relief.state import State, opening


def main(games: int, first: str, second: str, seed: str) -> None:
    """Play and print the first player's score, the ends, and the longest move of each in CPU seconds."""
    boards = sorted(BOARDS)
    won, drawn, ends, slowest = 0, 0, Counter[str](), {first: 0.0, second: 0.0}
    for number in range(games):
        players = (first, second) if number % 2 == 0 else (second, first)
        state = opening(boards[number // 2 % len(boards)])
        while state.outcome is None:
            player = players[SIDES.index(state.to_move)]
            started = time.process_time()
            state = moved(state, player, f"{seed}/{number}")
            slowest[player] = max(slowest[player], time.process_time() - started)
        ends[state.outcome.by] += 1
        winner = state.outcome.winner
        drawn += winner is None
        won += winner is not None and players[SIDES.index(winner)] == first
    score = (won + drawn / 2) / games
    print(f"{first} against {second}: {won} won, {drawn} drawn, {games - won - drawn} lost of {games}: {score:.1%}")
    print(f"ends {dict(ends)}; longest move in CPU s { ({name: round(s, 2) for name, s in slowest.items()}) }")


def moved(state: State, player: str, seed: str) -> State:
    """The state after the player's move."""
    dice = SeededDice(seed.encode(), state.ply)
    if player == "random":
        view = relief.view(state, state.to_move)
        return play(state, relief.think(view, {"policy": "random"}, dice).orders.move)[0]
    return play(state, best_move(state, int(player), dice).move)[0]


if __name__ == "__main__":
    count, one, other, text = [*sys.argv[1:], *("200", "3", "2", "levels")[len(sys.argv) - 1 :]]
    main(int(count), one, other, text)
