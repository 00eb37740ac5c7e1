"""Each minute: what is due soon goes to the queue with its exact delay."""

from typing import Any, Final

from engine.decisions import Decision, Job, Put
from engine.platform.clocks import PULSE, beat
from engine.times import SECOND, Instant
from functions.acting import rhythm
from infra.log import log
from infra.records import DUE_SHARDS, JOB
from infra.records import PULSE as PULSES
from infra.site import Site, current
from infra.store import Conflict

LOOK_AHEAD: Final = 150 * SECOND
BATCH: Final = 100
LONGEST: Final = 45 * SECOND
FULL: Final = 2_000


def handler(event: dict[str, Any], context: object) -> dict[str, int]:
    """The schedule's call; answers how many jobs it sent."""
    sent = tick(current())
    log("tick", sent=sent)
    return {"sent": sent}


def tick(site: Site) -> int:
    """Record that a tick came, then send the jobs due within 150 s, oldest first; how many were sent.

    It stops after 45 s, and sends nothing while the queue is full: the next tick goes on.
    """
    started = site.sources.now()
    record_beat(site, started)
    sent = 0
    after = dict.fromkeys(range(DUE_SHARDS), "")
    while after and site.sources.now() - started < LONGEST and site.queue.waiting() < FULL:
        jobs: list[Job] = []
        for shard in tuple(after):
            page = site.store.query(JOB, "due", shard, limit=BATCH, after=after[shard], upto=(started + LOOK_AHEAD,))
            jobs.extend(row.value for row in page.rows)
            if page.after:
                after[shard] = page.after
            else:
                del after[shard]
        site.queue.wake(sorted(jobs, key=lambda job: job.due), site.sources.now())
        sent += len(jobs)
    return sent


def record_beat(site: Site, now: Instant) -> None:
    """Enter a tick in the pulse; of two at once the first counts."""
    row = site.store.get(PULSES, PULSE)
    pulse = beat(row.value if row else None, now, rhythm(site))
    try:
        site.store.commit(Decision((Put(pulse, row.version if row else 0),), None))
    except Conflict:
        log("two ticks at once")
