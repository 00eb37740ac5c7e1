"""The club itself: who there is, and how its members take what happens to them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.platform.duels.records import Duel
from engine.platform.local_days import Day, begins, ends
from engine.platform.members import MemberId
from engine.platform.moderation.records import Concern
from engine.platform.seasons.records import Season
from engine.platform.sieges.records import Siege
from engine.times import DAY, HOUR, MINUTE, Instant
from functions import nightly
from infra.faults import Fault
from infra.records import DUEL
from infra.site import Site
from tests.club.months import ZONE
from tests.club.year.chronicle import Chronicle
from tests.club.year.people import Clubber, Kind
from tests.sim.people import Ack
from tests.sim.world import ODDS, Weather, World
from tests.support.browser import Browser

FIRST: Final[Day] = "2026-12-01"
TICK: Final = 15 * MINUTE
ADMIN: Final = "admin@example.org"
ODD: Final = 0.03  # how much of what goes wrong in the simulator's worlds goes wrong here
WEATHER: Final = Weather({fault: p * ODD for fault, p in ODDS.items() if fault is not Fault.STALE}, ODD)
NAMES: Final = ("Ada", "Basile", "Chloé", "Dov", "Elin", "Farid", "Greta", "Hugo", "Inès", "Jonas", "Kira", "Léo")
NIGHT: Final = 2 * MINUTE  # after midnight


@dataclass
class YearClub:
    """Everybody who is, was or will be a member; `people` are those who have joined, by their ids."""

    folder: Path
    seed: int
    first: Day = FIRST
    faults: bool = True
    closing: Callable[["YearClub", Season], None] | None = None  # looks at each month's list as it is committed
    people: dict[str, Clubber] = field(default_factory=dict)
    everybody: list[Clubber] = field(default_factory=list)
    acks: list[Ack] = field(default_factory=list)
    open_proposals: dict[str, Duel] = field(default_factory=dict)
    requests: int = 0
    random: Random = field(init=False)
    chronicle: Chronicle = field(init=False)
    world: World = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.chronicle = Chronicle(self.tell)
        start = begins(self.first, ZONE)
        see, hear = self.chronicle.saw, self.chronicle.mail
        self.world = World(self.random, self.folder, TICK, see, hear, start, WEATHER, (ADMIN,))
        self.world.calm = not self.faults

    @property
    def still(self) -> Site:
        """The site, on a store without faults."""
        return replace(self.world.site, store=self.world.truth)

    @property
    def members(self) -> tuple[MemberId, ...]:
        """Everybody who ever was one."""
        return tuple(self.chronicle.members)

    @property
    def now(self) -> Instant:
        """The time."""
        return self.world.sources.time

    def known(self, stage: str = "") -> list[Duel]:
        """The duels and matches of the whole year as they are kept, and every game under way."""
        over = (self.world.truth.get(DUEL, id) for id in self.chronicle.between)
        under_way = [duel for duel in self.chronicle.judge.duels.values() if duel.stage != "ended"]
        return [d for d in (*(row.value for row in over if row), *under_way) if stage in ("", d.stage)]

    def present(self, *kinds: Kind) -> list[Clubber]:
        """Who is a member now, but for the moderators unless they are asked for."""
        wanted = kinds or ("keen", "usual", "idle", "silent", "cheat")
        return [person for person in self.people.values() if person.here and person.kind in wanted]

    def some(self, people: list[Clubber], number: int) -> list[Clubber]:
        """So many of them, each once, the eager rather than others."""
        drawn = sorted(people, key=lambda person: self.random.random() ** (1 / person.eager), reverse=True)
        return drawn[:number]

    def request(self) -> str:
        """A name for a form that is sent."""
        self.requests += 1
        return f"r{self.requests}"

    def newcomer(self, address: str, kind: Kind) -> Clubber:
        """Somebody who is about to become a member."""
        number = len(self.everybody)
        eager = {"keen": self.random.uniform(4, 14), "idle": 0.25}.get(kind, 1.0)
        solo = 60.0 if self.random.random() < 0.03 else self.random.choice((0.2, 0.2, 1.0, 2.0))
        browser = Browser(f"198.18.{number // 250}.{number % 250}", "fr" if number % 2 else "en")
        person = Clubber(
            self.world,
            "",
            f"{NAMES[number % len(NAMES)]} {number}",
            "prompt",
            browser,
            self.random,
            self.acks,
            club=self,
            address=address,
            kind=kind,
            eager=eager,
            solo=solo,
        )
        self.everybody.append(person)
        return person

    def joined(self, person: Clubber) -> None:
        """Somebody has become a member."""
        self.people[person.id] = person

    def tell(self, value: Any, before: Any) -> None:
        """A record was put: whom it concerns hears of it."""
        match value:
            case Duel():
                self._duel(value, before)
            case Siege(stage="playing") if before is None or before.turn != value.turn or before.stage != "playing":
                for player in value.players:
                    self._if_here(player.member, lambda one: one.besieged(value), value.waits_for(player))
            case Season() if self.closing is not None:
                self.closing(self, value)
            case Concern() if self.random.random() < 0.35:
                self._if_here(value.member, lambda one: one.soon((HOUR, 2 * DAY), lambda: one.appeal(value.act)))

    def nights(self, day: Day, skipped: bool = False) -> None:
        """The night's schedule of a local day; some nights it comes again, on the days of a change at half past two."""
        start = begins(day, ZONE)
        twice = ends(day, ZONE) - start != DAY or self.random.random() < 0.1
        if not skipped:
            self.world.at(start + NIGHT, self._night)
        if twice and not skipped:
            self.world.at(start + 150 * MINUTE, self._night)

    def _night(self) -> None:
        done = False
        if self.world.up:
            with self.world.crashing():
                nightly.handler({}, None)
                done = True
        if not done:
            self.world.at(self.now + MINUTE, self._night)

    def _if_here(self, member: MemberId, act: Callable[[Clubber], None], when: bool = True) -> None:
        person = self.people.get(member)
        if when and person is not None and person.here:
            act(person)

    def _duel(self, duel: Duel, before: Duel | None) -> None:
        if duel.stage != "proposed":
            self.open_proposals.pop(duel.id, None)
        if duel.stage == "proposed" and before is None:
            self._proposed(duel)
        elif duel.stage == "ready" and (before is None or before.stage != "ready"):
            for player in duel.players:
                self._if_here(player.member, lambda one: self._come(one, duel))
        elif duel.stage == "playing" and (before is None or before.turn != duel.turn):
            for player in duel.members:
                self._if_here(player.member, lambda one: one.attend(duel), duel.waits_for(player))

    def _proposed(self, duel: Duel) -> None:
        if duel.invited is None:
            self.open_proposals[duel.id] = duel
        elif self.random.random() < 0.9:
            self._if_here(duel.invited, lambda one: one.soon((MINUTE, 30 * HOUR), lambda: one.consider(duel)))

    def _come(self, person: Clubber, duel: Duel) -> None:
        """To the ready room, or not."""
        if self.random.random() < 0.95:
            person.soon((MINUTE, 20 * MINUTE), lambda: person.does(f"/games/{duel.id}/ready", {}) and None)


__all__ = ("FIRST", "YearClub")
