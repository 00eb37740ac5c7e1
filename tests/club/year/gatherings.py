"""Tournaments and sieges: announced by one, joined by others, not always by enough."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.times import DAY, HOUR, MINUTE
from tests.club.year.club import YearClub
from tests.club.year.people import Clubber

FEES: Final = (0, 0, 5, 10, 25)
SIZES: Final = (4, 4, 4, 8)


def cups(club: YearClub) -> None:
    """A tournament of four or eight; now and then it does not fill, now and then somebody leaves it again."""
    there = club.present()
    size = club.random.choice(SIZES)
    if len(there) < size + 2 or club.random.random() >= max(0.12, 0.0015 * len(there)):
        return
    people = club.some(there, size + 2)
    few = club.random.random() < 0.1
    body = {"size": str(size), "fee": str(club.random.choice(FEES)), "request": club.request()}
    _gather(club, people[: size // 2] if few else people, "/tournaments", body, 3 * DAY)


def sieges(club: YearClub, number: int) -> None:
    """A siege of four to eight, opening in a few days."""
    there = club.present()
    seats = club.random.randint(4, 8)
    people = club.some(there, seats)
    if len(people) < 4:
        return
    opens = club.now + club.random.randint(2 * DAY, 4 * DAY)
    body = {
        "name": f"Siege number {number}",
        "seats": seats,
        "pace": club.random.choice(("days1", "days1", "days2")),
        "fee": club.random.choice(FEES),
        "opens": opens,
        "request": club.request(),
    }
    _gather(club, people, "/sieges", body, DAY)


def _gather(club: YearClub, people: list[Clubber], path: str, body: Mapping[str, object], span: int) -> None:
    first, *others = people

    def announce() -> None:
        answer = first.does(path, body)
        if answer is None:
            return
        for person in others:
            person.soon((MINUTE, span), partial(person.does, f"{answer.location}/join", {}))
            if club.random.random() < 0.04:
                person.soon((span // 2, span), partial(person.does, f"{answer.location}/leave", {}))

    first.soon((6 * HOUR, 20 * HOUR), announce)
