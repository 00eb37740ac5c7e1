"""Reading what members say of themselves, from a form or JSON: every field, and every problem at once (P4)."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from engine.errors import Malformed, Problem
from engine.platform.members import Lang, Quiet
from engine.platform.names import HOUSE, cleaned
from infra.folding import forms
from infra.i18n import LANGS
from infra.zones import find

R = TypeVar("R")

NAMELESS: Final[tuple[str, tuple[str, ...]]] = ("", ())

_CLOCK: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])(:00)?")


@dataclass(slots=True)
class Reader:
    """Collects the problems of fields read one by one; `finish` raises them together."""

    problems: list[Problem]

    def read(self, parse: Callable[[str], R], text: str, otherwise: R) -> R:
        """What the field says, or `otherwise` if it can't be read."""
        try:
            return parse(text)
        except Malformed as error:
            self.problems += error.problems
            return otherwise

    def finish(self) -> None:
        """Raise Malformed if there was any problem."""
        if self.problems:
            raise Malformed(*self.problems)


def name(text: str) -> tuple[str, tuple[str, ...]]:
    """A name and its folded forms; raises Malformed (`name_*`). What looks like a name of the site's own is taken."""
    found = cleaned(text)
    folded = forms(found)
    if not _reserved().isdisjoint(folded):
        raise Malformed(Problem("name_taken", field="name", detail={"name": found}))
    return found, folded


def lang(text: str) -> Lang:
    """A language of the site; raises Malformed."""
    if text not in LANGS:
        raise Malformed(Problem("lang_unknown", field="lang"))
    return text


def zone(text: str) -> str:
    """A time zone by its name or its city, in any case; raises Malformed."""
    found = find(text)
    if found is None:
        raise Malformed(Problem("zone_unknown", field="zone", detail={"zone": text[:40]}))
    return found


def quiet(start: str, end: str) -> Quiet | None:
    """Quiet hours from two local times; raises Malformed."""
    begins, ends = _minutes(start, "quiet_start"), _minutes(end, "quiet_end")
    if begins == ends:
        raise Malformed(Problem("quiet_empty", field="quiet_end"))
    return Quiet(begins, ends)


def clock(minutes: int) -> str:
    """Minutes after midnight as a field shows them: "07:30"."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


@functools.cache
def _reserved() -> frozenset[str]:
    return frozenset(form for name in HOUSE for form in forms(name))


def _minutes(text: str, field: str) -> int:
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise Malformed(Problem("time_unreadable", field=field))
    return 60 * int(match[1]) + int(match[2])
