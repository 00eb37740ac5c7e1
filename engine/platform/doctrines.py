"""Members' doctrines: three slots each, one of them the default or none, and what of them is public (P22, F27).

A `Book` holds the rules and is its owner's alone. A `Contender` is what everybody may know of a doctrine that can be
challenged: it has no rules in it.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Change, Decision, Hold, Json, Kept, Put, was
from engine.errors import Refusal
from engine.platform.elo import START, Rating
from engine.platform.local_days import begins, day_of, month_of
from engine.platform.members import MemberId
from engine.times import Instant

SLOTS: Final = (1, 2, 3)
HOUSE: Final = ("sentinel", "pivot", "ram")
MOST_SWITCHES: Final = 24  # those of the last two years at least
_HOUSE: Final = "ai:"


@dataclass(frozen=True, slots=True)
class Slot:
    """A doctrine in its slot: its JSON as the game writes it, with its name."""

    number: int
    doctrine: Json

    @property
    def name(self) -> str:
        """What its author calls it."""
        return str(self.doctrine.get("name", ""))


@dataclass(frozen=True, slots=True)
class Book:
    """A member's doctrines; empty slots are left out. `default` is the slot that plays missed turns, 0 for none."""

    member: MemberId
    slots: tuple[Slot, ...] = ()
    default: int = 0

    def slot(self, number: int) -> Slot | None:
        """The doctrine in a slot, if there is one."""
        return next((s for s in self.slots if s.number == number), None)


@dataclass(frozen=True, slots=True)
class Contender:
    """A doctrine that is, or was, open to challenges: a house AI (`author` None) or a member's slot.

    `rating` and the results of its rated challenges belong to the slot: they outlast edits, unpublishing and whatever
    doctrine takes its place (P22). Won, drawn and lost are counted from the doctrine's side.
    """

    id: MemberId
    author: MemberId | None
    name: str
    published: bool
    hidden: bool = False
    switched: tuple[Instant, ...] = ()  # when it was opened to challenges, closed, opened again… once a month at most
    rating: Rating = START
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many rated challenges there were."""
        return self.won + self.drawn + self.lost

    @property
    def open(self) -> bool:
        """Whether it can be challenged."""
        return self.published and not self.hidden

    def open_at(self, at: Instant) -> bool:
        """Whether it could be challenged at an instant: at the end of a month, or later than all switches (P26)."""
        return sum(when <= at for when in self.switched) % 2 == 1


def contender_id(member: MemberId, number: int) -> MemberId:
    """The id under which a member's slot plays; `ai:ram` and the like are the house AIs'."""
    return MemberId(f"{member}:{number}")


def house_id(name: str) -> MemberId:
    """The id under which a house AI plays."""
    return MemberId(_HOUSE + name)


def house_name(id: str) -> str | None:
    """Which of the house AIs this id is, None for anybody else."""
    name = id.removeprefix(_HOUSE)
    return name if id.startswith(_HOUSE) and name in HOUSE else None


def is_doctrine(id: str) -> bool:
    """Whether an id is a doctrine's, a house AI's or a member's, and not a member."""
    return ":" in id


def author_and_slot(id: str) -> tuple[MemberId, int] | None:
    """The member and the slot that an id names, None if it is no member's doctrine."""
    member, colon, number = id.rpartition(":")
    if not colon or id.startswith(_HOUSE) or number not in map(str, SLOTS):
        return None
    return MemberId(member), int(number)


def house(name: str) -> Contender:
    """A house AI before its first challenge."""
    return Contender(house_id(name), None, "", published=True)


def policy(doctrine: Json) -> Json:
    """What a game needs to play by a doctrine."""
    return {"policy": "doctrine", "doctrine": doctrine}


def stand_in(book: Book | None) -> Json | None:
    """The policy that plays the turns a member misses, None if there is no default doctrine (P12)."""
    slot = book.slot(book.default) if book else None
    return policy(slot.doctrine) if slot else None


