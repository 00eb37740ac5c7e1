"""What happened in the club, as its commits and letters tell it: watched while it happens, counted for the end."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.platform.daily_front import Front, FrontGame, Result
from engine.platform.duels.records import Duel, Turn
from engine.platform.ledger.records import Movement
from engine.platform.local_days import Day, Month, last_of, month_of
from engine.platform.mails import Mail
from engine.platform.marks import Mark
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import Act
from engine.platform.seasons.records import Season
from engine.platform.sieges.records import Siege, SiegeTurn
from engine.platform.tournaments.records import Tournament
from infra.mail import Letter
from tests.sim.books import Books
from tests.sim.judge import Broken, Judge
from tests.sim.sieges import Watch
from tests.support.people import link_in

Results = Mapping[MemberId, list[Result]]
Tell = Callable[[Any, Any], None]  # a record as it was put, and as it was before (None: new, or not kept here)
BETWEEN_MEMBERS: Final = ("duel", "match")


@dataclass
class Chronicle:
    """Sees every commit and every letter; `tell` hears of each record put, after all of its decision is entered.

    `fronts` counts how often each day's Front was made, `games` holds the games of each day by member, `points` the
    ranked results of the months whose Fronts are final, `links` the sign-in link that last came to an address, `lost`
    the mails of which the mail server's answer never came: they may have gone out, and are not sent again.
    """

    tell: Tell
    judge: Judge = field(default_factory=Judge)
    books: Books = field(default_factory=Books)
    watch: Watch = field(default_factory=Watch)
    members: dict[MemberId, Member] = field(default_factory=dict)
    by_address: dict[str, MemberId] = field(default_factory=dict)
    between: list[str] = field(default_factory=list)  # duels and matches that are over
    fronts: Counter[Day] = field(default_factory=Counter)
    days: dict[Day, Front] = field(default_factory=dict)
    games: dict[tuple[Day, MemberId], FrontGame] = field(default_factory=dict)
    points: dict[Month, Results] = field(default_factory=dict)
    front_games: set[str] = field(default_factory=set)
    cups: dict[str, Tournament] = field(default_factory=dict)
    seasons: dict[Month, list[Season]] = field(default_factory=dict)
    acts: dict[str, Act] = field(default_factory=dict)
    findings: dict[tuple[str, str, str], int] = field(default_factory=dict)
    paid: dict[str, Movement] = field(default_factory=dict)  # prizes, by cause
    links: dict[str, str] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def saw(self, decision: Decision[Any]) -> None:
        """A decision was committed."""
        self.counts["commits",] += 1
        values = [change.value for change in decision.changes if isinstance(change, Put)]
        before = [self._enter(value) for value in values]
        self.judge.saw(decision)
        self.watch.saw(decision)
        self.books.saw(decision)
        for value, was in zip(values, before, strict=True):
            self.tell(value, was)

    def mail(self, letter: Letter) -> None:
        """A letter is on its way."""
        self.judge.mail(letter)
        self.watch.mail(letter)
        if letter.reference.startswith("mail/sign_in/"):
            self.links[letter.to] = link_in(letter.text)

    def results(self, month: Month) -> Results:
        """Each member's ranked Fronts of a month; of a month that is over as they were when its last one was final."""
        if month in self.points:
            return self.points[month]
        found: dict[MemberId, list[Result]] = {}
        for (day, member), game in self.games.items():
            if month_of(day) == month and game.ranked:
                found.setdefault(member, []).append(game.result)
        return found

    def _enter(self, value: object) -> Any:
        """Enter a record; what was known of it before."""
        match value:
            case Duel():
                return self._duel(value)
            case Turn():
                self.counts["turns",] += value.number > 0
            case SiegeTurn():
                self.counts["siege turns", value.by] += 1
            case Siege():
                return self.watch.sieges.get(value.id)
            case Mail():
                self.counts["mails", value.notice, value.state] += 1
                self.lost |= {value.id} if value.state == "unknown" else set()
            case Movement():
                self._moved(value)
            case Member():
                return self._member(value)
            case _:
                return self._rarer(value)
        return None

    def _rarer(self, value: object) -> Any:
        before: Any = None
        match value:
            case Front():
                self.fronts[value.day] += value.final is None
                before = self.days.get(value.day)
                self.days[value.day] = value
                if value.final is not None and value.day == last_of(month_of(value.day)):
                    self.points[month_of(value.day)] = self.results(month_of(value.day))
            case FrontGame():
                before = self.games.get((value.day, value.member))
                self.games[value.day, value.member] = value
                self.front_games.add(value.game)
            case Tournament():
                before = self.cups.get(value.id)
                self.cups[value.id] = value
            case Season():
                self.seasons.setdefault(value.month, []).append(value)
            case Act():
                before = self.acts.get(value.id)
                self.acts[value.id] = value
            case Mark():
                self.findings[value.member, value.sign, value.about] = len(value.known)
        return before

    def _duel(self, duel: Duel) -> Duel | None:
        before = self.judge.duels.get(duel.id)
        if duel.voided or (before is not None and before.voided):
            self.counts["voided" if duel.voided else "unvoided",] += 1
        elif duel.stage == "ended":
            result = duel.result
            assert result is not None
            self.counts["over", duel.kind, duel.game, duel.pace, result.by] += 1
            if duel.kind in BETWEEN_MEMBERS:
                self.between.append(duel.id)
        elif before is None and duel.stage == "proposed":
            self.counts["proposed", "staked" if duel.stake else "free"] += 1
        return before

    def _moved(self, movement: Movement) -> None:
        credits = sum(line.credits for line in movement.lines if line.credits > 0)
        self.counts["movements", movement.why] += 1
        self.counts["credits", movement.why] += credits
        if movement.why == "prize":
            if movement.cause in self.paid:
                raise Broken(f"paid twice: {movement.cause}")
            self.paid[movement.cause] = movement

    def _member(self, member: Member) -> Member | None:
        before = self.members.get(member.id)
        self.members[member.id] = member
        if member.address:
            self.by_address[member.address] = member.id
        self.counts["froze",] += member.frozen is not None and (before is None or before.frozen is None)
        self.counts["left",] += member.deleted and (before is None or not before.deleted)
        return before
