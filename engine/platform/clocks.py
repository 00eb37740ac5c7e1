"""Outages: what deadlines do when nobody was there to keep them (P7b)."""

from dataclasses import dataclass, replace
from typing import Final

from engine.times import MINUTE, SECOND, Instant

GAPS_KEPT: Final = 50


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often ticks come, and how long they may be missing before it is an outage (ms): live games, others."""

    interval: int = MINUTE
    live: int = 30 * SECOND
    slow: int = 5 * MINUTE

    def bears(self, live: bool) -> int:
        """How long ticks may be missing, in milliseconds."""
        return self.live if live else self.slow


@dataclass(frozen=True, slots=True)
class Gap:
    """A time without ticks: from when the first missing one was due to the one that came after."""

    start: Instant
    end: Instant

    @property
    def length(self) -> int:
        """Its span in milliseconds."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Pulse:
    """The ticks' record of themselves: the last one, and the gaps before it."""

    id: str
    last: Instant
    gaps: tuple[Gap, ...] = ()


PULSE: Final = "tick"


def beat(pulse: Pulse | None, now: Instant, rhythm: Rhythm) -> Pulse:
    """The pulse after a tick at `now`; ticks that come early or twice leave no gap."""
    if pulse is None:
        return Pulse(PULSE, now)
    due = Instant(pulse.last + rhythm.interval)
    gaps = pulse.gaps
    if now - due > min(rhythm.live, rhythm.slow):
        gaps = (*gaps, Gap(due, now))[-GAPS_KEPT:]
    return replace(pulse, last=max(now, pulse.last), gaps=gaps)


@dataclass(frozen=True, slots=True)
class Ground:
    """What every decision about a deadline stands on: the time, and how the ticks have come."""

    now: Instant
    pulse: Pulse | None
    rhythm: Rhythm = Rhythm()

    def outage(self, deadline: Instant, live: bool) -> Gap | None:
        """The gap that lies across a deadline and is long enough to matter (P7b)."""
        gaps = self.pulse.gaps if self.pulse else ()
        bears = self.rhythm.bears(live)
        return next((g for g in gaps if g.length > bears and g.start <= deadline < g.end), None)

    def adrift(self, deadline: Instant, live: bool) -> bool:
        """Whether ticks are missing now, across this deadline: closing waits for the tick that measures the gap."""
        if self.pulse is None:
            return False
        start = self.pulse.last + self.rhythm.interval
        return start <= deadline and self.now - start > self.rhythm.bears(live)
