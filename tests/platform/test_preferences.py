"""Preferences (P4): all or nothing, unsubscribing, paused addresses, quiet hours."""

import dataclasses
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Put
from engine.errors import Refusal
from engine.platform.members import MAILS, Member, MemberId, Quiet
from engine.platform.names import Name
from engine.platform.preferences import (
    Preferences,
    Renaming,
    change,
    kinds,
    pause,
    quiet_since,
    try_again,
    unsubscribe,
    wants,
)
from engine.times import HOUR, Instant
from infra.store import Row

NOW = Instant(1_790_000_000_000)
ADA = Member(MemberId("ada"), "Ida", "ada@example.org", "en", "Europe/Paris", NOW)
SAME = Preferences("Ida", ("ida", "lda"), "en", "Europe/Paris", (), None, "auto")


def wanted(**changes: Any) -> Preferences:
    return dataclasses.replace(SAME, **changes)


def test_preferring_what_is_so_writes_nothing() -> None:
    assert change(Row(ADA, 3), SAME, None, NOW).changes == ()


def test_every_preference_is_changed_by_one_write() -> None:
    asked = wanted(lang="fr", zone="Asia/Tokyo", muted=("news", "turn"), quiet=Quiet(1320, 420), theme="dark")
    (put,) = change(Row(ADA, 3), asked, None, NOW).changes
    assert isinstance(put, Put)
    after = put.value
    assert isinstance(after, Member)
    assert (after.lang, after.zone, after.theme, after.quiet) == ("fr", "Asia/Tokyo", "dark", Quiet(1320, 420))
    assert after.muted == ("turn", "news")
    assert put.was == 3


def test_renaming_takes_the_new_forms_and_keeps_back_the_lost_ones() -> None:
    held = {form: Row(Name(form, ADA.id), 1) for form in ("ida", "lda")}
    renaming = Renaming(("ida", "lda"), held, ())
    decision = change(Row(ADA, 3), wanted(name="lda", forms=("lda",)), renaming, NOW)
    names = [c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, Name)]
    assert names == [Name("ida", ADA.id, freed=NOW)]
    assert decision.answer.name == "lda"


def test_a_taken_name_changes_nothing_at_all() -> None:
    renaming = Renaming(("ida", "lda"), {"bea": Row(Name("bea", MemberId("bea")), 1)}, ())
    with pytest.raises(Refusal, match="name_taken"):
        change(Row(ADA, 3), wanted(name="Bea", forms=("bea",), lang="fr"), renaming, NOW)


@pytest.mark.parametrize("kind", MAILS)
def test_unsubscribing_stops_one_kind_once(kind: str) -> None:
    after = unsubscribe(Row(ADA, 3), kind).answer
    assert [k for k in MAILS if not wants(after, k)] == [kind]
    assert unsubscribe(Row(after, 4), kind).changes == ()


def test_no_other_kind_can_be_unsubscribed_from() -> None:
    with pytest.raises(Refusal, match="mail_kind_unknown"):
        unsubscribe(Row(ADA, 3), "sign_in")


def test_a_paused_address_gets_nothing_until_it_is_tried_again() -> None:
    paused = pause(Row(ADA, 3), "bounce").answer
    assert not any(wants(paused, kind) for kind in MAILS)
    assert pause(Row(paused, 4), "bounce").changes == ()
    complained = pause(Row(paused, 4), "complaint").answer
    assert complained.bounced == "complaint"
    assert pause(Row(complained, 5), "bounce").changes == ()
    again = try_again(Row(complained, 5)).answer
    assert all(wants(again, kind) for kind in MAILS)
    assert try_again(Row(again, 6)).changes == ()


@given(st.sets(st.sampled_from(MAILS)))
def test_the_kinds_muted_are_those_not_chosen(chosen: set[str]) -> None:
    assert set(kinds(chosen)) == set(MAILS) - chosen


def at(zone: str, *when: int) -> Instant:
    return Instant(round(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000))  # type: ignore[misc, arg-type]


NIGHT, NAP = Quiet(22 * 60, 7 * 60), Quiet(13 * 60, 14 * 60 + 30)


@pytest.mark.parametrize(
    ("quiet", "hour", "minute", "begin"),
    [
        (NIGHT, 23, 30, (2026, 5, 12, 22, 0)),
        (NIGHT, 22, 0, (2026, 5, 12, 22, 0)),
        (NIGHT, 6, 59, (2026, 5, 11, 22, 0)),
        (NIGHT, 7, 0, None),
        (NIGHT, 21, 59, None),
        (NAP, 13, 0, (2026, 5, 12, 13, 0)),
        (NAP, 14, 29, (2026, 5, 12, 13, 0)),
        (NAP, 14, 30, None),
        (None, 3, 0, None),
    ],
)
def test_quiet_hours_are_local_and_may_run_over_midnight(
    quiet: Quiet | None, hour: int, minute: int, begin: tuple[int, ...] | None
) -> None:
    for zone in ("Europe/Paris", "Asia/Kathmandu", "America/St_Johns"):
        expected = at(zone, *begin) if begin else None
        assert quiet_since(quiet, zone, at(zone, 2026, 5, 12, hour, minute)) == expected


def test_quiet_hours_follow_the_clock_across_both_changes() -> None:
    spring = at("Europe/Paris", 2026, 3, 29, 6, 0)  # 22:00 to 7:00 lasts 8 hours that night
    assert quiet_since(NIGHT, "Europe/Paris", spring) == spring - 7 * HOUR
    autumn = at("Europe/Paris", 2026, 10, 25, 6, 0)  # and 10 hours this one
    assert quiet_since(NIGHT, "Europe/Paris", autumn) == autumn - 9 * HOUR
    assert quiet_since(Quiet(150, 180), "Europe/Paris", at("Europe/Paris", 2026, 10, 25, 2, 45)) is not None


@given(st.integers(0, 1439), st.integers(0, 1439), st.integers(0, 366 * 24 * 60))
def test_what_begins_quiet_hours_is_not_later_and_less_than_a_day_and_an_hour_ago(
    start: int, end: int, minute: int
) -> None:
    now = Instant(1_767_222_000_000 + minute * 60_000)
    begin = quiet_since(Quiet(start, end), "Europe/Paris", now)
    assert begin is None or now - 25 * HOUR <= begin <= now
