"""The year from its first day to its last, and until all that was begun has ended."""

import gc
import tempfile
import time
from pathlib import Path
from typing import Final

from engine.platform.local_days import Day, begins, following, last_of, month_of
from engine.times import HOUR, MINUTE, Instant
from tests.club.months import ZONE
from tests.club.year import bustle, checks, gatherings, moderators
from tests.club.year.club import ADMIN, FIRST, YearClub
from tests.club.year.people import Clubber, Kind
from tests.club.year.totals import Totals, totals
from tests.sim.run import MEMORY

LONGEST_END: Final = 60  # days until everything has ended
FOUNDERS: Final = 0.25  # of all, who join in the first days
MODERATORS: Final = 3
SHARES: Final[tuple[tuple[Kind, float], ...]] = (("keen", 0.12), ("cheat", 0.04), ("silent", 0.03), ("idle", 0.18))
HOUSEHOLD: Final = 25  # every so many members, two share a browser
SIEGES: Final = (5, 20)  # days of the month
SKIPPED: Final = (90, 91, 200)  # nights on which the schedule does not come: from the 1st of March on, and one more
OUTAGES: Final = ((33, 2 * MINUTE), (75, 12 * MINUTE), (150, 3 * HOUR), (250, 40 * MINUTE))
NO_MAIL: Final = (20, 50, 120, 180, 240, 300)


def simulate(members: int, days: int, seed: int, first: Day = FIRST, faults: bool = True) -> Totals:
    """So many members join over so many days and live in the club; raises AssertionError if anything does not hold."""
    began, used = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        club = live(Path(folder), members, days, seed, first, faults)
        _wind_down(club, following(first, days))
        year = [following(first, number) for number in range(days)]
        months = sorted({month_of(day) for day in year if day == last_of(month_of(day))})
        checks.fully(club)
        checks.nothing_left(club)
        for day in year:
            checks.front(club, day)
        checks.paid(club, months)
        return totals(club, year, months, time.perf_counter() - began, time.process_time() - used)


def live(folder: Path, members: int, days: int, seed: int, first: Day = FIRST, faults: bool = True) -> YearClub:
    """The club after so many days, with all that is under way."""
    club = YearClub(folder, seed, first, faults, checks.closing)
    joining = _joining(club, members, days)
    club.world.start_ticking()
    day = first
    for number in range(days):
        _plan(club, day, number, joining.get(number, []))
        _live(club, day, number)
        day = following(day)
    return club


def _joining(club: YearClub, members: int, days: int) -> dict[int, list[Clubber]]:
    """Who joins on which day: a quarter at once, the others over the first third."""
    first = [club.newcomer(ADMIN, "moderator")]
    first += [club.newcomer(f"moderator{n}@example.org", "moderator") for n in range(MODERATORS)]
    joining = {0: first}
    others = members - len(first)
    kinds = [kind for kind, share in SHARES for _ in range(round(others * share + 0.4))][:others]
    kinds += ["usual"] * (others - len(kinds))
    club.random.shuffle(kinds)
    home: Clubber | None = None
    for number, kind in enumerate(kinds):
        early = number < members * FOUNDERS
        day = club.random.randint(0, 4) if early else club.random.randint(3, max(4, days // 3))
        person = club.newcomer(f"member{number}@example.org", kind)
        if number % HOUSEHOLD == 0:
            home = person
        elif number % HOUSEHOLD == 1 and home is not None:
            home.shares = person.shares = True
            person.home = home
        joining.setdefault(day, []).append(person)
    return joining


def _plan(club: YearClub, day: Day, number: int, newcomers: list[Clubber]) -> None:
    """Everything that begins on this day, at its first instant."""
    ends = begins(following(day), ZONE)
    club.nights(day, skipped=number in SKIPPED)
    bustle.comings(club, newcomers)
    bustle.fronts(club, day, ends)
    bustle.duels(club)
    bustle.alone(club)
    bustle.quarrels(club)
    gatherings.cups(club)
    moderators.watch(club, day)
    moderators.act(club, day)
    if number in (2, 4):
        moderators.appoint(club)
    if number > 20:
        bustle.goings(club)
    if int(day[8:]) in SIEGES:
        gatherings.sieges(club, number)
    if not club.world.calm:
        _trouble(club, number)


def _trouble(club: YearClub, number: int) -> None:
    at = club.now + club.random.randint(8 * HOUR, 20 * HOUR)
    for day, span in OUTAGES:
        if day == number:
            club.world.at(at, lambda span=span: club.world.fall(span))  # type: ignore[misc]
    if number in NO_MAIL:
        club.world.at(at, lambda: club.world.lose_mail(2 * HOUR))


def _live(club: YearClub, day: Day, number: int) -> None:
    """The day goes by; at noon it is looked at whether all is well, on the third of a month thoroughly."""
    noon = begins(day, ZONE) + 12 * HOUR
    club.world.run(noon, lambda: False)
    club.world.sources.time = Instant(max(noon, club.now))
    if number and club.world.up:
        checks.daily(club, day)
    if int(day[8:]) == 3:
        checks.fully(club)
        club.world.forget()
        gc.collect()
    end = begins(following(day), ZONE)
    club.world.run(end - 1, lambda: False)
    club.world.sources.time = Instant(max(end, club.now))


def _wind_down(club: YearClub, day: Day) -> None:
    """Nothing new begins; what was begun comes to its end, nothing going wrong any more."""
    club.world.calm = True
    for number in range(LONGEST_END):
        club.nights(day)
        moderators.watch(club, day)
        _live(club, day, 1 + number)
        day = following(day)
        if not checks.under_way(club) and int(day[8:]) > 2:
            return
