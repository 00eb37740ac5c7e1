"""Tournaments: P19-P21, and the pot of P18."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Add, Change, Decision, Job, Put
from engine.errors import Malformed, Refusal
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.duels import leaving
from engine.platform.duels.records import Duel, MemberGame, Player, Result, Turn
from engine.platform.duels.terms import NO_TERMS
from engine.platform.elo import Rating
from engine.platform.ledger.records import Balance, escrow, purse
from engine.platform.members import MemberId
from engine.platform.tournaments import bracket, entering, playing
from engine.platform.tournaments.bracket import Strength
from engine.platform.tournaments.entering import Create, Entrant
from engine.platform.tournaments.playing import Making, Verdict
from engine.platform.tournaments.records import Tournament
from engine.times import DAY, HOUR, Instant, later

NOW = Instant(1_790_000_000_000)
SEED = bytes(range(32))
NAMES = tuple(MemberId(name) for name in "abcdefgh")


def opened(size: int = 4, fee: int = 10) -> Tournament:
    return entering.create(Create(NAMES[0], size, fee, "r"), Entrant(NAMES[0], 100), None, NOW).answer


def filled(size: int = 4, fee: int = 10) -> Tournament:
    tournament = opened(size, fee)
    for name in NAMES[1:size]:
        tournament = entering.join(tournament, 1, Entrant(name, 100), NOW).answer
    return tournament


def begun(size: int = 4, fee: int = 10) -> Tournament:
    """Seeded in the order of the names: the first has the highest rating."""
    strengths = [Strength(name, Rating(10_000 - n), NOW) for n, name in enumerate(NAMES[:size])]
    return playing.start(filled(size, fee), 1, strengths, NOW).answer


def credits(changes: tuple[Change, ...]) -> dict[str, int]:
    moved: dict[str, int] = {}
    for change in changes:
        if isinstance(change, Add) and isinstance(change.counter, Balance):
            moved[change.counter.account] = moved.get(change.counter.account, 0) + change.by
    return moved


def written(decision: Decision[Any], kind: type) -> list[Any]:
    return [c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, kind)]


def advance(tournament: Tournament, number: int, winner: MemberId | None, by: str = "won") -> Decision[Tournament]:
    debts = dict.fromkeys(tournament.seeds)
    return playing.advance(tournament, 1, number, Verdict(winner, by), debts, NOW)


class TestEntering:
    def test_the_fee_goes_into_escrow_and_back_when_one_leaves(self) -> None:
        joined = entering.join(opened(), 1, Entrant(NAMES[1], 10), NOW)
        pot = escrow("tournament", joined.answer.id)
        assert credits(joined.changes) == {purse(NAMES[1]): -10, pot: 10}
        left = entering.leave(joined.answer, 1, NAMES[1], {NAMES[1]: None}, NOW)
        assert credits(left.changes) == {purse(NAMES[1]): 10, pot: -10}
        assert left.answer.entrants == (NAMES[0],)

    def test_who_cannot_pay_is_frozen_or_linked_does_not_enter(self) -> None:
        for entrant, code in (
            (Entrant(NAMES[1], 9), "credits_short"),
            (Entrant(NAMES[1], 10, frozen=True), "frozen"),
            (Entrant(NAMES[1], 10, linked=(NAMES[0],)), "linked_entrant"),
        ):
            with pytest.raises(Refusal) as caught:
                entering.join(opened(), 1, entrant, NOW)
            assert caught.value.code == code

    @pytest.mark.parametrize(("size", "fee"), [(5, 10), (4, 101), (4, -1)])
    def test_odd_sizes_and_fees_are_malformed(self, size: int, fee: int) -> None:
        with pytest.raises(Malformed):
            entering.create(Create(NAMES[0], size, fee, "r"), Entrant(NAMES[0], 999), None, NOW)

    def test_twice_is_once(self) -> None:
        command = Create(NAMES[0], 4, 10, "r")
        assert entering.create(command, Entrant(NAMES[0], 100), opened(), NOW).changes == ()
        assert entering.join(opened(), 1, Entrant(NAMES[0], 100), NOW).changes == ()
        assert entering.leave(opened(), 1, NAMES[1], {}, NOW).changes == ()

    def test_a_full_one_takes_nobody_and_lets_nobody_go(self) -> None:
        acts: tuple[Callable[[], object], ...] = (
            lambda: entering.join(filled(), 1, Entrant(NAMES[7], 100), NOW),
            lambda: entering.leave(filled(), 1, NAMES[1], {NAMES[1]: None}, NOW),
        )
        for act in acts:
            with pytest.raises(Refusal) as caught:
                act()
            assert caught.value.code == "tournament_closed"

    def test_not_full_after_seven_days_it_is_cancelled_and_fees_come_back(self) -> None:
        tournament = entering.join(opened(), 1, Entrant(NAMES[1], 100), NOW).answer
        debts = dict.fromkeys(NAMES[:2])
        assert entering.lapse(tournament, 1, debts, later(NOW, 7 * DAY - 1)).changes == ()
        lapsed = entering.lapse(tournament, 1, debts, later(NOW, 7 * DAY))
        assert lapsed.answer.stage == "cancelled"
        assert credits(lapsed.changes) == {
            purse(NAMES[0]): 10,
            purse(NAMES[1]): 10,
            escrow("tournament", tournament.id): -20,
        }
        assert entering.lapse(lapsed.answer, 2, debts, later(NOW, 8 * DAY)).changes == ()


class TestBracket:
    def test_seeds_follow_ratings_then_the_older_account(self) -> None:
        strengths = [
            Strength(NAMES[0], Rating(10_000), later(NOW, 1)),
            Strength(NAMES[1], Rating(10_001), later(NOW, 2)),
            Strength(NAMES[2], Rating(10_000), NOW),
        ]
        assert bracket.seeded(strengths) == (NAMES[1], NAMES[2], NAMES[0])

    def test_the_best_meets_the_last_and_both_halves_are_even(self) -> None:
        a, b, c, d, e, f, g, h = NAMES
        pairs = [(m.one, m.other) for m in bracket.drawn(NAMES)]
        assert pairs == [(a, h), (d, e), (c, f), (b, g), (None, None), (None, None), (None, None)]
        assert [(m.one, m.other) for m in bracket.drawn(NAMES[:4])][:2] == [(a, d), (b, c)]

    def test_winners_of_neighbours_meet(self) -> None:
        assert [bracket.leads_to(8, n) for n in range(7)] == [4, 4, 5, 5, 6, 6, None]
        assert [bracket.leads_to(4, n) for n in range(3)] == [2, 2, None]
        assert bracket.feeders(8, 6) == (4, 5)

    def test_one_player_alone_goes_on_without_playing_and_nobody_leaves_nobody(self) -> None:
        eight = begun(8)
        after = eight
        for number, winner in ((0, None), (1, NAMES[3]), (2, None), (3, None)):
            after = bracket.decide(after, number, winner, "won" if winner else "nobody")
        assert (after.matches[4].winner, after.matches[4].by) == (NAMES[3], "walkover")
        assert (after.matches[5].winner, after.matches[5].by) == (None, "nobody")
        assert (after.matches[6].winner, after.matches[6].by) == (NAMES[3], "walkover")

    def test_the_latest_end_is_five_days_a_round_left(self) -> None:
        eight = begun(8)
        assert bracket.latest_end(eight, NOW) == NOW + 15 * DAY
        for number in range(4):
            eight = bracket.decide(eight, number, eight.matches[number].one, "won")
        assert bracket.latest_end(eight, NOW) == NOW + 10 * DAY

    @given(st.sampled_from([4, 8]), st.data())
    def test_every_order_of_results_ends_it_with_the_pot_paid_once(self, size: int, data: st.DataObject) -> None:
        tournament = begun(size)
        paid: dict[str, int] = {}
        while tournament.stage == "playing":
            match = data.draw(st.sampled_from([m for m in tournament.matches if m.one and m.other and not m.decided]))
            winner = data.draw(st.sampled_from([match.one, match.other, None]))
            decision = advance(tournament, match.number, winner, "won" if winner else "nobody")
            for account, moved in credits(decision.changes).items():
                paid[account] = paid.get(account, 0) + moved
            tournament = decision.answer
            assert advance(tournament, match.number, match.other).changes == ()
        assert paid[escrow("tournament", tournament.id)] == -10 * size
        assert sum(paid.values()) == 0
        if tournament.champion:
            assert paid[purse(tournament.champion)] == 10 * size
        else:
            assert set(paid.values()) == {10, -10 * size}


class TestPlaying:
    def made(self) -> tuple[Tournament, Duel]:
        decision = playing.make(begun(), 1, 0, Making(SEED, NO_TERMS), NOW)
        (duel,) = written(decision, Duel)
        return decision.answer, duel

    def test_a_match_opens_its_first_turn_at_once_at_twelve_hours_a_turn(self) -> None:
        decision = playing.make(begun(), 1, 0, Making(SEED, NO_TERMS), NOW)
        (duel,) = written(decision, Duel)
        assert (duel.stage, duel.turn, duel.deadline) == ("playing", 1, NOW + 12 * HOUR)
        assert (duel.kind, duel.cup, duel.cup_match, duel.rated) == ("match", decision.answer.id, 0, True)
        assert {row.member for row in written(decision, MemberGame)} == {NAMES[0], NAMES[3]}
        mails = [job.about["to"] for job in written(decision, Job) if job.task == "mail"]
        assert sorted(mails) == [NAMES[0], NAMES[3]]
        assert written(decision, Turn)

    def test_it_is_made_once(self) -> None:
        after, _ = self.made()
        assert playing.make(after, 2, 0, Making(SEED, NO_TERMS), NOW).changes == ()

    def test_abandoning_before_any_sheet_loses_the_match(self) -> None:
        tournament, duel = self.made()
        left = leaving.abandon(duel, 1, NAMES[0], NOW).answer
        assert left.result is not None and left.result.by == "forfeit"
        assert playing.judged(left, tournament) == Verdict(NAMES[3], "forfeit")

    def sheets(self, duel: Duel, one: int, other: int) -> tuple[Player, ...]:
        return tuple(replace(p, sheets=one if p.member == NAMES[0] else other) for p in duel.players)

    def test_nobody_who_sent_nothing_goes_on_against_one_who_sent(self) -> None:
        tournament, duel = self.made()
        lost = next(p.seat for p in duel.players if p.member == NAMES[3])
        won = replace(duel, result=Result(lost, "positions"), players=self.sheets(duel, 3, 0))
        assert playing.judged(won, tournament) == Verdict(NAMES[0], "sent")
        silent = replace(duel, result=Result(None, "silence"))
        assert playing.judged(silent, tournament) == Verdict(None, "nobody")

    def test_a_draw_goes_to_predictions_then_combats_then_the_better_seed(self) -> None:
        tournament, duel = self.made()
        game = registry.game("feinthold")
        state = dict(game.dump(game.start({"layout": 1}, 2, SeededDice(SEED, 0))))
        seat = {p.member: p.seat for p in duel.players}

        def drawn(predictions: int, combats: int) -> Verdict:
            worse = seat[NAMES[3]]
            told = {
                **state,
                "predictions": {**state["predictions"], worse: predictions},
                "combats": {**state["combats"], worse: combats},
            }
            over = replace(duel, state=told, result=Result(None, "draw"), players=self.sheets(duel, 8, 8))
            return playing.judged(over, tournament)

        assert drawn(1, 0) == Verdict(NAMES[3], "draw")
        assert drawn(0, 1) == Verdict(NAMES[3], "draw")
        assert drawn(0, 0) == Verdict(NAMES[0], "draw")

    def test_frozen_ratings_lose_by_forfeit(self) -> None:
        tournament, duel = self.made()
        assert playing.judged(duel, tournament, {NAMES[0]}) == Verdict(NAMES[3], "frozen")
        assert playing.judged(duel, tournament, set(NAMES)) == Verdict(None, "nobody")

    def test_a_match_beyond_five_days_is_late_once_it_is_undecided(self) -> None:
        tournament, _ = self.made()
        assert not playing.late(tournament, 0, later(NOW, 5 * DAY - 1))
        assert playing.late(tournament, 0, later(NOW, 5 * DAY))
        assert not playing.late(advance(tournament, 0, NAMES[0]).answer, 0, later(NOW, 6 * DAY))
