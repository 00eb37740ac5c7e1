"""A stand-in that plays at random."""

from engine.decisions import Json
from engine.games.draws import Dice, pick, shuffled
from engine.games.protocol import Thought
from engine.games.trebuchet.grid import Bonus, cells
from engine.games.trebuchet.orders import Aim, Orders, Placement
from engine.games.trebuchet.setup import fits
from engine.games.trebuchet.views import View, may_choose, may_fire


def think(view: View, policy: Json, dice: Dice, /) -> Thought[Orders]:
    """A placement or a shot, each legal one of its kind equally likely; every bonus is chosen and used at once.

    The only policy is "random". The view must be that of a seat still in.
    """
    return Thought(_place(view, dice) if view.stage != "play" else _aim(view, dice))


def _place(view: View, dice: Dice) -> Placement:
    formation = tuple(sorted(shuffled(dice, range(1, 9))[:3]))
    centres = [centre for centre in cells(view.grid) if fits(view.grid, formation, centre)]
    drawn = []
    for _ in range(3):
        drawn.append(pick(dice, centres))
        centres.remove(drawn[-1])
    return Placement(formation, tuple(drawn))


def _aim(view: View, dice: Dice) -> Aim:
    own = view.own
    target = pick(dice, [cell for cell in cells(view.grid) if own is None or cell != own.trebuchet])
    if own is None:
        return Aim(target)
    choose: tuple[Bonus, ...] = tuple(shuffled(dice, may_choose(own))[: own.earned])
    held = may_fire(own) + tuple(bonus for bonus in choose if bonus != "shield")
    return Aim(target, pick(dice, held) if held else None, choose)
