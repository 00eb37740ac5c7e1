"""Live games with total clocks (P6, P7, P7b, L14): whatever wakes them, and whenever, time is told the same."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decisions import Job, Put
from engine.errors import Refusal
from engine.games import registry
from engine.platform.clocks import Gap, Ground, Pulse
from engine.platform.duels import absence, drawing, orders, solo
from engine.platform.duels.closing import wake
from engine.platform.duels.records import Duel, Player, Result
from engine.platform.duels.start import begin
from engine.platform.members import MemberId
from engine.times import MINUTE, SECOND, Instant, later

ANNA, BETH = MemberId("anna"), MemberId("beth")
NOW = Instant(1_790_000_000_000)
TOTAL = 10 * MINUTE


def ground(now: int, gaps: tuple[Gap, ...] = ()) -> Ground:
    """A moment at which ticks have come all the time, but for the gaps."""
    return Ground(Instant(now), Pulse("tick", Instant(now), gaps))


def game(pace: str = "live") -> Duel:
    """A game that has just begun, Anna playing red."""
    players = (Player(ANNA, ready=NOW), Player(BETH, ready=NOW))
    duel = Duel(_id("d1"), "relief", pace, ANNA, BETH, NOW, players, stage="ready", seed="00" * 32)
    return begin(duel, 1, NOW, seat="red").answer


def move(duel: Duel, at: int, request: str = "") -> Duel:
    """The duel after the awaited player's first legal move, received at this moment."""
    player = next(p for p in duel.players if p.seat in duel.awaits)
    relief = registry.game(duel.game)
    view = relief.show(relief.view(relief.load(duel.state or {}), player.seat))
    sent = {"move": view["moves"][0]["move"]}
    command = orders.SubmitOrders(duel.id, player.member, duel.turn, sent, request or f"r{duel.turn}", Instant(at))
    return _duel(orders.submit(duel, 1, None, command, ground(at)).changes)


def woken(duel: Duel, at: int) -> Duel:
    """The duel after a wake-up at this moment."""
    return wake(duel, 1, ground(at)).answer


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 70_000), st.lists(st.integers(-90_000, 1_900), max_size=4)), max_size=30))
def test_clocks_run_in_the_own_turns_only_however_often_the_game_is_woken(turns: list[tuple[int, list[int]]]) -> None:
    duel, now, spent = game(), int(NOW), {"red": 0, "blue": 0}
    for thought, wakes in turns:
        seat = duel.awaits[0]
        if spent[seat] + thought > TOTAL:
            break
        for offset in wakes:
            at = (duel.deadline or NOW) + offset
            assert wake(duel, 1, ground(at)).changes == ()
        now += thought
        spent[seat] += thought
        duel = move(duel, now)
        if duel.stage == "ended":
            return
        assert {p.seat: p.left for p in duel.players} == {s: TOTAL - spent[s] for s in spent}
        assert duel.deadline == now + TOTAL - spent[duel.awaits[0]]


def test_time_is_up_two_seconds_after_the_deadline_once() -> None:
    duel = move(move(game(), NOW + 1000), NOW + 2000)
    deadline = duel.deadline or 0
    assert wake(duel, 1, ground(deadline + 1_999)).changes == ()
    over = woken(duel, deadline + 2_000)
    assert over.result == Result("blue", "time")
    assert wake(over, 1, ground(deadline + 9_000)).changes == ()


def test_a_move_received_by_the_deadline_counts_one_after_it_does_not() -> None:
    duel = move(move(game(), NOW + 1000), NOW + 2000)
    deadline = duel.deadline or 0
    assert move(duel, deadline).turn == 4
    try:
        move(duel, deadline + 1)
    except Refusal as refused:
        assert refused.code == "closed"
    else:
        raise AssertionError("a move after the deadline was taken")


def test_a_game_in_which_nobody_moved_is_cancelled() -> None:
    duel = game()
    assert woken(duel, (duel.deadline or 0) + 2_000).result == Result(None, "silence")


