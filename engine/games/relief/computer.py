"""The computer player: three levels, each a budget of nodes and depth, the same answer for the same dice."""

from typing import Final, NamedTuple

from engine.games.draws import Dice
from engine.games.relief.evaluation import tables_of
from engine.games.relief.pieces import GONE, LETTERS, SIDES
from engine.games.relief.position import Position
from engine.games.relief.search import Search
from engine.games.relief.state import State, placed, points_of, position_of
from engine.games.relief.terrain import terrain_of


class Level(NamedTuple):
    """How hard a level tries: positions looked at, moves ahead, and the size (2ⁿ − 1) of what chance adds to each."""

    nodes: int
    depth: int
    grain: int


class Found(NamedTuple):
    """A move, its score for the side to move, how deep it was searched and the positions looked at."""

    move: int
    score: int
    depth: int
    nodes: int


LEVELS: Final[dict[int, Level]] = {1: Level(3_000, 1, 63), 2: Level(4_000, 3, 63), 3: Level(60_000, 20, 7)}


def best_move(state: State, level: int, dice: Dice) -> Found:
    """The computer's move in a running game, at level 1, 2 or 3; one roll is made."""
    nodes, depth, grain = LEVELS[level]
    position = position_of(state, tables_of(state.heights))
    search = Search(position, met_before(state), nodes, dice.roll(2**30), grain)
    move, score = search.run(depth)
    return Found(move, score, search.depth, search.nodes)


def met_before(state: State) -> dict[int, int]:
    """How often each position was met that can still come back, by hash (L12)."""
    met: dict[int, int] = {}
    terrain = terrain_of(state.heights)
    out = [side * 3 + LETTERS.index(letter) for side in (0, 1) for letter in state.exited[side]]
    for key, times in state.positions.items():
        place = placed(key)
        if place is None or place[2] != points_of(state) or place[0].count(GONE) != state.where.count(GONE):
            continue
        hashed = Position(terrain, place[0], SIDES.index(place[1]), out, 0).hash
        met[hashed] = met.get(hashed, 0) + times
    return met
