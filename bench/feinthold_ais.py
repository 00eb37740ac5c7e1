"""How the house AIs play: the table that their rules were tuned to.

`python -m bench.feinthold_ais [games]` prints it: 400 games a pairing, 2,001 among the AIs. The last one is kept here.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from engine.games.feinthold.doctrine.evaluate import evaluate
from engine.games.feinthold.doctrine.house import HOUSE, house
from engine.games.feinthold.doctrine.language import Doctrine
from engine.games.feinthold.doctrine.noise import USUAL, noisy
from engine.games.feinthold.doctrine.wire import parse
from engine.games.feinthold.layouts import ALL, HQ, LAYOUTS
from engine.games.feinthold.sheet import NO_ORDERS, Sheet
from engine.games.feinthold.state import COMBAT, PRESENCE, State, opening
from engine.games.feinthold.turn import Turn, play, settle
from engine.games.feinthold.views import SideView, side_view
from engine.games.feinthold.wander import wander

Player = Callable[[SideView], Sheet]
Maker = Callable[["Chance"], Player]  # a player for one game

STAY = parse(
    {
        "version": 1,
        "name": "Reinforce and stay",
        "rules": [{"if": [{"is": "always"}], "then": [{"do": "reinforce", "place": "my_hq", "units": 4, "decoys": 0}]}],
    }
)
SEARCHED = 200


class Chance:
    """Fast dice for benches."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(str(seed))

    def roll(self, sides: int, /) -> int:
        """A number from 1 to `sides`."""
        return int(self._random.random() * sides) + 1


def follower(doctrine: Doctrine) -> Player:
    """A player that follows a doctrine."""
    return lambda view: evaluate(view, doctrine)[0]


def house_ai(name: str, chance: Chance) -> Player:
    """A house AI with the noise of one game."""
    return follower(noisy(house(name), USUAL, chance))


def stay(chance: Chance) -> Player:
    """Reinforces its HQ with all it can and stays there."""
    return follower(STAY)


def randomly(chance: Chance) -> Player:
    """Sends random legal sheets."""
    return lambda view: wander(view, chance)


def greedy(chance: Chance) -> Player:
    """Of 200 random legal sheets takes the best by flags, then units, after one turn against an idle enemy."""

    def best(view: SideView) -> Sheet:
        guess = imagined(view)
        return max((wander(view, chance) for _ in range(SEARCHED)), key=lambda orders: worth(guess, view.side, orders))

    return best


def worth(state: State, side: int, orders: Sheet) -> tuple[int, int]:
    """Flags, then units, after a turn against an idle enemy."""
    sheets = (orders, NO_ORDERS) if side == 0 else (NO_ORDERS, orders)
    after = settle(state, sheets)
    return after.flags.count(side), sum(after.units[side])


def imagined(view: SideView) -> State:
    """The state as the view suggests it: the enemy's last counts under its flags; 2 units for a bare presence there."""
    enemy = 1 - view.side
    guess = [0] * 7
    for p in ALL:
        if view.flags[p] == enemy and view.presence[p] != 0:
            guess[p] = _remembered(view, p)
    units = (view.units, tuple(guess)) if view.side == 0 else (tuple(guess), view.units)
    decoys = (view.decoys, (0,) * 7) if view.side == 0 else ((0,) * 7, view.decoys)
    points = (view.points, 0) if view.side == 0 else (0, view.points)
    return replace(opening(view.layout), turn=view.turn, flags=view.flags, units=units, decoys=decoys, points=points)


def _remembered(view: SideView, p: int) -> int:
    seen = view.last[p]
    if seen is not None and seen[1] != PRESENCE:
        return (seen[2] + 1) // 2 if seen[1] == COMBAT else seen[2]
    return 4 if p == HQ[1 - view.side] and view.presence[p] < 0 else 2 if view.presence[p] == 1 else 0


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a pairing: the first player's side, and its turns."""

    side: int
    turns: tuple[Turn, ...]

    @property
    def score(self) -> float:
        """1 for the first player's win, 0.5 for a draw."""
        end = self.turns[-1].after.end
        assert end is not None
        return 0.5 if end.winner is None else float(end.winner == self.side)


