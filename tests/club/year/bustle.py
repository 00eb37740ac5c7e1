"""What a day brings: who plays what, each at a moment of its own."""

from functools import partial
from typing import Final

from engine.games.feinthold.doctrine.house import HOUSE
from engine.platform.doctrines import contender_id, house_id
from engine.platform.local_days import Day
from engine.platform.members import MemberId
from engine.times import HOUR, MINUTE, SECOND
from tests.club.year.club import YearClub
from tests.club.year.people import Clubber

WAKING: Final = 6 * HOUR
LAST_MINUTE: Final = 30 * SECOND
PACES: Final = (("days1", 45), ("days2", 8), ("days3", 5), ("blitz", 24), ("rapid", 14))
STAKES: Final = (5, 10, 20, 25, 40)
SESSIONS_LAST: Final = 150  # days after which members sign in again


def fronts(club: YearClub, day: Day, ends: int) -> None:
    """One to two in nine play the Daily Front, some in the very last minute, some once more."""
    there = club.present("keen", "usual", "idle", "cheat")
    least = max(2, len(there) // 9)
    for person in club.some(there, club.random.randint(least, 2 * least)):
        latest = ends - club.now
        at = (latest - LAST_MINUTE, latest) if club.random.random() < 0.02 else (WAKING, latest - HOUR)
        person.soon(at, partial(person.does, "/front", {"day": day}))
        if club.random.random() < 0.03:
            retry = {"request": club.request()}
            person.soon((latest - HOUR, latest), partial(person.does, f"/front/{day}/retry", retry))


def duels(club: YearClub) -> None:
    """Proposals, with and without stakes, to anybody or to one; what is open is taken up by somebody else."""
    there = club.present()
    if len(there) < 4:
        return
    for _ in range(_times(club, max(1.6, 0.03 * len(there)))):
        proposer, other, third = club.some(there, 3)
        pace = club.random.choices([name for name, _ in PACES], [weight for _, weight in PACES])[0]
        stake = club.random.choice(STAKES) if club.random.random() < 0.4 else 0
        named = other.name if club.random.random() < 0.5 else ""
        body = {"game": "feinthold", "pace": pace, "opponent": named, "stake": str(stake), "request": club.request()}
        _propose(club, proposer, body, third)
    if club.random.random() < 0.2:
        proposer, other = club.some(there, 2)
        pace = club.random.choice(("live", "days1"))
        _propose(club, proposer, {"game": "relief", "pace": pace, "request": club.request()}, other)


def alone(club: YearClub) -> None:
    """Challenges of doctrines and house AIs, practice, a game against the computer."""
    there = club.present("keen", "usual", "idle", "cheat")
    house = [house_id(name) for name in HOUSE]
    published = [contender_id(MemberId(person.id), 1) for person in there if person.published]
    for _ in range(_times(club, max(0.6, 0.02 * len(there)))):
        person = max(there, key=lambda one: club.random.random() ** (1 / one.solo), default=None)
        if person is not None:
            known = published if published and club.random.random() < 0.5 else house
            rival = known[min(int(club.random.expovariate(0.7)), len(known) - 1)]
            body = {"doctrine": rival, "request": club.request()}
            person.soon((WAKING, 22 * HOUR), partial(person.does, "/challenges", body))
    for person in club.some(there, _times(club, 0.4)):
        body = {"ai": club.random.choice(tuple(HOUSE)), "request": club.request()}
        person.soon((WAKING, 22 * HOUR), partial(person.does, "/practice", body))
    for person in club.some(there, _times(club, 0.05)):
        body = {"level": "level1", "request": club.request()}
        person.soon((WAKING, 22 * HOUR), partial(person.does, "/play/relief", body))


def comings(club: YearClub, newcomers: list[Clubber]) -> None:
    """These join today; households sign in a second time some days later, on the browser that they share."""
    for person in newcomers:
        person.soon((WAKING, 20 * HOUR), person.sign_in)
    for person in club.present():
        age = (club.now - club.chronicle.members[MemberId(person.id)].joined) // (24 * HOUR)
        if age == 1 and club.random.random() < 0.35 and person.kind != "silent":
            person.soon((WAKING, 22 * HOUR), partial(_settle_in, club, person))
        since = (club.now - person.signed_in) // (24 * HOUR)
        if since >= SESSIONS_LAST or (person.shares and age in (2, 4)):
            person.soon((WAKING, 22 * HOUR), person.sign_in)


def goings(club: YearClub) -> None:
    """Now and then somebody leaves, and half of them come back after some weeks, to the same mailbox."""
    there = club.present("usual", "idle", "silent")
    for person in club.some(there, _times(club, max(0.02, 0.0003 * len(there)))):
        person.soon((WAKING, 22 * HOUR), person.leave)
        if club.random.random() < 0.5:
            days = club.random.randint(20, 90)
            again = club.newcomer(person.address, "usual")
            again.soon((days * 24 * HOUR, days * 24 * HOUR + 12 * HOUR), again.sign_in)


def quarrels(club: YearClub) -> None:
    """A report or a block, now and then."""
    there = club.present()
    if len(there) > 2 and club.random.random() < 0.15:
        one, other = club.some(there, 2)
        what = club.random.choice(("report", "block"))
        one.soon((WAKING, 20 * HOUR), partial(one.does, f"/members/{other.id}/{what}", {"reason": "Not nice."}))


def _propose(club: YearClub, proposer: Clubber, body: dict[str, str], other: Clubber) -> None:
    """Propose it; if it is open, somebody else takes it up after a while."""

    def propose() -> None:
        answer = proposer.does("/duels", body)
        duel = club.open_proposals.get(answer.location.rpartition("/")[2]) if answer is not None else None
        if duel is not None and club.random.random() < 0.92:
            other.soon((10 * MINUTE, 20 * HOUR), partial(other.consider, duel))

    proposer.soon((WAKING, 22 * HOUR), propose)


def _settle_in(club: YearClub, person: Clubber) -> None:
    """A doctrine of one's own, as default; some publish it."""
    doctrine = {**HOUSE[club.random.choice(tuple(HOUSE))], "name": f"Of {person.name}"}
    if person.does("/doctrines/1", {"doctrine": doctrine}) is None:
        return
    person.does("/doctrines/default", {"default": "1"})
    if club.random.random() < 0.3:
        person.published = person.does("/doctrines/1/publish", {}) is not None


def _times(club: YearClub, mean: float) -> int:
    """How often something happens today, `mean` on average."""
    whole = int(mean)
    return whole + (club.random.random() < mean - whole)
