"""Blocking and reporting (P5b)."""

import pytest

from engine.decisions import Drop, Put
from engine.errors import Malformed, Refusal
from engine.platform.blocks import LONGEST_REASON, Block, Report, block, report, unblock
from engine.platform.members import MemberId
from engine.times import Instant
from infra.store import Row

NOW = Instant(1_790_000_000_000)
ADA, BEA = MemberId("ada"), MemberId("bea")
BLOCK = Block(ADA, BEA, "Bea", NOW)
REPORT = Report("member", BEA, ADA, "insults", NOW)


def test_blocking_twice_writes_once_and_unblocking_takes_it_back() -> None:
    assert block(None, BLOCK, ()).changes == (Put(BLOCK, 0),)
    assert block(Row(BLOCK, 2), BLOCK, ()).changes == ()
    assert unblock(Row(BLOCK, 2)).changes == (Drop(BLOCK, None),)
    assert unblock(None).changes == ()


def test_nobody_blocks_or_reports_themself() -> None:
    with pytest.raises(Refusal, match="block_self"):
        block(None, Block(ADA, ADA, "Ada", NOW), ())
    with pytest.raises(Refusal, match="report_self"):
        report(None, Report("member", ADA, ADA, "me", NOW), ())


def test_the_same_report_twice_writes_once_and_another_replaces_it() -> None:
    assert report(None, REPORT, ()).changes == (Put(REPORT, 0),)
    assert report(Row(REPORT, 2), REPORT, ()).changes == ()
    more = Report("member", BEA, ADA, "insults, twice", NOW)
    assert report(Row(REPORT, 2), more, ()).changes == (Put(more, 2),)


@pytest.mark.parametrize(("reason", "code"), [("  \n", "reason_missing"), ("x" * (LONGEST_REASON + 1), "reason_long")])
def test_a_report_says_what_is_wrong_in_so_many_words(reason: str, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        report(None, Report("member", BEA, ADA, reason, NOW), ())
    assert [(p.code, p.field) for p in refused.value.problems] == [(code, "reason")]
