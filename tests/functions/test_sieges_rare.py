"""What seldom happens in a siege, over the site itself: places that can't be drawn (T3), everybody out at once, ties
(T14) and what becomes of the pot then (P21b)."""

from pathlib import Path
from typing import Any, Final

import pytest

from engine.times import DAY
from tests.support.browser import Browser
from tests.support.sieging import Sieging, credits, give, opened, told
from tests.support.site import TestSite, site_in

HUDDLE: Final = [1, 2, 3]
CLASH: Final = ["D4", "D5", "E5"]  # any two units that stand there share a cell


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def place(siege: Sieging, seat: str, centres: list[str], formation: list[int] = HUDDLE) -> None:
    assert siege.send(seat, {"formation": formation, "centres": centres}).status == 200


def units(siege: Sieging) -> dict[str, Any]:
    """Each player's unit as its owner sees it: its trebuchet, then its servants."""
    found = {}
    for seat in siege.players:
        unit = siege.page(seat)["view"]["units"][seat]
        found[seat] = [unit["trebuchet"], *unit["servants"]]
    return found


class TestADeadlock:
    """T3 with four players, two of whom can never stand beside each other."""

    OTHERS: Final = {"p3": ["H8", "H9", "I9"], "p4": ["C12", "D12", "E12"]}

    @pytest.fixture
    def asked_again(self, site: TestSite) -> Sieging:
        siege = opened(site, 4)
        for seat in ("p1", "p2"):
            place(siege, seat, CLASH)
        for seat, centres in self.OTHERS.items():
            place(siege, seat, centres)
        siege.run()
        assert siege.state.turn == -1
        return siege

    def test_everybody_is_asked_again_and_nobody_learns_because_of_whom(self, asked_again: Sieging) -> None:
        assert told(asked_again, "siege_again") == ["anna", "beth", "chris", "dora"]
        seen = {seat: browser.get(asked_again.path).seen for seat, browser in asked_again.players.items()}
        assert all("free of overlaps" in text for text in seen.values())
        facts = [asked_again.page(seat)["report"]["facts"] for seat in asked_again.players]
        assert all(one == facts[0] for one in facts)
        assert asked_again.state.deadline == asked_again.site.sources.now() + DAY

    def test_if_it_fails_again_those_who_clash_are_drawn_among_what_is_free(self, asked_again: Sieging) -> None:
        for seat in ("p1", "p2"):
            place(asked_again, seat, CLASH)
        place(asked_again, "p4", ["B2", "B3", "B4"], [4, 5, 6])
        assert asked_again.state.turn == -1
        asked_again.pass_time(DAY + 3_000)
        assert asked_again.state.turn == 1
        stand = units(asked_again)
        cells = [cell for unit in stand.values() for cell in unit]
        assert len(cells) == len(set(cells)) == 16
        assert stand["p3"][0] in self.OTHERS["p3"] and stand["p4"][0] in ("B2", "B3", "B4")
        assert told(asked_again, "siege_out") == []
        assert {p.seat for p in asked_again.state.players if p.began} == set(asked_again.players)

    def test_new_places_that_fit_are_drawn_as_they_are(self, asked_again: Sieging) -> None:
        chosen = {"p1": CLASH, "p2": ["G3", "H3", "I3"], **self.OTHERS}
        for seat, centres in chosen.items():
            place(asked_again, seat, centres)
        asked_again.run()
        assert {seat: unit[0] in chosen[seat] for seat, unit in units(asked_again).items()} == dict.fromkeys(
            chosen, True
        )
        public = Browser().data(asked_again.path)
        assert public["siege"]["turn"] == 1 and public["view"]["units"] == {}


def survivors_and_winners(siege: Sieging) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The seats of both honours."""
    assert siege.state.stage == "ended" and siege.state.result is not None
    honours = siege.state.result.honours
    return honours["survivor"], honours["points"]


def purses(siege: Sieging) -> list[int]:
    """What the members hold, by seat."""
    names = ("anna", "beth", "chris")
    return [credits(siege.site, f"member/{name}") for name in names[: len(siege.players)]]


def missing_each_other(site: TestSite) -> Sieging:
    """Three pay 9 credits, stand at the top of the field, fire at its bottom, and agree to end it."""
    give(site, 30, "anna", "beth", "chris")
    siege = opened(site, 3, fee=9)
    for seat, column in (("p1", "B"), ("p2", "E"), ("p3", "H")):
        place(siege, seat, [f"{column}2", f"{column}3", f"{column}4"], [1, 2, 8])
    siege.run()
    for agree in (False, True):
        for seat in siege.players:
            assert siege.send(seat, {"target": "J14", "agree_end": agree}).status == 200
        siege.run()
    return siege


def test_equal_points_share_their_half_of_the_pot(site: TestSite) -> None:
    """27 credits are 14 and 13; what can't be divided goes to the earlier entry."""
    siege = missing_each_other(site)
    assert survivors_and_winners(siege) == (("p1", "p2", "p3"), ("p1", "p2", "p3"))
    assert purses(siege) == [21 + 6 + 5, 21 + 4 + 4, 21 + 4 + 4]
    seen = Browser().get(siege.path).seen
    assert "Last survivors: Anna, Beth and Chris." in seen and "Winners on points: Anna, Beth and Chris." in seen
    assert "Anna gets 11 credits of the pot." in seen
    assert sorted(told(siege, "siege_won")) == ["anna", "beth", "chris"]


def firing_at_themselves(folder: Path, skipped: int) -> Sieging:
    """Two with all their servants together aim into their midst until somebody is out; `skipped` seeds are not used."""
    folder.mkdir()
    site = site_in(folder)
    give(site, 30, "anna", "beth")
    for _ in range(skipped):
        site.sources.seed()
    siege = opened(site, 2, fee=25)
    place(siege, "p1", ["B3", "B4", "C3"])
    place(siege, "p2", ["G9", "G10", "F9"])
    siege.run()
    targets = {seat: siege.page(seat)["view"]["units"][seat]["servants"][1] for seat in siege.players}
    for _ in range(20):
        if siege.state.stage != "playing":
            break
        for seat in siege.state.awaits:
            assert siege.send(seat, {"target": targets[seat]}).status == 200
        siege.run()
    return siege


def test_when_all_go_out_at_once_nobody_survives_and_the_points_take_it_all(tmp_path: Path) -> None:
    for skipped in range(40):
        siege = firing_at_themselves(tmp_path / str(skipped), skipped)
        if survivors_and_winners(siege)[0] == ():
            break
    else:
        raise AssertionError("one of them always survived")
    assert survivors_and_winners(siege)[1] == ("p1", "p2")
    assert purses(siege) == [30, 30]
    seen = Browser().get(siege.path).seen
    assert "Last survivor: nobody." in seen and "Winners on points: Anna and Beth." in seen
    assert siege.page("p1")["may"] == []
    assert Browser().get(f"{siege.path}/story").status == Browser().get(f"{siege.path}/dice").status == 200