def save(
    member: MemberId, kept: Kept[Book] | None, public: Kept[Contender] | None, number: int, doctrine: Json
) -> Decision[Book]:
    """Put a valid doctrine into a slot, over whatever is there; a published slot shows its name. Refused: `no_slot`."""
    book = _book(member, kept)
    if number not in SLOTS:
        raise Refusal("no_slot")
    there = book.slot(number)
    changes: list[Change] = []
    if there is None or there.doctrine != doctrine:
        slots = (*(s for s in book.slots if s.number != number), Slot(number, doctrine))
        book = replace(book, slots=tuple(sorted(slots, key=lambda s: s.number)))
        changes.append(Put(book, was(kept)))
        if public is None or not public.value.published:
            changes.append(_hold(member, number, public))
    if public is not None and public.value.published:
        changes += _renamed(public, str(doctrine.get("name", "")))
    return Decision(tuple(changes), book)


def delete(
    member: MemberId, kept: Kept[Book] | None, public: Kept[Contender] | None, number: int, now: Instant, zone: str
) -> Decision[Book]:
    """Empty a slot: it is unpublished and no default any more; games begun keep the copy they were given.

    `zone`, here and below, is the one whose months count.
    """
    book = _book(member, kept)
    if kept is None or book.slot(number) is None:
        return Decision((), book)
    default = 0 if book.default == number else book.default
    emptied = replace(book, slots=tuple(s for s in book.slots if s.number != number), default=default)
    return Decision((Put(emptied, kept.version), close(member, number, public, now, zone)), emptied)


def choose(member: MemberId, kept: Kept[Book] | None, number: int) -> Decision[Book]:
    """Make a slot the default of the games that begin from now on, or none of them (0). Refused: `empty_slot`."""
    book = _book(member, kept)
    if number and book.slot(number) is None:
        raise Refusal("empty_slot")
    if book.default == number:
        return Decision((), book)
    chosen = replace(book, default=number)
    return Decision((Put(chosen, was(kept)),), chosen)


def publish(
    member: MemberId, kept: Kept[Book] | None, public: Kept[Contender] | None, number: int, now: Instant, zone: str
) -> Decision[Contender]:
    """Open a slot's doctrine to challenges. The rules stay the author's. Refused: `empty_slot`."""
    slot = _book(member, kept).slot(number)
    if slot is None or kept is None:
        raise Refusal("empty_slot")
    before = public.value if public else Contender(contender_id(member, number), member, slot.name, published=False)
    after = _switch(replace(before, published=True, name=slot.name), before.open, now, zone)
    changes = (Put(after, was(public)), Hold(kept.value, kept.version)) if after != before else ()
    return Decision(changes, after)


def close(member: MemberId, number: int, public: Kept[Contender] | None, now: Instant, zone: str) -> Change:
    """What closes a slot that is emptied to challenges, also if it is being opened in this very moment."""
    changes = _closed(public, now, zone) if public else ()
    return changes[0] if changes else _hold(member, number, public)


def unpublish(public: Kept[Contender] | None, now: Instant, zone: str) -> Decision[None]:
    """Close a slot's doctrine to challenges; those under way go on."""
    return Decision(_closed(public, now, zone) if public else (), None)


def hide(public: Kept[Contender], hidden: bool, now: Instant, zone: str) -> Decision[None]:
    """Hide a doctrine from lists and challenges, or show it again: a moderator's act (P22, P29)."""
    if public.value.hidden == hidden:
        return Decision((), None)
    after = _switch(replace(public.value, hidden=hidden), public.value.open, now, zone)
    return Decision((Put(after, public.version),), None)


def _book(member: MemberId, kept: Kept[Book] | None) -> Book:
    return kept.value if kept else Book(member)


def _renamed(public: Kept[Contender], name: str) -> tuple[Put, ...]:
    if public.value.name == name:
        return ()
    return (Put(replace(public.value, name=name), public.version),)


def _hold(member: MemberId, number: int, public: Kept[Contender] | None) -> Hold:
    return Hold(Contender(contender_id(member, number), member, "", published=False), was(public))


def _closed(public: Kept[Contender], now: Instant, zone: str) -> tuple[Put, ...]:
    if not public.value.published:
        return ()
    return (Put(_switch(replace(public.value, published=False), public.value.open, now, zone), public.version),)


def _switch(after: Contender, was_open: bool, now: Instant, zone: str) -> Contender:
    """With the switch, if it was one; two within a month come to nothing at its end, and leave no trace."""
    if after.open == was_open:
        return after
    before = after.switched
    if before and before[-1] > begins(f"{month_of(day_of(now, zone))}-01", zone):
        return replace(after, switched=before[:-1])
    kept = before[2:] if len(before) >= MOST_SWITCHES else before
    return replace(after, switched=(*kept, now))
