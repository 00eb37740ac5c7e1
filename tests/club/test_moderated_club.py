"""Stopping, voiding, freezing, judging and leaving, in any order with all else and with faults (P5, P17c, P29)."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from engine.platform.ledger.records import Balance, purse
from tests.club.club import EVERYBODY, MEMBERS
from tests.club.moderated import ModeratedClub
from tests.club.test_club import NUMBER, ClubLife


class ModeratedLife(ClubLife):
    """The same club, watched."""

    club: ModeratedClub

    def __init__(self) -> None:
        super().__init__()
        folder = self.folder / "moderated"
        folder.mkdir()
        self.club = ModeratedClub(folder)

    def teardown(self) -> None:
        self.club.finish()
        for member in EVERYBODY:
            if self.club.gone(member):
                assert self.club.calm.count(Balance(purse(member))) == 0, member
        super().teardown()

    @precondition(lambda self: self.club.known("playing") or self.club.known("ready") or self.club.known("proposed"))
    @rule(which=NUMBER)
    def stop(self, which: int) -> None:
        there = [duel for duel in self.club.known() if duel.stage != "ended"]
        self.club.take("stop", there[which % len(there)].id)

    @precondition(lambda self: self.club.known("ended"))
    @rule(which=NUMBER)
    def void(self, which: int) -> None:
        self.club.take("void", self._pick("ended", which).id)

    @precondition(lambda self: self.club.won())
    @rule(which=NUMBER)
    def winner_spends_it_all_and_the_duel_is_voided(self, which: int) -> None:
        won = self.club.won()
        duel, winner = won[which % len(won)]
        if not self.club.gone(winner):
            self.club.spend(winner)
        self.club.take("void", duel.id)

    @rule(who=st.sampled_from(MEMBERS))
    def freeze(self, who: Any) -> None:
        frozen = self.club.member(who).frozen is not None
        self.club.take("unfreeze" if frozen else "freeze", who)

    @rule(who=st.sampled_from(MEMBERS[:2]), other=st.sampled_from(MEMBERS[2:]), on=st.booleans())
    def link(self, who: Any, other: Any, on: bool) -> None:
        self.club.take("link" if on else "unlink", who, other)

    @precondition(lambda self: self.club.known_acts())
    @rule(which=NUMBER, undo=st.booleans())
    def judge(self, which: int, undo: bool) -> None:
        acts = self.club.known_acts()
        self.club.judge(acts[which % len(acts)], undo)

    @rule(who=st.sampled_from(("dan", "eve")))
    def leave(self, who: Any) -> None:
        self.club.leave(who)

    @invariant()
    def an_act_takes_effect_or_waits(self) -> None:
        """What was decided is done, or a job is there that will do it."""
        jobs = {job.id for job in self.club.jobs()}
        for act in self.club.known_acts():
            assert act.carried or f"act/{act.id}" in jobs, act

    @invariant()
    def who_has_left_has_no_name(self) -> None:
        for member in EVERYBODY:
            there = self.club.member(member)
            assert not there.deleted or (there.name, there.address) == ("", "")


ModeratedLife.TestCase.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestModeratedLife = ModeratedLife.TestCase
