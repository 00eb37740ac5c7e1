"""Carrying out decisions: load, decide, commit, and wake the jobs that follow."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from engine.decisions import Decision, Job
from engine.errors import Refusal
from engine.platform.clocks import PULSE, Ground, Rhythm
from engine.platform.duels.records import Duel
from infra.commit import settle
from infra.records import DUEL
from infra.records import PULSE as PULSES
from infra.site import Site
from infra.store import Row

A = TypeVar("A")

AHEAD: Final = 900_000  # ms: the longest delay a queue takes


def act(site: Site, decide: Callable[[], Decision[A]]) -> A:
    """Commit what `decide` decides, deciding again on a conflict; raises its Refusals, or the store's last error.

    Wake-ups for jobs due in the next 900 s are sent before the commit: a crash between the two costs nothing, while the
    other order could lose a wake-up. Jobs due at once are sent after it.
    """

    def ahead() -> Decision[A]:
        decision = decide()
        now = site.sources.now()
        _wake(site, (job for job in decision.jobs if now < job.due <= now + AHEAD))
        return decision

    def after(decision: Decision[Any]) -> None:
        now = site.sources.now()
        _wake(site, (job for job in decision.jobs if job.due <= now))

    return settle(site.store, ahead, site.sources.pause, site.sources.jitter, then=after)


def duel_row(site: Site, duel: str) -> Row[Duel]:
    """The duel of this id. Refused: `no_such_game`."""
    row = site.store.get(DUEL, duel)
    if row is None:
        raise Refusal("no_such_game")
    return row


def ground(site: Site) -> Ground:
    """What decisions about deadlines stand on; one read."""
    pulse = site.store.get(PULSES, PULSE)
    return Ground(site.sources.now(), pulse.value if pulse else None, rhythm(site))


def rhythm(site: Site) -> Rhythm:
    """How often ticks come here, and how long they may be missing: all of it longer where the clock runs faster."""
    plain, stretched = Rhythm(), site.settings.stretched
    return Rhythm(site.settings.tick, stretched(plain.live), stretched(plain.slow))


def _wake(site: Site, jobs: Iterable[Job]) -> None:
    due = tuple(jobs)
    if due:
        site.queue.wake(due, site.sources.now())
