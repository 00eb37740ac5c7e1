"""How often something may be asked (issue 2: per address, per member and per client), counted in fixed windows."""

from dataclasses import dataclass
from typing import Final

from engine.decisions import Add
from engine.errors import Refusal
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` times in each window of `span` milliseconds. `name` tells what is counted."""

    name: str
    most: int
    span: int


@dataclass(frozen=True, slots=True)
class Rate:
    """A counter: minus the times that `subject` did something in the window that ends at `ends` (ms)."""

    subject: str
    ends: int


LINKS_TO_ADDRESS: Final = Limit("link/address", 5, 15 * MINUTE)
LINKS_FROM_CLIENT: Final = Limit("link/client", 40, 15 * MINUTE)
CODES_FROM_CLIENT: Final = Limit("code/client", 40, 15 * MINUTE)
TURN_LINKS: Final = Limit("turn link/member", 5, HOUR)
TURN_LINKS_FROM_CLIENT: Final = Limit("turn link/client", 40, 15 * MINUTE)
RENAMES: Final = Limit("rename/member", 5, DAY)
REPORTS: Final = Limit("report/member", 20, DAY)
GUESTS_FROM_CLIENT: Final = Limit("guest/client", 20, HOUR)
BLOCKS: Final = Limit("block/member", 60, DAY)
BENCH_FROM_CLIENT: Final = Limit("bench/client", 300, 15 * MINUTE)


def counter(limit: Limit, who: str, now: Instant) -> Rate:
    """The counter of this limit for `who` in the window of `now`."""
    return Rate(f"{limit.name}/{who}", now - now % limit.span + limit.span)


def spend(*uses: tuple[Limit, Rate, int], now: Instant) -> tuple[Add, ...]:
    """What counts one use of each limit, given its counter and the counter's value.

    Raises Refusal("too_often", seconds=, n=) with the whole seconds, and minutes, until the windows that are full have
    ended. The floors keep the limits when many come at once.
    """
    full = [rate.ends for limit, rate, value in uses if -value >= limit.most]
    if full:
        seconds = seconds_until(max(full), now)
        raise Refusal("too_often", seconds=seconds, n=-(-seconds // 60))
    return tuple(Add(rate, -1, -limit.most) for limit, rate, _ in uses)


def seconds_until(ends: int, now: Instant) -> int:
    """Whole seconds from `now` to an instant, at least one."""
    return max(1, -((now - ends) // SECOND))
