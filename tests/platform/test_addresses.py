"""Addresses (P1): what is one, and that case does not make another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.platform.addresses import address, mailbox_key, masked


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (" ada@example.org ", "ada@example.org"),
        ("Ada.Lovelace+duels@Example.ORG", "Ada.Lovelace+duels@example.org"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@localhost", "ada@localhost"),
    ],
)
def test_reads_addresses_that_mail_can_reach(raw: str, kept: str) -> None:
    assert address(raw) == kept


@pytest.mark.parametrize(
    "raw",
    [
        *("ada", "@example.org", "ada@", "ada@example", "a b@example.org", "ada@exa mple.org", "a..b@example.org"),
        *("ada@example.org\nBcc: all@example.org", "ada@-x.org", "ada@ex..org", "é@example.org", '"a"@example.org'),
        *("a" * 65 + "@example.org", "ada@" + "x" * 250 + ".org", "<ada@example.org>", "ada@example.org,b@example.org"),
    ],
)
def test_refuses_what_is_no_address(raw: str) -> None:
    with pytest.raises(Malformed) as refused:
        address(raw)
    assert [(p.code, p.field) for p in refused.value.problems] == [("address_unreadable", "address")]


def test_a_blank_address_is_missing() -> None:
    with pytest.raises(Malformed) as refused:
        address("  ")
    assert refused.value.problems[0].code == "address_missing"


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_what_is_read_once_is_read_again_alike(raw: str) -> None:
    try:
        kept = address(raw)
    except Malformed:
        return
    assert address(kept) == kept
    assert kept.isascii()
    assert kept.isprintable()
    assert " " not in kept


def test_a_mailbox_is_the_same_in_any_case_and_hidden_without_the_secret() -> None:
    assert mailbox_key(b"s", "Ada@example.org") == mailbox_key(b"s", "ada@example.org")
    assert mailbox_key(b"s", "ada@example.org") != mailbox_key(b"t", "ada@example.org")
    assert mailbox_key(b"s", "ada@example.org") != mailbox_key(b"s", "bea@example.org")


def test_a_masked_address_keeps_the_domain_and_two_letters() -> None:
    assert masked("ada.lovelace@example.org") == "a…e@example.org"
    assert masked("ab@example.org") == "a…@example.org"