def pairing(first: Maker, second: Maker, games: int, seed: str) -> Iterator[Played]:
    """Games on all layouts and from both sides in turn."""
    for number in range(games):
        layout, side = 1 + number % len(LAYOUTS), number // len(LAYOUTS) % 2
        own, other = first(Chance(f"{seed}/{number}/first")), second(Chance(f"{seed}/{number}/second"))
        players = (own, other) if side == 0 else (other, own)
        turns: list[Turn] = []
        state = opening(layout)
        while state.end is None:
            sheets = (players[0](side_view(state, 0)), players[1](side_view(state, 1)))
            turns.append(play(state, sheets))
            state = turns[-1].after
        yield Played(side, tuple(turns))


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares of a player's turns: with an attack on an enemy flag, an entrenchment, a scouting, decoys on the move."""

    attacks: float
    entrenches: float
    scouts: float
    bluffs: float
    scouts_and_bluffs: float


def habits(sheets: Iterable[tuple[State, int, Sheet]]) -> Habits:
    """The habits in these turns: the state, the player's side, its sheet."""
    seen: Counter[str] = Counter()
    turns = 0
    for state, side, orders in sheets:
        turns += 1
        attacks = any(units and state.flags[to] == 1 - side for _, to, units, _ in orders.move)
        bluffs = any(decoys for *_, decoys in orders.move)
        seen.update(
            attacks=attacks,
            entrenches=bool(orders.entrench),
            scouts=bool(orders.scout),
            bluffs=bluffs,
            both=bluffs and bool(orders.scout),
        )
    return Habits(*(seen[key] / turns for key in ("attacks", "entrenches", "scouts", "bluffs", "both")))


def against_others(games: int) -> None:
    """Print how often each AI beats the simple players."""
    makers: tuple[tuple[str, Maker], ...] = (("stay", stay), ("random", randomly), ("greedy", greedy))
    print(f"{'':10}" + "".join(f"{name:>10}" for name, _ in makers) + "   (wins, %)")
    for ai in HOUSE:
        scores = [
            sum(one.score == 1 for one in pairing(partial(house_ai, ai), other, games, f"{ai}/{name}")) / games
            for name, other in makers
        ]
        print(f"{ai:10}" + "".join(f"{100 * score:10.1f}" for score in scores), flush=True)


def among_themselves(games: int) -> None:
    """Print how the AIs fare against each other, their habits, the balance of sides and the ends by layout."""
    sheets: dict[str, list[tuple[State, int, Sheet]]] = {ai: [] for ai in HOUSE}
    wins: Counter[int | None] = Counter()
    ends: dict[int, Counter[str]] = {layout: Counter() for layout in LAYOUTS}
    for first, second in combinations(HOUSE, 2):
        scores: Counter[float] = Counter()
        for one in pairing(partial(house_ai, first), partial(house_ai, second), games, f"{first}/{second}"):
            scores[one.score] += 1
            for turn in one.turns:
                for ai, side in ((first, one.side), (second, 1 - one.side)):
                    sheets[ai].append((turn.before, side, turn.sheets[side]))
            last = one.turns[-1].after
            assert last.end is not None
            wins[last.end.winner] += 1
            ends[last.layout][last.end.by if last.end.by in ("hq", "breakthrough") else "eighth"] += 1
        print(f"{first} {100 * scores[1.0] / games:.1f} % : {100 * scores[0.0] / games:.1f} % {second}")
    for ai, played in sheets.items():
        had = habits(played)
        print(
            f"{ai:10} attacks {had.attacks:.0%}, entrenches {had.entrenches:.0%}, scouts {had.scouts:.0%}, "
            f"moves decoys {had.bluffs:.0%}, both in one turn {had.scouts_and_bluffs:.0%}"
        )
    total = sum(wins.values())
    print(f"sides over {total} games: a {100 * wins[0] / total:.1f} %, b {100 * wins[1] / total:.1f} %")
    for layout, by in ends.items():
        print(f"layout {layout:2}: hq {by['hq']:4}, breakthrough {by['breakthrough']:4}, eighth turn {by['eighth']:4}")


if __name__ == "__main__":
    number_of_games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    against_others(number_of_games)
    among_themselves(max(667, number_of_games))
