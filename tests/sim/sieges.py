"""A siege to its end, whatever goes wrong: members by habit, their fees, and what must hold after it."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.games.verify import verify
from engine.platform.ledger.moving import move
from engine.platform.ledger.records import HOUSE, Account, Balance, Line, escrow, purse
from engine.platform.members import Member, MemberId
from engine.platform.sessions import begin, session_id
from engine.platform.sieges.records import GRACE, Siege, SiegeTurn
from engine.times import DAY, HOUR
from infra.mail import Letter
from infra.records import DUE_SHARDS, JOB, SIEGE, SIEGE_TURN
from tests.sim.judge import Broken
from tests.sim.people import Person, thought
from tests.sim.run import anything_due
from tests.sim.world import START, World, plan_outages
from tests.support.browser import Browser

FEE: Final = 25
PURSE: Final = 100
TICK: Final = 2 * HOUR
LONGEST: Final = 500 * DAY
TURN_NOTICES: Final = ("siege_turn", "siege_warning", "siege_prepare", "siege_again")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a world."""

    turns: int
    mails: int
    crashes: int
    by: str


class Watch:
    """Sees every commit and every mail of sieges."""

    def __init__(self) -> None:
        self.sieges: dict[str, Siege] = {}
        self.turns: set[tuple[str, int]] = set()
        self.mails: set[str] = set()

    def saw(self, decision: Decision[Any]) -> None:
        """No turn is resolved twice or before its deadline's grace, and nothing changes after the end."""
        values = [change.value for change in decision.changes if isinstance(change, Put)]
        for turn in (value for value in values if isinstance(value, SiegeTurn)):
            if (turn.siege, turn.turn) in self.turns:
                raise Broken(f"resolved twice: {turn.siege} {turn.turn}")
            self.turns.add((turn.siege, turn.turn))
            before = self.sieges.get(turn.siege)
            if turn.by == "deadline" and before and before.deadline and turn.closed < before.deadline + GRACE:
                raise Broken(f"closed too early: {turn.siege} {turn.turn}")
        for siege in (value for value in values if isinstance(value, Siege)):
            before = self.sieges.get(siege.id)
            if before is not None and before.stage in ("ended", "cancelled"):
                raise Broken(f"changed after its end: {siege.id}")
            self.sieges[siege.id] = siege

    def mail(self, letter: Letter) -> None:
        """No mail goes out twice, none asks for the orders of a turn that is over."""
        if letter.reference in self.mails:
            raise Broken(f"sent twice: {letter.reference}")
        self.mails.add(letter.reference)
        name = letter.reference.split("/")
        siege = self.sieges.get(name[1])
        if siege is None or name[-1] not in TURN_NOTICES:
            return
        _, _, turn, to, _ = name
        player = siege.player(MemberId(to))
        if siege.turn != int(turn) or player is None or not siege.waits_for(player):
            raise Broken(f"stale: {letter.reference}")


def simulate(seed: int, players: int, faults: bool = True, same_places: bool = False) -> Outcome:
    """Play a siege to its end; raises Broken if a promise was not kept. `same_places`: all prepare alike (T3)."""
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch()
        world = World(Random(seed), Path(folder), TICK, watch.saw, watch.mail)
        people = [_besieger(world, number, same_places) for number in range(players)]
        id = _announced(people)
        world.start_ticking()
        if faults:
            plan_outages(world, START + 5 * DAY)
            world.calm = False
        for person in people:
            person.besiege(id)
        world.run(START + LONGEST, lambda: _over(watch, id) and not anything_due(world))
        world.calm = True
        world.mail_down_until = world.sources.time
        world.run(world.sources.time + 2 * DAY, lambda: not anything_due(world))
        return _judged(world, id, watch, people)


@dataclass
class _Besieger(Person):
    """A member who comes by now and then; `likely` is how likely a look leads to orders."""

    likely: float = 1.0
    same_places: bool = False

    def besiege(self, id: str) -> None:
        """Look at a siege again and again until it is over."""

        def look() -> None:
            row = self.world.truth.get(SIEGE, id)
            siege = row.value if row else None
            if siege is None or siege.stage == "ended":
                return
            player = siege.player(MemberId(self.id))
            if self.world.up and player and siege.waits_for(player) and self.random.random() < self.likely:
                self._shoot(siege, player.seat)
            self.world.at(self.world.sources.time + self.random.randint(HOUR, 14 * HOUR), look)

        self.world.at(self.world.sources.time + self.random.randint(0, 3 * HOUR), look)

    def _shoot(self, siege: Siege, seat: str) -> None:
        random = Random("the same") if self.same_places and siege.turn < 1 else self.random
        orders = thought(siege, seat, random)
        self.post(f"/sieges/{siege.id}/orders", {"turn": siege.turn, "after": 0, "orders": orders, "text": "A text."})


def _besieger(world: World, number: int, same_places: bool) -> _Besieger:
    id = MemberId(f"m{number}")
    member = Member(id, f"Member {number}", f"{id}@example.org", "en", "Europe/Paris", START)
    session = begin(member, session_id(f"cookie {id}"), START)
    world.truth.commit(Decision((Put(member, 0), Put(session, 0)), None))
    lines = (Line(HOUSE, -PURSE), Line(purse(id), PURSE))
    world.truth.commit(Decision(move(f"given/{id}", "gift", START, lines, {}, {id: None}), None))
    browser = Browser(cookies={"session": f"cookie {id}"})
    browser.data("/sieges")
    likely = world.random.choice((0.15, 0.5, 0.9, 1.0, 1.0))
    return _Besieger(world, id, member.name, "late", browser, world.random, likely=likely, same_places=same_places)


def _announced(people: list[_Besieger]) -> str:
    form = {"name": "A siege", "seats": len(people), "pace": "days1", "fee": FEE, "opens": START + DAY, "request": "r"}
    answer = people[0].post("/sieges", form)
    assert answer is not None and answer.status == 303, answer
    for person in people[1:]:
        joined = person.post(f"{answer.location}/join", {})
        assert joined is not None and joined.status == 303, joined
    return answer.location.rpartition("/")[2]


def _over(watch: Watch, id: str) -> bool:
    return id in watch.sieges and watch.sieges[id].stage == "ended"


def _judged(world: World, id: str, watch: Watch, people: list[_Besieger]) -> Outcome:
    row = world.truth.get(SIEGE, id)
    if row is None or row.value.stage not in ("ended", "cancelled"):
        raise Broken(f"never ended: {row.value if row else None}")
    siege = row.value
    if left := [r.value for s in range(DUE_SHARDS) for r in world.truth.query(JOB, "due", s, limit=9).rows]:
        raise Broken(f"jobs left: {left}")
    if parked := world.truth.query(JOB, "parked", limit=9).rows:
        raise Broken(f"parked: {parked}")
    accounts = [escrow("tournament", id), *(purse(MemberId(person.id)) for person in people)]
    held = [_held(world, account) for account in accounts]
    if held[0] or sum(held) != PURSE * len(people):
        raise Broken(f"credits: {held}")
    turns = world.truth.query(SIEGE_TURN, "", id, limit=600).rows
    if len(turns) != len(siege.resolved) or len(turns) != len(watch.turns):
        raise Broken(f"turns: {len(turns)}, {siege.resolved}")
    if siege.stage == "ended" and not verify(Browser().data(f"/sieges/{id}/download")).honest:
        raise Broken("dice")
    return Outcome(len(turns), len(watch.mails), world.crashes, siege.result.by if siege.result else "cancelled")


def _held(world: World, account: Account) -> int:
    return world.truth.count(Balance(account))
