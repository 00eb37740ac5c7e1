"""Undoing a freeze: the points of matches it made somebody lose come back, their places in the bracket do not (P29)."""

from dataclasses import replace
from typing import Any

import pytest

from engine.decisions import Decision, Put
from engine.platform.duels.records import Result
from engine.platform.moderation.records import Forfeit
from engine.times import DAY, MINUTE
from functions.effects import carry_out
from functions.jobs import freeze as freezing
from infra.faults import Fault
from infra.records import ACT, FORFEIT, RATED
from infra.store import Store
from tests.support.browser import Browser
from tests.support.clubs import account, act, answered, credits, done, judged, member, name_of, rating
from tests.support.duelling import Duelling, run_due
from tests.support.jobs import job_named, state
from tests.support.leaving import leave
from tests.support.moderating import cup, match_game, matches, run_with, undone
from tests.support.site import TestSite


@pytest.fixture
def people(site: TestSite) -> list[Browser]:
    return [member(site, name) for name in ("Anna", "Beth", "Chris", "Dora")]


@pytest.fixture
def path(site: TestSite, people: list[Browser]) -> str:
    """A tournament of four, its first matches begun."""
    return cup(site, people)


@pytest.fixture
def match(site: TestSite, people: list[Browser], path: str) -> Duelling:
    """Its first match."""
    return match_game(site, people, path, 0)


def common(site: TestSite, match: Duelling) -> tuple[int, int]:
    """The common Elo of a match's two, as its records sum it."""
    return rating(site, name_of(match.a), "common"), rating(site, name_of(match.b), "common")


def lost(match: Duelling, loser: str = "a") -> None:
    """A match is played and lost."""
    for seat in ("a", "b"):
        assert match.send(seat, {}).status == 200
    assert match.act(loser, "abandon").status == 303
    run_due(match.site)


def forfeits(site: TestSite, act: str) -> list[str]:
    return [row.value.duel for row in site.calm.store.query(FORFEIT, "", act, limit=20).rows]


