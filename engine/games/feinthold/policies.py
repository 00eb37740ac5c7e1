"""Orders by a policy, from a side's view alone."""

import functools
from typing import TYPE_CHECKING

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.draws import Dice
from engine.games.feinthold.sheet import Sheet
from engine.games.feinthold.views import View, players
from engine.games.feinthold.wander import wander
from engine.games.protocol import Thought

if TYPE_CHECKING:
    from engine.games.feinthold.doctrine.language import Doctrine

HOUSE_AIS = ("sentinel", "pivot", "ram")


def think(view: View, policy: Json, dice: Dice, /) -> Thought[Sheet]:
    """A legal sheet for the side whose view it is; Malformed for an unknown policy or a doctrine that can't be read.

    `{"policy": "random"}` draws one; `{"policy": "doctrine", "doctrine": D}` follows D; "sentinel", "pivot" and "ram"
    are the house AIs, with `"noise"` (0, 1 or 2; 0 if left out) drawn from the text `"seed"`, the same all game (F29).
    A doctrine's notes hold one line a rule: `rule` (from 1), `true`, `acted`, `trimmed`, `skipped` (F28).
    """
    if policy.get("policy") == "random":
        return Thought(wander(players(view), dice))
    from engine.games.feinthold.doctrine.evaluate import evaluate, notes

    orders, traces = evaluate(players(view), _doctrine(policy))
    return Thought(orders, notes(traces))


def _doctrine(policy: Json) -> "Doctrine":
    from engine.games.feinthold.doctrine.noise import SUNDAY
    from engine.games.feinthold.doctrine.wire import parse

    name = policy.get("policy")
    if isinstance(name, str) and name in HOUSE_AIS:
        spread, seed = policy.get("noise", 0), policy.get("seed", "")
        if type(spread) is not int or not 0 <= spread <= SUNDAY or not isinstance(seed, str):
            raise Malformed(Problem("bad_policy", field="noise"))
        return _house(name, spread, seed)
    if name != "doctrine":
        raise Malformed(Problem("bad_policy", field="policy"))
    return parse(policy.get("doctrine"))


@functools.lru_cache(maxsize=64)
def _house(name: str, spread: int, seed: str) -> "Doctrine":
    """A house AI with its noise: a game asks for the same one turn after turn."""
    from engine.games.feinthold.doctrine.house import house
    from engine.games.feinthold.doctrine.noise import noise_dice, noisy

    return noisy(house(name), spread, noise_dice(seed.encode("utf-8", "surrogatepass"), name))
