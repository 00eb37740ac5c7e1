"""What a side may order: for pages that offer it, and for policies that draw from it."""

from dataclasses import dataclass

from engine.games.feinthold.layouts import ALL, HQ, NEIGHBOURS, POSITIONS
from engine.games.feinthold.legality import reinforce_limit
from engine.games.feinthold.views import SideView


@dataclass(frozen=True, slots=True)
class Option:
    """What one position offers: how much may be placed there (0: nothing), where its troops can go."""

    at: str
    limit: int
    neighbours: tuple[str, ...]
    units: int
    decoys: int
    entrench: bool
    scout: bool


def options(view: SideView) -> tuple[Option, ...]:
    """The options of all seven positions, for a game that goes on (F5–F8).

    `entrench` holds where the flag is one's own and it is not the HQ: whether a unit stays depends on the other orders.
    """
    return tuple(
        Option(
            at=POSITIONS[p],
            limit=reinforce_limit(view, p),
            neighbours=tuple(POSITIONS[q] for q in NEIGHBOURS[view.layout][p]),
            units=view.units[p],
            decoys=view.decoys[p],
            entrench=view.flags[p] == view.side and p != HQ[view.side],
            scout=view.flags[p] != view.side,
        )
        for p in ALL
    )
