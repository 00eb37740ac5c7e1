"""What each side is told of a turn: every event it may know, exactly once, with its figures (F20–F23)."""

from engine.errors import Scalar
from engine.games.feinthold.combat import Fight
from engine.games.feinthold.layouts import NEUTRAL, POSITIONS, SIDES
from engine.games.feinthold.state import BASE_INCOME, PREDICTION_INCOME, RELAY_INCOME, relays_held
from engine.games.feinthold.turn import Turn
from engine.games.protocol import Fact

Told = tuple[str, dict[str, Scalar]]

_READERS = (("a",), ("b",))
_FLAG_CODES = {  # (before, after) as the reader sees them: own 0, enemy's 1
    (NEUTRAL, 0): "took_neutral",
    (1, 0): "took_enemy",
    (NEUTRAL, 1): "enemy_took_neutral",
    (0, 1): "enemy_took_own",
    (0, NEUTRAL): "own_neutral",
    (1, NEUTRAL): "enemy_neutral",
}


def report(turn: Turn, missed: tuple[bool, bool]) -> tuple[Fact, ...]:
    """The facts of a turn, side a's first. `missed`: which sides sent no orders."""
    facts: list[Fact] = []
    for side in (0, 1):
        told: list[Told] = [("no_orders", {})] if missed[side] else []
        _orders(told, turn, side)
        _events(told, turn, side)
        _results(told, turn, side)
        reader = _READERS[side]
        facts += [Fact(code, detail, reader) for code, detail in told]
    end = turn.after.end
    if end is not None:
        winner = None if end.winner is None else SIDES[end.winner]
        facts.append(Fact("end", {"winner": winner, "by": end.by}, None))
    return tuple(facts)


def _orders(told: list[Told], turn: Turn, side: int) -> None:
    orders = turn.sheets[side]
    for at, units, decoys in orders.reinforce:
        told.append(("placed", {"at": POSITIONS[at], "units": units, "decoys": decoys}))
    for source, to, units, decoys in orders.move:
        told.append(("moved", {"from": POSITIONS[source], "to": POSITIONS[to], "units": units, "decoys": decoys}))
    for at in orders.entrench:
        told.append(("entrenched", {"at": POSITIONS[at]}))


def _events(told: list[Told], turn: Turn, side: int) -> None:
    for owner, at, decoys in turn.unmasked:
        code = "own_unmasked" if owner == side else "enemy_unmasked"
        told.append((code, {"at": POSITIONS[at], "decoys": decoys}))
    for clash in turn.fights:
        told.append(_combat(clash, side))
    before, after = turn.before.flags, turn.after.flags
    if before != after:
        for at, was in enumerate(before):
            if was != after[at]:
                code = _FLAG_CODES[_seen_by(side, was), _seen_by(side, after[at])]
                told.append((code, {"at": POSITIONS[at]}))


def _results(told: list[Told], turn: Turn, side: int) -> None:
    for who, at, count in turn.counts:
        if who == side:
            told.append(("scouted", {"at": POSITIONS[at], "count": count}))
    predicted = turn.sheets[side].predict
    if predicted >= 0:
        code = "prediction_right" if turn.right[side] else "prediction_wrong"
        told.append((code, {"at": POSITIONS[predicted]}))
    if turn.after.end is None:
        told.append(_income(turn, side))


def _combat(clash: Fight, side: int) -> Told:
    own, enemy = clash.forces[side], clash.forces[1 - side]
    stronger = clash.stronger
    code = "combat_tied" if stronger is None else "combat_won" if stronger == side else "combat_lost"
    return code, {
        "at": POSITIONS[clash.at],
        "own": own.strength / 2,
        "enemy": enemy.strength / 2,
        "open": own.open,
        "entrenched": own.entrenched,
        "arrived": own.arriving,
        "lost": own.units - clash.left[side],
        "decoys": own.decoys,
    }


def _seen_by(side: int, flag: int) -> int:
    return flag if flag == NEUTRAL else int(flag != side)


def _income(turn: Turn, side: int) -> Told:
    relays = relays_held(turn.after.flags, side)
    bonus = PREDICTION_INCOME if turn.right[side] else 0
    return "income", {
        "base": BASE_INCOME,
        "relays": relays,
        "from_relays": RELAY_INCOME * relays,
        "bonus": bonus,
        "total": BASE_INCOME + RELAY_INCOME * relays + bonus,
        "points": turn.after.points[side],
    }
