"""Duels from proposal to result: P6, P7b, P10-P12, P14b."""

import hmac
import json

import pytest

from engine.decisions import Add, Job, Put
from engine.errors import Refusal
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.duels import leaving, orders, propose, start
from engine.platform.duels.closing import wake
from engine.platform.duels.records import NoShow, Proposals, Result, Turn
from engine.platform.members import MemberId
from engine.times import DAY, HOUR, MINUTE, SECOND, later
from tests.support.duels import (
    ANNA,
    BETH,
    CHRIS,
    NOW,
    SEED,
    after,
    ground,
    jobs,
    playing,
    proposed,
    refusal,
    send,
    written,
)


class TestProposals:
    def test_the_same_request_is_one_proposal(self) -> None:
        command = propose.Propose(ANNA, "feinthold", "days1", None, "r1")
        first = propose.propose(command, None, (), NOW)
        again = propose.propose(command, first.answer, (), later(NOW, 1))
        assert again.answer == first.answer
        assert again.changes == ()

    def test_each_takes_one_of_ten(self) -> None:
        command = propose.Propose(ANNA, "feinthold", "days1", None, "r1")
        changes = propose.propose(command, None, (), NOW).changes
        assert Add(Proposals(ANNA), -1, floor=-10) in changes

    def test_an_invitation_mails_the_invited_until_it_lapses(self) -> None:
        command = propose.Propose(ANNA, "feinthold", "days1", BETH, "r1")
        mails = [j for j in written(propose.propose(command, None, (), NOW), Job) if j.task == "mail"]
        assert [(m.about["to"], m.until) for m in mails] == [(BETH, NOW + 7 * DAY)]

    @pytest.mark.parametrize(
        ("game", "pace", "invited", "code"),
        [
            ("feinthold", "days1", ANNA, "yourself"),
            ("feinthold", "half_day", None, "unknown_pace"),
            ("feinthold", "hourly", None, "unknown_pace"),
            ("chess", "days1", None, "unknown_game"),
        ],
    )
    def test_impossible_ones_are_refused(self, game: str, pace: str, invited: MemberId | None, code: str) -> None:
        command = propose.Propose(ANNA, game, pace, invited, "r1")
        assert refusal(lambda: propose.propose(command, None, (), NOW)) == code

    def test_it_lapses_after_seven_days_and_not_before(self) -> None:
        duel = proposed()
        assert wake(duel, 1, ground(NOW + 7 * DAY - 1)).changes == ()
        lapsed = wake(duel, 1, ground(NOW + 7 * DAY))
        assert lapsed.answer.result == Result(None, "lapsed")
        assert Add(Proposals(ANNA), 1) in lapsed.changes

    def test_only_the_invited_accept_or_decline(self) -> None:
        duel = proposed(invited=BETH)
        assert refusal(lambda: propose.accept(duel, 1, CHRIS, SEED, (), NOW)) == "not_for_you"
        assert refusal(lambda: propose.decline(duel, 1, CHRIS, NOW)) == "not_for_you"
        assert propose.decline(duel, 1, BETH, NOW).answer.result == Result(None, "declined")

    def test_nobody_accepts_their_own(self) -> None:
        assert refusal(lambda: propose.accept(proposed(), 1, ANNA, SEED, (), NOW)) == "yourself"

    def test_only_the_proposer_withdraws_and_twice_is_once(self) -> None:
        assert refusal(lambda: propose.withdraw(proposed(), 1, BETH, NOW)) == "not_yours"
        withdrawn = propose.withdraw(proposed(), 1, ANNA, NOW).answer
        assert withdrawn.result == Result(None, "withdrawn")
        assert propose.withdraw(withdrawn, 2, ANNA, NOW).changes == ()

    def test_accepting_twice_is_once_and_too_late_is_refused(self) -> None:
        duel = playing()
        assert propose.accept(duel, 2, BETH, b"x" * 32, (), NOW).changes == ()
        assert refusal(lambda: propose.accept(duel, 2, CHRIS, SEED, (), NOW)) == "not_for_you"
        late = later(NOW, 7 * DAY + 1)
        assert refusal(lambda: propose.accept(proposed(), 1, BETH, SEED, (), late)) == "gone"

    def test_three_no_shows_within_a_day_bar_from_live_duels_for_a_day(self) -> None:
        missed = [NoShow(BETH, later(NOW, n * HOUR), proposed().id) for n in (0, 10, 23)]
        third = later(NOW, 23 * HOUR)
        assert propose.barred_until(missed, third) == third + DAY
        assert propose.barred_until(missed, later(third, DAY)) is None
        assert propose.barred_until(missed[:2], third) is None
        live = proposed("blitz")
        assert refusal(lambda: propose.accept(live, 1, BETH, SEED, missed, third)) == "barred"
        assert propose.accept(proposed("days1"), 1, BETH, SEED, missed, third).answer.stage == "playing"


