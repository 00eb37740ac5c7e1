"""Legal moves generated per second, Relief against python-chess, in one run on one machine.

`python -m bench.relief_movegen [positions] [rounds]` (needs the `bench` extra). Both get positions of random games; the
rounds alternate, medians are compared. `cold` forgets what is remembered of each piece's reach before each position.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable

import chess

from engine.games.relief.boards import BOARDS
from engine.games.relief.pieces import GONE, KIND
from engine.games.relief.position import Position
from engine.games.relief.rules import legal, play
from engine.games.relief.state import opening, position_of
from engine.games.relief.terrain import Terrain


def main(count: int, rounds: int) -> None:
    """Print the rates and their ratios."""
    ours, theirs = relief_positions(count), chess_positions(count)
    forgetful = [_apart(position) for position in ours]
    runs: dict[str, Callable[[], int]] = {
        "relief": lambda: sum(len(position.moves()) for position in ours),
        "relief cold": lambda: sum(_afresh(position) for position in forgetful),
        "python-chess": lambda: sum(len(list(board.legal_moves)) for board in theirs),
    }
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            started = time.process_time()
            moves = run()
            rates[name].append(moves / (time.process_time() - started))
    median = {name: statistics.median(rate) for name, rate in rates.items()}
    for name, rate in median.items():
        print(f"{name:<14} {rate:>12,.0f} legal moves/s  {rate / median['python-chess']:6.2f} × python-chess")
    print("perft(3) from the start (make and undo):")
    for name, perft in (("relief", _relief_perft), ("python-chess", _chess_perft)):
        nodes, spent = _timed(perft)
        print(f"{name:<14} {nodes / spent:>12,.0f} nodes/s ({nodes:,} in {spent:.2f} s)")


def relief_positions(count: int) -> list[Position]:
    """Positions of random games on all boards."""
    dice, found = random.Random("relief"), list[Position]()
    while len(found) < count:
        state = opening(dice.choice(sorted(BOARDS)))
        while state.outcome is None and state.ply < 60:
            found.append(position_of(state))
            state, _ = play(state, dice.choice(legal(state)).move)
    return found[:count]


def chess_positions(count: int) -> list[chess.Board]:
    """Positions of random games of chess."""
    dice, found = random.Random("chess"), list[chess.Board]()
    while len(found) < count:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 60:
            found.append(board.copy(stack=False))
            board.push(dice.choice(list(board.legal_moves)))
    return found[:count]


def _apart(position: Position) -> Position:
    """The position on a terrain of its own, so that what it forgets the others keep."""
    return Position(Terrain(position.terrain.heights), position.where, position.side, (), position.ply)


def _afresh(position: Position) -> int:
    for slot, cell in enumerate(position.where):
        if cell != GONE:
            position.terrain.memos[KIND[slot]][cell].clear()
    return len(position.moves())


def _timed(perft: Callable[[int], int]) -> tuple[int, float]:
    started = time.process_time()
    nodes = perft(3)
    return nodes, time.process_time() - started


def _relief_perft(depth: int) -> int:
    position = position_of(opening("passes"))

    def count(left: int) -> int:
        moves = position.moves()
        if left == 1:
            return len(moves)
        total = 0
        for move in moves:
            position.make(move)
            total += count(left - 1)
            position.undo()
        return total

    return count(depth)


def _chess_perft(depth: int) -> int:
    board = chess.Board()

    def count(left: int) -> int:
        if left == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(left - 1)
            board.pop()
        return total

    return count(depth)


if __name__ == "__main__":
    number, times = [*sys.argv[1:], *("3000", "7")[len(sys.argv) - 1 :]]
    main(int(number), int(times))