class TestAbsence:
    def begun(self) -> Duel:
        return move(move(game(), NOW + 1000), NOW + 2000)

    def test_nothing_happens_within_90_seconds_but_another_look(self) -> None:
        seen = {ANNA: later(NOW, 50 * SECOND), BETH: later(NOW, 80 * SECOND)}
        found = absence.watch(self.begun(), 1, seen, ground(NOW + 92 * SECOND))
        assert [(j.id, j.due) for j in _jobs(found.changes)] == [("watch/d1", NOW + 142 * SECOND)]

    def test_who_has_been_away_longest_loses(self) -> None:
        seen = {ANNA: later(NOW, 10 * SECOND), BETH: later(NOW, 5 * SECOND)}
        found = absence.watch(self.begun(), 1, seen, ground(NOW + 300 * SECOND))
        assert found.answer.result == Result("red", "absence")
        assert absence.watch(found.answer, 1, seen, ground(NOW + 301 * SECOND)).changes == ()

    def test_who_was_never_seen_counts_from_the_beginning(self) -> None:
        seen = {ANNA: later(NOW, 80 * SECOND)}
        assert absence.watch(self.begun(), 1, seen, ground(NOW + 91 * SECOND)).answer.result is None
        assert absence.watch(self.begun(), 1, seen, ground(NOW + 92 * SECOND)).answer.result == Result("red", "absence")

    def test_an_outage_is_no_absence(self) -> None:
        gap = Gap(later(NOW, 60 * SECOND), later(NOW, 200 * SECOND))
        seen = {ANNA: later(NOW, 10 * SECOND), BETH: later(NOW, 10 * SECOND)}
        assert absence.watch(self.begun(), 1, seen, ground(NOW + 210 * SECOND, (gap,))).answer.result is None
        over = absence.watch(
            self.begun(), 1, {**seen, ANNA: later(NOW, 280 * SECOND)}, ground(NOW + 292 * SECOND, (gap,))
        )
        assert over.answer.result == Result("red", "absence")

    def test_it_waits_for_the_tick_that_measures_a_gap(self) -> None:
        adrift = Ground(later(NOW, 300 * SECOND), Pulse("tick", later(NOW, 10 * SECOND)))
        found = absence.watch(self.begun(), 1, {}, adrift)
        assert found.answer.result is None and _jobs(found.changes)

    def test_the_warning_comes_after_45_seconds(self) -> None:
        duel = self.begun()
        player = duel.players[0]
        assert absence.missing_since(duel, player, {ANNA: NOW}, later(NOW, 44_999)) is None
        assert absence.missing_since(duel, player, {ANNA: NOW}, later(NOW, 45_000)) == NOW

    def test_games_by_correspondence_know_no_absence(self) -> None:
        duel = move(move(game("days1"), NOW + 1000), NOW + 2000)
        assert absence.watch(duel, 1, {}, ground(NOW + 900 * SECOND)).changes == ()


class TestTheComputer:
    def wanted(self) -> Duel:
        policy = {"policy": "computer", "level": 1}
        rival = MemberId("rival:relief:level1")
        plan = solo.Solo("practice", "days3", ANNA, rival, policy, seat="blue", game="relief")
        return solo.play(solo.solo_id("practice", ANNA, "r"), plan, bytes(32), NOW).answer

    def test_its_orders_are_not_made_when_the_turn_opens(self) -> None:
        duel = self.wanted()
        assert duel.awaits == ("red",) and all(p.sheet is None for p in duel.players)

    def test_its_answer_is_taken_once_and_for_its_turn_only(self) -> None:
        duel = self.wanted()
        first = orders.answer(duel, 1, 1, {"move": "c1c2"}, ground(NOW + 1000))
        assert first.answer and _duel(first.changes).words == ("c1c2",)
        assert orders.answer(_duel(first.changes), 1, 1, {"move": "c1c2"}, ground(NOW + 2000)).changes == ()
        assert orders.answer(duel, 1, 2, {"move": "c1c2"}, ground(NOW + 1000)).changes == ()
        late = ground((duel.deadline or 0) + 1)
        assert orders.answer(duel, 1, 1, {"move": "c1c2"}, late).changes == ()

    def test_no_draw_is_offered_to_it(self) -> None:
        duel = self.wanted()
        duel = replace(duel, players=tuple(replace(p, sheets=3) for p in duel.players))
        assert not any(drawing.can_offer(duel, p) for p in duel.players)


def _id(text: str) -> Any:
    return text


def _jobs(changes: tuple[Any, ...]) -> list[Job]:
    return [c.value for c in changes if isinstance(c, Put) and isinstance(c.value, Job)]


def _duel(changes: tuple[Any, ...]) -> Duel:
    return next(c.value for c in changes if isinstance(c, Put) and isinstance(c.value, Duel))
