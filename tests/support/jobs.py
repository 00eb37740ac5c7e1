"""What is due, what went wrong on purpose, and what became of it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.decisions import Decision, Job, Put
from engine.platform.clocks import PULSE
from engine.platform.duels.records import Duel, Turn
from engine.times import Instant
from infra.faults import Fault, Moment, Trouble
from infra.records import DUE_SHARDS, DUEL, JOB, TURN
from infra.records import PULSE as PULSES
from tests.support.duelling import Duelling
from tests.support.site import TestSite


@dataclass
class Script:
    """Faults that come at the next commits, in order; None: that one goes well."""

    faults: list[Fault | None] = field(default_factory=list)

    def __call__(self, moment: Moment) -> Trouble | None:
        fault = self.faults.pop(0) if self.faults and moment == "commit" else None
        return Trouble(fault) if fault else None


def state(game: Duelling) -> Duel:
    """The duel as it is kept."""
    row = game.site.calm.store.get(DUEL, game.id)
    assert row is not None
    return row.value


def turns(game: Duelling) -> list[Turn]:
    """The turns played."""
    return [row.value for row in game.site.calm.store.query(TURN, "", game.id, limit=20, start=(1,)).rows]


def jobs(site: TestSite, task: str = "") -> list[Job]:
    """What is to be done (of one task), in the order in which it is due."""
    store = site.calm.store
    found = [row.value for shard in range(DUE_SHARDS) for row in store.query(JOB, "due", shard, limit=99).rows]
    return sorted((job for job in found if job.task == (task or job.task)), key=lambda job: (job.due, job.id))


def job_named(site: TestSite, id: str) -> Job | None:
    """The job of this id, if it is there."""
    row = site.calm.store.get(JOB, id)
    return row.value if row else None


def ticked(site: TestSite, when: int) -> None:
    """It is now this instant, and the ticks came as they should."""
    site.sources.time = Instant(when)
    row = site.calm.store.get(PULSES, PULSE)
    assert row is not None
    site.calm.store.commit(Decision((Put(replace(row.value, last=Instant(when)), None),), None))


def at_once(acts: list[Callable[[], object]]) -> None:
    """Do these at the same time."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        barrier.wait()
        act()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
