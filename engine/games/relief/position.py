"""A position that moves are made and taken back on: what the rules and the computer player both run on."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.games.relief.cells import CELLS, OFF, PASS, RINGS
from engine.games.relief.pieces import BALANCE, GONE, KIND, NOBODY, SLOTS, STRENGTH
from engine.games.relief.terrain import Terrain, rows_to_go

LIMIT: Final = 200  # moves in a game (L13)

RUNNING: Final = 0
SENTINEL: Final = 1
POINTS: Final = 2
NO_PIECES: Final = 3
REPETITION: Final = 4
MOVE_LIMIT: Final = 5
NOBODY_WINS: Final = -1

Worth = Sequence[Sequence[int]]  # by kind and cell, for red positive
Tables = Mapping[tuple[int, int], Worth]  # by the points of red and blue; any not listed: nothing is worth anything
NO_WORTH: Final[Tables] = {}
_NOTHING: Final[Worth] = [[0] * CELLS for _ in range(6)]


def _numbers(count: int) -> list[int]:
    """Well-mixed 62-bit numbers (splitmix64), the same in every process."""
    state, found = 0, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        found.append((mixed ^ mixed >> 31) >> 2)
    return found


_DRAWN: Final = _numbers(6 * (CELLS + 1) + 1)
# What a piece of each kind on each cell (or out) adds to the hash. Out counts once a piece, which tells points apart.
MARKS: Final[list[list[int]]] = [_DRAWN[kind * (CELLS + 1) : (kind + 1) * (CELLS + 1)] for kind in range(6)]
TURN_MARK: Final = _DRAWN[-1]


class Position:
    """Pieces on a terrain, whose move it is and the score so far; sides are 0 (red) and 1 (blue).

    `where` holds each slot's cell (or `GONE`), `at` each cell's slot (or `NOBODY`), `occupied` a bit a cell. `hash` (of
    pieces, side to move and pieces out) and `worth` (for red, by the `table` for the points) are kept in step.
    """

    __slots__ = (
        "alive",
        "at",
        "hash",
        "occupied",
        "outs",
        "ply",
        "points",
        "side",
        "table",
        "tables",
        "terrain",
        "trail",
        "where",
        "worth",
    )

    def __init__(
        self, terrain: Terrain, where: Sequence[int], side: int, out: Sequence[int], ply: int, tables: Tables = NO_WORTH
    ) -> None:
        """`out` lists the kinds of the pieces that have left the board."""
        self.terrain = terrain
        self.tables = tables
        self.where: list[int] = list(where)
        self.at: list[int] = [NOBODY] * CELLS
        self.occupied = 0
        self.side = side
        self.points: list[int] = [0, 0]
        self.outs = len(out)
        self.alive: list[int] = [0, 0]
        self.ply = ply
        self.hash = TURN_MARK if side else 0
        self.worth = 0
        self.trail: list[
            tuple[int, int, int, int]
        ] = []  # moves made: (move, victim or leaver, hash before, worth before)
        for kind in out:
            self.points[kind // 3] += kind % 3 + 1
            self.hash += MARKS[kind][OFF]
        for slot in range(SLOTS):
            if self.where[slot] != GONE:
                self._place(slot, self.where[slot])
        self.table: Worth = ()
        self._weigh()

    def moves(self) -> list[int]:
        """Every legal move of the side to move (L3–L8); a pass if there is no other (L6)."""
        forcing, quiet = self.options()
        return forcing + quiet or [PASS]

    def options(self) -> tuple[list[int], list[int]]:
        """The moves that leave the board or capture, and the others; both empty if the side must pass."""
        terrain, where, at, occupied, first = self.terrain, self.where, self.at, self.occupied, self.side * 6
        regions, memos, balance = terrain.regions, terrain.memos, BALANCE[self.side]
        forcing: list[int] = []
        quiet: list[int] = []
        for slot in range(first, first + 6):
            cell = where[slot]
            if cell == GONE:
                continue
            kind = KIND[slot]
            reach = memos[kind][cell].get(occupied & regions[kind][cell])
            if reach is None:
                reach = terrain.learn(kind, cell, occupied)
            calm, touched, leaving = reach
            quiet += calm
            if leaving:
                forcing.append(leaving)
            for target, move, force in touched:
                victim = at[target]
                if first <= victim < first + 6:
                    continue
                force -= STRENGTH[victim]
                for near in RINGS[target]:
                    other = at[near]
                    if other != slot:
                        force += balance[other]
                if force >= 0:
                    forcing.append(move)
        return forcing, quiet

    def sums(self, move: int) -> tuple[int, int] | None:
        """Both sums of an attack (L7); None if the move attacks nothing. The move must be legal."""
        start, target = move >> 7, move & 127
        if target == OFF or move == PASS or self.at[target] == NOBODY:
            return None
        slot, victim = self.at[start], self.at[target]
        _, touched, _ = self.terrain.reach(KIND[slot], start, self.occupied)
        attack = next(force for cell, _, force in touched if cell == target)
        defence = STRENGTH[victim]
        for near in RINGS[target]:
            other = self.at[near]
            if other in (NOBODY, slot):
                continue
            if other // 6 == self.side:
                attack += STRENGTH[other]
            else:
                defence += 1
        return attack, defence

    def make(self, move: int) -> None:
        """Play a legal move; `undo` takes it back."""
        other = NOBODY
        before, worth = self.hash, self.worth
        if move != PASS:
            at, start, end = self.at, move >> 7, move & 127
            slot = at[start]
            marks, table = MARKS[KIND[slot]], self.table[KIND[slot]]
            at[start] = NOBODY
            self.occupied ^= 1 << start
            self.hash += marks[end] - marks[start]
            if end == OFF:
                other = slot
                self.where[slot] = GONE
                self.points[self.side] += STRENGTH[slot]
                self.alive[self.side] -= 1
                self.outs += 1
                self._weigh()
            else:
                other = at[end]
                if other == NOBODY:
                    self.occupied ^= 1 << end
                else:
                    self.where[other] = GONE
                    self.alive[1 - self.side] -= 1
                    self.hash -= MARKS[KIND[other]][end]
                    self.worth -= self.table[KIND[other]][end]
                at[end] = slot
                self.where[slot] = end
                self.worth += table[end] - table[start]
        self.trail.append((move, other, before, worth))
        self.hash += -TURN_MARK if self.side else TURN_MARK
        self.side ^= 1
        self.ply += 1

    def undo(self) -> None:
        """Take back the last move made."""
        move, other, self.hash, self.worth = self.trail.pop()
        self.side ^= 1
        self.ply -= 1
        if move == PASS:
            return
        start, end = move >> 7, move & 127
        if end == OFF:
            slot = other
            self.points[self.side] -= STRENGTH[slot]
            self.alive[self.side] += 1
            self.outs -= 1
            self.table = self.tables.get((self.points[0], self.points[1]), _NOTHING)
        else:
            slot = self.at[end]
            self.at[end] = other
            if other == NOBODY:
                self.occupied ^= 1 << end
            else:
                self.where[other] = end
                self.alive[1 - self.side] += 1
        self.at[start] = slot
        self.where[slot] = start
        self.occupied ^= 1 << start

    def verdict(self, met: int) -> tuple[int, int]:
        """How the game stands after a move, in the order L9–L13, and who has won (a side or `NOBODY_WINS`).

        `met` is how often the position has now been met (L12).
        """
        red, blue = self.points
        if self.outs == 1 and red + blue == 3:
            return SENTINEL, 0 if red else 1
        if self.outs >= 2 and red != blue:
            return POINTS, _ahead(red, blue)
        if not (self.alive[0] and self.alive[1]):
            return NO_PIECES, _ahead(red + self._best(0), blue + self._best(1))
        if met >= 3:
            return REPETITION, NOBODY_WINS
        if self.ply >= LIMIT:
            return MOVE_LIMIT, _ahead(red, blue) if red != blue else _ahead(self.advance(0), self.advance(1))
        return RUNNING, NOBODY_WINS

    def advance(self, side: int) -> int:
        """How many rows the side's most advanced piece left on the board has advanced (L13); −1 with none left."""
        cells = [cell for cell in self.where[side * 6 : side * 6 + 6] if cell != GONE]
        return max((9 - rows_to_go(side, cell) for cell in cells), default=-1)

    def _best(self, side: int) -> int:
        return max((STRENGTH[slot] for slot in range(side * 6, side * 6 + 6) if self.where[slot] != GONE), default=0)

    def _place(self, slot: int, cell: int) -> None:
        self.at[cell] = slot
        self.occupied |= 1 << cell
        self.alive[slot // 6] += 1
        self.hash += MARKS[KIND[slot]][cell]

    def _weigh(self) -> None:
        """Take the table for these points, and weigh all pieces by it."""
        self.table = table = self.tables.get((self.points[0], self.points[1]), _NOTHING)
        self.worth = sum(table[KIND[slot]][self.where[slot]] for slot in range(SLOTS) if self.where[slot] != GONE)


def _ahead(red: int, blue: int) -> int:
    return 0 if red > blue else 1 if blue > red else NOBODY_WINS
