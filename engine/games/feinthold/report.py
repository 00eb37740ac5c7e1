"""What each side is told of a turn: every event it may know, exactly once, with its figures (F20–F23)."""

from collections.abc import Iterator

from engine.errors import Scalar
from engine.games.feinthold.combat import Fight
from engine.games.feinthold.layouts import NEUTRAL, POSITIONS, SIDES
from engine.games.feinthold.state import BASE_INCOME, PREDICTION_INCOME, RELAY_INCOME, relays_held
from engine.games.feinthold.turn import Turn
from engine.games.protocol import Fact

Told = tuple[str, dict[str, Scalar]]

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
    facts = [Fact(code, detail, (SIDES[side],)) for side in (0, 1) for code, detail in _told(turn, side, missed[side])]
    end = turn.after.end
    if end is not None:
        winner = None if end.winner is None else SIDES[end.winner]
        facts.append(Fact("end", {"winner": winner, "by": end.by}, None))
    return tuple(facts)


def _told(turn: Turn, side: int, missed: bool) -> Iterator[Told]:
    if missed:
        yield "no_orders", {}
    yield from _orders(turn, side)
    for owner, at, decoys in turn.unmasked:
        code = "own_unmasked" if owner == side else "enemy_unmasked"
        yield code, {"at": POSITIONS[at], "decoys": decoys}
    for clash in turn.fights:
        yield _combat(clash, side)
    yield from _flags(turn, side)
    for who, at, count in turn.counts:
        if who == side:
            yield "scouted", {"at": POSITIONS[at], "count": count}
    if turn.sheets[side].predict >= 0:
        code = "prediction_right" if turn.right[side] else "prediction_wrong"
        yield code, {"at": POSITIONS[turn.sheets[side].predict]}
    if turn.after.end is None:
        yield _income(turn, side)


def _orders(turn: Turn, side: int) -> Iterator[Told]:
    orders = turn.sheets[side]
    for at, units, decoys in orders.reinforce:
        yield "placed", {"at": POSITIONS[at], "units": units, "decoys": decoys}
    for source, to, units, decoys in orders.move:
        yield "moved", {"from": POSITIONS[source], "to": POSITIONS[to], "units": units, "decoys": decoys}
    for at in orders.entrench:
        yield "entrenched", {"at": POSITIONS[at]}


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


def _flags(turn: Turn, side: int) -> Iterator[Told]:
    for at, (was, now) in enumerate(zip(turn.before.flags, turn.after.flags, strict=True)):
        if was != now:
            yield _FLAG_CODES[_seen_by(side, was), _seen_by(side, now)], {"at": POSITIONS[at]}


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
