"""The seed's table of combats as worked examples: the figures come from the rules themselves."""

from collections.abc import Mapping
from typing import Any, Final

from engine.games.feinthold.combat import Force, fight
from engine.games.feinthold.layouts import CENTRE, LAYOUTS
from functions.web.boards.feinthold.map import Map, draw

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


def scene() -> Map:
    """A turn in the middle of a game, as one side sees and plans it."""
    flags = {"hq_a": "a", "fwd_a": "a", "post_a": "a", "centre": None, "post_b": "b", "fwd_b": "b", "hq_b": "b"}
    units, presence = {"hq_a": 4, "fwd_a": 3, "post_a": 1}, {"centre": False, "post_b": True}
    last = {"fwd_b": {"turn": 3, "kind": "scout", "value": 2}}
    view = {"layout": 8, "side": "a", "flags": flags, "units": units, "decoys": {"post_a": 1}}
    orders = {
        "reinforce": [{"at": "hq_a", "units": 2, "decoys": 0}],
        "move": [
            {"from": "fwd_a", "to": "centre", "units": 3, "decoys": 0},
            {"from": "hq_a", "to": "fwd_a", "units": 2, "decoys": 0},
        ],
        "scout": ["fwd_b"],
        "predict": "centre",
    }
    return draw({**view, "presence": presence, "last": last}, {"a": orders})


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
