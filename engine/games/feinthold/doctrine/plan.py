"""A sheet in the making: what earlier rules have left, and orders added as far as they are legal (F28)."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from engine.games.feinthold.doctrine.language import MOST_THREATENED, STRONGEST, Word
from engine.games.feinthold.layouts import ALL, HQ, NEIGHBOURS, distances
from engine.games.feinthold.legality import reinforce_limit
from engine.games.feinthold.sheet import (
    DECOY_COST,
    ENTRENCH_COST,
    SCOUT_COST,
    SCOUT_LIMIT,
    UNIT_COST,
    Sheet,
    sheet,
)
from engine.games.feinthold.state import Seven
from engine.games.feinthold.views import SideView


class Done(Enum):
    """What became of an action."""

    ACTED = "acted"
    TRIMMED = "trimmed"
    SKIPPED = "skipped"


class Plan:
    """Orders of one side, legal after every addition."""

    __slots__ = ("_decoys", "_entrench", "_move", "_placed", "_points", "_predict", "_scout", "_units", "_view")

    def __init__(self, view: SideView) -> None:
        self._view: Final = view
        self._points = view.points
        self._units = list(view.units)  # still to be moved
        self._decoys = list(view.decoys)
        self._placed: dict[int, tuple[int, int]] = {}
        self._move: dict[tuple[int, int], tuple[int, int]] = {}
        self._entrench: set[int] = set()
        self._scout: list[int] = []
        self._predict = -1

    @property
    def sheet(self) -> Sheet:
        """The orders so far."""
        return sheet(
            [(at, units, decoys) for at, (units, decoys) in self._placed.items()],
            [(source, to, units, decoys) for (source, to), (units, decoys) in self._move.items()],
            self._entrench,
            self._scout,
            self._predict,
        )

    def place(self, word: Word) -> int:
        """The position a place names now, with the units that earlier rules left where they were."""
        return position(self._view, word, tuple(self._units))

    def reinforce(self, at: int, units: int, decoys: int) -> Done:
        """Place as many units as limit and points allow, then decoys (F4, F5)."""
        before = self._placed.get(at, (0, 0))
        room = reinforce_limit(self._view, at) - sum(before)
        men = max(0, min(units, room, self._points // UNIT_COST))
        bluffs = max(0, min(decoys, room - men, self._points - UNIT_COST * men))
        if not men + bluffs:
            return Done.SKIPPED
        self._placed[at] = (before[0] + men, before[1] + bluffs)
        self._points -= UNIT_COST * men + DECOY_COST * bluffs
        return Done.ACTED if (men, bluffs) == (units, decoys) else Done.TRIMMED

    def move(self, source: int, goal: int, amount: Word, decoys: int) -> Done:
        """Move towards the goal, one step on a shortest path; an entrenched position keeps a unit (F6, F7)."""
        if source == goal:
            return Done.SKIPPED
        there = self._units[source]
        wanted = _share(amount, there)
        keep = 1 if source in self._entrench and not self._placed.get(source, (0, 0))[0] else 0
        men, bluffs = max(0, min(wanted, there - keep)), min(decoys, self._decoys[source])
        if not men + bluffs:
            return Done.SKIPPED
        path = (source, step(self._view, source, goal))
        before = self._move.get(path, (0, 0))
        self._move[path] = (before[0] + men, before[1] + bluffs)
        self._units[source] -= men
        self._decoys[source] -= bluffs
        return Done.ACTED if (men, bluffs) == (wanted, decoys) else Done.TRIMMED

    def entrench(self, at: int) -> Done:
        """Entrench what stays or was placed (F7)."""
        view = self._view
        anybody = self._units[at] + self._placed.get(at, (0, 0))[0]
        if view.flags[at] != view.side or at == HQ[view.side] or at in self._entrench:
            return Done.SKIPPED
        if not anybody or self._points < ENTRENCH_COST:
            return Done.SKIPPED
        self._entrench.add(at)
        self._points -= ENTRENCH_COST
        return Done.ACTED

    def scout(self, at: int) -> Done:
        """Scout a position (F8)."""
        known = self._view.flags[at] == self._view.side or at in self._scout
        if known or len(self._scout) == SCOUT_LIMIT or self._points < SCOUT_COST:
            return Done.SKIPPED
        self._scout.append(at)
        self._points -= SCOUT_COST
        return Done.ACTED

    def predict(self, at: int) -> Done:
        """Predict a position; the first prediction of a sheet stands (F9)."""
        if self._predict >= 0:
            return Done.SKIPPED
        self._predict = at
        return Done.ACTED


def position(view: SideView, word: Word, units: Seven) -> int:
    """The position a place names for the view's side.

    The strongest is the own position with most of these units; the most threatened the one with most presences next to
    it, then most units. The order of the places breaks ties.
    """
    if word not in (STRONGEST, MOST_THREATENED):
        return _turned(view.side, int(word))
    own = [role for role in ALL if view.flags[_turned(view.side, role)] == view.side]
    places = [_turned(view.side, role) for role in own]
    if word == STRONGEST:
        return max(places, key=lambda p: units[p])
    near = NEIGHBOURS[view.layout]
    return max(places, key=lambda p: (sum(view.presence[q] == 1 for q in near[p]), units[p]))


def step(view: SideView, source: int, goal: int) -> int:
    """The neighbour next on a shortest path to the goal; the order of the places breaks ties."""
    far = distances(view.layout, goal)
    return min(NEIGHBOURS[view.layout][source], key=lambda p: (far[p], _turned(view.side, p)))


def _turned(side: int, place: int) -> int:
    return place if side == 0 else 6 - place


_SHARES: Final[Mapping[str, tuple[int, int]]] = {"half": (2, 0), "all": (1, 0), "all_but_one": (1, 1)}


def _share(amount: Word, there: int) -> int:
    if isinstance(amount, int):
        return amount
    divisor, kept = _SHARES[amount]
    return max(0, there // divisor - kept)
