"""Linked accounts: two that are taken for one person's (P28)."""

from dataclasses import dataclass

from engine.platform.members import MemberId
from engine.times import Instant


@dataclass(frozen=True, slots=True)
class Link:
    """Two accounts linked since `since`; kept under both. It acts on games that start later, until `ended`."""

    member: MemberId
    other: MemberId
    since: Instant
    why: str = ""
    ended: Instant | None = None

    @property
    def acts(self) -> bool:
        """Whether games that start now are between linked accounts."""
        return self.ended is None
