"""Instants and spans. An instant is a whole number of milliseconds since 1970-01-01 UTC; so is a span, from zero."""

from typing import NewType

Instant = NewType("Instant", int)

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def later(instant: Instant, span: int) -> Instant:
    """The instant `span` milliseconds after `instant` (before it, if negative)."""
    return Instant(instant + span)
