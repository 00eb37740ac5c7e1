"""Games against a doctrine, as their decisions are tested: played to their end without a store."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.decisions import Decision, Json, Put
from engine.platform.clocks import Ground
from engine.platform.duels import closing, leaving, orders
from engine.platform.duels.records import Duel, DuelId, Result
from engine.platform.duels.solo import Solo, play
from engine.platform.members import MemberId
from engine.times import DAY, SECOND, Instant, later

NOW = Instant(1_790_000_000_000)
ANNA, RAM = MemberId("anna"), MemberId("ai:ram")
SEED = bytes(range(32))


@dataclass(frozen=True)
class Read:
    """A record as it was read."""

    value: Any
    version: int = 1


def wanted(**more: Any) -> Solo:
    """A rated challenge of the Ram by Anna."""
    return replace(Solo("challenge", "days3", ANNA, RAM, {"policy": "ram"}, rated=True, game="feinthold"), **more)


def begun(solo: Solo, id: str = "g1", now: Instant = NOW) -> Duel:
    """The game, its first turn open."""
    return play(DuelId(id), solo, SEED, now).answer


def sent(duel: Duel, sheet: Json | None = None) -> Duel:
    """The game after the member's orders for the turn, a second after it opened."""
    at = later(duel.opened or NOW, SECOND)
    command = orders.SubmitOrders(duel.id, ANNA, duel.turn, sheet or {}, f"r{duel.turn}", at)
    return after(orders.submit(duel, 1, None, command, Ground(at, None)))


def missed(duel: Duel) -> Duel:
    """The game after a turn that the member missed."""
    return after(closing.wake(duel, 1, Ground(later(duel.deadline or NOW, 3 * SECOND), None)))


def abandoned(duel: Duel) -> Duel:
    """The game given up a day later."""
    return leaving.abandon(duel, 1, ANNA, later(duel.opened or NOW, DAY)).answer


def to_the_end(duel: Duel, step: Callable[[Duel], Duel] = sent) -> Duel:
    """The game played on to its end."""
    while duel.stage == "playing":
        duel = step(duel)
    return duel


def over(duel: Duel, winner: str | None, by: str = "hq", **player: Any) -> Duel:
    """The game as it would be if it had ended so: `winner` is "me", "it" or nobody."""
    me, it = duel.members[0], next(p for p in duel.players if p.policy is not None)
    seat = {"me": me.seat, "it": it.seat}.get(winner or "")
    players = tuple(replace(p, sheet=None, **(player if p is me else {})) for p in duel.players)
    return replace(duel, stage="ended", ended=later(NOW, DAY), players=players, result=Result(seat, by))


def after(decision: Decision[Any]) -> Duel:
    """The duel as a decision leaves it."""
    return next(c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, Duel))


def written(decision: Decision[Any], kind: type) -> list[Any]:
    """What a decision writes of a kind."""
    return [c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, kind)]
