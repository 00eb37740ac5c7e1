"""Signed tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.times import Instant
from infra.links import LinkExpired, LinkInvalid, read, sign

SECRET = b"a secret"
NOON = Instant(1_790_000_000_000)


PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)


@given(st.recursive(PLAIN, st.lists, max_leaves=8))
def test_a_token_says_what_was_signed(payload: object) -> None:
    token = sign(SECRET, "turn", payload)
    assert read(SECRET, "turn", token, NOON) == payload
    assert token.replace("-", "").replace("_", "").replace(".", "").isalnum()


def test_a_token_is_good_until_its_end() -> None:
    token = sign(SECRET, "turn", "x", NOON)
    assert read(SECRET, "turn", token, Instant(NOON - 1)) == "x"
    with pytest.raises(LinkExpired) as expired:
        read(SECRET, "turn", token, NOON)
    assert expired.value.payload == "x"


@pytest.mark.parametrize("wrong", ["", "x", "x.y", "é.é", "." * 100, "a" * 5000])
def test_what_is_no_token_is_invalid(wrong: str) -> None:
    with pytest.raises(LinkInvalid):
        read(SECRET, "turn", wrong, NOON)


def test_a_token_is_good_for_one_purpose_and_one_site() -> None:
    token = sign(SECRET, "turn", "x")
    for secret, purpose in ((SECRET, "unsubscribe"), (b"another", "turn")):
        with pytest.raises(LinkInvalid):
            read(secret, purpose, token, NOON)


@given(st.integers(0, 200), st.characters(codec="ascii"))
def test_a_changed_token_is_invalid(at: int, letter: str) -> None:
    token = sign(SECRET, "turn", "payload")
    place = at % (len(token) - 1)  # the last letter holds bits that mean nothing
    changed = token[:place] + letter + token[place + 1 :]
    if changed != token:
        with pytest.raises(LinkInvalid):
            read(SECRET, "turn", changed, NOON)
