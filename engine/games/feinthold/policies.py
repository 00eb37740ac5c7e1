"""Orders by a policy, from a side's view alone."""

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.draws import Dice
from engine.games.feinthold.sheet import Sheet
from engine.games.feinthold.views import View, players
from engine.games.feinthold.wander import wander
from engine.games.protocol import Thought


def think(view: View, policy: Json, dice: Dice, /) -> Thought[Sheet]:
    """A legal sheet for the side whose view it is; Malformed (`bad_policy`) for an unknown policy."""
    if policy.get("policy") == "random":
        return Thought(wander(players(view), dice))
    raise Malformed(Problem("bad_policy", field="policy"))
