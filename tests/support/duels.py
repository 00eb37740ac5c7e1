"""Duels for tests of their decisions."""

from typing import Any

import pytest

from engine.decisions import Decision, Job, Put
from engine.errors import Refusal
from engine.platform.clocks import Gap, Ground, Pulse
from engine.platform.duels import orders, propose, start
from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from engine.times import HOUR, Instant

NOW = Instant(1_790_000_000_000)
ANNA, BETH, CHRIS = MemberId("anna"), MemberId("beth"), MemberId("chris")
SEED = bytes(range(32))


def proposed(pace: str = "days1", invited: MemberId | None = None) -> Duel:
    command = propose.Propose(ANNA, "feinthold", pace, invited, "r1")
    duel: Duel = propose.propose(command, None, (), NOW).answer
    return duel


def playing(pace: str = "days1") -> Duel:
    duel = propose.accept(proposed(pace), 1, BETH, SEED, (), NOW).answer
    if duel.stage == "ready":
        duel = start.ready(duel, 1, ANNA, NOW).answer
        duel = start.ready(duel, 1, BETH, NOW).answer
    return duel


def ground(now: int, *gaps: Gap, last: int | None = None) -> Ground:
    return Ground(Instant(now), Pulse("tick", Instant(now if last is None else last), gaps))


def send(duel: Duel, member: MemberId, at: int = NOW + HOUR, **more: Any) -> Decision[orders.Receipt]:
    fields = {"turn": duel.turn, "orders": {}, "request": f"{member}{at}", **more}
    command = orders.SubmitOrders(duel.id, member, received=Instant(at), **fields)
    return orders.submit(duel, 1, None, command, ground(at))


def after(decision: Decision[Any]) -> Duel:
    duel: Duel = written(decision, Duel)[0]
    return duel


def written(decision: Decision[Any], kind: type) -> list[Any]:
    return [c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, kind)]


def jobs(decision: Decision[Any]) -> set[str]:
    return {job.id.split("/")[0] + "/" + job.id.split("/")[-1] for job in written(decision, Job)}


def refusal(act: Any) -> str:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value.code
