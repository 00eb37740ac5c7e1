"""Credits: movements, debts, the books (P17, P17c, P18)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Add, Change, Decision, Put
from engine.platform.gifts import REMEMBERED, Gift, Owner, gift_key, give, remember
from engine.platform.ledger.books import Audited, Tally, closed, counted, judged
from engine.platform.ledger.moving import close_purse, collect, halt, lend, move, resume, unless_halted
from engine.platform.ledger.records import HOUSE, Account, Balance, Debt, Line, Posting, escrow, owed_by, purse
from engine.platform.members import MemberId
from engine.platform.rights import empty
from engine.times import Instant, later
from infra.records import DEBT, HALT
from infra.sqlite import SqliteStore
from infra.store import Conflict, Row
from tests.support.site import FixedSources

NOW = Instant(1_790_000_000_000)
ANNA, BETH = MemberId("anna"), MemberId("beth")


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "ledger.db", FixedSources().version)


def commit(store: SqliteStore, changes: tuple[Change, ...]) -> None:
    store.commit(Decision(changes, None))


def balance(store: SqliteStore, account: Account) -> int:
    return store.count(Balance(account))


def funded(store: SqliteStore, member: MemberId, credits: int, cause: str = "gift") -> None:
    lines = (Line(HOUSE, -credits), Line(purse(member), credits))
    commit(store, move(f"{cause}/{member}", "gift", NOW, lines, debts={member: store.get(DEBT, member)}))


class TestMovements:
    @given(st.lists(st.integers(-50, 50), min_size=1, max_size=5), st.integers(-3, 3))
    def test_lines_that_do_not_sum_to_zero_are_no_movement(self, credits: list[int], more: int) -> None:
        lines = [Line(Account(f"escrow/duel/{n}"), c) for n, c in enumerate(credits)]
        lines.append(Line(HOUSE, more - sum(credits)))
        if more:
            with pytest.raises(ValueError, match="sum"):
                move("c", "why", NOW, lines)
        else:
            changes = move("c", "why", NOW, lines)
            assert sum(c.by for c in changes if isinstance(c, Add)) == 0
            postings = [c.value for c in changes if isinstance(c, Put) and isinstance(c.value, Posting)]
            assert sum(p.credits for p in postings) == 0

    @pytest.mark.parametrize("credits", [1.0, True, 0.5])
    def test_credits_are_whole_numbers(self, credits: Any) -> None:
        with pytest.raises(ValueError, match="whole"):
            move("c", "why", NOW, (Line(HOUSE, -credits), Line(escrow("duel", "d"), credits)))

    def test_a_movement_of_nothing_is_none(self) -> None:
        assert move("c", "why", NOW, (Line(HOUSE, 0), Line(purse(ANNA), 0))) == ()

    def test_who_credits_a_member_must_know_their_debts(self) -> None:
        with pytest.raises(KeyError):
            move("c", "why", NOW, (Line(HOUSE, -1), Line(purse(ANNA), 1)))

    def test_a_cause_moves_credits_once(self, store: SqliteStore) -> None:
        funded(store, ANNA, 100)
        with pytest.raises(Conflict) as refused:
            funded(store, ANNA, 100)
        assert "movement" in refused.value.kinds
        assert balance(store, purse(ANNA)) == 100

    def test_purses_and_escrows_never_fall_below_zero_and_the_house_may(self, store: SqliteStore) -> None:
        funded(store, ANNA, 10)
        assert balance(store, HOUSE) == -10
        for account in (purse(ANNA), escrow("duel", "d")):
            with pytest.raises(Conflict) as refused:
                commit(store, move(f"take {account}", "stake", NOW, (Line(account, -11), Line(HOUSE, 11))))
            assert refused.value.kinds == ("balance",)

    def test_payouts_wait_while_they_are_stopped(self, store: SqliteStore) -> None:
        funded(store, ANNA, 5)
        pay = (*move("duel/d", "paid", NOW, (Line(purse(ANNA), -5), Line(HOUSE, 5))), unless_halted("duel/d"))
        commit(store, halt("balance", NOW, {}))
        with pytest.raises(Conflict) as refused:
            commit(store, pay)
        assert refused.value.kinds == ("halt",)
        stops = {n: store.get(HALT, n) for n in range(8)}
        assert halt("balance", NOW, stops) == ()
        commit(store, resume([stop for stop in stops.values() if stop]))
        commit(store, pay)
        assert balance(store, purse(ANNA)) == 0


class TestDebts:
    def owing(self, store: SqliteStore, credits: int) -> None:
        lines = (Line(owed_by(ANNA), -credits), Line(purse(BETH), credits))
        changes = move("void", "void", NOW, lines, debts={BETH: None})
        commit(store, (*changes, *lend(store.get(DEBT, ANNA), ANNA, credits)))

    def test_later_credits_go_to_the_debt_first(self, store: SqliteStore) -> None:
        self.owing(store, 30)
        funded(store, ANNA, 20, "one")
        assert (balance(store, purse(ANNA)), balance(store, owed_by(ANNA))) == (0, -10)
        funded(store, ANNA, 25, "two")
        assert (balance(store, purse(ANNA)), balance(store, owed_by(ANNA))) == (15, 0)
        funded(store, ANNA, 5, "three")
        assert balance(store, purse(ANNA)) == 20
        row = store.get(DEBT, ANNA)
        assert row is not None and (row.value.owed, row.value.number) == (0, 3)

    def test_what_a_debt_has_absorbed_is_on_the_statement(self) -> None:
        debt = Row(Debt(ANNA, 30, 1), 7)
        changes = move("c", "prize", NOW, (Line(HOUSE, -50), Line(purse(ANNA), 50)), debts={ANNA: debt})
        postings = {c.value.account: c.value for c in changes if isinstance(c, Put) and isinstance(c.value, Posting)}
        assert (postings[purse(ANNA)].credits, postings[purse(ANNA)].kept) == (20, 30)
        assert postings[owed_by(ANNA)].credits == 30

    def test_credits_do_not_pass_a_debt_made_meanwhile(self, store: SqliteStore) -> None:
        credited = move("c", "prize", NOW, (Line(HOUSE, -5), Line(purse(ANNA), 5)), debts={ANNA: None})
        self.owing(store, 30)
        with pytest.raises(Conflict) as refused:
            commit(store, credited)
        assert refused.value.kinds == ("debt",)

    def test_what_comes_into_a_closed_purse_falls_to_the_house_after_its_debt(self, store: SqliteStore) -> None:
        self.owing(store, 30)
        commit(store, close_purse(store.get(DEBT, ANNA), ANNA))
        assert close_purse(store.get(DEBT, ANNA), ANNA) == ()
        commit(store, paid := self.paid(store, "one", {ANNA: 20, BETH: 5}))
        assert (balance(store, owed_by(ANNA)), balance(store, HOUSE)) == (-10, 0)
        assert not [c for c in paid if isinstance(c, Put) and getattr(c.value, "account", "") == HOUSE]
        commit(store, self.paid(store, "two", {ANNA: 25, BETH: 5}))
        assert (balance(store, purse(ANNA)), balance(store, purse(BETH))) == (0, 40)
        assert (balance(store, owed_by(ANNA)), balance(store, HOUSE)) == (0, 15)
        funded(store, ANNA, 7, "prize")
        assert (balance(store, purse(ANNA)), balance(store, HOUSE)) == (0, 15)

    def test_closed_purses_of_several_members_are_one_line_of_the_house(self, store: SqliteStore) -> None:
        for member in (ANNA, BETH):
            commit(store, close_purse(None, member))
        commit(store, self.paid(store, "one", {ANNA: 20, BETH: 5}))
        assert balance(store, HOUSE) == 25

    def test_credits_do_not_pass_a_purse_closed_meanwhile(self, store: SqliteStore) -> None:
        credited = self.paid(store, "one", {ANNA: 5})
        commit(store, close_purse(None, ANNA))
        with pytest.raises(Conflict) as refused:
            commit(store, credited)
        assert refused.value.kinds == ("debt",)

    def paid(self, store: SqliteStore, cause: str, credits: dict[MemberId, int]) -> tuple[Change, ...]:
        """A payout out of an escrow that is filled for it."""
        pot = escrow("duel", cause)
        commit(store, (Add(Balance(pot), sum(credits.values())),))
        lines = [Line(pot, -sum(credits.values())), *(Line(purse(m), n) for m, n in credits.items())]
        return move(cause, "paid", NOW, lines, {}, {member: store.get(DEBT, member) for member in credits})

    def test_a_debt_collects_what_came_in_the_moment_it_was_made(self, store: SqliteStore) -> None:
        funded(store, ANNA, 12)
        self.owing(store, 30)
        taken = collect(store.get(DEBT, ANNA), balance(store, purse(ANNA)), NOW)
        commit(store, taken.changes)
        assert (taken.answer, balance(store, purse(ANNA)), balance(store, owed_by(ANNA))) == (12, 0, -18)
        assert collect(store.get(DEBT, ANNA), 0, NOW).changes == ()
        assert collect(None, 50, NOW).changes == ()


class TestGifts:
    @pytest.mark.parametrize("address", ["anna@x.org", "Anna@X.org", "anna+two@x.org", "ANNA+a+b@x.org"])
    def test_a_mailbox_is_the_same_in_any_case_and_with_any_tag(self, address: str) -> None:
        assert gift_key(b"s", address) == gift_key(b"s", "anna@x.org")

    def test_other_mailboxes_and_secrets_have_other_keys(self) -> None:
        keys = {gift_key(s, a) for s in (b"s", b"t") for a in ("anna@x.org", "an.na@x.org", "anna@y.org")}
        assert len(keys) == 6

    def test_a_mailbox_has_one_gift_until_a_year_after_its_account_has_gone(self, store: SqliteStore) -> None:
        commit(store, give(None, "key", ANNA, NOW))
        assert balance(store, purse(ANNA)) == 100
        there = Row(Gift("key", (Owner(ANNA),)), 1)
        assert self.credited(give(there, "key", BETH, NOW)) == []
        gone = self.after(remember(there, ANNA, NOW))
        assert remember(gone, ANNA, later(NOW, 5)) == ()
        assert self.credited(give(gone, "key", BETH, later(NOW, REMEMBERED - 1))) == []
        assert self.credited(give(gone, "key", BETH, later(NOW, REMEMBERED))) == [100]

    def test_every_account_of_a_mailbox_is_remembered_for_a_year_after_it_has_gone(self) -> None:
        """Tags make accounts that are there at the same time; who comes back is another one again."""
        both = self.after(give(Row(Gift("key", (Owner(ANNA),)), 1), "key", BETH, NOW))
        assert both.value.former(NOW) == () and both.value.forgotten is None
        one = self.after(remember(both, ANNA, NOW))
        assert one.value.former(later(NOW, 5)) == ("anna",) and one.value.forgotten is None
        none = self.after(remember(one, BETH, later(NOW, 10)))
        assert none.value.former(later(NOW, REMEMBERED - 1)) == ("anna", "beth")
        assert none.value.former(later(NOW, REMEMBERED)) == ("beth",)
        assert none.value.forgotten == NOW + 10 + REMEMBERED
        third = self.after(give(none, "key", MemberId("chris"), later(NOW, REMEMBERED)))
        assert [owner.member for owner in third.value.owners] == ["beth", "chris"]
        assert remember(third, ANNA, NOW) == ()

    def test_a_record_with_one_owner_reads_as_such(self) -> None:
        old = Row(Gift("key", member=ANNA, freed=later(NOW, -1)), 3)
        assert len(give(old, "key", BETH, NOW)) == 1 and old.value.former(NOW) == (ANNA,)
        assert len(give(old, "key", BETH, later(NOW, REMEMBERED))) > 1

    def test_a_mailbox_of_many_tags_is_bounded(self) -> None:
        row = Row(Gift("key", ()), 1)
        for n in range(150):
            row = self.after(give(row, "key", MemberId(f"m{n}"), NOW))
        assert len(row.value.owners) == 100 and row.value.owners[-1].member == "m149"

    def after(self, changes: tuple[Change, ...]) -> Row[Gift]:
        (put, *_) = changes
        assert isinstance(put, Put) and isinstance(put.value, Gift)
        return Row(put.value, 2)

    def credited(self, changes: tuple[Change, ...]) -> list[int]:
        return [c.by for c in changes if isinstance(c, Add) and c.by > 0]

    def test_what_a_deleted_account_leaves_goes_to_the_house(self, store: SqliteStore) -> None:
        funded(store, ANNA, 40)
        commit(store, empty(ANNA, 40, 0, NOW))
        assert (balance(store, purse(ANNA)), balance(store, HOUSE)) == (0, 0)
        assert empty(ANNA, 0, 1, NOW) == ()


class TestBooks:
    @pytest.mark.parametrize(
        ("account", "balance", "total", "wrong"),
        [
            (purse(ANNA), 5, 5, None),
            (purse(ANNA), 5, 4, "balance"),
            (purse(ANNA), -5, -5, "negative"),
            (HOUSE, -5, -5, None),
            (owed_by(ANNA), -5, -5, None),
            (owed_by(ANNA), 5, 5, "debt"),
        ],
    )
    def test_a_balance_is_the_sum_of_its_postings(self, account: Account, balance: int, total: int, wrong: Any) -> None:
        found = judged(Audited(account, balance, 1, total, total))
        assert (found.wrong if found else None) == wrong

    def test_all_postings_together_sum_to_zero(self) -> None:
        tally = counted(Tally(NOW), Audited(purse(ANNA), 5, 1, 5, 5))
        found = closed(tally)
        assert found is not None and (found.wrong, found.is_) == ("total", 5)
        assert closed(counted(tally, Audited(HOUSE, -5, 1, -5, -5))) is None
