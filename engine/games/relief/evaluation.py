"""What a position is worth to the computer: material, and how few turns each piece needs to leave the board."""

from functools import lru_cache
from typing import Final

from engine.games.relief.boards import Heights
from engine.games.relief.cells import CELLS
from engine.games.relief.pieces import STRENGTH
from engine.games.relief.position import Position, Worth
from engine.games.relief.terrain import Terrain, rows_to_go, terrain_of

MATERIAL: Final = (90, 200, 330)  # E V S
RUN: Final = (0, 260, 130, 60, 25, 10)  # by turns needed, for a piece whose leaving wins
STROLL: Final = (0, 70, 45, 25, 12, 5)  # for one whose leaving only helps
ROW: Final = 3  # for each row advanced
LEAD: Final = 120  # being ahead with one piece out
TEMPO: Final = 12


@lru_cache(maxsize=16)
def tables_of(heights: Heights) -> dict[tuple[int, int], Worth]:
    """What each kind on each cell is worth, for red positive, by the points of both sides (red, blue)."""
    terrain = terrain_of(heights)
    turns = [_turns(terrain, kind) for kind in range(6)]
    scores = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 2)]
    return {score: [_table(kind, turns[kind], score) for kind in range(6)] for score in scores}


def evaluate(position: Position) -> int:
    """The worth of a running position to the side to move, in hundredths of an Explorer or so."""
    worth = position.worth
    if position.outs:
        red, blue = position.points
        worth += LEAD if red > blue else -LEAD if blue > red else 0
    return (-worth if position.side else worth) + TEMPO


def _table(kind: int, turns: list[int], score: tuple[int, int]) -> list[int]:
    side = kind // 3
    sign = -1 if side else 1
    gain = RUN if _wins(kind % 3 + 1, score[side], score[1 - side]) else STROLL
    far = len(gain) - 1
    return [
        sign * (MATERIAL[kind % 3] + gain[min(turns[cell], far)] + ROW * (9 - rows_to_go(side, cell)))
        for cell in range(CELLS)
    ]


def _wins(strength: int, own: int, other: int) -> bool:
    """Whether leaving wins at once (L9, L10)."""
    return strength == STRENGTH[-2] if own == other == 0 else own + strength > other


def _turns(terrain: Terrain, kind: int) -> list[int]:
    """The turns a piece alone on the board needs to leave it, from each cell."""
    reaches = [terrain.reach(kind, cell, 0) for cell in range(CELLS)]
    turns = [1 if leaving else 0 for _, _, leaving in reaches]
    done = 1
    while 0 in turns:
        for cell in range(CELLS):
            if not turns[cell] and any(turns[move & 127] == done for move in reaches[cell][0]):
                turns[cell] = done + 1
        done += 1
        if done > CELLS:
            break
    return [count or CELLS for count in turns]
