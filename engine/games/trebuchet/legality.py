"""What is illegal about orders, judged from the view of the seat that sends them (T3, T5, T6, T10)."""

from engine.errors import Malformed, Problem
from engine.games.trebuchet.board import Unit
from engine.games.trebuchet.grid import OFFENSIVE, inside, name
from engine.games.trebuchet.orders import Aim, Orders, Placement, parse, readable
from engine.games.trebuchet.setup import fits
from engine.games.trebuchet.views import View

THREE = 3  # servants of a formation, and centres


def judge(view: View, raw: object, /) -> tuple[Problem, ...]:
    """Everything wrong with orders as they were sent: why they can't be read, or else what is illegal.

    Of a placement that can't be read the places that can be and lie off the field are told too.
    """
    try:
        return check(view, parse(raw))
    except Malformed as error:
        placing = view.stage != "play" and view.outcome is None
        off = [centre for centre in readable(raw) if not inside(view.grid, centre)] if placing else []
        return (*error.problems, *(Problem("off_field", at=name(centre), field="centres") for centre in off[:THREE]))


def check(view: View, orders: Orders, /) -> tuple[Problem, ...]:
    """Every problem of the orders, each with its field.

    `game_over`, `wrong_stage` (a placement after the draw, a shot before it), `out`; for a placement `not_three`,
    `duplicate`, `off_field`, `unit_off_field`; for a shot `off_field`, `own_cell`, `not_offensive`, `not_held`,
    `not_earned`, `had_already`.
    """
    if view.outcome is not None:
        return (Problem("game_over"),)
    if isinstance(orders, Placement) is (view.stage == "play"):
        return (Problem("wrong_stage"),)
    if any(player.seat == view.eyes and player.out for player in view.players):
        return (Problem("out"),)
    if isinstance(orders, Placement):
        return _placement(view, orders)
    return _target(view, orders) + (_bonuses(view.own, orders) if view.own else ())


def _placement(view: View, placement: Placement) -> tuple[Problem, ...]:
    problems = []
    for key, listed in (("formation", placement.formation), ("centres", placement.centres)):
        if len(set(listed)) != len(listed):
            problems.append(Problem("duplicate", field=key))
        elif len(listed) != THREE:
            problems.append(Problem("not_three", field=key))
    for centre in placement.centres[:THREE]:
        if not inside(view.grid, centre):
            problems.append(Problem("off_field", at=name(centre), field="centres"))
        elif not fits(view.grid, placement.formation, centre):
            problems.append(Problem("unit_off_field", at=name(centre), field="centres"))
    return tuple(problems)


def _target(view: View, aim: Aim) -> tuple[Problem, ...]:
    at = name(aim.target)
    if not inside(view.grid, aim.target):
        return (Problem("off_field", at=at, field="target"),)
    if view.own and aim.target == view.own.trebuchet:
        return (Problem("own_cell", at=at, field="target"),)
    return ()


def _bonuses(own: Unit, aim: Aim) -> tuple[Problem, ...]:
    """A bonus chosen with these very orders may be fired with them."""
    problems = []
    if aim.bonus is not None and aim.bonus not in OFFENSIVE:
        problems.append(Problem("not_offensive", field="bonus", detail={"bonus": aim.bonus}))
    elif aim.bonus is not None and aim.bonus not in (*own.bonuses, *aim.choose):
        problems.append(Problem("not_held", field="bonus", detail={"bonus": aim.bonus}))
    if len(aim.choose) > own.earned:
        problems.append(Problem("not_earned", field="choose", detail={"earned": own.earned}))
    problems += [
        Problem("had_already", field="choose", detail={"bonus": bonus}) for bonus in aim.choose if bonus in own.had
    ]
    return tuple(problems)
