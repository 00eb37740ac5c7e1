"""Runs jobs: each when it is due, as often as it takes, and to effect once."""

import contextlib
import json
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from engine.decisions import Decision, Drop, Job, Put
from engine.times import HOUR, SECOND, Instant, later
from infra.log import log
from infra.mail import MailDelayed
from infra.records import HALT, JOB
from infra.site import Site, current
from infra.store import Busy, Conflict, Row, Unknown

TASKS: Final = (
    "attach",
    "clock",
    "siege",
    "siege_settle",
    "watch",
    "think",
    "mail",
    "settle",
    "collect",
    "reconcile",
    "front",
    "bracket",
    "close",
    "season",
    "link",
    "overdue",
    "moderate",
    "freeze",
    "leave",
)
TRIES: Final = 8
FIRST_PAUSE: Final = {"clocks": 1 * SECOND, "slow": 60 * SECOND}
LONGEST_PAUSE: Final = HOUR  # between two tries to hand over the same mail


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Messages from the queues, each naming a job; those that failed are reported and come again. Logs one line."""
    site = current()
    failed = []
    for record in event["Records"]:
        if not _ran(site, record["body"]):
            failed.append({"itemIdentifier": record["messageId"]})
    log("worker", jobs=len(event["Records"]), failed=len(failed))
    return {"batchItemFailures": failed}


def _ran(site: Site, body: str) -> bool:
    """Whether the job that a message names could be run; one that can't be keeps no other of its batch waiting."""
    try:
        run_job(site, json.loads(body)["job"])
    except Exception as error:  # noqa: BLE001  the message comes again, and then goes to the dead letters
        log("job not run", error=type(error).__name__)
        return False
    return True


def run_job(site: Site, job_id: str) -> bool:
    """Run a job if it is there and due; an early one is sent again. Raises StoreError if the store can't be asked.

    A job that fails is due again after a pause that doubles each time; after eight it is parked for the moderators. A
    mail that can't go out, as its server or the store is down, is tried until its moment has passed: it comes later,
    or not at all (P8).
    A job that would pay while payouts are stopped has not failed either: it comes again until they go on (P17).
    """
    row = site.store.get(JOB, job_id)
    now = site.sources.now()
    if row is None or row.value.parked:
        return True
    job = row.value
    if job.due > now:
        site.queue.wake((job,), now)
        return True
    try:
        if job.until is None or now <= job.until:
            import_module(f"functions.jobs.{_known(job.task)}").run(site, job)
    except Exception as error:  # noqa: BLE001  a job may fail in any way: it is kept, counted and shown
        _failed(site, row, error, now)
        return True
    _commit_if_unchanged(site, Drop(job, row.version))
    return True


def _known(task: str) -> str:
    if task not in TASKS:
        raise ValueError(f"no task {task}")
    return task


def _failed(site: Site, row: Row[Job], error: Exception, now: Instant) -> None:
    job = row.value
    halted = isinstance(error, Conflict) and HALT.name in error.kinds
    tries = job.tries if halted else job.tries + 1
    delayed = halted or (isinstance(error, (MailDelayed, Busy, Unknown)) and job.until is not None)
    pause = FIRST_PAUSE[job.queue] * 2 ** (min(tries, TRIES) - 1)
    pause = LONGEST_PAUSE if halted else min(pause, LONGEST_PAUSE) if delayed else pause
    again = replace(job, tries=tries, due=later(now, pause), parked=tries >= TRIES and not delayed)
    log("job failed", job=job.id, error=type(error).__name__, tries=tries, parked=again.parked)
    _commit_if_unchanged(site, Put(again, row.version))
    if not again.parked:
        site.queue.wake((again,), now)


def _commit_if_unchanged(site: Site, change: Put | Drop) -> None:
    """A job written anew while it ran stays as it was written."""
    with contextlib.suppress(Conflict):
        site.store.commit(Decision((change,), None))
