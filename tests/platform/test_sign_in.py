"""Signing in (P1): ten minutes, once, in the browser that asked or by the mail's code."""

import dataclasses
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.errors import Refusal
from engine.platform.members import Mailbox, Member, MemberId
from engine.platform.names import Name
from engine.platform.sessions import Session, begin
from engine.platform.sign_in import (
    LINK_LASTS,
    TRIES,
    WELCOME_LASTS,
    Ask,
    Profile,
    SignIn,
    Use,
    ask,
    code,
    join,
    use,
    waiting,
)
from engine.times import Instant, later
from infra.store import Row

NOW = Instant(1_790_000_000_000)
ADA = Member(MemberId("ada"), "Ada", "ada@example.org", "en", "Europe/Paris", NOW)
ASKED = ask(Ask("s1", "ada@example.org", "mine", "fr", "/duels"), None, (), NOW)
RIGHT = code(b"secret", "s1")
BUTTON = Use("mine", None, RIGHT, "session")


def written(decision: Decision[Any], kind: type) -> list[Any]:
    return [c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, kind)]


def asked(**changes: Any) -> Row[SignIn]:
    return Row(dataclasses.replace(written(ASKED, SignIn)[0], **changes), 3)


def refusal(*args: Any) -> str:
    with pytest.raises(Refusal) as refused:
        use(*args)
    return refused.value.code


def test_asking_writes_the_sign_in_and_its_mail_until_it_expires() -> None:
    (sign_in,) = written(ASKED, SignIn)
    (job,) = ASKED.jobs
    assert (sign_in.expires, sign_in.next, sign_in.lang) == (NOW + LINK_LASTS, "/duels", "fr")
    assert (job.id, job.task, job.until) == ("mail/sign_in/s1", "mail", sign_in.expires)
    assert job.about == {"notice": "sign_in", "sign_in": "s1", "lang": "fr"}


def test_asking_twice_for_one_request_writes_once() -> None:
    again = ask(Ask("s1", "ada@example.org", "mine", "fr", "/duels"), asked(), (), NOW)
    assert again == Decision((), "s1")


def test_the_asking_browser_signs_in_by_the_button_alone() -> None:
    decision = use(asked(), BUTTON, ADA, None, (), NOW)
    assert decision.answer == "signed_in"
    (session,) = written(decision, Session)
    assert (session.id, session.member, session.full) == ("session", "ada", True)


def test_another_browser_needs_the_code() -> None:
    assert refusal(asked(), Use("other", None, RIGHT, "x"), ADA, None, (), NOW) == "sign_in_elsewhere"
    spaced = f" {RIGHT[:4]}-{RIGHT[4:]} "
    assert use(asked(), Use("other", spaced, RIGHT, "x"), ADA, None, (), NOW).answer == "signed_in"


def test_wrong_codes_are_counted_and_the_sixth_try_is_refused_even_if_right() -> None:
    row = asked()
    for tries in range(1, TRIES + 1):
        guess = Use("other", f"{tries:08}", RIGHT, "x")
        decision = use(row, guess, ADA, None, (), NOW)
        assert decision.answer == "wrong_code"
        assert not written(decision, Session)
        row = Row(written(decision, SignIn)[0], 3 + tries)
        assert len(row.value.tried) == tries
        if tries < TRIES:
            assert use(row, guess, ADA, None, (), NOW) == Decision((), "wrong_code")
    assert refusal(row, Use("other", RIGHT, RIGHT, "x"), ADA, None, (), NOW) == "sign_in_tries"
    assert use(row, BUTTON, ADA, None, (), NOW).answer == "signed_in"


def test_it_is_over_after_ten_minutes_and_when_unknown() -> None:
    assert use(asked(), BUTTON, ADA, None, (), later(NOW, LINK_LASTS - 1)).answer == "signed_in"
    assert refusal(asked(), BUTTON, ADA, None, (), later(NOW, LINK_LASTS)) == "sign_in_expired"
    assert refusal(None, BUTTON, ADA, None, (), NOW) == "sign_in_expired"


def test_used_again_by_the_same_browser_it_changes_nothing_while_its_session_lasts() -> None:
    used = asked(by="mine", session="session")
    session = Row(begin(ADA, "session", NOW), 1)
    assert use(used, BUTTON, ADA, session, (), NOW) == Decision((), "signed_in")
    assert refusal(used, BUTTON, ADA, None, (), NOW) == "sign_in_used"
    signed_out = dataclasses.replace(ADA, epoch=1)
    assert refusal(used, BUTTON, signed_out, session, (), NOW) == "sign_in_used"


def test_used_once_it_opens_nothing_for_another_browser_even_with_the_code() -> None:
    used = asked(by="mine", session="session")
    for typed in (None, RIGHT):
        assert refusal(used, Use("other", typed, RIGHT, "x"), ADA, None, (), NOW) == "sign_in_used"


def test_a_newcomer_has_an_hour_to_choose_a_name_in_the_browser_that_proved_the_mailbox() -> None:
    decision = use(asked(), Use("other", RIGHT, RIGHT, "x"), None, None, (), NOW)
    assert decision.answer == "newcomer"
    (proven,) = written(decision, SignIn)
    row = Row(proven, 4)
    assert waiting(row, "other", later(NOW, WELCOME_LASTS - 1)) == row
    for browser, at in (("mine", NOW), ("other", later(NOW, WELCOME_LASTS))):
        with pytest.raises(Refusal):
            waiting(row, browser, at)
    assert use(row, Use("other", None, RIGHT, "x"), None, None, (), NOW) == Decision((), "newcomer")


def test_joining_makes_member_mailbox_name_and_session_at_once() -> None:
    proven = asked(by="mine")
    profile = Profile("Ida", ("ida", "lda"), "fr", "Asia/Tokyo")
    decision = join(proven, "key", MemberId("new"), "session", profile, {}, NOW)
    (member,) = written(decision, Member)
    assert (member.name, member.address, member.lang, member.zone) == ("Ida", "ada@example.org", "fr", "Asia/Tokyo")
    assert written(decision, Mailbox) == [Mailbox("key", MemberId("new"))]
    assert [n.folded for n in written(decision, Name)] == ["ida", "lda"]
    assert written(decision, Session)[0].id == written(decision, SignIn)[0].session == "session"


def test_who_joined_by_another_link_meanwhile_is_signed_in() -> None:
    assert use(asked(by="mine"), BUTTON, ADA, None, (), NOW).answer == "signed_in"


def test_codes_have_eight_digits_and_are_the_sites_own() -> None:
    codes = [code(b"secret", str(n)) for n in range(300)]
    assert all(len(c) == 8 and c.isdigit() for c in codes)
    assert len(set(codes)) == 300
    assert code(b"other", "s1") != RIGHT
