"""Wake-ups within one process."""

import heapq
import threading
from collections.abc import Iterable
from typing import Final

from engine.decisions import Job
from engine.times import SECOND, Instant
from infra.sources import Sources

LONGEST: Final = 900 * SECOND


class LocalQueue:
    """Names jobs to its takers when they are due, at once if they are; a job asked for twice is named once.

    `speed` is how many seconds of the sources' clock pass in one second.
    """

    def __init__(self, sources: Sources, speed: float = 1.0) -> None:
        self._sources = sources
        self._speed = speed
        self._changed = threading.Condition()
        self._heaps: dict[str, list[tuple[Instant, str]]] = {"clocks": [], "slow": []}
        self._due: dict[str, dict[str, Instant]] = {"clocks": {}, "slow": {}}
        self._closed = False

    def wake(self, jobs: Iterable[Job], now: Instant) -> None:
        """See `Queue.wake`."""
        with self._changed:
            for job in jobs:
                if job.due <= now + LONGEST:
                    self._push(job.queue, job.id, job.due)
            self._changed.notify_all()

    def again(self, name: str, job_id: str, due: Instant) -> None:
        """Name this job once more, at `due`: it could not be asked for."""
        with self._changed:
            self._push(name, job_id, due)

    def waiting(self) -> int:
        """How many wake-ups wait."""
        with self._changed:
            return sum(len(due) for due in self._due.values())

    def take(self, name: str) -> str | None:
        """The id of the queue's next job, once it is due; None when the queue is closed."""
        with self._changed:
            while not self._closed:
                wait = self._next(name)
                if wait is not None and wait <= 0:
                    return self._pop(name)
                self._changed.wait(wait)
            return None

    def close(self) -> None:
        """Send the takers home."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _push(self, name: str, job_id: str, due: Instant) -> None:
        known = self._due[name].get(job_id)
        if known is None or due < known:
            self._due[name][job_id] = due
            heapq.heappush(self._heaps[name], (due, job_id))

    def _next(self, name: str) -> float | None:
        heap, due = self._heaps[name], self._due[name]
        while heap and due.get(heap[0][1]) != heap[0][0]:
            heapq.heappop(heap)
        return (heap[0][0] - self._sources.now()) / 1000 / self._speed if heap else None

    def _pop(self, name: str) -> str:
        _, job_id = heapq.heappop(self._heaps[name])
        del self._due[name][job_id]
        return job_id
