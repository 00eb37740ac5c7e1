"""Stakes in duels, and what two members have had with each other (P13, P17, P17b, P17c)."""

from dataclasses import replace
from typing import Any

import pytest

from engine.decisions import Add, Put
from engine.errors import Malformed, Refusal
from engine.platform import rivalries, stakes
from engine.platform.duels import propose
from engine.platform.duels.records import Duel, DuelId, Player, Result
from engine.platform.duels.terms import Terms
from engine.platform.ledger.records import Balance, Debt, Movement, escrow, owed_by, purse
from engine.platform.members import MemberId
from engine.platform.rivalries import Rivalry, between, winnable
from engine.platform.stakes import Staker, shares
from engine.times import DAY, HOUR, Instant, later
from infra.store import Row

NOW = Instant(1_790_000_000_000)
ANNA, BETH = MemberId("anna"), MemberId("beth")


def over(result: Result, stake: int = 20, **more: Any) -> Duel:
    players = (Player(ANNA, "a"), Player(BETH, "b"))
    fields: dict[str, Any] = {"stage": "ended", "ended": NOW, "result": result, "rated": True, **more}
    return Duel(DuelId("d"), "feinthold", "days1", ANNA, BETH, NOW, players, stake=stake, **fields)


def code(act: Any) -> str:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


class TestAmounts:
    @pytest.mark.parametrize(("typed", "credits"), [("", 0), (" ", 0), ("0", 0), ("20", 20), ("100", 100), (" 7 ", 7)])
    def test_are_whole_numbers_up_to_100(self, typed: str, credits: int) -> None:
        assert stakes.amount(typed) == credits

    @pytest.mark.parametrize("typed", ["101", "-1", "1.5", "1e1", "ten", "٣", "0x1", "1 0", "9999"])
    def test_anything_else_is_told_beside_its_field(self, typed: str) -> None:
        with pytest.raises(Malformed) as refused:
            stakes.amount(typed)
        assert refused.value.problems[0].field == "stake"


class TestWhoMayStake:
    ready = Staker(ANNA, 100, later(NOW, -7 * DAY), 3)

    @pytest.mark.parametrize(
        ("staker", "why"),
        [
            (ready, None),
            (replace(ready, joined=later(NOW, -7 * DAY + 1)), "stake_young"),
            (replace(ready, opponents=2), "stake_new"),
            (replace(ready, balance=19), "credits_short"),
            (replace(ready, balance=20), None),
            (None, "stake_game"),
        ],
    )
    def test_members_of_seven_days_with_three_opponents_and_the_credits(self, staker: Any, why: str | None) -> None:
        if why is None:
            stakes.refuse(20, "feinthold", staker, NOW)
        else:
            assert code(lambda: stakes.refuse(20, "feinthold", staker, NOW)) == why

    def test_nobody_is_asked_without_a_stake_and_only_feinthold_has_any(self) -> None:
        stakes.refuse(0, "feinthold", None, NOW)
        assert code(lambda: stakes.refuse(5, "relief", self.ready, NOW)) == "stake_game"

    def test_a_refusal_shows_the_balance(self) -> None:
        with pytest.raises(Refusal) as refused:
            stakes.refuse(20, "feinthold", replace(self.ready, balance=7), NOW)
        assert dict(refused.value.detail) == {"stake": 20, "n": 7}


class TestProposing:
    def staked(self, invited: MemberId | None = None, **terms: Any) -> Any:
        command = propose.Propose(ANNA, "feinthold", "days1", invited, "r", stake=30)
        staker = Staker(ANNA, 100, later(NOW, -8 * DAY), 3)
        return propose.propose(command, None, (), NOW, Terms(staker=staker, **terms))

    def test_takes_the_stake_in_the_same_transaction(self) -> None:
        changes = self.staked().changes
        duel = self.staked().answer
        assert Add(Balance(purse(ANNA)), -30, 0) in changes
        assert Add(Balance(escrow("duel", duel.id)), 30) in changes

    def test_accepting_takes_the_other_one(self) -> None:
        duel = self.staked().answer
        terms = Terms(staker=Staker(BETH, 30, later(NOW, -8 * DAY), 3))
        accepted = propose.accept(duel, 1, BETH, b"s" * 32, (), NOW, terms=terms)
        assert Add(Balance(purse(BETH)), -30, 0) in accepted.changes
        (met,) = [c.value for c in accepted.changes if isinstance(c, Put) and isinstance(c.value, Rivalry)]
        assert [s.stake for s in met.staked] == [30]
        assert [b.duel for b in met.begun] == [duel.id]
        poor = Terms(staker=Staker(BETH, 29, later(NOW, -8 * DAY), 3))
        assert code(lambda: propose.accept(duel, 1, BETH, b"s" * 32, (), NOW, terms=poor)) == "credits_short"

    def test_closing_a_staked_proposal_wakes_what_returns_it(self) -> None:
        closed = propose.withdraw(self.staked().answer, 1, ANNA, NOW)
        assert any(job.id.startswith("settle/") for job in closed.jobs)
        assert not any(job.id.startswith("settle/") for job in propose.withdraw(over_proposal(), 1, ANNA, NOW).jobs)

    def test_beyond_the_limit_of_thirty_days_it_is_refused(self) -> None:
        met = Row(rivalries.stake(between(ANNA, BETH), DuelId("x"), 71, NOW), 1)
        assert code(lambda: self.staked(BETH, rivalry=met)) == "stake_won"
        self.staked(BETH, rivalry=Row(rivalries.stake(between(ANNA, BETH), DuelId("x"), 70, NOW), 1))

    def test_with_frozen_ratings_there_is_no_duel(self) -> None:
        assert code(lambda: self.staked(why="frozen")) == "frozen"


