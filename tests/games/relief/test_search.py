"""The search against trying everything: its table, its windows and the moves it leaves out change no result."""

from typing import Any

import pytest

from engine.games.relief import search as searching
from engine.games.relief.boards import BOARDS
from engine.games.relief.cells import PASS
from engine.games.relief.codec import read
from engine.games.relief.evaluation import evaluate, tables_of
from engine.games.relief.search import SURE, WIN, Search
from engine.games.relief.state import State, position_of

DEPTH = 4

ENDGAMES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("cross", "blue", {"b10": "bS", "e9": "bE", "h8": "rV", "d3": "rS"}),
    ("cross", "blue", {"f1": "bV", "e6": "rS", "c9": "bS"}),
    ("ramparts", "blue", {"a6": "rS", "h1": "rV", "f7": "bV", "h10": "rE"}),
    ("spurs", "blue", {"j9": "bE", "b4": "rV", "c10": "bS"}),
    ("terraces", "red", {"i4": "rV", "i5": "bS", "c1": "rS"}),
    ("passes", "blue", {"e10": "rV", "d3": "bV", "g4": "rS"}),
    ("classic", "red", {"g10": "bS", "a8": "rV", "f5": "rS", "i5": "bS"}),
    ("spurs", "red", {"e7": "bS", "f5": "rS", "g2": "bE", "b1": "rE"}),
)


class Plain(Search):
    """The same worth of the same positions, with every move tried anew wherever it can matter."""

    def exhaust(self, depth: int, alpha: int, beta: int, height: int) -> int:
        """The worth to the side to move, with alpha-beta as the only saving."""
        ended = self._ended(height) if height else None
        if ended is not None:
            return ended
        forcing, quiet = self.position.options()
        top = -WIN
        if depth <= 0:
            top = evaluate(self.position) + (((self.position.hash * self.salt) >> 24) & self.grain)
            quiet = []
        elif not forcing and not quiet:
            quiet = [PASS]
        mark, on_the_way = self.position.hash, 2 if depth > 0 and height else 0
        self.met[mark] = self.met.get(mark, 0) + on_the_way
        for move in (*forcing, *sorted(quiet, key=self.history[self.position.side].__getitem__, reverse=True)):
            if top >= beta:
                break
            self.position.make(move)
            top = max(top, -self.exhaust(depth - 1, -beta, -max(alpha, top), height + 1))
            self.position.undo()
        self.met[mark] -= on_the_way
        return top


@pytest.mark.parametrize(("board", "side", "pieces"), ENDGAMES)
def test_moves_left_out_and_positions_remembered_change_no_worth(
    board: str, side: str, pieces: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "PRIZE", (0, WIN, WIN, WIN))  # the two savings that are guesses
    monkeypatch.setattr(searching, "REDUCE_AFTER", WIN)
    position = position_of(state_of(board, side, pieces), tables_of(BOARDS[board]))
    _, worth = Search(position, {}, WIN, 5, 7).run(DEPTH)
    assert abs(worth) < SURE
    assert worth == Plain(position, {}, WIN, 5, 7).exhaust(DEPTH, -WIN, WIN, 0)


def state_of(board: str, side: str, pieces: dict[str, str]) -> State:
    raw: dict[str, Any] = {"board": board, "heights": [list(row) for row in BOARDS[board]], "pieces": pieces}
    rest = {"to_move": side, "exited": {"red": [], "blue": []}, "ply": 60, "positions": {}, "outcome": None}
    return read({**raw, **rest})
