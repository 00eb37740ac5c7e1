"""Sieges' decisions: the pot, outages, the topic (P7b, P21b, T16)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Hold, Put
from engine.errors import Refusal
from engine.platform.clocks import Gap, Ground, Pulse
from engine.platform.ledger.records import Movement
from engine.platform.members import MemberId
from engine.platform.sieges import playing, settling, stopping, topic
from engine.platform.sieges.records import EPILOGUE, GRACE, Player, Post, Result, Siege, SiegeId, Voice
from engine.platform.sieges.topic import React
from engine.times import DAY, HOUR, MINUTE, Instant
from infra.store import Row

NOW = Instant(1_790_000_000_000)
NAMES = tuple(MemberId(name) for name in ("anna", "beth", "chris", "dora"))


def ended(fee: int, **honours: tuple[str, ...]) -> Siege:
    players = tuple(Player(m, NOW, f"p{n}", began=True, shots=2) for n, m in enumerate(NAMES, 1))
    siege = Siege(SiegeId("s"), "trebuchet", "S", NAMES[0], 4, "days3", "UTC", fee, NOW, NOW, "00" * 32, players)
    return replace(siege, stage="ended", turn=5, resolved=(0, 1), ended=NOW, result=Result("survivor", honours))


class TestThePot:
    def test_half_to_the_survivor_half_to_the_points(self) -> None:
        assert settling.prizes(ended(10, survivor=("p2",), points=("p3",))) == {"beth": 20, "chris": 20}

    def test_one_may_have_both(self) -> None:
        assert settling.prizes(ended(10, survivor=("p2",), points=("p2",))) == {"beth": 40}

    def test_the_remainder_of_a_share_goes_to_the_earlier_entry(self) -> None:
        won = settling.prizes(ended(10, survivor=("p4",), points=("p3", "p1", "p2")))
        assert won == {"dora": 20, "anna": 8, "beth": 6, "chris": 6}

    def test_all_out_in_one_turn_and_the_points_winners_have_it_all(self) -> None:
        assert settling.prizes(ended(10, survivor=(), points=("p1", "p4"))) == {"anna": 20, "dora": 20}

    def test_an_odd_pot_gives_the_odd_credit_to_the_survivor(self) -> None:
        siege = ended(25, survivor=("p1",), points=("p2",))
        siege = replace(siege, players=siege.players[:3])
        assert settling.prizes(siege) == {"anna": 38, "beth": 37}

    def test_not_one_shot_wins_nothing(self) -> None:
        siege = ended(10, survivor=("p1",), points=("p1", "p2"))
        idle = replace(siege, players=tuple(replace(p, shots=0) for p in siege.players))
        assert settling.prizes(idle) == {}
        lines = [c.value for c in settling.pay(idle, dict.fromkeys(NAMES), (), NOW).changes if isinstance(c, Put)]
        assert sum(getattr(value, "credits", 0) for value in lines) == 0

    def test_who_is_gone_gets_no_prize(self) -> None:
        siege = ended(10, survivor=("p1",), points=("p2",))
        assert settling.prizes(siege, {NAMES[0]}) == {"beth": 40}

    @given(st.integers(0, 100), st.sets(st.sampled_from(["p1", "p2", "p3", "p4"])), st.data())
    def test_the_whole_pot_is_paid_and_no_credit_more(self, fee: int, survivors: set[str], data: st.DataObject) -> None:
        points = data.draw(st.sets(st.sampled_from(["p1", "p2", "p3", "p4"]), min_size=1))
        siege = ended(fee, survivor=tuple(survivors), points=tuple(points))
        assert sum(settling.prizes(siege).values()) == 4 * fee


class TestOutages:
    def opened(self) -> Siege:
        siege = replace(ended(0), stage="open", players=ended(0).players[:2], result=None, ended=None, resolved=())
        siege = replace(siege, opens=NOW, players=tuple(Player(p.member, NOW) for p in siege.players), turn=0)
        return playing.begin(siege, 1, NOW).answer

    def test_a_deadline_moves_by_the_gap_across_it_and_all_awaited_are_told(self) -> None:
        siege = self.opened()
        assert siege.deadline is not None
        gap = Gap(Instant(siege.deadline - HOUR), Instant(siege.deadline + HOUR))
        ground = Ground(gap.end, Pulse("tick", gap.end, (gap,)))
        moved = playing.wake(siege, 1, ground)
        assert moved.answer.deadline == siege.deadline + 2 * HOUR
        assert [job.about["notice"] for job in moved.jobs if job.task == "mail"] == ["siege_moved"] * 2

    def test_nothing_is_closed_before_the_deadline_and_its_grace(self) -> None:
        siege = self.opened()
        assert siege.deadline is not None
        for early in (siege.deadline, siege.deadline + GRACE - 1):
            assert playing.wake(siege, 1, Ground(Instant(early), None)).changes == ()
        assert playing.wake(siege, 1, Ground(Instant(siege.deadline + GRACE), None)).changes

    def test_while_ticks_are_missing_nothing_is_closed(self) -> None:
        siege = self.opened()
        assert siege.deadline is not None
        pulse = Pulse("tick", Instant(siege.deadline - HOUR))
        waiting = playing.wake(siege, 1, Ground(Instant(siege.deadline + MINUTE), pulse))
        assert waiting.answer == siege and [job.task for job in waiting.jobs] == ["siege"]
        assert Hold(siege, 1) in waiting.changes  # a turn that opens meanwhile keeps its own wake-up


class TestStopping:
    def test_every_fee_comes_back_and_there_are_no_honours(self) -> None:
        siege = replace(ended(25), stage="playing", result=None, ended=None, awaits=("p1", "p2"), deadline=NOW)
        decision = stopping.stop(siege, 3, NOW)
        assert (decision.answer.stage, decision.answer.awaits, decision.answer.deadline) == ("ended", (), None)
        assert settling.prizes(decision.answer) == {}
        paid = settling.pay(decision.answer, dict.fromkeys(NAMES), (), NOW).changes
        moved = [c.value for c in paid if isinstance(c, Put) and isinstance(c.value, Movement)]
        assert [sorted(line.credits for line in m.lines) for m in moved] == [[-100, 25, 25, 25, 25]]
        assert [job.task for job in decision.jobs] == ["siege_settle"]

    def test_before_the_first_turn_it_is_cancelled(self) -> None:
        siege = replace(ended(25), stage="playing", turn=0, resolved=(), result=None, ended=None)
        siege = replace(siege, players=tuple(replace(p, began=False, shots=0) for p in siege.players))
        stopped = stopping.stop(siege, 3, NOW).answer
        assert stopped.stage == "cancelled" and stopping.stopped(stopped)
        assert settling.absentees(stopped) == NAMES

    def test_what_is_over_stays_as_it_was(self) -> None:
        siege = ended(25, survivor=("p1",), points=("p1",))
        assert stopping.stop(siege, 3, NOW).changes == ()


class TestHiding:
    POST = Post(SiegeId("s"), 1, "0.p1", "p1", "Words", NOW)

    def test_the_first_act_holds_and_it_alone_is_undone(self) -> None:
        hidden = topic.hide(Row(self.POST, 1), "Rude", "act1").answer
        assert (hidden.hidden, hidden.hidden_by) == ("Rude", "act1")
        assert topic.hide(Row(hidden, 2), "Worse", "act2").changes == ()
        assert topic.show(Row(hidden, 2), "act2").changes == ()
        assert topic.show(Row(hidden, 2), "act1").answer == self.POST
        assert topic.show(Row(self.POST, 3), "act1").changes == ()


class TestTheTopic:
    def test_it_is_open_to_who_began_until_a_week_after_the_end(self) -> None:
        siege = ended(0, survivor=("p1",), points=("p1",))
        assert topic.open_to(siege, NAMES[3], Instant(NOW + EPILOGUE))
        assert not topic.open_to(siege, NAMES[3], Instant(NOW + EPILOGUE + 1))
        assert not topic.open_to(siege, MemberId("zoe"), NOW)

    def test_only_so_many_reactions_a_turn(self) -> None:
        siege = ended(0, survivor=("p1",), points=("p1",))
        said: Row[Voice] | None = None
        for n in range(topic.MOST_REACTIONS):
            decision = topic.react(siege, said, React(NAMES[0], "x", str(n), NOW), Instant(NOW + n))
            voice = decision.changes[0]
            assert isinstance(voice, Put) and isinstance(voice.value, Voice)
            said = Row(voice.value, 1)
        with pytest.raises(Refusal, match="too_many_reactions"):
            topic.react(siege, said, React(NAMES[0], "x", "more", NOW), Instant(NOW + DAY))