class TestStart:
    def test_a_correspondence_duel_opens_its_first_turn_on_acceptance(self) -> None:
        decision = propose.accept(proposed(), 1, BETH, SEED, (), NOW)
        duel = decision.answer
        assert (duel.stage, duel.turn, duel.deadline) == ("playing", 1, NOW + DAY)
        assert {"clock/" + duel.id, "mail/accepted", "mail/turn"} == jobs(decision)

    @pytest.mark.parametrize(("pace", "first", "then"), [("blitz", 120, 60), ("rapid", 300, 300)])
    def test_a_live_duel_waits_for_both_in_the_ready_room(self, pace: str, first: int, then: int) -> None:
        room = propose.accept(proposed(pace), 1, BETH, SEED, (), NOW).answer
        assert (room.stage, room.deadline) == ("ready", NOW + 30 * MINUTE)
        one = start.ready(room, 1, ANNA, later(NOW, MINUTE)).answer
        assert one.stage == "ready"
        assert start.ready(one, 2, ANNA, later(NOW, MINUTE)).changes == ()
        both = start.ready(one, 2, BETH, later(NOW, 2 * MINUTE)).answer
        assert (both.stage, both.deadline) == ("playing", NOW + 2 * MINUTE + first * SECOND)
        second = after(send(after(send(both, ANNA, NOW + 2 * MINUTE)), BETH, NOW + 3 * MINUTE))
        assert second.deadline == NOW + 3 * MINUTE + then * SECOND

    def test_an_empty_ready_room_cancels_and_notes_who_was_missing(self) -> None:
        room = propose.accept(proposed("blitz"), 1, BETH, SEED, (), NOW).answer
        room = start.ready(room, 1, ANNA, NOW).answer
        assert wake(room, 1, ground(NOW + 30 * MINUTE - 1)).changes == ()
        closed = wake(room, 1, ground(NOW + 30 * MINUTE))
        assert closed.answer.result == Result(None, "no_show")
        assert [missing.member for missing in written(closed, NoShow)] == [BETH]

    def test_seats_and_layout_follow_from_the_seed(self) -> None:
        duel = playing()
        dice = SeededDice(SEED, 0)
        state = registry.game("feinthold").start({}, 2, dice)
        proposer_first = dice.roll(2) == 1
        assert duel.state == registry.game("feinthold").dump(state)
        assert [p.member for p in duel.players] == ([ANNA, BETH] if proposer_first else [BETH, ANNA])


