"""Seasons: P18, P26."""

from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Add, Put
from engine.platform.ledger.records import HOUSE, Balance, purse
from engine.platform.members import Member, MemberId, freeze, unfreeze
from engine.platform.seasons import closing
from engine.platform.seasons.closing import Candidate
from engine.platform.seasons.records import PRIZES, Season
from engine.times import Instant, later

NOW = Instant(1_790_000_000_000)


def candidate(name: str, figure: int, games: int = 8, joined: int = 0, **more: object) -> Candidate:
    return Candidate(MemberId(name), figure, games, later(NOW, joined), **more)  # type: ignore[arg-type]


def names(*candidates: Candidate) -> list[str]:
    return [place.member for place in closing.places(candidates)]


class TestPlaces:
    def test_eight_rated_duels_and_ratings_not_frozen_give_a_place(self) -> None:
        few, frozen = candidate("few", 99_999, 7), candidate("frozen", 99_998, eligible=False)
        assert names(few, frozen, candidate("a", 10_000)) == ["a"]

    def test_ties_go_to_more_duels_then_to_the_older_account(self) -> None:
        a, b, c = candidate("a", 10_000, 9, 2), candidate("b", 10_000, 10, 3), candidate("c", 10_000, 9, 1)
        assert names(a, b, c) == ["b", "c", "a"]

    def test_the_first_ten_are_paid(self) -> None:
        paid = [place.credits for place in closing.places(candidate(str(n), 20_000 - n) for n in range(12))]
        assert paid == [150, 100, 60, 25, 25, 25, 25, 25, 25, 25]

    @given(st.permutations([candidate(str(n), 10_000 + n // 3, 8 + n % 2, n) for n in range(14)]))
    def test_the_order_in_which_they_are_read_changes_nothing(self, read: list[Candidate]) -> None:
        assert closing.places(read) == closing.places(sorted(read, key=lambda c: c.member))
        assert len(closing.places(read)) == len(PRIZES)


class TestTitles:
    def test_the_commander_needs_eight_challenges(self) -> None:
        title = closing.commander([candidate("few", 12_000, 7), candidate("a", 11_000), candidate("b", 11_000, 9)])
        assert title is not None and (title.member, title.games) == ("b", 9)
        assert closing.commander([candidate("few", 12_000, 7)]) is None

    def test_the_doctrine_needs_ten_and_to_be_public_at_the_months_end(self) -> None:
        hidden = candidate("a", 13_000, 12, eligible=False, doctrine="Hidden")
        title = closing.doctrine([hidden, candidate("b", 12_000, 9), candidate("c", 11_000, 10, doctrine="Hammer")])
        assert title is not None and (title.member, title.doctrine) == ("c", "Hammer")

    def test_the_front_goes_by_points_then_wins_then_the_older_account(self) -> None:
        tied = [candidate("a", 24, 9, 2, won=7), candidate("b", 24, 8, 3, won=8), candidate("c", 24, 8, 1, won=8)]
        title = closing.front([*tied, candidate("few", 90, 7)])
        assert title is not None and title.member == "c"


def test_a_list_that_is_committed_stands() -> None:
    first = Season("2026-11", NOW, closing.places([candidate("a", 10_000)]), ())
    second = Season("2026-11", later(NOW, 1), (), ())
    assert closing.close("2026-11", None, first, NOW).answer == first
    again = closing.close("2026-11", first, second, NOW)
    assert (again.answer, again.changes) == (first, ())


def test_a_prize_comes_from_the_house_under_a_permanent_cause() -> None:
    season = Season("2026-11", NOW, closing.places([candidate("a", 10_000)]), ())
    changes = closing.prize(season, season.places[0], {MemberId("a"): None}, NOW)
    moved = {c.counter.account: c.by for c in changes if isinstance(c, Add) and isinstance(c.counter, Balance)}
    assert moved == {HOUSE: -150, purse(MemberId("a")): 150}
    assert closing.cause(season, season.places[0]) == "season/2026-11/a/duels"
    assert any(isinstance(c, Put) and c.was == 0 for c in changes)


def test_a_member_remembers_when_the_ratings_were_frozen() -> None:
    member = Member(MemberId("a"), "A", "a@example.org", "en", "UTC", NOW)
    thawed = unfreeze(freeze(member, later(NOW, 10)), later(NOW, 20))
    assert [thawed.frozen_at(later(NOW, at)) for at in (9, 10, 19, 20)] == [False, True, True, False]
    assert freeze(freeze(member, NOW), later(NOW, 5)).freezes == (NOW,)
