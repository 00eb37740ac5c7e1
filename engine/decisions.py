"""What a decision changes: records, counters and jobs, committed in one transaction or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.times import Instant

A = TypeVar("A")
K = TypeVar("K", covariant=True)
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Put:
    """Write a record. `was` is the version read, 0 if it must be absent, None to replace whatever is there."""

    value: object
    was: int | None


@dataclass(frozen=True, slots=True)
class Drop:
    """Delete the record with this value's key; `was` as in `Put` (None: whatever is there, or nothing)."""

    value: object
    was: int | None


@dataclass(frozen=True, slots=True)
class Hold:
    """Change nothing, but commit only if the record with this value's key is still as read (`was` as in `Put`)."""

    value: object
    was: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a counter; refused (`Conflict`) if the sum would fall below `floor`."""

    counter: object
    by: int
    floor: int | None = None


Change = Put | Drop | Hold | Add


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do at `due` or as soon after as may be, at least once; it must take effect once.

    `id` names what it is about (`clock/<duel>`): writing it again replaces it. `task` names the handler, `about` holds
    its arguments. After `until` it is dropped undone. `parked` jobs failed too often and wait for a moderator.
    """

    id: str
    due: Instant
    task: str
    about: Json = field(default_factory=dict)
    queue: Literal["clocks", "slow"] = "slow"
    tries: int = 0
    parked: bool = False
    until: Instant | None = None


@dataclass(frozen=True, slots=True)
class Decision(Generic[A]):
    """The changes to commit together, and the answer to give once they are.

    No change at all is a decision too: what was asked had already been done.
    """

    changes: tuple[Change, ...]
    answer: A

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs this decision writes: those due soon are sent to the queue after the commit."""
        return tuple(c.value for c in self.changes if isinstance(c, Put) and isinstance(c.value, Job))


class Kept(Protocol[K]):
    """A value as it was read, with the version that a change of it names."""

    @property
    def value(self) -> K:
        """What was read."""
        ...

    @property
    def version(self) -> int:
        """The version it had, above zero."""
        ...


def was(kept: Kept[object] | None) -> int:
    """The version to name in a change of what was read: 0 if there was nothing."""
    return kept.version if kept else 0