class TestOrders:
    def test_the_last_in_closes_the_turn(self) -> None:
        first = send(playing(), ANNA)
        assert not first.answer.closed
        second = send(after(first), BETH, NOW + 2 * HOUR)
        assert second.answer.closed
        assert after(second).turn == 2
        (turn,) = written(second, Turn)
        assert (turn.number, turn.by, sorted(turn.sheets)) == (1, "sent", ["a", "b"])
        assert Put(turn, 0) in second.changes

    def test_sent_twice_is_one_submission(self) -> None:
        once = send(playing(), ANNA, request="r")
        twice = send(after(once), ANNA, request="r")
        assert twice.changes == ()
        assert twice.answer == once.answer

    def test_sent_again_after_the_turn_closed_is_known(self) -> None:
        closing = send(after(send(playing(), ANNA)), BETH, request="last")
        (turn,) = written(closing, Turn)
        command = orders.SubmitOrders(turn.duel, BETH, 1, {}, "last", later(NOW, HOUR))
        again = orders.submit(after(closing), 2, turn, command, ground(NOW + HOUR))
        assert again.changes == ()
        assert again.answer == closing.answer

    def test_five_submissions_and_no_more(self) -> None:
        duel = playing()
        for number in range(1, 6):
            sent = send(duel, ANNA, NOW + number)
            assert sent.answer.sheet.number == number
            duel = after(sent)
        assert refusal(lambda: send(duel, ANNA, NOW + 9)) == "too_many_submissions"

    def test_they_count_up_to_the_deadline(self) -> None:
        duel = playing()
        assert send(duel, ANNA, NOW + DAY).answer.sheet.number == 1
        assert refusal(lambda: send(duel, ANNA, NOW + DAY + 1)) == "closed"

    def test_of_another_turn_or_by_a_stranger_are_refused(self) -> None:
        assert refusal(lambda: send(playing(), ANNA, turn=0)) == "turn_over"
        assert refusal(lambda: send(playing(), ANNA, turn=2)) == "turn_over"
        assert refusal(lambda: send(playing(), CHRIS)) == "not_playing"

    def test_illegal_and_unreadable_ones_change_nothing_and_use_nothing_up(self) -> None:
        duel = playing()
        assert refusal(lambda: send(duel, ANNA, orders={"scout": ["hq_a", "hq_b"]})) == "illegal_orders"
        assert refusal(lambda: send(duel, ANNA, orders={"scout": 7})) == "illegal_orders"
        assert send(duel, ANNA).answer.sheet.number == 1

    def test_every_error_of_a_sheet_is_told_at_once(self) -> None:
        """F10"""
        sheet = {"scout": ["hq_a", "hq_b"], "entrench": 7, "move": [{"from": "hq_a", "to": "fwd_a", "units": 1.5}]}
        with pytest.raises(Refusal) as caught:
            send(playing(), ANNA, orders=sheet)
        assert {p.code for p in caught.value.problems} == {"bad_shape", "bad_number", "own_position"}

    def test_the_receipt_binds_the_sheet_to_the_seed(self) -> None:
        duel = playing()
        sheet = send(duel, ANNA, orders={"predict": "centre"}).answer.sheet
        seat = next(p.seat for p in duel.players if p.member == ANNA)
        key = hmac.digest(SEED, f"receipt/1/{seat}/1".encode(), "sha256")
        text = json.dumps(sheet.orders, sort_keys=True, separators=(",", ":"))
        assert sheet.commitment == hmac.new(key, text.encode(), "sha256").hexdigest()


class TestClosing:
    def test_not_before_two_seconds_after_the_deadline(self) -> None:
        duel = after(send(playing(), ANNA))
        assert wake(duel, 1, ground(NOW + DAY + 2 * SECOND - 1)).changes == ()
        closed = wake(duel, 1, ground(NOW + DAY + 2 * SECOND))
        (turn,) = written(closed, Turn)
        assert (turn.by, len(turn.sheets)) == ("deadline", 1)
        assert [p.missed for p in after(closed).players if p.member == BETH] == [1]

    def test_an_early_or_repeated_wake_up_does_nothing(self) -> None:
        closed = after(wake(playing(), 1, ground(NOW + DAY + 2 * SECOND)))
        assert wake(closed, 2, ground(NOW + DAY + 3 * SECOND)).changes == ()
        ended = leaving.abandon(closed, 2, ANNA, NOW).answer
        assert wake(ended, 3, ground(NOW + 99 * DAY)).changes == ()

    def test_a_game_in_which_nobody_sent_orders_is_cancelled(self) -> None:
        duel = playing()
        for turn in range(1, 9):
            assert duel.turn == turn
            duel = after(wake(duel, 1, ground((duel.deadline or 0) + 2 * SECOND)))
        assert duel.result == Result(None, "silence")

    def test_it_always_ends_by_the_eighth_turn(self) -> None:
        duel = after(send(playing(), ANNA))
        while duel.stage == "playing":
            duel = after(wake(duel, 1, ground((duel.deadline or 0) + 2 * SECOND)))
        assert duel.played == 8
        assert duel.result == Result(None, "draw")

    def test_the_end_wakes_settlement_and_both_results(self) -> None:
        ended = leaving.abandon(after(send(playing(), ANNA)), 1, BETH, NOW)
        seat = next(p.seat for p in ended.answer.players if p.member == ANNA)
        assert ended.answer.result == Result(seat, "forfeit")
        assert jobs(ended) == {"settle/" + ended.answer.id, "mail/result"}
        assert len(written(ended, Job)) == 3
        assert leaving.abandon(ended.answer, 2, BETH, NOW).changes == ()

    def test_abandoning_before_any_sheet_cancels(self) -> None:
        assert leaving.abandon(playing(), 1, BETH, NOW).answer.result == Result(None, "cancelled")
        assert refusal(lambda: leaving.abandon(playing(), 1, CHRIS, NOW)) == "not_playing"
