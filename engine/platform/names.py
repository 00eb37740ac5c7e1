"""Members' names (P4): what they may hold, and that no two can be taken for each other."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.decisions import Kept, Put, was
from engine.errors import Malformed, Problem, Refusal
from engine.games.registry import GAMES
from engine.platform.members import MemberId
from engine.times import DAY, Instant

SHORTEST: Final = 2  # characters
LONGEST: Final = 24
KEPT_BACK: Final = 365 * DAY
SEPARATORS: Final = " -_.'’"
MARKS_UPTO: Final = 2  # accents on one letter
HOUSE: Final = ("sentinel", "sentinelle", "pivot", "ram", "bélier", *GAMES, "admin", "moderator", "modérateur")


@dataclass(frozen=True, slots=True)
class Name:
    """One folded form of a name, and who bears it, or bore it until `freed`. `hidden`: moderators took it down."""

    folded: str
    member: MemberId
    freed: Instant | None = None
    hidden: bool = False


def cleaned(raw: str) -> str:
    """The name as it is kept: NFKC, single spaces; raises Malformed (`name_*`, field "name", P4).

    Letters of any script with their accents, digits, and between them single separators. No markup, no controls, no
    invisible or direction marks, no symbols.
    """
    name = unicodedata.normalize("NFKC", raw)
    if bad := next((c for c in name if not _allowed(c)), None):
        shown = bad if bad.isprintable() and not unicodedata.combining(bad) else f"U+{ord(bad):04X}"
        raise _malformed("name_character", character=shown)
    name = " ".join(name.split())
    if len(name) < SHORTEST:
        raise _malformed("name_short", least=SHORTEST)
    if len(name) > LONGEST:
        raise _malformed("name_long", most=LONGEST, length=len(name))
    if not _well_formed(name):
        raise _malformed("name_shape")
    if name.casefold() in HOUSE:
        raise _malformed("name_taken", name=name)
    return name


def take(
    member: MemberId,
    name: str,
    forms: Iterable[str],
    held: Mapping[str, Kept[Name] | None],
    now: Instant,
    given_back: bool = False,
) -> tuple[Put, ...]:
    """What gives the member every folded form of a name; raises Refusal("name_taken") if another has one of them.

    A form freed by another within a year is still kept back; one's own may be taken up again at any time (P4), if no
    moderator took it down; then it must be `given_back` (P29).
    """
    changes = []
    for form in sorted(set(forms)):
        kept = held.get(form)
        own = kept is not None and kept.value.member == member and (given_back or not kept.value.hidden)
        if kept and not own and not _given_up(kept.value, now):
            raise Refusal("name_taken", (Problem("name_taken", field="name", detail={"name": name}),), name=name)
        if not kept or kept.value.member != member or kept.value.freed is not None:
            changes.append(Put(Name(form, member), was(kept)))
    return tuple(changes)


def free(
    member: MemberId,
    forms: Iterable[str],
    held: Mapping[str, Kept[Name] | None],
    now: Instant,
    hidden: bool = False,
) -> tuple[Put, ...]:
    """What frees the forms that the member bears; nobody else gets them for a year (P4), nor they if it is `hidden`."""
    bears = [kept for form in sorted(set(forms)) if (kept := held.get(form)) and kept.value.member == member]
    return tuple(Put(Name(k.value.folded, member, now, hidden), k.version) for k in bears if k.value.freed is None)


def _given_up(name: Name, now: Instant) -> bool:
    return name.freed is not None and now >= name.freed + KEPT_BACK


def _allowed(c: str) -> bool:
    return c in SEPARATORS or unicodedata.category(c) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd")


def _well_formed(name: str) -> bool:
    """Begins with a letter or digit, has a letter, no two separators together and no piled-up accents."""
    kinds = [" " if c in SEPARATORS else unicodedata.category(c)[0] for c in name]
    runs = "".join(kinds)
    return (
        "L" in kinds
        and kinds[0] in "LN"
        and kinds[-1] != " "
        and "  " not in runs
        and " M" not in runs
        and "M" * (MARKS_UPTO + 1) not in runs
    )


def _malformed(code: str, **detail: str | int) -> Malformed:
    return Malformed(Problem(code, field="name", detail=detail))
