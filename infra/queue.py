"""How a due job is brought to the worker."""

from collections.abc import Iterable
from typing import Protocol

from engine.decisions import Job
from engine.times import Instant


class Queue(Protocol):
    """Sends wake-ups for jobs; a lost one costs only time, as the next tick sends it again."""

    def wake(self, jobs: Iterable[Job], now: Instant) -> None:
        """Have the worker called for each of these jobs when it is due; those over 900 s ahead are left to the tick."""
        ...

    def waiting(self) -> int:
        """About how many wake-ups wait to be delivered."""
        ...
