"""What a piece can do from a cell on given heights: walks, springs, leaving, and which occupied cells it can enter."""

from functools import lru_cache
from typing import Final

from engine.games.relief.boards import Heights
from engine.games.relief.cells import CELLS, OFF, SIZE, leaps_from, row_of, steps_from
from engine.games.relief.pieces import MOVEMENT, VANGUARD_BONUS_COST

# Moves to empty cells; occupied cells it can enter as (cell, move, attack without friends); the move off or 0.
Reach = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...], int]
KEPT: Final = 50_000  # reaches remembered before starting afresh
UNKNOWN: Final = -1
MOVES: Final = tuple(range((CELLS + 1) << 7))  # one number object a move, shared by all reaches
EDGES: Final = (range(CELLS - SIZE, CELLS), range(SIZE))  # where red leaves, and blue

EXPLORERS: Final = (0, 3)
VANGUARDS: Final = (1, 4)


class Terrain:
    """Heights with what follows from them.

    A piece's reach depends on the occupied cells of its `regions` entry alone (bit n: cell n; `UNKNOWN` until asked
    for); `memos` remembers it by those cells, for each kind and start cell.
    """

    __slots__ = ("flat", "heights", "kept", "memos", "regions", "steps")

    def __init__(self, heights: Heights) -> None:
        self.heights = heights
        self.flat: list[int] = [height for row in heights for height in row]
        self.steps: list[list[tuple[int, int]]] = [
            [(cell, abs(self.flat[cell] - self.flat[start]) + 1) for cell in steps_from(start)]
            for start in range(CELLS)
        ]
        self.regions: list[list[int]] = [[UNKNOWN] * CELLS for _ in range(6)]
        self.memos: list[list[dict[int, Reach]]] = [[{} for _ in range(CELLS)] for _ in range(6)]
        self.kept = 0

    def reach(self, kind: int, start: int, occupied: int) -> Reach:
        """Where a piece of this kind can go from `start` (L3–L5), whoever stands on the occupied cells."""
        found = self.memos[kind][start].get(occupied & self.regions[kind][start])
        return self.learn(kind, start, occupied) if found is None else found

    def learn(self, kind: int, start: int, occupied: int) -> Reach:
        """The reach worked out anew, and remembered."""
        if self.regions[kind][start] == UNKNOWN:
            self.regions[kind][start] = self._region(kind, start)
        if self.kept >= KEPT:
            self._forget()
        self.kept += 1
        near = occupied & self.regions[kind][start]
        found = self._explore(kind, start, near)
        self.memos[kind][start][near] = found
        return found

    def walks(self, start: int, movement: int, occupied: int) -> dict[int, int]:
        """The least cost of walking to each cell within reach (L3), the last one perhaps occupied; the start 0."""
        cost = {start: 0}
        rings: list[list[int]] = [[start], [], [], [], []][:movement]
        steps = self.steps
        for spent, ring in enumerate(rings):
            for cell in ring:
                if cost[cell] < spent or (occupied >> cell & 1 and spent):
                    continue
                for end, price in steps[cell]:
                    total = spent + price
                    if total < movement:
                        if end not in cost or total < cost[end]:
                            cost[end] = total
                            rings[total].append(end)
                    elif total == movement and end not in cost:
                        cost[end] = total
        return cost

    def exactly(self, start: int, cost: int, occupied: int) -> int:
        """The cells (bits) that some path without repeated cells reaches for exactly `cost` (L7)."""
        return self._trails(start, cost, occupied & ~(1 << start), 1 << start)

    def _trails(self, cell: int, left: int, occupied: int, visited: int) -> int:
        found = 0
        for end, price in self.steps[cell]:
            if visited >> end & 1 or price > left:
                continue
            if price == left:
                found |= 1 << end
            elif not occupied >> end & 1:
                found |= self._trails(end, left - price, occupied, visited | 1 << end)
        return found

    def _explore(self, kind: int, start: int, occupied: int) -> Reach:
        movement, base = MOVEMENT[kind], start << 7
        cost = self.walks(start, movement, occupied)
        leaving = 0
        if rows_to_go(kind // 3, start) < movement:
            edge = EDGES[kind // 3]
            if any(spent < movement and cell in edge and not occupied >> cell & 1 for cell, spent in cost.items()):
                leaving = base | OFF
        if kind in EXPLORERS:
            for cell in leaps_from(start):
                cost.setdefault(cell, movement)
        del cost[start]
        quiet = tuple([MOVES[base | cell] for cell in cost if not occupied >> cell & 1])
        entered = [cell for cell in cost if occupied >> cell & 1] if len(quiet) < len(cost) else []
        dear = self.exactly(start, VANGUARD_BONUS_COST, occupied) if entered and kind in VANGUARDS else 0
        touched = tuple(
            [
                (cell, MOVES[base | cell], kind % 3 + 1 + self._slope(start, cell) + (dear >> cell & 1))
                for cell in entered
            ]
        )
        return quiet, touched, leaving

    def _slope(self, start: int, target: int) -> int:
        above = self.flat[start] - self.flat[target]
        return (above > 0) - (above < 0)

    def _region(self, kind: int, start: int) -> int:
        cells = set(self.walks(start, MOVEMENT[kind], 0))
        if kind in EXPLORERS:
            cells.update(leaps_from(start))
        return sum(1 << cell for cell in cells if cell != start)

    def _forget(self) -> None:
        for row in self.memos:
            for memo in row:
                memo.clear()
        self.kept = 0


@lru_cache(maxsize=16)
def terrain_of(heights: Heights) -> Terrain:
    """The terrain of these heights, made once."""
    return Terrain(heights)


def goal_row(side: int) -> int:
    """The row (from 0) that a side leaves the board from: 9 for red (0), 0 for blue (1)."""
    return 0 if side else SIZE - 1


def rows_to_go(side: int, cell: int) -> int:
    """How many rows a cell is from the row its side leaves from."""
    return abs(goal_row(side) - row_of(cell))
