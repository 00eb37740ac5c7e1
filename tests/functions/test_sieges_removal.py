"""Members who are frozen or delete their accounts leave sieges: the seat, the unit, the fee (T5, P5, P29)."""

from collections.abc import Callable

import pytest

from engine.platform.ledger.records import escrow
from engine.platform.members import MemberId
from engine.platform.sieges import entering
from engine.platform.sieges.entering import Entrant
from engine.times import DAY, HOUR, MINUTE, SECOND
from functions import reconcile
from functions.sieges import dismiss, siege_row
from infra.faults import Fault
from infra.records import CONTENDER
from tests.support.browser import Browser
from tests.support.clubs import act, moderator
from tests.support.duelling import member, post_json, run_due
from tests.support.jobs import jobs
from tests.support.leaving import ask_to_leave, settled
from tests.support.moderating import run_with
from tests.support.sieging import Sieging, announced, begun, credits, give, opened, told
from tests.support.site import TestSite
from tests.support.solo import save

FEE = 20
TIGHT = {"formation": [1, 2, 3], "centres": ["D4", "D5", "E5"]}
Remove = Callable[[TestSite, str], None]


def freeze(site: TestSite, who: str) -> None:
    """A moderator freezes the ratings; what follows is still to be done."""
    mona = moderator(site, f"Mona{site.sources.id()}")
    assert act(mona, "freeze", who).status == 303


def delete(site: TestSite, who: str) -> None:
    """The account is deleted; what follows is still to be done."""
    assert ask_to_leave(site, who).status == 200


@pytest.fixture(params=[freeze, delete])
def remove(request: pytest.FixtureRequest) -> Remove:
    """Whichever of the two: sieges treat them alike, but for where the money goes."""
    chosen: Remove = request.param
    return chosen


def paid_in(site: TestSite, *names: str) -> None:
    give(site, 30, *names)


def has(site: TestSite, who: str, remove: Remove, purse: int) -> bool:
    """Whether a member removed has so much: what a deleted one would have is the house's."""
    return credits(site, f"member/{who}") == (purse if remove is freeze else 0)


def pot(siege: Sieging) -> int:
    return credits(siege.site, escrow("tournament", siege.id))


def public(siege: Sieging) -> str:
    return Browser().get(siege.path).seen


