"""The moderated club with tournaments, sieges and months that close."""

from dataclasses import dataclass, field
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.duels.records import Duel
from engine.platform.ledger.records import Movement
from engine.platform.local_days import Month, day_of, month_of
from engine.platform.members import MemberId
from engine.platform.seasons.records import Season
from engine.platform.sieges.entering import Announce, siege_id
from engine.platform.sieges.orders import SendOrders
from engine.platform.sieges.records import Siege, SiegeId
from engine.platform.tournaments.entering import Create, tournament_id
from engine.platform.tournaments.records import Tournament, TournamentId
from engine.times import DAY, HOUR, MINUTE, later
from functions import nightly, sieges, tournaments
from functions.targets import decidable
from infra.records import MEMBER, SIEGE, TOURNAMENT
from infra.store import Store
from tests.club.club import EVERYBODY, MEMBERS
from tests.club.moderated import MODERATORS, ModeratedClub
from tests.club.months import ZONE, end_of, places
from tests.support.site import TestSite, site_in

SIZE: Final = 4
UNDER_WAY: Final = ("open", "playing")


@dataclass
class GatheredClub(ModeratedClub):
    """`cups` and `gathered` are all tournaments and sieges that were ever asked for.

    What was committed is watched: `seasons` are the months closed, `causes` those of all movements, `brackets` the
    tournaments as they stood last; `broken` says what should never have been committed.
    """

    cups: list[TournamentId] = field(default_factory=list)
    gathered: list[SiegeId] = field(default_factory=list)
    seasons: dict[Month, Season] = field(default_factory=dict)
    causes: dict[str, Movement] = field(default_factory=dict)
    brackets: dict[TournamentId, Tournament] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def site_of(self) -> TestSite:
        """The site, watched."""
        return site_in(self.folder, plan=self._plan, saw=self._saw)

    def known(self, stage: str = "") -> list[Duel]:
        """With the matches of tournaments."""
        for cup in self.known_cups():
            made = (match.duel for match in cup.matches if match.duel is not None)
            self.duels += [duel for duel in made if duel not in self.duels]
        return super().known(stage)

    def known_cups(self, *stages: str) -> list[Tournament]:
        """The tournaments that there are, or those in these stages."""
        rows = (self.calm.get(TOURNAMENT, id) for id in self.cups)
        return [row.value for row in rows if row and row.value.stage in (stages or (row.value.stage,))]

    def known_sieges(self, *stages: str) -> list[Siege]:
        """The sieges that there are, or those in these stages."""
        rows = (self.calm.get(SIEGE, id) for id in self.gathered)
        return [row.value for row in rows if row and row.value.stage in (stages or (row.value.stage,))]

    def create_cup(self, member: MemberId, fee: int) -> None:
        """A tournament of four, the form being sent twice."""
        if self.gone(member):
            return
        self.requests += 1
        command = Create(member, SIZE, fee, f"cup {self.requests}")
        self.cups.append(tournament_id(command))
        for _ in range(2):
            self.attempt(lambda: tournaments.create(self.site.site, self.member(member), command))

    def join_cup(self, cup: Tournament, member: MemberId) -> None:
        """A member enters, twice; what follows is done."""
        if not self.gone(member):
            for _ in range(2):
                self.attempt(lambda: tournaments.join(self.site.site, self.member(member), cup.id))
            self.run_due()

    def leave_cup(self, cup: Tournament, member: MemberId) -> None:
        """A member gives the place up, twice."""
        for _ in range(2):
            self.attempt(lambda: tournaments.leave(self.site.site, member, cup.id))

    def bring_forward(self, cup: Tournament) -> None:
        """What brings a tournament forward comes once more."""
        self.attempt(lambda: tournaments.bring_forward(self.site.site, cup.id))

    def waiting(self) -> list[tuple[Tournament, int]]:
        """The matches that wait for a moderator."""
        cups = self.known_cups("playing")
        pairs = [(cup, match.number) for cup in cups for match in cup.matches if match.one and match.other]
        return [(cup, number) for cup, number in pairs if decidable(self.still, cup.id, number)]

    def decide(self, cup: Tournament, number: int, seat: int) -> None:
        """A moderator names who goes on, or nobody."""
        match = cup.matches[number]
        self.take("decide_match", cup.id, f"{number}/{(match.one, match.other, '')[seat] or ''}")

    def announce(self, member: MemberId, seats: int, fee: int) -> None:
        """A siege of turns of a day that opens in two hours, the form being sent twice."""
        if self.gone(member):
            return
        self.requests += 1
        opens, name = later(self.now, 2 * HOUR), f"s{self.requests}"
        command = Announce(member, "trebuchet", name, seats, "days1", ZONE, fee, opens, name)
        self.gathered.append(siege_id(command))
        for _ in range(2):
            self.attempt(lambda: sieges.announce(self.site.site, self.member(member), command))

    def join_siege(self, siege: Siege, member: MemberId) -> None:
        """A member takes a seat, twice."""
        if not self.gone(member):
            for _ in range(2):
                self.attempt(lambda: sieges.join(self.site.site, self.member(member), siege.id))

    def leave_siege(self, siege: Siege, member: MemberId) -> None:
        """A member gives the seat up, or leaves the game, twice."""
        for _ in range(2):
            self.attempt(lambda: sieges.leave(self.site.site, member, siege.id))
        self.run_due()

    def shoot(self, siege: Siege, but: int) -> None:
        """Every awaited player sends legal orders, one of them perhaps not."""
        for number, seat in enumerate(siege.awaits):
            there = self._siege(siege)
            player = there.seat(seat)
            if number == but or player is None or there.stage != "playing" or there.turn != siege.turn:
                continue
            game = registry.game(there.game)
            view = game.view(game.load(there.state or {}), seat)
            orders = game.write(game.think(view, {"policy": "random"}, SeededDice(seat.encode(), there.turn)).orders)
            command = SendOrders(player.member, there.turn, orders, None, False, f"{there.turn}", self.now)
            self.attempt(lambda command=command: sieges.send(self.site.site, siege.id, command))  # type: ignore[misc]
        self.run_due()

    def settle_siege_again(self, siege: Siege) -> None:
        """The job of a siege's end comes once more."""
        self.attempt(lambda: sieges.settle(self.site.site, siege.id))

    def rounds(self, number: int) -> None:
        """So many rounds in which everybody of old plays everybody: the one named first wins."""
        for _ in range(number):
            for n, one in enumerate(MEMBERS):
                for other in MEMBERS[n + 1 :]:
                    self._beat(one, other)

    def night(self) -> None:
        """The nightly call comes, twice."""
        for _ in range(2):
            self.attempt(lambda: nightly.nightly(self.site.site))
        self.run_due()

    def month_ends(self, days_late: int) -> None:
        """The month is over, its last Front final; the night's call comes so many days late."""
        end = end_of(month_of(day_of(self.now, ZONE)))
        self.pass_time(end - self.now + MINUTE)
        self.night()  # it makes the last day's Front, if nobody asked for it
        self.pass_time(later(end, 3 * HOUR + days_late * DAY) - self.now)
        self.night()

    def finish(self) -> None:
        """Matches that wait are decided on the way."""
        super().finish()
        for _ in range(SIZE):
            for cup, number in self.waiting():
                self.decide(cup, number, 0)
            for _ in range(5):
                self.pass_time(DAY)
        self.night()

    def _beat(self, one: MemberId, other: MemberId) -> None:
        before = len(self.duels)
        self.propose(one, other, 0, "days1")
        for duel in self.known("proposed"):
            if duel.id in self.duels[before:]:
                self.accept(duel, other)
        for duel in self.known("playing"):
            if duel.id in self.duels[before:]:
                self.send(duel, one)
                self.abandon(duel, other)
        self.run_due()

    def _siege(self, siege: Siege) -> Siege:
        row = self.calm.get(SIEGE, siege.id)
        assert row is not None
        return row.value

    def _saw(self, decision: Decision[Any]) -> None:
        """A decision was committed."""
        for value in (change.value for change in decision.changes if isinstance(change, Put)):
            if isinstance(value, Movement):
                self._heed(value.cause not in self.causes, f"twice: {value.cause}")
                self.causes[value.cause] = value
            elif isinstance(value, Season):
                self._heed(value.month not in self.seasons, f"closed twice: {value.month}")
                self._closes(value)
            elif isinstance(value, Tournament):
                self._bracket(value)

    def _closes(self, season: Season) -> None:
        self.seasons[season.month] = season
        store: Store = self.calm
        rows = (store.get(MEMBER, id) for id in (*EVERYBODY, *MODERATORS))
        expected = places(store, [row.value for row in rows if row], season.month)
        self._heed(season.places == expected, f"{season.places}, not {expected}")

    def _bracket(self, cup: Tournament) -> None:
        """What was decided stays so; games are made once; nobody enters who was not there at the start."""
        before = self.brackets.get(cup.id)
        self.brackets[cup.id] = cup
        if before is None:
            return
        self._heed(before.stage in UNDER_WAY, f"changed after its end: {before}, then {cup}")
        self._heed(not before.seeds or before.seeds == cup.seeds, f"seeded again: {before}, then {cup}")
        for was, match in zip(before.matches, cup.matches, strict=False):
            self._heed(not was.decided or was == match, f"decided again: {was}, then {match}")
            self._heed(was.duel in (None, match.duel), f"made again: {was}, then {match}")

    def _heed(self, holds: bool, broken: str) -> None:
        if not holds:
            self.broken.append(broken)


def bracket_is_whole(cup: Tournament) -> None:
    """Winners have played their matches, the final is filled once both before it are decided, no one stands twice."""
    assert len(set(cup.entrants)) == len(cup.entrants) <= cup.size, cup
    if not cup.seeds:
        assert cup.stage in ("open", "cancelled") and not cup.matches and cup.champion is None, cup
        return
    assert sorted(cup.seeds) == sorted(cup.entrants) and len(cup.matches) == cup.size - 1, cup
    for match in cup.matches:
        assert match.winner is None or (match.decided and match.winner in (match.one, match.other)), match
        assert match.one is None or match.one != match.other, match
    *before, final = cup.matches
    through = tuple(m.winner if all(match.decided for match in before) else None for m in before)
    assert (final.one, final.other) == through, cup
    assert (cup.stage == "ended") == final.decided and cup.champion == (final.winner if final.decided else None), cup
