"""Any order of events, with faults between any two commits, leaves the books and the ratings in order (P13-P18).

More of the club joins in by more rules: each does something by `Club`, and every invariant is checked after it.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.times import DAY, HOUR
from functions import reconcile
from infra.faults import Fault
from tests.club.club import EVERYBODY, MEMBERS, Club
from tests.club.invariants import ALL

MEMORY = Path("/dev/shm")  # a file system in memory, where there is one
SOMEBODY = st.sampled_from(EVERYBODY)
NUMBER = st.integers(0, 99)
FAULTS = (
    Fault.CRASH_BEFORE,
    Fault.CRASH_AFTER,
    Fault.LOST_REQUEST,
    Fault.LOST_ANSWER,
    Fault.CONFLICT,
    Fault.BUSY,
)


class ClubLife(RuleBasedStateMachine):
    """Members, moderators, clocks and faults, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.club = Club(self.folder)

    def teardown(self) -> None:
        self.club.finish()
        for duel in self.club.known():
            assert duel.stage == "ended", duel
        for holds in ALL:
            holds(self.club)
        shutil.rmtree(self.folder)

    @rule(
        who=st.sampled_from(MEMBERS + MEMBERS + EVERYBODY),
        to=st.none() | SOMEBODY,
        stake=st.sampled_from((0, 1, 20, 40, 60, 100)),
        pace=st.sampled_from(("days1", "blitz")),
    )
    def propose(self, who: Any, to: Any, stake: int, pace: str) -> None:
        self.club.propose(who, to, stake, pace)

    @rule(
        who=st.sampled_from(MEMBERS),
        to=st.sampled_from(MEMBERS),
        stake=st.sampled_from((0, 20, 50)),
        how=st.sampled_from(("sent and left", "left", "played")),
    )
    def whole_duel(self, who: Any, to: Any, stake: int, how: str) -> None:
        self.club.propose(who, to, stake, "days1")
        for duel in self.club.known("proposed")[-1:]:
            self.club.accept(duel, to)
        for duel in self.club.known("playing")[-1:]:
            if how != "left":
                self.club.send(duel, duel.players[0].member)
            if how != "played":
                self.club.abandon(duel, duel.players[1].member)
            self.club.run_due()

    @precondition(lambda self: self.club.known("proposed"))
    @rule(which=NUMBER, who=SOMEBODY, closes=st.booleans())
    def answer(self, which: int, who: Any, closes: bool) -> None:
        duel = self._pick("proposed", which)
        if closes:
            self.club.close(duel, who)
        else:
            self.club.accept(duel, who)

    @precondition(lambda self: self.club.known("ready"))
    @rule(which=NUMBER)
    def ready(self, which: int) -> None:
        self.club.ready(self._pick("ready", which))

    @precondition(lambda self: self.club.known("playing"))
    @rule(which=NUMBER, seat=st.integers(0, 1), leave=st.booleans())
    def play(self, which: int, seat: int, leave: bool) -> None:
        duel = self._pick("playing", which)
        member = duel.players[seat].member
        if leave:
            self.club.abandon(duel, member)
        else:
            self.club.send(duel, member)

    @precondition(lambda self: self.club.known("playing"))
    @rule(which=NUMBER)
    def outage(self, which: int) -> None:
        self.club.outage(self._pick("playing", which))

    @precondition(lambda self: self.club.known("ended"))
    @rule(which=NUMBER, undo=st.booleans())
    def void(self, which: int, undo: bool) -> None:
        self.club.void(self._pick("ended", which), undo)

    @precondition(lambda self: self.club.won())
    @rule(which=NUMBER)
    def winner_spends_it_all_and_the_duel_is_voided(self, which: int) -> None:
        won = self.club.won()
        duel, winner = won[which % len(won)]
        self.club.spend(winner)
        self.club.void(duel)

    @precondition(lambda self: self.club.known("ended"))
    @rule(which=NUMBER)
    def settle_again(self, which: int) -> None:
        self.club.settle_again(self._pick("ended", which))

    @rule(who=st.sampled_from(MEMBERS))
    def freeze(self, who: Any) -> None:
        self.club.freeze(who)

    @rule(who=st.sampled_from(MEMBERS[:2]), other=st.sampled_from(MEMBERS[2:]))
    def link(self, who: Any, other: Any) -> None:
        self.club.link(who, other)

    @rule(fault=st.sampled_from(FAULTS))
    def next_commit_fails(self, fault: Fault) -> None:
        self.club.trouble = fault

    @rule(span=st.sampled_from((1, HOUR, DAY, 8 * DAY)))
    def time_passes(self, span: int) -> None:
        self.club.pass_time(span)

    @rule(on=st.booleans())
    def payouts_stop_or_go_on(self, on: bool) -> None:
        if on:
            reconcile.let_go_on(self.club.site.calm)
        else:
            reconcile.stop(self.club.site.calm, "balance")

    @rule()
    def the_books_are_gone_through(self) -> None:
        reconcile.begin(self.club.site.calm)
        self.club.run_due()
        assert not self.club.alarms()

    @invariant()
    def everything_holds(self) -> None:
        for holds in ALL:
            holds(self.club)

    def _pick(self, stage: str, which: int) -> Any:
        found = self.club.known(stage)
        return found[which % len(found)]


ClubLife.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestClubLife = ClubLife.TestCase
