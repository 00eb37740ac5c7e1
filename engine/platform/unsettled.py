"""Games that are over and not settled yet: what a day or a month waits for, and how long (P25, P26)."""

from typing import Final

from engine.decisions import Job
from engine.times import DAY, Instant, later

PATIENCE: Final = 7 * DAY  # for a job that failed too often and waits for a moderator


def ended(job: Job) -> Instant | None:
    """When the game ended that this job settles; None for any other job."""
    at = job.about.get("ended") if job.task == "settle" else None
    return None if at is None else Instant(at)


def held_until(job: Job, end: Instant) -> Instant:
    """Until when a parked job holds up what it belongs to, a day or month over at `end`: moderators have a week."""
    return later(max(end, job.due), PATIENCE)


def holds_up(job: Job, end: Instant, now: Instant) -> bool:
    """Whether what was over at `end` still waits for this job: always while it is tried, else for a week."""
    return not job.parked or now < held_until(job, end)