def over_proposal() -> Duel:
    command = propose.Propose(ANNA, "feinthold", "days1", None, "r")
    return propose.propose(command, None, (), NOW).answer


class TestShares:
    @pytest.mark.parametrize(
        ("result", "fast", "why", "expected"),
        [
            (Result("a", "hq"), (), "", {ANNA: 40}),
            (Result("b", "forfeit"), (), "", {BETH: 40}),
            (Result(None, "draw"), (), "", {ANNA: 20, BETH: 20}),
            (Result(None, "cancelled"), (), "", {ANNA: 20, BETH: 20}),
            (Result(None, "silence"), (), "", {ANNA: 20, BETH: 20}),
            (Result("a", "hq"), (), "linked", {ANNA: 20, BETH: 20}),
            (Result("a", "hq"), (), "often", {ANNA: 40}),  # stakes stand (P13)
            (Result("a", "hq"), (ANNA,), "", {BETH: 40}),  # even after losing (P17b)
            (Result("b", "hq"), (ANNA,), "", {BETH: 40}),
            (Result("a", "forfeit"), (ANNA,), "", {ANNA: 20, BETH: 20}),  # the other forfeited
            (Result("b", "forfeit"), (ANNA,), "", {BETH: 40}),
            (Result("a", "hq"), (ANNA, BETH), "", {ANNA: 20, BETH: 20}),
            (Result(None, "draw"), (BETH,), "", {ANNA: 40}),
        ],
    )
    def test_of_a_duel_that_is_over(self, result: Result, fast: Any, why: str, expected: Any) -> None:
        duel = over(result, unrated_why=why, rated=not why)
        assert shares(duel, fast) == expected
        assert sum(expected.values()) == 2 * duel.stake

    def test_a_proposal_never_accepted_gives_the_proposer_theirs(self) -> None:
        duel = replace(over(Result(None, "lapsed")), players=(Player(ANNA),))
        assert shares(duel) == {ANNA: 20}

    @pytest.mark.parametrize("gone", [False, True])
    def test_what_was_paid_is_read_from_the_movement_with_what_its_debt_or_the_house_took(self, gone: bool) -> None:
        duel = over(Result("a", "hq"))
        debts = {ANNA: Row(Debt(ANNA, 15, 1, gone), 3)}
        moved = stakes.pay(duel, shares(duel), debts, NOW)
        (movement,) = [c.value for c in moved if isinstance(c, Put) and isinstance(c.value, Movement)]
        assert stakes.paid(movement) == {ANNA: 40}


class TestReversals:
    @pytest.mark.parametrize(("balance", "taken", "short"), [(100, 20, 0), (20, 20, 0), (5, 5, 15), (0, 0, 20)])
    def test_take_what_is_there_and_leave_a_debt(self, balance: int, taken: int, short: int) -> None:
        duel = over(Result("a", "hq"))
        reversal = stakes.void(duel, {ANNA: 40}, balance, None, 0)
        assert reversal is not None
        changes = stakes.reverse(reversal, {BETH: None}, NOW)
        adds = {c.counter.account: c.by for c in changes if isinstance(c, Add) and isinstance(c.counter, Balance)}
        assert adds == {a: n for a, n in {purse(ANNA): -taken, owed_by(ANNA): -short, purse(BETH): 20}.items() if n}
        owed = [c.value.owed for c in changes if isinstance(c, Put) and isinstance(c.value, Debt)]
        assert owed == ([short] if short else [])

    def test_stakes_that_were_returned_stay_returned(self) -> None:
        assert stakes.void(over(Result(None, "draw")), {ANNA: 20, BETH: 20}, 50, None, 0) is None

    def test_undoing_goes_the_other_way(self) -> None:
        duel = over(Result("a", "hq"))
        back = stakes.pay_again(duel, {ANNA: 40}, 50, None, 0)
        assert back is not None
        assert (back.of, back.to, back.credits) == (BETH, ANNA, 20)


class TestRivalries:
    def test_three_duels_a_day_count_by_their_start(self) -> None:
        met = between(BETH, ANNA)
        assert (met.one, met.other) == (ANNA, BETH)
        for n in range(3):
            assert not rivalries.too_often(met, later(NOW, n * HOUR))
            met = rivalries.begin(met, DuelId(f"d{n}"), later(NOW, n * HOUR))
        assert rivalries.too_often(met, later(NOW, DAY - 1))
        assert not rivalries.too_often(met, later(NOW, DAY))

    def test_wins_count_net_for_thirty_days_and_stakes_under_way_as_won(self) -> None:
        met = rivalries.stake(between(ANNA, BETH), DuelId("one"), 60, NOW)
        assert winnable(met, ANNA, NOW) == winnable(met, BETH, NOW) == 40
        met = rivalries.settle(met, DuelId("one"), ANNA, NOW)
        assert (winnable(met, ANNA, NOW), winnable(met, BETH, NOW)) == (40, 160)
        assert winnable(met, ANNA, later(NOW, 30 * DAY - 1)) == 40
        assert winnable(met, ANNA, later(NOW, 30 * DAY)) == 100
        returned = rivalries.settle(met, DuelId("one"), None, NOW)
        assert winnable(returned, ANNA, NOW) == 100
