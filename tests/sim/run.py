"""One seed: a few members, their duels, and whatever goes wrong."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.decisions import Add, Decision, Put
from engine.platform import stakes
from engine.platform.gifts import give
from engine.platform.members import Member, MemberId, Quiet
from engine.platform.rivalries import Opponents
from engine.platform.sessions import begin, session_id
from engine.platform.stakes import OPPONENTS
from engine.times import DAY, MINUTE, later
from infra.records import DUE_SHARDS, JOB
from tests.sim.books import Books, settled
from tests.sim.judge import Judge
from tests.sim.people import HABITS, Person
from tests.sim.world import START, World, plan_outages
from tests.support.browser import Browser

NAMES: Final = ("Ada", "Basile", "Chloé", "Dov")
LIVE: Final = ("blitz", "rapid")
SLOW: Final = ("days1", "days2", "days3")
TICKS: Final = {LIVE: MINUTE, SLOW: 30 * MINUTE}  # a minute's precision tells nothing new about turns of days
DUELS: Final = 3
STAKES: Final = (0, 10, 25)
JOINED: Final = later(START, -10 * DAY)
OPEN_GAME: Final = "relief"  # played in one world of eight, one duel in each: its games are long
OPEN_PACES: Final = (("live",), ("days1",))
LONGEST: Final = 60 * DAY
MEMORY: Final = Path("/dev/shm")  # a file system in memory, where there is one


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a seed."""

    seed: int
    duels: int
    turns: int
    mails: int
    acks: int
    crashes: int
    story: tuple[str, ...]


def simulate(seed: int, faults: bool = True) -> Report:
    """Play a world to its end; raises Broken if the site did not keep a promise. The same seed plays the same world."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        judge, books = Judge(), Books()
        random = Random(seed)
        is_open = seed % 8 == 5
        paces = random.choice(OPEN_PACES if is_open else (LIVE, SLOW, SLOW))

        def saw(decision: Decision[Any]) -> None:
            judge.saw(decision)
            books.saw(decision)

        world = World(
            random, Path(folder), MINUTE if "live" in paces else TICKS.get(paces, 30 * MINUTE), saw, judge.mail
        )
        people = [add_member(world, number) for number in range(len(NAMES))]
        world.start_ticking()
        duels = 1 if is_open else DUELS
        for number in range(duels):
            _propose(world, people, paces, number, OPEN_GAME if is_open else "feinthold")
        if faults:
            world.calm = False
            plan_outages(world, START + 3 * DAY)
        world.run(START + LONGEST, lambda: _all_over(judge, duels))
        world.calm = True
        world.mail_down_until = world.sources.time
        world.run(world.sources.time + 4 * DAY, lambda: not anything_due(world))
        acks = [ack for person in people for ack in person.acks]
        judge.at_the_end(world.truth, acks)
        settled(world, judge.duels.values(), [person.id for person in people])
        return Report(
            seed, len(judge.duels), len(judge.turns), len(judge.mails), len(acks), world.crashes, tuple(judge.story)
        )


def add_member(world: World, number: int) -> Person:
    """A member of the world, with habits of their own, signed in."""
    id, name = MemberId(f"m{number}"), NAMES[number]
    quiet = Quiet(22 * 60, 7 * 60) if number % 2 else None
    member = Member(id, name, f"{id}@example.org", "fr" if number % 2 else "en", "Europe/Paris", JOINED, quiet=quiet)
    session = begin(member, session_id(f"cookie {id}"), START)
    wealth = (Add(Opponents(id), OPPONENTS), *give(None, id, id, JOINED))
    world.truth.commit(Decision((Put(member, 0), Put(session, 0), *wealth), None))
    browser = Browser(cookies={"session": f"cookie {id}"})
    person = Person(world, id, name, world.random.choice(HABITS), browser, world.random)
    browser.data("/duels")
    return person


def _propose(world: World, people: list[Person], paces: tuple[str, ...], number: int, game: str) -> None:
    proposer, other = world.random.sample(people, 2)
    pace = world.random.choice(paces)
    stake = world.random.choice(STAKES) if stakes.allowed_in(game) else 0
    body = {"game": game, "pace": pace, "opponent": "", "request": f"r{number}", "stake": str(stake)}

    def act() -> None:
        with world.quiet():
            answer = proposer.post("/duels", body)
        assert answer is not None and answer.status == 303, answer
        duel = answer.location.rpartition("/")[2]
        proposer.follow(duel, pace, other)
        other.follow(duel, pace, proposer)

    world.at(START + world.random.randint(0, 5 * MINUTE), act)


def anything_due(world: World) -> bool:
    """Whether any job is left, now or later."""
    return any(world.truth.query(JOB, "due", shard, limit=1).rows for shard in range(DUE_SHARDS))


def _all_over(judge: Judge, duels: int) -> bool:
    return len(judge.duels) == duels and all(duel.stage == "ended" for duel in judge.duels.values())
