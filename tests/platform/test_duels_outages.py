"""Duels in outages, on total clocks, and against automata: P7b, P11, P12."""

from dataclasses import replace
from typing import Any

import pytest

from engine.decisions import Decision, Job
from engine.platform.clocks import Gap, Rhythm, beat
from engine.platform.duels import leaving, orders, propose, start
from engine.platform.duels.closing import wake
from engine.platform.duels.records import Duel, DuelId, NoShow, Player, Result, Sheet, Turn
from engine.platform.duels.solo import Kind
from engine.platform.members import MemberId
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant, later
from tests.platform.solo import begun, wanted
from tests.support.duels import ANNA, BETH, NOW, SEED, after, ground, jobs, playing, proposed, send, written


class TestOutages:
    def test_a_deadline_within_one_moves_by_its_length(self) -> None:
        duel = playing()
        gap = Gap(Instant(NOW + DAY - MINUTE), Instant(NOW + DAY + 2 * HOUR))
        decision = wake(duel, 1, ground(NOW + DAY + 3 * HOUR, gap))
        assert after(decision).deadline == NOW + DAY + 2 * HOUR + MINUTE
        told = [job for job in written(decision, Job) if job.task == "mail"]
        assert {(job.about["to"], job.about["was"]) for job in told} == {(ANNA, NOW + DAY), (BETH, NOW + DAY)}

    @pytest.mark.parametrize(("kind", "told"), [("challenge", {ANNA}), ("practice", set())])
    def test_practice_has_no_mails_of_it_either(self, kind: Kind, told: set[MemberId]) -> None:
        duel = begun(wanted(kind=kind))
        deadline = duel.deadline or NOW
        moved = wake(duel, 1, ground(deadline + HOUR, Gap(later(deadline, -HOUR), later(deadline, HOUR))))
        assert after(moved).deadline == deadline + 2 * HOUR
        assert {job.about["to"] for job in written(moved, Job) if job.task == "mail"} == told

    def test_one_that_ended_before_or_was_short_moves_nothing(self) -> None:
        duel = playing()
        before = Gap(Instant(NOW + HOUR), Instant(NOW + 5 * HOUR))
        short = Gap(Instant(NOW + DAY - MINUTE), Instant(NOW + DAY + 3 * MINUTE))
        closed = wake(duel, 1, ground(NOW + DAY + HOUR, before, short))
        assert written(closed, Turn)

    def test_a_live_game_is_cancelled_without_consequence(self) -> None:
        duel = playing("blitz")
        gap = Gap(Instant(NOW + 90 * SECOND), Instant(NOW + 130 * SECOND))
        assert wake(duel, 1, ground(NOW + 140 * SECOND, gap)).answer.result == Result(None, "outage")
        room = propose.accept(proposed("blitz"), 1, BETH, SEED, (), NOW).answer
        gap = Gap(Instant(NOW + 29 * MINUTE), Instant(NOW + 31 * MINUTE))
        emptied = wake(room, 1, ground(NOW + 31 * MINUTE, gap))
        assert emptied.answer.result == Result(None, "outage")
        assert not written(emptied, NoShow)

    def test_while_ticks_are_missing_closing_waits_for_the_one_that_measures_the_gap(self) -> None:
        duel = playing()
        waiting = wake(duel, 1, ground(NOW + DAY + 10 * MINUTE, last=NOW + DAY - 2 * MINUTE))
        assert not written(waiting, Turn)
        assert jobs(waiting) == {"clock/" + duel.id}

    def test_orders_after_a_deadline_that_will_move_are_taken(self) -> None:
        duel = playing()
        at = NOW + DAY + 10 * MINUTE
        command = orders.SubmitOrders(duel.id, ANNA, 1, {}, "r", Instant(at))
        taken = orders.submit(duel, 1, None, command, ground(at, last=NOW + DAY - 2 * MINUTE))
        assert taken.answer.sheet.number == 1

    def test_ticks_record_their_own_gaps(self) -> None:
        rhythm = Rhythm()
        pulse = beat(None, NOW, rhythm)
        for minutes in (1, 2, 2, 3):
            pulse = beat(pulse, later(NOW, minutes * MINUTE), rhythm)
        assert pulse.gaps == ()
        pulse = beat(pulse, later(NOW, 10 * MINUTE), rhythm)
        assert pulse.gaps == (Gap(later(NOW, 4 * MINUTE), later(NOW, 10 * MINUTE)),)
        assert pulse.last == NOW + 10 * MINUTE


def test_a_total_clock_runs_in_ones_own_turns_only() -> None:
    duel = playing()
    timed = replace(duel, players=tuple(replace(p, left=HOUR) for p in duel.players))
    sent = after(send(timed, ANNA, NOW + 10 * MINUTE))
    closed = after(wake(sent, 1, ground((timed.deadline or 0) + 2 * SECOND)))
    lefts = {p.member: p.left for p in closed.players}
    assert lefts == {ANNA: 50 * MINUTE, BETH: 0}


def test_a_sheet_knows_its_requests() -> None:
    duel = after(send(playing(), ANNA, request="one"))
    sheet = after(send(duel, ANNA, request="two")).player(ANNA)
    assert sheet is not None and isinstance(sheet.sheet, Sheet)
    assert sheet.sheet.requests == ("one", "two")


class TestAutomata:
    def against_ai(self, stand_in: Any = None) -> Duel:
        players = (Player(ANNA, stand_in=stand_in), Player(MemberId("ai:pivot"), policy={"policy": "pivot"}))
        duel = Duel(DuelId("d1"), "feinthold", "days3", ANNA, None, NOW, players, kind="challenge", seed=SEED.hex())
        return start.begin(duel, 0, NOW).answer

    def test_an_ais_sheet_is_committed_to_when_the_turn_opens_and_ones_first_resolves_it(self) -> None:
        duel = self.against_ai()
        sheet = next(p.sheet for p in duel.players if p.policy)
        assert sheet is not None and (sheet.by, len(sheet.commitment)) == ("ai", 64)
        sent = send(duel, ANNA)
        assert sent.answer.closed
        assert next(p.sheet for p in after(sent).players if p.policy) != sheet

    def test_no_mail_is_for_an_ai(self) -> None:
        duel = self.against_ai()
        decisions: list[Decision[Any]] = [send(duel, ANNA), leaving.abandon(after(send(duel, ANNA)), 1, ANNA, NOW)]
        mails = [job for decision in decisions for job in written(decision, Job) if job.task == "mail"]
        assert {job.about["to"] for job in mails} == {ANNA}

    def test_a_stand_in_plays_missed_turns_and_does_not_count_as_sent(self) -> None:
        duel = self.against_ai({"policy": "ram"})
        closed = wake(duel, 1, ground(NOW + 3 * DAY + 2 * SECOND))
        (turn,) = written(closed, Turn)
        seat = next(p.seat for p in duel.players if p.member == ANNA)
        assert turn.sheets[seat].by == "stand_in"
        assert turn.sheets[seat].notes
        player = after(closed).player(ANNA)
        assert player is not None and (player.sheets, player.missed) == (0, 1)

    def test_a_game_played_by_automata_alone_is_cancelled(self) -> None:
        duel = self.against_ai({"policy": "ram"})
        while duel.stage == "playing":
            duel = after(wake(duel, 1, ground((duel.deadline or 0) + 2 * SECOND)))
        assert duel.result == Result(None, "silence")