class TestPoints:
    def test_of_a_match_forfeited_at_once_come_back_and_the_place_does_not(
        self, site: TestSite, people: list[Browser], path: str, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "freeze", name_of(match.a))
        assert common(site, match) == (9_840, 10_160)
        undone(site, id, match.a, other_mod)
        assert common(site, match) == (10_000, 10_000)
        first = matches(people[0], path)[0]
        assert first["by"] == "frozen" and [side["id"] for side in first["sides"] if side["won"]] == [name_of(match.b)]

    def test_of_one_forfeited_later_while_frozen_too(
        self, site: TestSite, people: list[Browser], path: str, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        lost(match)
        other = match_game(site, people, path, 1)
        id = done(site, mod, "freeze", name_of(match.b))
        lost(other)
        site.sources.move(11 * MINUTE)
        run_due(site)
        final = matches(people[0], path)[2]
        assert final["by"] == "frozen"
        frozen, winner = name_of(match.b), name_of(other.b)
        moved = rating(site, frozen, "common"), rating(site, winner, "common")
        assert moved[0] < 10_160 < moved[1]
        undone(site, id, match.b, other_mod)
        assert (rating(site, frozen, "common"), rating(site, winner, "common")) == (10_160, 10_160)
        assert rating(site, frozen) == 10_160  # what was won before is kept
        page = people[0].data(path)
        assert page["champion"]["id"] == winner and credits(site, winner) == 160  # and so is the pot

    def test_come_back_even_if_the_undoing_overtakes_the_settlement(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        loser = name_of(match.a)
        id = act(mod, "freeze", loser).location.rpartition("/")[2]
        row = site.calm.store.get(ACT, id)
        assert row is not None
        carry_out(site.calm, row.value)
        job = job_named(site, f"freeze/{loser}")
        assert job is not None
        for step in range(5):  # its lists, one after the other; nothing else is run
            freezing.run(site.calm, job_named(site, f"freeze/{loser}") or job)
            assert step < 4 or state(match).stage == "ended"
        assert forfeits(site, id) == [match.id] and site.calm.store.get(RATED, match.id) is None
        assert answered(match.a, id).status == 303 and judged(other_mod, id, "undone").status == 303
        for _ in range(4):
            run_due(site)
            site.sources.move(5 * MINUTE)
        assert common(site, match) == (10_000, 10_000) and account(site, loser).frozen is None

    def test_by_unfreezing_they_do_not(self, site: TestSite, match: Duelling, mod: Browser) -> None:
        done(site, mod, "freeze", name_of(match.a))
        done(site, mod, "unfreeze", name_of(match.a))
        assert common(site, match) == (9_840, 10_160)

    def test_come_back_if_the_other_has_left_for_good(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "freeze", name_of(match.a))
        leave(site, name_of(match.b))
        undone(site, id, match.a, other_mod)
        assert rating(site, name_of(match.a), "common") == 10_000


class TestWhenItCounts:
    """A match is judged as things stood at its end, whenever the judging comes."""

    def freeze_alone(self, site: TestSite, mod: Browser, who: str) -> str:
        """Freeze, and nothing else: what follows waits."""
        id = act(mod, "freeze", who).location.rpartition("/")[2]
        row = site.calm.store.get(ACT, id)
        assert row is not None
        carry_out(site.calm, row.value)
        return id

    def test_one_won_before_the_freeze_is_won(
        self, site: TestSite, people: list[Browser], path: str, match: Duelling, mod: Browser
    ) -> None:
        for seat in ("a", "b"):
            assert match.send(seat, {}).status == 200
        assert match.act("a", "abandon").status == 303
        site.sources.move(1)
        self.freeze_alone(site, mod, name_of(match.b))
        run_due(site)
        first = matches(people[0], path)[0]
        assert first["by"] == "forfeit" and [s["id"] for s in first["sides"] if s["won"]] == [name_of(match.b)]
        assert rating(site, name_of(match.b)) == 10_160

    def test_one_forfeited_by_it_is_lost_even_if_it_is_undone_before_the_judging(
        self, site: TestSite, people: list[Browser], path: str, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        assert match.send("a", {}).status == 200  # only the frozen side has sent
        id = self.freeze_alone(site, mod, name_of(match.a))
        for _ in range(5):
            job = job_named(site, f"freeze/{name_of(match.a)}")
            assert job is not None
            freezing.run(site.calm, job)
        assert state(match).stage == "ended"
        site.sources.move(1)
        assert answered(match.a, id).status == 303 and judged(other_mod, id, "undone").status == 303
        for _ in range(3):
            run_due(site)
            site.sources.move(5 * MINUTE)
        first = matches(people[0], path)[0]
        assert first["by"] == "frozen" and [s["id"] for s in first["sides"] if s["won"]] == [name_of(match.b)]
        assert common(site, match) == (10_000, 10_000)


class TestBothFrozen:
    def test_nobody_goes_on_and_nothing_moves(
        self, site: TestSite, people: list[Browser], path: str, match: Duelling, mod: Browser
    ) -> None:
        ids = [act(mod, "freeze", name_of(browser)).location.rpartition("/")[2] for browser in (match.a, match.b)]
        for id in ids:  # both are frozen before anything of either is ended
            row = site.calm.store.get(ACT, id)
            assert row is not None
            carry_out(site.calm, row.value)
        run_due(site)
        assert state(match).result == Result(None, "cancelled")
        assert matches(people[0], path)[0]["by"] == "nobody"
        assert common(site, match) == (10_000, 10_000)
        assert [forfeits(site, id) for id in ids] == [[], []]


class TestOtherActs:
    def test_an_older_freeze_undone_leaves_a_later_one_and_what_it_cost(
        self, site: TestSite, people: list[Browser], mod: Browser, other_mod: Browser
    ) -> None:
        path = cup(site, people)
        match = match_game(site, people, path, 0)
        frozen = match.a
        first = done(site, mod, "freeze", name_of(frozen))
        done(site, mod, "unfreeze", name_of(frozen))
        site.sources.move(MINUTE)
        again = cup(site, [frozen, *(b for b in people if b is not frozen)])
        second = next(game for n in (0, 1) if frozen in ((game := match_game(site, people, again, n)).a, game.b))
        before = rating(site, name_of(frozen), "common")
        later = act(mod, "freeze", name_of(frozen), request="once more")
        assert later.status == 303
        run_due(site)
        cost = before - rating(site, name_of(frozen), "common")
        assert state(second).stage == "ended" and cost > 0
        undone(site, first, frozen, other_mod)
        assert account(site, name_of(frozen)).frozen is not None
        assert rating(site, name_of(frozen), "common") == 10_000 - cost

    @pytest.mark.parametrize("order", ["void, undo the freeze, undo the voiding", "undo the freeze, void, undo that"])
    def test_voiding_the_match_moves_nothing_twice(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser, order: str
    ) -> None:
        freeze = done(site, mod, "freeze", name_of(match.a))
        if order.startswith("undo"):
            undone(site, freeze, match.a, other_mod)
        void = done(site, mod, "void", match.id)
        assert common(site, match) == (10_000, 10_000)
        if order.startswith("void"):
            undone(site, freeze, match.a, other_mod)
        undone(site, void, match.b, other_mod)
        assert common(site, match) == (10_000, 10_000)


class Racing:
    """A store that, just before the first commit of this kind, does something else."""

    def __init__(self, store: Store, kind: type, first: Any) -> None:
        self._store, self._kind, self._first = store, kind, first

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, decision: Decision[Any]) -> None:
        if self._first and any(isinstance(c, Put) and isinstance(c.value, self._kind) for c in decision.changes):
            first, self._first = self._first, None
            first()
        self._store.commit(decision)


class TestWhateverGoesWrong:
    def test_a_forfeit_that_comes_too_late_does_not_come(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        """The freeze is undone after the match's end was decided and before it is committed."""
        id = act(mod, "freeze", name_of(match.a)).location.rpartition("/")[2]
        row = site.calm.store.get(ACT, id)
        assert row is not None
        carry_out(site.calm, row.value)

        def undo() -> None:
            answered(match.a, id)
            judged(other_mod, id, "undone")
            again = site.calm.store.get(ACT, id)
            assert again is not None
            carry_out(site.calm, again.value)

        racing = replace(site.calm, store=Racing(site.calm.store, Forfeit, undo))
        run_due(replace(site, site=racing))
        run_due(site)
        assert state(match).stage == "playing" and forfeits(site, id) == []
        assert common(site, match) == (10_000, 10_000)

    @pytest.mark.parametrize("fault", [Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.LOST_ANSWER, Fault.CONFLICT])
    @pytest.mark.parametrize("at", range(4))
    def test_a_crash_between_any_two_commits_costs_nothing(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser, fault: Fault, at: int
    ) -> None:
        id = done(site, mod, "freeze", name_of(match.a))
        assert answered(match.a, id).status == 303 and judged(other_mod, id, "undone").status == 303
        run_with(site, [*([None] * at), fault])
        for _ in range(2):
            site.sources.move(DAY // 4)
            run_due(site)
        assert common(site, match) == (10_000, 10_000) and account(site, name_of(match.a)).frozen is None

    def test_done_twice_it_is_done_once(
        self, site: TestSite, match: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "freeze", name_of(match.a))
        undone(site, id, match.a, other_mod)
        row = site.calm.store.get(ACT, id)
        assert row is not None
        carry_out(site.calm, row.value)
        assert common(site, match) == (10_000, 10_000)
