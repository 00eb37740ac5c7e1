"""Members' doctrines: places, default, publishing (P22)."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.decisions import Hold, Put
from engine.errors import Refusal
from engine.platform import doctrines
from engine.platform.doctrines import Book, Contender
from engine.platform.elo import Rating
from engine.platform.local_days import day_of, ends, last_of, month_of
from engine.platform.members import MemberId
from engine.times import DAY, HOUR, Instant
from tests.platform.solo import NOW, Read, written

ANNA = MemberId("anna")
ZONE = "Europe/Paris"
ONE: Mapping[str, Any] = {"version": 1, "name": "One", "rules": []}
TWO: Mapping[str, Any] = {"version": 1, "name": "Two", "rules": []}


def book(*names: str, default: int = 0) -> Book:
    slots = tuple(
        doctrines.Slot(n, {"version": 1, "name": name, "rules": []}) for n, name in enumerate(names, 1) if name
    )
    return Book(ANNA, slots, default)


def test_a_member_has_three_places() -> None:
    kept = None
    for number in (3, 1, 2):
        kept = Read(doctrines.save(ANNA, kept, None, number, ONE).answer)
    assert kept is not None and [slot.number for slot in kept.value.slots] == [1, 2, 3]
    with pytest.raises(Refusal, match="no_slot"):
        doctrines.save(ANNA, kept, None, 4, ONE)


def test_saving_replaces_what_is_there_and_saving_the_same_writes_nothing() -> None:
    kept = Read(doctrines.save(ANNA, None, None, 1, ONE).answer)
    assert doctrines.save(ANNA, kept, None, 1, ONE).changes == ()
    assert doctrines.save(ANNA, kept, None, 1, TWO).answer.slot(1) == doctrines.Slot(1, TWO)


def test_only_a_place_with_a_doctrine_can_be_the_default() -> None:
    kept = Read(book("One"))
    assert doctrines.choose(ANNA, kept, 1).answer.default == 1
    assert doctrines.choose(ANNA, Read(book("One", default=1)), 0).answer.default == 0
    with pytest.raises(Refusal, match="empty_slot"):
        doctrines.choose(ANNA, kept, 2)


def test_the_default_plays_missed_turns_and_none_plays_none() -> None:
    assert doctrines.stand_in(None) is None
    assert doctrines.stand_in(book("One")) is None
    policy = doctrines.stand_in(book("One", default=1))
    assert policy is not None and policy["policy"] == "doctrine" and policy["doctrine"]["name"] == "One"


def test_a_deleted_doctrine_is_no_default_and_no_longer_published() -> None:
    public = Read(Contender(doctrines.contender_id(ANNA, 1), ANNA, "One", published=True, rating=Rating(11_000)))
    decision = doctrines.delete(ANNA, Read(book("One", default=1)), public, 1, NOW, ZONE)
    assert (decision.answer.slots, decision.answer.default) == ((), 0)
    (left,) = written(decision, Contender)
    assert (left.published, left.rating) == (False, 11_000)


def test_what_is_published_holds_no_rules() -> None:
    decision = doctrines.publish(ANNA, Read(book("One")), None, 1, NOW, ZONE)
    (public,) = written(decision, Contender)
    assert (public.id, public.author, public.name, public.open) == ("anna:1", ANNA, "One", True)
    assert not {"rules", "doctrine"} & set(Contender.__slots__)
    assert any(isinstance(change, Hold) for change in decision.changes)  # the doctrine is still there by then


def test_an_empty_place_can_not_be_published() -> None:
    with pytest.raises(Refusal, match="empty_slot"):
        doctrines.publish(ANNA, Read(book("", "Two")), None, 1, NOW, ZONE)


def test_the_rating_survives_edits_unpublishing_and_replacement() -> None:
    public = Contender(MemberId("anna:1"), ANNA, "One", published=True, rating=Rating(12_345), won=3)
    edited = doctrines.save(ANNA, Read(book("One")), Read(public), 1, TWO)
    (renamed,) = written(edited, Contender)
    (closed,) = written(doctrines.unpublish(Read(renamed), NOW, ZONE), Contender)
    (again,) = written(doctrines.publish(ANNA, Read(edited.answer), Read(closed), 1, NOW, ZONE), Contender)
    assert (again.name, again.published, again.rating, again.won) == ("Two", True, 12_345, 3)


def test_an_unpublished_doctrine_keeps_its_new_name_to_itself() -> None:
    public = Contender(MemberId("anna:1"), ANNA, "One", published=False)
    assert written(doctrines.save(ANNA, Read(book("One")), Read(public), 1, TWO), Contender) == []


def test_a_hidden_doctrine_can_not_be_challenged_though_it_is_published_again() -> None:
    (hidden,) = written(
        doctrines.hide(Read(Contender(MemberId("anna:1"), ANNA, "One", published=True)), True, NOW, ZONE), Contender
    )
    assert not hidden.open
    (closed,) = written(doctrines.unpublish(Read(hidden), NOW, ZONE), Contender)
    again = doctrines.publish(ANNA, Read(book("One")), Read(closed), 1, NOW, ZONE).answer
    assert again.published and not again.open
    assert doctrines.hide(Read(hidden), True, NOW, ZONE).changes == ()


def test_publishing_and_unpublishing_twice_is_once() -> None:
    public = Read(Contender(MemberId("anna:1"), ANNA, "One", published=True))
    assert doctrines.publish(ANNA, Read(book("One")), public, 1, NOW, ZONE).changes == ()
    assert doctrines.unpublish(None, NOW, ZONE).changes == ()
    (closed,) = written(doctrines.unpublish(public, NOW, ZONE), Contender)
    assert doctrines.unpublish(Read(closed), NOW, ZONE).changes == ()


def test_what_is_kept_of_opening_and_closing_tells_of_every_months_end_and_does_not_grow() -> None:
    """The same as if all were kept, for three months back and more; at most one switch a month (P26)."""
    random = Random(5)
    public, opened, now = Contender(MemberId("anna:1"), ANNA, "One", published=False), dict[str, bool](), NOW
    for _ in range(3_000):
        switch = random.choice((publish, unpublish, hide, show))
        public = switch(public, now)
        month = month_of(day_of(now, ZONE))
        now = Instant(now + random.choice((5, HOUR, 9 * HOUR, 2 * DAY)))
        if month_of(day_of(now, ZONE)) != month:
            opened[month] = public.open
        for month in sorted(opened)[-3:]:
            assert public.open_at(ends(last_of(month), ZONE)) == opened[month], month
        assert public.open_at(now) == public.open
        assert len(public.switched) <= doctrines.MOST_SWITCHES
    assert len(opened) > 40 and len(set(opened.values())) == 2


def publish(public: Contender, now: Instant) -> Contender:
    return doctrines.publish(ANNA, Read(book("One")), Read(public), 1, now, ZONE).answer


def unpublish(public: Contender, now: Instant) -> Contender:
    return next(iter(written(doctrines.unpublish(Read(public), now, ZONE), Contender)), public)


def hide(public: Contender, now: Instant) -> Contender:
    return next(iter(written(doctrines.hide(Read(public), True, now, ZONE), Contender)), public)


def show(public: Contender, now: Instant) -> Contender:
    return next(iter(written(doctrines.hide(Read(public), False, now, ZONE), Contender)), public)


def test_ids_tell_house_ais_members_doctrines_and_members_apart() -> None:
    assert doctrines.house_name("ai:ram") == "ram"
    assert doctrines.house_name("ai:nobody") is None
    assert doctrines.author_and_slot("anna:2") == (ANNA, 2)
    for id in ("anna", "ai:ram", "ai:1", "anna:4", "anna:"):
        assert doctrines.author_and_slot(id) is None
    assert doctrines.is_doctrine("anna:1") and doctrines.is_doctrine("ai:ram") and not doctrines.is_doctrine("anna")


def test_every_change_names_the_version_it_was_read_with() -> None:
    kept = Read(book("One"), version=7)
    changes = [
        *doctrines.save(ANNA, kept, None, 1, TWO).changes,
        *doctrines.choose(ANNA, kept, 1).changes,
        *doctrines.delete(ANNA, kept, None, 1, NOW, ZONE).changes,
    ]
    assert [change.was for change in changes if isinstance(change, Put)] == [7, 7, 7]
