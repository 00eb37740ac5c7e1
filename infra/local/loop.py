"""Runs what is due: threads for each queue, and one that ticks."""

import threading
import traceback
from collections.abc import Callable
from typing import Final

from engine.times import SECOND, later
from infra.local.queue import LocalQueue
from infra.log import log
from infra.site import Site

_PAUSE: Final = 1 * SECOND
_THREADS: Final = {"clocks": 1, "slow": 4}  # a mail server that does not answer must not hold up what else is slow


class Loop:
    """The worker and the schedule of the one-machine server.

    `run` runs the job of this id and tells whether it could be asked for; `tick` sends what is due soon to the queue.
    """

    def __init__(
        self, site: Site, queue: LocalQueue, run: Callable[[Site, str], bool], tick: Callable[[Site], object]
    ) -> None:
        self._site = site
        self._queue = queue
        self._run = run
        self._tick = tick
        self._stop = threading.Event()
        self._running: set[str] = set()
        self._lock = threading.Lock()
        takers = [name for name, number in _THREADS.items() for _ in range(number)]
        self._threads = [
            *(threading.Thread(target=self._work, args=(name,), name=name) for name in takers),
            threading.Thread(target=self._beat, name="tick"),
        ]

    def start(self) -> None:
        """Begin; what came due while the server was off runs now."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what is running, and end."""
        self._stop.set()
        self._queue.close()
        for thread in self._threads:
            thread.join()

    def _work(self, name: str) -> None:
        while (job_id := self._queue.take(name)) is not None:
            if not self._once(job_id):
                pause = int(_PAUSE * self._site.settings.speed)
                self._queue.again(name, job_id, later(self._site.sources.now(), pause))

    def _once(self, job_id: str) -> bool:
        """Run a job, unless another thread is at it (a tick names a job again while it runs); whether it was run."""
        with self._lock:
            if job_id in self._running:
                return False
            self._running.add(job_id)
        try:
            return self._run(self._site, job_id)
        except Exception as error:  # noqa: BLE001 - one job that can't be run must not stop the others
            log("job not run", job=job_id, error=type(error).__name__, at=_place(error))
            return False
        finally:
            with self._lock:
                self._running.discard(job_id)

    def _beat(self) -> None:
        settings = self._site.settings
        while True:
            try:
                self._tick(self._site)
            except Exception as error:  # noqa: BLE001 - the next tick finds what this one missed
                log("tick failed", error=type(error).__name__, at=_place(error))
            if self._stop.wait(settings.tick / 1000 / settings.speed):
                return


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
