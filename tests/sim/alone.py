"""Worlds in which members play doctrines: challenges and practice at a slow pace, or the Daily Front on its clock."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from engine.decisions import Decision, Put
from engine.games.feinthold.doctrine.house import HOUSE
from engine.platform import challenges
from engine.platform.daily_front import POINTS
from engine.platform.doctrines import Book, Contender, Slot, contender_id
from engine.platform.duels.records import Duel
from engine.platform.local_days import day_of, month_of
from engine.platform.members import MemberId
from engine.times import DAY, HOUR, MINUTE
from infra.records import (
    CHALLENGE_CHANGE,
    CONTENDER,
    FRONT,
    FRONT_GAME,
    FRONT_TALLY,
    MEETING,
    MONTHLY,
)
from infra.store import Store
from tests.sim.books import settled
from tests.sim.judge import Broken, Judge
from tests.sim.people import Person
from tests.sim.run import LONGEST, MEMORY, Report, add_member, anything_due
from tests.sim.world import START, World, plan_outages

ZONE: Final = "Europe/Paris"
AUTHOR: Final = 0  # who has published a doctrine
PEOPLE: Final = 3


def simulate_alone(seed: int, faults: bool = True) -> Report:
    """Play a world to its end; raises Broken if the site did not keep a promise. The same seed plays the same world."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        judge = Judge()
        random = Random(f"alone {seed}")
        fronts = seed % 3 == 0
        world = World(random, Path(folder), MINUTE if fronts else 30 * MINUTE, judge.saw, judge.mail)
        people = [add_member(world, number) for number in range(PEOPLE)]
        for number, person in enumerate(people):
            _write(world, person, default=number != 2, published=number == AUTHOR)
        world.start_ticking()
        games = sum(_plan(world, person, number, fronts) for number, person in enumerate(people))
        if faults:
            world.calm = False
            plan_outages(world, START + (3 * HOUR if fronts else 3 * DAY))
        world.run(START + LONGEST, lambda: _all_over(judge, games))
        world.calm = True
        world.mail_down_until = world.sources.time
        world.run(world.sources.time + 4 * DAY, lambda: not anything_due(world))
        acks = [ack for person in people for ack in person.acks]
        judge.at_the_end(world.truth, acks)
        settled(world, judge.duels.values(), [person.id for person in people])
        if len(judge.duels) != games:
            raise Broken(f"{games} games asked for, {len(judge.duels)} begun")
        for person in people:
            _rated(world.truth, MemberId(person.id), judge.duels)
        if fronts:
            _ranked(world.truth, people, judge.duels)
        return Report(
            seed, len(judge.duels), len(judge.turns), len(judge.mails), len(acks), world.crashes, tuple(judge.story)
        )


def _write(world: World, person: Person, default: bool, published: bool) -> None:
    member = MemberId(person.id)
    doctrine = {**HOUSE[world.random.choice(list(HOUSE))], "name": f"Of {person.name}"}
    changes = [Put(Book(member, (Slot(1, doctrine),), default=int(default)), 0)]
    if published:
        changes.append(Put(Contender(contender_id(member, 1), member, f"Of {person.name}", published=True), 0))
    world.truth.commit(Decision(tuple(changes), None))


def _plan(world: World, person: Person, number: int, fronts: bool) -> int:
    """What a member will begin, each at a moment of its own, asking again until it is known to be there."""
    if fronts:
        wishes = [("/front", {"day": day_of(START, ZONE)}, "blitz")]
    else:
        rival = "ai:ram" if number == AUTHOR else contender_id(MemberId(f"m{AUTHOR}"), 1)
        wishes = [
            ("/challenges", {"doctrine": rival, "request": "c"}, "days3"),
            ("/practice", {"ai": world.random.choice(list(HOUSE)), "request": "p"}, "days3"),
        ]
    for path, body, pace in wishes:
        world.at(START + world.random.randint(0, 5 * MINUTE), _beginning(world, person, path, body, pace))
    return len(wishes)


def _beginning(world: World, person: Person, path: str, body: dict[str, str], pace: str) -> Callable[[], None]:
    def act() -> None:
        answer = person.post(path, body)
        if answer is None or answer.status != 303:
            world.at(world.sources.time + MINUTE, act)
            return
        person.follow(answer.location.rpartition("/")[2], pace, person)

    return act


def _rated(store: Store, member: MemberId, duels: dict[str, Duel]) -> None:
    """Each challenge counts once or not at all, and the next one may begin."""
    changes = [row.value for row in store.query(CHALLENGE_CHANGE, "", member, limit=99).rows]
    for duel in duels.values():
        if duel.kind != "challenge" or duel.members[0].member != member:
            continue
        moved = [change for change in changes if change.game == duel.id and not change.why]
        superhuman = any(change.game == duel.id and change.why == "superhuman" for change in changes)
        if len(moved) != (not challenges.why_not(duel) and not superhuman):
            raise Broken(f"{duel.id} moved {moved}, {challenges.why_not(duel)}")
        rival = next(p.member for p in duel.players if p.policy is not None)
        meeting, contender = store.get(MEETING, member, rival), store.get(CONTENDER, rival)
        if meeting is None or meeting.value.running is not None:
            raise Broken(f"still running: {meeting}")
        if moved and (contender is None or contender.value.games == 0):
            raise Broken(f"{rival} was not rated for {duel.id}")


def _ranked(store: Store, people: list[Person], duels: dict[str, Duel]) -> None:
    """Everybody has one game of the day, the counters count the ranked ones, points are what results are worth."""
    day = day_of(START, ZONE)
    kept = store.get(FRONT, day)
    if kept is None or kept.value.final is None:
        raise Broken(f"the day is not final: {kept}")
    games = [row.value for person in people if (row := store.get(FRONT_GAME, day, person.id))]
    if len(games) != len(people) or any(game.ended is None for game in games):
        raise Broken(f"fronts: {games}")
    ranked = [game for game in games if game.ranked]
    counted = {(t.kind, t.turns, t.positions, t.income): n for t, n in store.counts(FRONT_TALLY, day, limit=99)}
    if any(counted.get(game.place) != sum(g.place == game.place for g in ranked) for game in ranked):
        raise Broken(f"counters {counted} for {ranked}")
    for game in games:
        monthly = store.get(MONTHLY, month_of(day), game.member)
        points = monthly.value.points if monthly else 0
        if points != (POINTS[game.result] if game.ranked else 0):
            raise Broken(f"{points} points for {game}")
        duel = duels[game.game]
        if game.ranked and game.result != "lost" and 2 * duel.members[0].sheets <= duel.played:
            raise Broken(f"played mostly by a doctrine, and ranked: {game}")


def _all_over(judge: Judge, games: int) -> bool:
    return len(judge.duels) >= games and all(duel.stage == "ended" for duel in judge.duels.values())