class TestBeforeTheOpening:
    def test_the_seat_is_given_up_and_the_fee_comes_back(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = announced(site, 3, fee=FEE)
        remove(site, "beth")
        settled(site)
        assert [p.member for p in siege.state.players] == ["anna", "chris"]
        assert pot(siege) == 2 * FEE and has(site, "beth", remove, 30)

    def test_of_the_only_one_it_is_cancelled(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna")
        siege = announced(site, 1, fee=FEE)
        remove(site, "anna")
        settled(site)
        assert siege.state.stage == "cancelled"
        assert pot(siege) == 0 and has(site, "anna", remove, 30)

    def test_a_seat_taken_in_the_very_moment_is_given_up_by_the_second_look(
        self, site: TestSite, remove: Remove
    ) -> None:
        paid_in(site, "anna", "beth")
        siege = announced(site, 1, seats=4, fee=FEE)
        member(site, "Beth")
        entrant = Entrant(MemberId("beth"), 30)  # read a moment before
        remove(site, "beth")
        row = siege_row(site.calm, siege.id)
        site.calm.store.commit(entering.join(row.value, row.version, entrant, site.sources.now()))
        settled(site)
        assert [p.member for p in siege.state.players] == ["anna"] and pot(siege) == FEE


class TestWhilePayoutsAreStopped:
    def test_only_what_has_a_fee_waits_all_else_ends(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth", "chris")
        playing = begun(site, 3)
        form = {"name": "Other", "seats": 3, "pace": "days3", "fee": FEE, "opens": site.sources.now() + 20 * DAY}
        path = post_json(playing.players["p1"], "/sieges", {**form, "request": "other"}).location
        open_one = Sieging(site, path.rpartition("/")[2], playing.players)
        for seat in ("p2", "p3"):
            assert post_json(playing.players[seat], f"{path}/join", {}).status == 303
        save(playing.players["p2"], 1)
        post_json(playing.players["p2"], "/doctrines/1/publish", {})
        reconcile.stop(site.calm, "test")
        remove(site, "beth")
        settled(site)
        assert "beth" in open_one.state.members
        beth = playing.state.player(MemberId("beth"))
        assert beth is not None and beth.seat not in playing.state.awaits
        public = site.calm.store.get(CONTENDER, "beth:1")
        assert public is not None and public.value.open == (remove is freeze)
        for _ in range(30):
            open_one.pass_time(HOUR)
        assert "beth" in open_one.state.members and not any(job.tries for job in jobs(site))
        reconcile.let_go_on(site.calm)
        open_one.pass_time(HOUR)
        assert open_one.state.members == ("anna", "chris")
        assert pot(open_one) == 2 * FEE and has(site, "beth", remove, 30)
        open_one.pass_time(HOUR)
        assert not jobs(site, "freeze") and not jobs(site, "leave")


class TestPreparing:
    @pytest.mark.parametrize("sent", [False, True])
    def test_the_unit_does_not_begin_and_the_fee_comes_back(self, site: TestSite, remove: Remove, sent: bool) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = opened(site, 3, fee=FEE)
        if sent:
            assert siege.send("p2", siege.thought("p2")).status == 200
        remove(site, "beth")
        settled(site)
        assert siege.state.awaits == ("p1", "p3") and siege.state.stage == "playing"
        while siege.state.turn < 1:
            siege.everybody()
        siege.run()
        assert siege.state.turn == 1 and set(siege.page("p1")["view"]["units"]) == {"p1"}
        assert pot(siege) == 2 * FEE and has(site, "beth", remove, 30)
        drawn = Browser().get(f"{siege.path}/turns/{max(turn for turn in siege.state.resolved)}").seen
        assert "no longer in the tournament" in drawn

    def test_the_last_one_awaited_makes_the_others_draw(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = opened(site, 3, fee=FEE)
        for seat in ("p1", "p3"):
            assert siege.send(seat, siege.thought(seat)).status == 200
        remove(site, "beth")
        settled(site)
        assert siege.state.turn in (1, -1) and siege.state.awaits == ("p1", "p3")

    def test_of_two_it_is_cancelled_and_both_fees_come_back(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth")
        siege = opened(site, 2, fee=FEE)
        assert siege.send("p1", siege.thought("p1")).status == 200
        remove(site, "beth")
        settled(site)
        assert siege.state.stage == "cancelled" and pot(siege) == 0
        assert credits(site, "member/anna") == 30 and has(site, "beth", remove, 30)
        assert "anna" in told(siege, "siege_cancelled")


class TestAskedAgain:
    """T3: no draw was free of overlaps, and everybody has a day for new places."""

    def asked_again(self, site: TestSite, players: int) -> Sieging:
        paid_in(site, "anna", "beth", "chris")
        siege = opened(site, players, fee=FEE)
        for seat in siege.state.awaits:
            assert siege.send(seat, TIGHT).status == 200
        siege.run()
        assert siege.state.turn == -1
        return siege

    def test_the_others_go_on_without(self, site: TestSite, remove: Remove) -> None:
        siege = self.asked_again(site, 3)
        remove(site, "beth")
        settled(site)
        assert siege.state.turn == -1 and siege.state.awaits == ("p1", "p3")
        siege.pass_time(DAY + 3 * SECOND)
        assert siege.state.turn == 1 and siege.state.awaits == ("p1", "p3")
        assert pot(siege) == 2 * FEE and has(site, "beth", remove, 30)

    def test_of_two_it_is_cancelled(self, site: TestSite, remove: Remove) -> None:
        siege = self.asked_again(site, 2)
        remove(site, "beth")
        settled(site)
        assert siege.state.stage == "cancelled" and pot(siege) == 0
        assert credits(site, "member/anna") == 30 and has(site, "beth", remove, 30)


class TestInTheGame:
    def test_the_unit_is_removed_nobody_scores_and_the_fee_stays(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = begun(site, 3, fee=FEE)
        remove(site, "beth")
        settled(site)
        state = siege.state
        assert state.awaits == ("p1", "p3") and state.turn == 1
        units = (state.state or {})["board"]["units"]
        assert units["p2"]["out"] and not units["p2"]["servants"] and not units["p2"]["standing"]
        assert [unit["points"] for unit in units.values()] == [0, 0, 0]
        assert pot(siege) == 3 * FEE and has(site, "beth", remove, 10)

    def test_others_learn_no_more_than_that_it_is_gone(self, site: TestSite, remove: Remove) -> None:
        """Neither that ratings were frozen nor that an account was deleted is said (P30)."""
        siege = begun(site, 3)
        remove(site, "beth")
        settled(site)
        assert [(f.code, f.detail) for f in siege.state.news] == [("left", {"seat": "p2", "why": "removed"})]
        assert "no longer in the tournament: the unit is removed" in public(siege)
        for word in ("frozen", "freeze", "deleted"):
            assert word not in Browser().get(siege.path).text + Browser().get(siege.path, "application/json").text

    def test_orders_already_sent_are_not_fired(self, site: TestSite, remove: Remove) -> None:
        siege = begun(site, 3)
        assert siege.send("p2", siege.thought("p2"), text="My last words").status == 200
        remove(site, "beth")
        settled(site)
        for seat in ("p1", "p3"):
            assert siege.send(seat, siege.thought(seat)).status == 200
        assert "p2" not in siege.turn(1).sheets
        shots = [fact.detail["seat"] for fact in siege.turn(1).facts if fact.code == "shot"]
        assert sorted(map(str, shots)) == ["p1", "p3"]

    def test_the_last_one_awaited_makes_the_turn_resolve(self, site: TestSite, remove: Remove) -> None:
        siege = begun(site, 3)
        for seat in ("p1", "p3"):
            assert siege.send(seat, siege.thought(seat)).status == 200
        remove(site, "beth")
        settled(site)
        assert 1 in siege.state.resolved

    def test_of_the_last_two_the_other_survives(self, site: TestSite, remove: Remove) -> None:
        paid_in(site, "anna", "beth")
        siege = begun(site, 2, fee=FEE)
        siege.site.sources.move(MINUTE)
        for seat in ("p1", "p2"):  # a shot each, into their own corner: nobody is hit
            assert siege.send(seat, {"target": corner(siege, seat)}).status == 200
        assert siege.state.turn == 2
        remove(site, "beth")
        settled(site)
        state = siege.state
        assert state.stage == "ended" and state.result is not None
        assert state.result.honours["survivor"] == ("p1",)
        assert pot(siege) == 0
        assert credits(site, "member/anna") + credits(site, "member/beth") == (60 if remove is freeze else 50)
        assert jobs(site, "siege") == []
        file = Browser().get(f"{siege.path}/story/download").text
        assert "no longer in the tournament" in file and "last survivor" in file.lower()
        assert "no longer in the tournament" in Browser().get(f"{siege.path}/story").seen

    def test_who_was_out_already_stays_as_they_were(self, site: TestSite, remove: Remove) -> None:
        siege = begun(site, 3)
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        before = siege.state
        remove(site, "beth")
        settled(site)
        assert siege.state == before

    def test_a_siege_that_is_over_stays_as_it_was(self, site: TestSite, remove: Remove) -> None:
        siege = begun(site, 2)
        assert post_json(siege.players["p2"], f"{siege.path}/leave", {}).status == 303
        settled(site)
        before = siege.state
        assert before.stage == "ended"
        remove(site, "beth")
        settled(site)
        assert siege.state == before

    def test_both_of_the_last_two_at_once_leave_one_survivor(self, site: TestSite, remove: Remove) -> None:
        """The first removed ends the game: the second is no longer in it."""
        siege = begun(site, 2)
        for who in ("anna", "beth"):
            remove(site, who)
        settled(site)
        assert siege.state.stage == "ended" and siege.state.result is not None
        assert len(siege.state.result.honours["survivor"]) == 1


class TestWhateverGoesWrong:
    STAGES = (announced, opened, begun)

    @pytest.mark.parametrize("make", STAGES)
    def test_the_removal_itself_is_done_once(self, site: TestSite, make: Callable[..., Sieging]) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = make(site, 3, fee=FEE)
        dismiss(site.site, siege.id, MemberId("beth"))
        siege.run()
        after = siege.state
        assert after.player(MemberId("beth")) is None or after.out(after.players[1])
        for _ in range(2):
            dismiss(site.site, siege.id, MemberId("beth"))
            siege.run()
        assert siege.state == after
        assert pot(siege) in (2 * FEE, 3 * FEE)

    @pytest.mark.parametrize("make", STAGES)
    @pytest.mark.parametrize("fault", [Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.LOST_ANSWER, Fault.CONFLICT])
    @pytest.mark.parametrize("at", range(0, 8, 2))
    def test_a_crash_between_any_two_commits_costs_nothing(
        self, site: TestSite, remove: Remove, make: Callable[..., Sieging], fault: Fault, at: int
    ) -> None:
        paid_in(site, "anna", "beth", "chris")
        siege = make(site, 3, fee=FEE)
        run_due(site)
        remove(site, "beth")
        for job in jobs(site, "mail"):
            assert job.due > site.sources.now() or job.about["notice"] == "act"
        run_with(site, [*([None] * at), fault])
        for _ in range(3):
            settled(site)
        out = [p.member for p in siege.state.players if siege.state.stage != "open" and siege.state.out(p)]
        if make is announced:
            assert [p.member for p in siege.state.players] == ["anna", "chris"]
            assert pot(siege) == 2 * FEE and has(site, "beth", remove, 30)
        else:
            assert out == ["beth"]
            assert pot(siege) == 3 * FEE and has(site, "beth", remove, 10)


def corner(siege: Sieging, seat: str) -> str:
    """A cell far from every unit."""
    board = (siege.state.state or {})["board"]
    units = board["units"].values()
    held = [_cell(at) for unit in units for at in (unit["trebuchet"], *unit["servants"])]
    cells = [(column, row) for column in range(1, board["columns"] + 1) for row in range(1, board["rows"] + 1)]
    best = max(cells, key=lambda c: min(max(abs(c[0] - h[0]), abs(c[1] - h[1])) for h in held))
    return f"{chr(64 + best[0])}{best[1]}"


def _cell(name: str) -> tuple[int, int]:
    return ord(name[0]) - 64, int(name[1:])
