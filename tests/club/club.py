"""A few members and all they may do, on a store that fails when it is told to."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.decisions import Add, Decision, Job, Put
from engine.errors import Refusal
from engine.platform import stakes
from engine.platform.clocks import Gap, Pulse
from engine.platform.duels import leaving, orders, propose
from engine.platform.duels.records import Duel, DuelId
from engine.platform.gifts import give
from engine.platform.links import Link
from engine.platform.members import Member, MemberId
from engine.platform.rivalries import Opponents
from engine.times import DAY, MINUTE, Instant, later
from functions import duel_ratings, duel_stakes, proposing, reconcile, worker
from functions.acting import act, duel_row, ground
from functions.pairing import balance
from infra.faults import Crash, Fault, Moment, Trouble
from infra.records import DUE_SHARDS, DUEL, JOB, MEMBER, PULSE, RATED
from infra.site import Site
from infra.store import Store, StoreError
from tests.support.site import TestSite, site_in

MEMBERS: Final = tuple(MemberId(name) for name in ("ada", "ben", "cleo", "dan"))
NEWCOMER: Final = MemberId("eve")
EVERYBODY: Final = (*MEMBERS, NEWCOMER)


@dataclass
class Club:
    """Four members who may stake, and a newcomer who may not yet; `duels` are all that were ever asked for."""

    folder: Path
    duels: list[DuelId] = field(default_factory=list)
    trouble: Fault | None = None
    requests: int = 0
    site: TestSite = field(init=False)

    def __post_init__(self) -> None:
        self.site = self.site_of()
        now = self.now
        for member in EVERYBODY:
            joined = now if member == NEWCOMER else later(now, -9 * DAY)
            there = Member(member, member.title(), f"{member}@example.org", "en", "Europe/Paris", joined)
            self.calm.commit(Decision((Put(there, 0), *give(None, member, member, now)), None))
        counted = tuple(Add(Opponents(member), 3) for member in MEMBERS)
        self.calm.commit(Decision(counted, None))

    def site_of(self) -> TestSite:
        """A new site for the club."""
        return site_in(self.folder, plan=self._plan)

    @property
    def still(self) -> Site:
        """The site, on a store without faults."""
        return self.site.calm

    @property
    def members(self) -> tuple[MemberId, ...]:
        """Everybody who ever was one."""
        return EVERYBODY

    @property
    def calm(self) -> Store:
        """The store as it is."""
        return self.site.calm.store

    @property
    def now(self) -> Instant:
        """The time."""
        return self.site.sources.now()

    def known(self, stage: str = "") -> list[Duel]:
        """The duels that there are, or those in a stage."""
        rows = (self.calm.get(DUEL, id) for id in self.duels)
        return [row.value for row in rows if row and stage in ("", row.value.stage)]

    def attempt(self, act: Callable[[], object]) -> None:
        """Do something; it may be refused, or the process may crash in the midst of it."""
        with contextlib.suppress(Refusal, StoreError, Crash):
            act()
        self.trouble = None

    def propose(self, member: MemberId, invited: MemberId | None, stake: int, pace: str) -> None:
        """A proposal, sent twice."""
        self.requests += 1
        command = propose.Propose(member, "feinthold", pace, invited, f"r{self.requests}", stake=stake)
        self.duels.append(propose.duel_id(command))
        self.attempt(lambda: proposing.make(self.site.site, command))
        self.attempt(lambda: proposing.make(self.site.site, command))

    def accept(self, duel: Duel, member: MemberId) -> None:
        """The other seat is taken, if it may be."""
        self.attempt(lambda: proposing.accept(self.site.site, duel.id, member))

    def close(self, duel: Duel, member: MemberId) -> None:
        """The proposer withdraws, or the invited declines."""
        end = propose.withdraw if member == duel.proposer else propose.decline
        self.attempt(lambda: act(self.site.site, lambda: end(*self._row(duel), member, self.now)))

    def ready(self, duel: Duel) -> None:
        """Both come to the ready room."""
        for player in duel.players:
            member = player.member
            self.attempt(lambda member=member: proposing.ready(self.site.site, duel.id, member))  # type: ignore[misc]

    def send(self, duel: Duel, member: MemberId) -> None:
        """Orders of nothing."""
        command = orders.SubmitOrders(duel.id, member, duel.turn, {}, f"{duel.turn}", self.now)
        site = self.site.site
        self.attempt(lambda: act(site, lambda: orders.submit(*self._row(duel), None, command, ground(site))))

    def abandon(self, duel: Duel, member: MemberId) -> None:
        """A forfeit, or no result."""
        self.attempt(lambda: act(self.site.site, lambda: leaving.abandon(*self._row(duel), member, self.now)))

    def void(self, duel: Duel, undo: bool = False) -> None:
        """What the moderators' voiding does to ratings and stakes, or their undoing it, in one transaction."""
        site = self.site.site

        def decide() -> Decision[None]:
            row = site.store.get(RATED, duel.id)
            if row is None or duel_stakes.paid_out(site, duel) is None or row.value.undone is not undo:
                return Decision((), None)
            number = row.value.number // 2
            if undo:
                money = duel_stakes.give_again(site, duel, number)
                return Decision((*duel_ratings.give_again(site, duel.id), *money), None)
            money = duel_stakes.take_back(site, duel, number)
            return Decision((*duel_ratings.take_back(site, duel.id), *money), None)

        self.attempt(lambda: act(site, decide))

    def won(self) -> list[tuple[Duel, MemberId]]:
        """The duels whose winner has both stakes, with the winner."""
        found = []
        for duel in self.known("ended"):
            parts = duel_stakes.paid_out(self.site.calm, duel)
            winner = stakes.winner(duel, parts) if parts else None
            if winner:
                found.append((duel, winner))
        return found

    def spend(self, member: MemberId) -> None:
        """Stake all that is in a member's purse."""
        for _ in range(4):
            left = balance(self.site.calm, member)
            if left:
                self.propose(member, None, min(left, stakes.MOST), "days1")

    def settle_again(self, duel: Duel) -> None:
        """The job of a duel's end comes once more."""
        job = Job(f"settle/{duel.id}", self.now, "settle", {"duel": duel.id})
        self.calm.commit(Decision((Put(job, None),), None))
        self.run_due()

    def outage(self, duel: Duel) -> None:
        """The site was down across a duel's deadline."""
        deadline = duel.deadline or self.now
        self.site.sources.move(max(0, deadline + 10 * MINUTE - self.now))
        gap = Gap(Instant(deadline - MINUTE), Instant(deadline + 8 * MINUTE))
        self.calm.commit(Decision((Put(Pulse("tick", self.now, (gap,)), None),), None))
        self.run_due()

    def freeze(self, member: MemberId) -> None:
        """Ratings are frozen, or not any more."""
        row = self.calm.get(MEMBER, member)
        assert row
        frozen = None if row.value.frozen else self.now
        there = row.value
        changed = Member(there.id, there.name, there.address, there.lang, there.zone, there.joined, frozen=frozen)
        self.calm.commit(Decision((Put(changed, row.version),), None))

    def link(self, one: MemberId, other: MemberId) -> None:
        """Two accounts are linked from now on."""
        pair = (Link(one, other, self.now), Link(other, one, self.now))
        self.calm.commit(Decision(tuple(Put(link, None) for link in pair), None))

    def pass_time(self, span: int) -> None:
        """Time passes, ticks coming all along, and what is due is done."""
        self.site.sources.move(span)
        row = self.calm.get(PULSE, "tick")
        if row:
            self.calm.commit(Decision((Put(Pulse("tick", self.now, row.value.gaps), row.version),), None))
        self.run_due()

    def run_due(self) -> None:
        """Run every due job; one that crashes is run again by the next."""
        for _ in range(12):
            due = [job for job in self.jobs() if job.due <= self.now]
            for job in sorted(due, key=lambda job: (job.due, job.id)):
                with contextlib.suppress(Crash, StoreError):
                    worker.run_job(self.site.site, job.id)
            if not due:
                return

    def jobs(self) -> Iterator[Job]:
        """All jobs that are not parked."""
        for shard in range(DUE_SHARDS):
            yield from (row.value for row in self.calm.query(JOB, "due", shard, limit=500).rows)

    def alarms(self) -> list[Job]:
        """What the books' going through has found."""
        parked = [row.value for row in self.calm.query(JOB, "parked", limit=50).rows]
        return [job for job in parked if job.task == "reconcile"]

    def finish(self) -> None:
        """Let all that is under way come to its end, nothing going wrong."""
        self.trouble = None
        reconcile.let_go_on(self.site.calm)
        for _ in range(18):
            self.pass_time(DAY)

    def _row(self, duel: Duel) -> tuple[Duel, int]:
        row = duel_row(self.site.site, duel.id)
        return row.value, row.version

    def _plan(self, moment: Moment) -> Trouble | None:
        if moment == "query" or self.trouble is None:
            return None
        fault, self.trouble = self.trouble, None
        return Trouble(fault)
