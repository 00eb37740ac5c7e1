"""Sessions (P1, P2): how long they stand, what a turn's allows, signing out."""

import dataclasses

import pytest

from engine.decisions import Drop, Put
from engine.platform.members import Member, MemberId
from engine.platform.sessions import (
    FULL_LASTS,
    Action,
    Scope,
    Session,
    alive,
    begin,
    may,
    open_turn,
    session_id,
    sign_out,
    sign_out_everywhere,
    token,
)
from engine.times import Instant, later
from infra.store import Row

NOW = Instant(1_790_000_000_000)
ADA = Member(MemberId("ada"), "Ada", "ada@example.org", "en", "Europe/Paris", NOW)
SCOPE = Scope("duel", "south", 3)


def test_a_session_stands_until_it_expires() -> None:
    session = begin(ADA, "s", NOW)
    assert alive(session, ADA, later(NOW, FULL_LASTS - 1))
    assert not alive(session, ADA, later(NOW, FULL_LASTS))


def test_signing_out_everywhere_is_one_write_that_ends_every_session() -> None:
    sessions = [begin(ADA, "a", NOW), begin(ADA, "b", NOW, SCOPE)]
    decision = sign_out_everywhere(Row(ADA, 5), ADA.epoch)
    assert len(decision.changes) == 1
    after = decision.answer
    assert not any(alive(s, after, NOW) for s in sessions)
    assert alive(begin(after, "c", NOW), after, NOW)


def test_signing_out_everywhere_twice_ends_no_newer_session() -> None:
    once = sign_out_everywhere(Row(ADA, 5), ADA.epoch).answer
    assert sign_out_everywhere(Row(once, 6), ADA.epoch).changes == ()


def test_a_deleted_account_and_somebody_elses_session_do_not_stand() -> None:
    session = begin(ADA, "s", NOW)
    assert not alive(session, dataclasses.replace(ADA, deleted=True), NOW)
    assert not alive(session, dataclasses.replace(ADA, id=MemberId("bea")), NOW)


@pytest.mark.parametrize("action", ["see", "orders", "draft", "notes"])
def test_a_turns_session_plays_its_game_and_no_other(action: Action) -> None:
    session = begin(ADA, "s", NOW, SCOPE)
    assert may(session, action, "duel")
    assert not may(session, action, "another")
    assert not may(session, action)


@pytest.mark.parametrize("action", ["abandon", "draw", "duels", "settings", "credits", "report"])
def test_a_turns_session_does_nothing_else_even_in_its_game(action: Action) -> None:
    assert not may(begin(ADA, "s", NOW, SCOPE), action, "duel")
    assert may(begin(ADA, "s", NOW), action, "duel")
    assert not may(None, action, "duel")


def test_the_same_link_in_the_same_browser_goes_on_with_its_session() -> None:
    first = open_turn(ADA, None, "s", SCOPE, NOW)
    assert first.changes == (Put(first.answer, None),)
    again = open_turn(ADA, Row(first.answer, 3), "s", SCOPE, later(NOW, 1000))
    assert again.changes == ()
    assert again.answer == first.answer


def test_signing_out_drops_the_session_once() -> None:
    session = Session("s", ADA.id, 0, NOW, later(NOW, 1))
    assert sign_out(Row(session, 3)).changes == (Drop(session, None),)
    assert sign_out(None).changes == ()


def test_tokens_differ_by_secret_and_purpose_and_ids_hide_them() -> None:
    tokens = {token(b"s", "full", "x"), token(b"t", "full", "x"), token(b"s", "turn", "x"), token(b"s", "full", "y")}
    assert len(tokens) == 4
    assert all(len(t) == 64 for t in tokens)
    assert not tokens & {session_id(t) for t in tokens}
