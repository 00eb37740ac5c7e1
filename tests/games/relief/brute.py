"""Wins found by trying everything, and positions that hold them: `python -m tests.games.relief.brute` writes the file.

`win_in_one.jsonl` and `win_in_two.jsonl` hold a position a line with every first move that wins.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.games.draws import SeededDice
from engine.games.relief.boards import BOARDS
from engine.games.relief.cells import NAMES, move_name
from engine.games.relief.codec import read, written
from engine.games.relief.computer import best_move
from engine.games.relief.position import RUNNING, Position
from engine.games.relief.rules import legal, play
from engine.games.relief.state import State, opening, position_of

HERE = Path(__file__).parent
ONES = 20  # positions with a win in one for each way to win
TWOS = 36


def wins_in_one(position: Position) -> list[int]:
    """Every move that wins at once (L9–L11)."""
    return [move for move in position.moves() if _after(position, move) == (True, position.side)]


def wins_in_two(position: Position) -> list[int]:
    """Every move after which each reply leaves a win in one; none if there is a win in one already."""
    return [] if wins_in_one(position) else [move for move in position.moves() if _forces(position, move)]


def _forces(position: Position, move: int) -> bool:
    side = position.side
    position.make(move)
    try:
        if position.verdict(1)[0] != RUNNING:
            return False
        for reply in position.moves():
            ended, winner = _after(position, reply)
            if ended and winner != side:
                return False
            position.make(reply)
            lost = not ended and not wins_in_one(position)
            position.undo()
            if lost:
                return False
        return True
    finally:
        position.undo()


def _after(position: Position, move: int) -> tuple[bool, int]:
    """Whether the game has ended after the move, and who has won."""
    position.make(move)
    how, winner = position.verdict(1)
    position.undo()
    return how != RUNNING, winner


def games(seed: str) -> Iterator[State]:
    """Positions of games in which both sides blunder now and then."""
    number = 0
    while True:
        number += 1
        dice = random.Random(f"{seed}/{number}")
        state = opening(dice.choice(sorted(BOARDS)))
        while state.outcome is None:
            blunder = state.ply < 6 or dice.random() < 0.25
            level = dice.choice((1, 2))
            found = best_move(state, level, SeededDice(f"{seed}/{number}".encode(), state.ply)).move
            state, _ = play(state, dice.choice(legal(state)).move if blunder else found)
            if state.outcome is None:
                yield state


def last_pieces(seed: str) -> Iterator[State]:
    """Positions with one enemy piece left, which is where its capture ends the game."""
    dice = random.Random(seed)
    while True:
        board = dice.choice(sorted(BOARDS))
        cells = dice.sample(NAMES, 5)
        mover, enemy = dice.sample(("red", "blue"), 2)
        own = [mover[0] + letter for letter in dice.sample("EEVVSS", dice.randint(2, 4))]
        pieces = dict(zip(cells, [*own, enemy[0] + dice.choice("EV")], strict=False))
        if len({piece[0] for piece in pieces.values()}) < 2:
            continue
        blank = {"board": board, "heights": [list(row) for row in BOARDS[board]], "exited": {"red": [], "blue": []}}
        yield read({**blank, "pieces": pieces, "to_move": mover, "ply": 60, "positions": {}, "outcome": None})


def _line(state: State, wins: list[int], by: str) -> str:
    told: dict[str, Any] = {**written(state), "positions": {}}
    del told["heights"]
    return json.dumps({"by": by, "wins": sorted(move_name(move) for move in wins), "state": told})


def _ways(state: State, wins: list[int]) -> str:
    outcome = play(state, wins[0])[0].outcome
    assert outcome is not None
    return outcome.by


def main() -> None:
    """Search positions until there are enough of each kind, few of them easy, and write them."""
    ones: dict[str, list[str]] = {"sentinel": [], "points": [], "no_pieces": []}
    twos: list[str] = []
    for state in games("tactics"):
        position = position_of(state)
        wins = wins_in_one(position)
        if 0 < len(wins) <= 2 and len(position.moves()) >= 15:
            kept = ones[_ways(state, wins)]
            if len(kept) < ONES:
                kept.append(_line(state, wins, _ways(state, wins)))
        elif not wins and len(twos) < TWOS and state.ply > 8:
            forcing = wins_in_two(position)
            if 0 < len(forcing) <= 3:
                twos.append(_line(state, forcing, "two"))
        if len(twos) == TWOS and all(len(ones[by]) == ONES for by in ("sentinel", "points")):
            break
    for state in last_pieces("tactics"):
        position = position_of(state)
        wins = wins_in_one(position)
        if 0 < len(wins) <= 2 and len(position.moves()) >= 15 and _ways(state, wins) == "no_pieces":
            ones["no_pieces"].append(_line(state, wins, "no_pieces"))
        if len(ones["no_pieces"]) >= ONES:
            break
    (HERE / "win_in_one.jsonl").write_text("".join(f"{line}\n" for lines in ones.values() for line in lines))
    (HERE / "win_in_two.jsonl").write_text("".join(f"{line}\n" for line in twos))


if __name__ == "__main__":
    main()
