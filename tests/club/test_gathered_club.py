"""Tournaments, sieges and months that close, in any order with all else and with faults (P18-P21b, P26)."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from engine.platform.ledger.records import Balance, escrow, owed_by, purse
from engine.platform.seasons.closing import cause
from engine.platform.sieges.records import Siege
from infra.records import CUP_ENTRY, HONOUR, JOB, SIEGE_ENTRY
from tests.club.club import EVERYBODY, MEMBERS
from tests.club.gathered import UNDER_WAY, GatheredClub, bracket_is_whole
from tests.club.test_club import NUMBER, SOMEBODY
from tests.club.test_moderated_club import ModeratedLife

FEES = st.sampled_from((0, 10, 40, 100))


class GatheredLife(ModeratedLife):
    """The same club, gathered."""

    club: GatheredClub

    def __init__(self) -> None:
        super().__init__()
        folder = self.folder / "gathered"
        folder.mkdir()
        self.club = GatheredClub(folder)

    def teardown(self) -> None:
        self.club.finish()
        assert not self.club.known_cups(*UNDER_WAY)
        assert not self.club.known_sieges(*UNDER_WAY)
        for holds in (self.fees_are_held, self.brackets_are_whole, self.lists_are_right, self.months_pay_once):
            holds()
        for id in (*self.club.cups, *self.club.gathered):
            assert self.club.calm.count(Balance(escrow("tournament", id))) == 0, id
        for season in self.club.seasons.values():
            assert all(self._paid(season, place) for place in season.places if not self.club.gone(place.member))
        super().teardown()

    @rule(who=SOMEBODY, fee=FEES)
    def create_cup(self, who: Any, fee: int) -> None:
        self.club.create_cup(who, fee)

    @precondition(lambda self: self.club.known_cups("open"))
    @rule(which=NUMBER, who=SOMEBODY, leaves=st.booleans())
    def enter_or_leave_cup(self, which: int, who: Any, leaves: bool) -> None:
        cup = self._cup(which, "open")
        if leaves:
            self.club.leave_cup(cup, who)
        else:
            self.club.join_cup(cup, who)

    @rule(who=st.sampled_from(MEMBERS), fee=FEES)
    def fill_a_cup(self, who: Any, fee: int) -> None:
        self.club.create_cup(who, fee)
        for cup in self.club.known_cups("open")[-1:]:
            for member in MEMBERS:
                self.club.join_cup(cup, member)

    @precondition(lambda self: self._matches())
    @rule(which=NUMBER, loses=st.integers(0, 1), how=st.sampled_from(("sent", "left", "nobody")))
    def play_a_match(self, which: int, loses: int, how: str) -> None:
        matches = self._matches()
        duel = matches[which % len(matches)]
        if how == "sent":
            self.club.send(duel, duel.players[1 - loses].member)
        if how != "nobody":
            self.club.abandon(duel, duel.players[loses].member)
        self.club.run_due()

    @precondition(lambda self: self.club.known_cups("playing"))
    @rule(which=NUMBER)
    def bring_forward(self, which: int) -> None:
        self.club.bring_forward(self._cup(which, "playing"))

    @precondition(lambda self: self.club.waiting())
    @rule(which=NUMBER, seat=st.integers(0, 2))
    def decide_match(self, which: int, seat: int) -> None:
        waiting = self.club.waiting()
        cup, number = waiting[which % len(waiting)]
        self.club.decide(cup, number, seat)

    @rule(who=SOMEBODY, seats=st.integers(2, 4), fee=FEES, come=st.integers(1, 5))
    def announce(self, who: Any, seats: int, fee: int, come: int) -> None:
        self.club.announce(who, seats, fee)
        for siege in self.club.known_sieges("open")[-1:]:
            for member in EVERYBODY[:come]:
                self.club.join_siege(siege, member)

    @precondition(lambda self: self.club.known_sieges(*UNDER_WAY))
    @rule(which=NUMBER, who=SOMEBODY)
    def leave_siege(self, which: int, who: Any) -> None:
        self.club.leave_siege(self._siege(which, *UNDER_WAY), who)

    @precondition(lambda self: self.club.known_sieges("playing"))
    @rule(which=NUMBER, but=st.integers(0, 6), turns=st.sampled_from((1, 1, 5)))
    def shoot(self, which: int, but: int, turns: int) -> None:
        id = self._siege(which, "playing").id
        for _ in range(turns):
            for siege in self.club.known_sieges("playing"):
                if siege.id == id:
                    self.club.shoot(siege, but)

    @precondition(lambda self: self.club.known_sieges(*UNDER_WAY))
    @rule(which=NUMBER)
    def stop_siege(self, which: int) -> None:
        self.club.take("stop_siege", self._siege(which, *UNDER_WAY).id)

    @precondition(lambda self: self.club.known_sieges("ended", "cancelled"))
    @rule(which=NUMBER)
    def settle_siege_again(self, which: int) -> None:
        self.club.settle_siege_again(self._siege(which, "ended", "cancelled"))

    @rule(number=st.integers(1, 3))
    def everybody_plays_everybody(self, number: int) -> None:
        self.club.rounds(number)

    @rule(days_late=st.sampled_from((0, 0, 5)))
    def month_ends(self, days_late: int) -> None:
        self.club.month_ends(days_late)

    @rule()
    def night(self) -> None:
        self.club.night()

    @invariant()
    def nothing_is_undone(self) -> None:
        """No movement is made twice, no month closed twice nor wrongly, no match decided or made twice."""
        assert not self.club.broken

    @invariant()
    def fees_are_held(self) -> None:
        """An escrow holds the fees of all who are in, and nothing after the end, or a job is there to pay (P18)."""
        for cup in self.club.known_cups():
            held = self.club.calm.count(Balance(escrow("tournament", cup.id)))
            assert held == cup.fee * len(cup.entrants) * (cup.stage in UNDER_WAY), cup
        for siege in self.club.known_sieges():
            held = self.club.calm.count(Balance(escrow("tournament", siege.id)))
            if self.club.calm.get(JOB, f"siege_settle/{siege.id}") is None:
                assert held == siege.fee * _paying(siege) * (siege.stage in UNDER_WAY), siege

    @invariant()
    def brackets_are_whole(self) -> None:
        for cup in self.club.known_cups():
            bracket_is_whole(cup)

    @invariant()
    def lists_are_right(self) -> None:
        """Who is in a tournament or siege has it in a list, and who has left has not."""
        for cup in self.club.known_cups():
            entered = {id for id in EVERYBODY if self.club.calm.get(CUP_ENTRY, id, cup.id)}
            assert entered == set(cup.entrants), cup
        for siege in self.club.known_sieges():
            rows = {id: self.club.calm.get(SIEGE_ENTRY, id, siege.id) for id in EVERYBODY}
            assert {id for id, row in rows.items() if row} == set(siege.members), siege
            if siege.ended and siege.members and self.club.calm.get(JOB, f"siege_settle/{siege.id}") is None:
                assert all(row.value.over for row in rows.values() if row), siege

    @invariant()
    def months_pay_once(self) -> None:
        """What was paid is what the list says, and nothing else; what was not will be, but to who has left."""
        paid = set()
        for season in self.club.seasons.values():
            waits = self.club.calm.get(JOB, f"season/{season.month}") is not None
            for place in season.places:
                movement = self._paid(season, place)
                paid |= {movement.cause} if movement else set()
                if movement is None:
                    assert waits or self.club.gone(place.member), place
                    continue
                lines = {line.account: line.credits for line in movement.lines}
                assert lines.get(purse(place.member), 0) + lines.get(owed_by(place.member), 0) == place.credits
                assert self.club.calm.get(HONOUR, place.member, season.month, "duels") is not None, place
        assert paid == {c for c, movement in self.club.causes.items() if movement.why == "prize"}

    def _paid(self, season: Any, place: Any) -> Any:
        return self.club.causes.get(cause(season, place))

    def _matches(self) -> list[Any]:
        return [duel for duel in self.club.known("playing") if duel.kind == "match"]

    def _cup(self, which: int, *stages: str) -> Any:
        found = self.club.known_cups(*stages)
        return found[which % len(found)]

    def _siege(self, which: int, *stages: str) -> Any:
        found = self.club.known_sieges(*stages)
        return found[which % len(found)]


def _paying(siege: Siege) -> int:
    """How many fees wait for the end: those who never began have had theirs back once that was known."""
    return sum(siege.turn < 1 or player.began for player in siege.players)


GatheredLife.TestCase.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestGatheredLife = GatheredLife.TestCase
