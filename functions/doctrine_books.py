"""Members' doctrines and what is public of them, read for pages and for games that begin."""

from collections.abc import Iterable

from engine.decisions import Json
from engine.errors import Refusal
from engine.platform import doctrines
from engine.platform.doctrines import Book, Contender
from engine.platform.members import MemberId
from infra.records import BOOK, CONTENDER
from infra.site import Site
from infra.store import Row


def book_of(site: Site, member: MemberId) -> Book:
    """A member's doctrines, an empty book if there are none; one read. Its owner's alone."""
    row = site.store.get(BOOK, member)
    return row.value if row else Book(member)


def stand_ins(site: Site, members: Iterable[MemberId]) -> dict[MemberId, Json]:
    """The default doctrines of members whose game begins, as policies (P12); one read each."""
    found = ((member, doctrines.stand_in(book_of(site, member))) for member in members)
    return {member: policy for member, policy in found if policy is not None}


def contender_row(site: Site, id: str) -> Row[Contender] | None:
    """What is public of a doctrine, as stored; None before a house AI's first rated challenge."""
    return site.store.get(CONTENDER, id)


def contender_of(site: Site, id: str) -> Contender:
    """What is public of a doctrine; one read. Refused: `no_such_doctrine`."""
    row = contender_row(site, id)
    if row is not None:
        return row.value
    name = doctrines.house_name(id)
    if name is None:
        raise Refusal("no_such_doctrine")
    return doctrines.house(name)


def contender_policy(site: Site, contender: Contender, seed: bytes) -> Json:
    """How a doctrine plays one game: a house AI with noise from the game's seed (F29), a member's without (P22).

    Refused: `no_such_doctrine`, if its author has deleted it.
    """
    name = doctrines.house_name(contender.id)
    if name is not None:
        return house_policy(name, seed)
    place = doctrines.author_and_slot(contender.id)
    slot = book_of(site, place[0]).slot(place[1]) if place else None
    if slot is None:
        raise Refusal("no_such_doctrine")
    return doctrines.policy(slot.doctrine)


def house_policy(name: str, seed: bytes) -> Json:
    """How a house AI plays a game of this seed (F29)."""
    return {"policy": name, "noise": 1, "seed": seed.hex()}
