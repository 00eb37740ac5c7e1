"""The seed's table of combats as worked examples: the figures come from the rules themselves."""

from collections.abc import Mapping
from typing import Any, Final

from engine.games.feinthold.combat import Force, fight
from engine.games.feinthold.layouts import CENTRE, LAYOUTS

NOBODY: Final = Force(0, 0, 0, 0)
EXAMPLES: Final[tuple[tuple[str, Force, Force], ...]] = (
    ("dug_in", Force(0, 0, 7, 0), Force(0, 4, 0, 0)),
    ("dug_in_tie", Force(0, 0, 6, 0), Force(0, 4, 0, 0)),
    ("bluff", Force(0, 0, 5, 2), Force(0, 0, 3, 1)),
    ("hq_holds", Force(0, 0, 7, 0), Force(0, 5, 0, 0)),
    ("hq_tie", Force(0, 0, 3, 0), Force(0, 2, 0, 0)),
    ("unmasked", Force(0, 0, 0, 1), NOBODY),
    ("centre", Force(0, 0, 3, 0), Force(0, 0, 3, 1)),
    ("help_arrives", Force(0, 2, 3, 0), Force(0, 0, 6, 0)),
    ("help_placed", Force(0, 4, 0, 0), Force(0, 0, 6, 0)),
    ("passing", Force(1, 0, 0, 0), Force(0, 0, 4, 0)),
    ("rush", Force(0, 0, 9, 0), Force(0, 3, 0, 0)),
    ("empty_threat", Force(0, 0, 2, 0), Force(0, 0, 0, 2)),
    ("two_bluffs", Force(0, 0, 0, 1), Force(0, 0, 0, 1)),
)  # own force first


def examples() -> tuple[Mapping[str, Any], ...]:
    """Each example's name, both strengths in units, and what either side loses and keeps."""
    return tuple(_worked(name, own, enemy) for name, own, enemy in EXAMPLES)


def rules() -> Mapping[str, Any]:
    """What the rules page shows beside its text: the layouts with their optional paths, the examples."""
    layouts = tuple({"number": number, "paths": options} for number, options in LAYOUTS.items())
    return {"layouts": layouts, "examples": examples()}


def _worked(name: str, own: Force, enemy: Force) -> Mapping[str, Any]:
    clash = fight(CENTRE, own, enemy)
    return {
        "name": name,
        "own": own.strength / 2,
        "enemy": enemy.strength / 2,
        "fought": enemy is not NOBODY,
        "result": "tie" if clash.stronger is None else "won" if clash.stronger == 0 else "lost",
        "own_lost": own.units - clash.left[0],
        "own_left": clash.left[0],
        "enemy_lost": enemy.units - clash.left[1],
        "enemy_left": clash.left[1],
        "decoys": own.decoys + enemy.decoys,
    }
