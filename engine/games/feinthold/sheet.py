"""A side's orders for one turn, and what they cost."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

UNIT_COST: Final = 2
DECOY_COST: Final = 1
ENTRENCH_COST: Final = 1
SCOUT_COST: Final = 2
HQ_LIMIT: Final = 4
RELAY_LIMIT: Final = 2
SCOUT_LIMIT: Final = 2

Placed = tuple[int, int, int]  # position, units, decoys
Moved = tuple[int, int, int, int]  # from, to, units, decoys


@dataclass(frozen=True, slots=True)
class Sheet:
    """Orders, each list in the order of the positions; `predict` is -1 where nothing is predicted."""

    reinforce: tuple[Placed, ...] = ()
    move: tuple[Moved, ...] = ()
    entrench: tuple[int, ...] = ()
    scout: tuple[int, ...] = ()
    predict: int = -1

    @property
    def cost(self) -> int:
        """What the whole sheet costs, in points (F4)."""
        cost = ENTRENCH_COST * len(self.entrench) + SCOUT_COST * len(self.scout)
        for _, units, decoys in self.reinforce:
            cost += UNIT_COST * units + DECOY_COST * decoys
        return cost


NO_ORDERS: Final = Sheet()


def sheet(
    reinforce: Iterable[Placed] = (),
    move: Iterable[Moved] = (),
    entrench: Iterable[int] = (),
    scout: Iterable[int] = (),
    predict: int = -1,
) -> Sheet:
    """A sheet of these orders in canonical order."""
    return Sheet(tuple(sorted(reinforce)), tuple(sorted(move)), tuple(sorted(entrench)), tuple(sorted(scout)), predict)
