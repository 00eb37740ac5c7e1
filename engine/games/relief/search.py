"""Alpha-beta on a position: iterative deepening, transposition table, quiescence; bounded by nodes, never by time."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.games.relief.cells import CELLS, OFF, PASS, move_of
from engine.games.relief.evaluation import TEMPO, evaluate
from engine.games.relief.pieces import KIND, NOBODY, STRENGTH
from engine.games.relief.position import LIMIT, RUNNING, Position
from engine.games.relief.terrain import rows_to_go

WIN: Final = 1_000_000
SURE: Final = WIN - 1_000  # scores beyond it are wins counted to the end
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
DEEPEST: Final = 40
REDUCE_AFTER: Final = 5  # quiet moves searched before later ones are searched less deep
PRIZE: Final = (0, 120, 240, 420)  # the most a capture can change, by strength


class OutOfNodes(Exception):
    """The budget is used up."""


class Search:
    """One search from a position. `met` counts the game's earlier positions by hash (L12).

    `salt` and `grain` add 0…grain to each evaluation, drawn by position: equal moves are chosen differently by seed.
    """

    __slots__ = ("budget", "depth", "grain", "history", "killers", "met", "nodes", "position", "salt", "seen")

    def __init__(
        self,
        position: Position,
        met: Mapping[int, int],
        budget: int,
        salt: int,
        grain: int,
    ) -> None:
        self.position = position
        self.met: dict[int, int] = {**met, position.hash: 2}
        self.budget = budget
        self.salt = salt * 2 + 1
        self.grain = grain
        self.nodes = 0
        self.depth = 0
        self.seen: dict[int, tuple[int, int, int, int]] = {}
        self.killers: list[int] = [PASS] * (DEEPEST + 300)
        self.history: list[list[int]] = [list(_forward(0)), list(_forward(1))]

    def run(self, depth: int) -> tuple[int, int]:
        """The best move found and its score for the side to move, searching at most so many moves deep."""
        forcing, quiet = self.position.options()
        moves = self._ordered(forcing, quiet, PASS, 0) or [PASS]
        best, score = moves[0], 0
        if len(moves) == 1:
            return best, score
        made = len(self.position.trail)
        try:
            for self.depth in range(1, depth + 1):
                best, score = self._root(moves, self.depth, best)
                if abs(score) > SURE:
                    break
                moves.remove(best)
                moves.insert(0, best)
        except OutOfNodes:
            while len(self.position.trail) > made:
                self.position.undo()
            best = moves[0] if self.seen.get(self.position.hash) is None else self.seen[self.position.hash][3]
        return best, score

    def _root(self, moves: list[int], depth: int, best: int) -> tuple[int, int]:
        position = self.position
        top = -WIN
        for move in moves:
            position.make(move)
            if top == -WIN:
                score = -self._value(depth - 1, -WIN, WIN, 1)
            else:
                score = -self._value(depth - 1, -top - 1, -top, 1)
                if score > top:
                    score = -self._value(depth - 1, -WIN, -top, 1)
            position.undo()
            if score > top:
                top, best = score, move
                self.seen[position.hash] = (depth, AT_LEAST, top, best)
        return best, top

    def _value(self, depth: int, alpha: int, beta: int, height: int) -> int:
        """The score of the position for its side to move; exact between alpha and beta, else a bound."""
        position = self.position
        self.nodes += 1
        if self.nodes > self.budget:
            raise OutOfNodes
        ended = self._ended(height)
        if ended is not None:
            return ended
        if depth <= 0 or height >= DEEPEST:
            return self._quiet_value(alpha, beta, height)
        found = self.seen.get(position.hash)
        favourite = PASS
        if found is not None:
            favourite = found[3]
            known = self._known(found, depth, alpha, beta, height)
            if known is not None:
                return known
        forcing, quiet = position.options()
        floor = -WIN
        if not forcing and not quiet:
            quiet = [PASS]
        elif depth == 1 and position.ply + 1 < LIMIT:
            hopeful = self._hopeful(quiet, alpha)
            if len(hopeful) < len(quiet):
                quiet, floor = hopeful, alpha
        moves = self._ordered(forcing, quiet, favourite, height)
        return self._best(moves, len(forcing), depth, alpha, beta, height, floor) if moves else floor

    def _best(self, moves: list[int], forcing: int, depth: int, alpha: int, beta: int, height: int, floor: int) -> int:
        """The score of the best of `moves`; `floor` is what the moves left out may be worth."""
        position, mark, low = self.position, self.position.hash, alpha
        self.met[mark] = self.met.get(mark, 0) + 2
        top, best = floor, moves[0]
        for index, move in enumerate(moves):
            position.make(move)
            late = index > forcing + REDUCE_AFTER and depth > 2
            if index == 0:
                score = -self._value(depth - 1, -beta, -alpha, height + 1)
            else:
                score = -self._value(depth - 2 if late else depth - 1, -alpha - 1, -alpha, height + 1)
                if score > alpha and (late or score < beta):
                    score = -self._value(depth - 1, -beta, -alpha, height + 1)
            position.undo()
            if score > top:
                top, best = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._reward(move, depth, height)
                        break
        self.met[mark] -= 2
        flag = AT_LEAST if top >= beta else EXACT if top > low else AT_MOST
        stored = top + height if top > SURE else top - height if top < -SURE else top
        self.seen[mark] = (depth, flag, stored, best)
        return top

    def _hopeful(self, quiet: list[int], alpha: int) -> list[int]:
        """The last quiet moves of a line that can raise alpha: the others leave the opponent content to stand."""
        position = self.position
        at, table = position.at, position.table
        need = alpha + 2 * TEMPO - evaluate(position)
        if position.side:
            return [
                move
                for move in quiet
                if table[KIND[at[move >> 7]]][move >> 7] - table[KIND[at[move >> 7]]][move & 127] > need
            ]
        return [
            move
            for move in quiet
            if table[KIND[at[move >> 7]]][move & 127] - table[KIND[at[move >> 7]]][move >> 7] > need
        ]

    def _quiet_value(self, alpha: int, beta: int, height: int) -> int:
        """The score once captures and leaving are played out."""
        position = self.position
        stand = evaluate(position) + (((position.hash * self.salt) >> 24) & self.grain)
        if stand >= beta or height >= DEEPEST + 200:
            return stand
        top = stand
        alpha = max(alpha, stand)
        forcing, _ = position.options()
        forcing.sort(key=self._prize, reverse=True)
        for move in forcing:
            end = move & 127
            if end != OFF and stand + PRIZE[STRENGTH[position.at[end]]] + 60 < alpha and min(position.alive) > 1:
                continue
            position.make(move)
            self.nodes += 1
            ended = self._ended(height + 1)
            score = -(self._quiet_value(-beta, -alpha, height + 1) if ended is None else ended)
            position.undo()
            if score > top:
                top = score
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return top

    def _ended(self, height: int) -> int | None:
        """The score for the side to move if the game has ended (L9–L13) or repeats itself."""
        position = self.position
        if position.outs or position.ply >= LIMIT or not (position.alive[0] and position.alive[1]):
            how, winner = position.verdict(1)
            if how != RUNNING:
                return 0 if winner < 0 else WIN - height if winner == position.side else height - WIN
        return 0 if self.met.get(position.hash, 0) >= 2 else None

    def _known(self, found: tuple[int, int, int, int], depth: int, alpha: int, beta: int, height: int) -> int | None:
        if found[0] < depth:
            return None
        score = found[2]
        if score > SURE:
            score -= height
        elif score < -SURE:
            score += height
        exact = found[1] == EXACT or (score >= beta if found[1] == AT_LEAST else score <= alpha)
        return score if exact else None

    def _ordered(self, forcing: list[int], quiet: list[int], favourite: int, height: int) -> list[int]:
        """The moves, most promising first: the one known best, leaving and captures, then by what refuted others."""
        forcing.sort(key=self._prize, reverse=True)
        quiet.sort(key=self.history[self.position.side].__getitem__, reverse=True)
        moves = forcing + quiet
        killer = self.killers[height]
        if killer in quiet:
            moves.remove(killer)
            moves.insert(len(forcing), killer)
        if favourite in moves:
            moves.remove(favourite)
            moves.insert(0, favourite)
        return moves

    def _prize(self, move: int) -> int:
        end = move & 127
        if end == OFF:
            return 100
        at = self.position.at
        return STRENGTH[at[end]] * 8 - STRENGTH[at[move >> 7]]

    def _reward(self, move: int, depth: int, height: int) -> None:
        end = move & 127
        if end != OFF and self.position.at[end] == NOBODY:
            self.killers[height] = move
            self.history[self.position.side][move] += depth * depth


@lru_cache(maxsize=2)
def _forward(side: int) -> tuple[int, ...]:
    """By move, how many rows it advances: the first order of quiet moves."""
    history = [0] * (CELLS << 7)
    for start in range(CELLS):
        for end in range(CELLS):
            history[move_of(start, end)] = rows_to_go(side, start) - rows_to_go(side, end)
    return tuple(history)
