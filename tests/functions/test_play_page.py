"""A game's own page: its three ways to play, and refused forms that come back to it."""

from pathlib import Path

import pytest

from engine.games import registry
from tests.support.browser import Browser
from tests.support.duelling import member
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    found = member(site, "Anna")
    found.get("/play/relief")
    return found


def test_every_game_has_a_place_to_be_played(site: TestSite) -> None:
    shown = Browser().data("/play")["games"]
    assert {one["game"]: one["path"] for one in shown} == {
        "feinthold": "/duels",
        "relief": "/play/relief",
        "trebuchet": "/sieges",
    }
    for one in shown:
        assert Browser().get(one["path"]).status == 200


def test_a_refused_challenge_by_name_comes_back_to_the_games_page_as_typed(anna: Browser) -> None:
    fields = {"game": "relief", "way": "named", "pace": "days2", "board": "spurs", "opponent": "Nobdy"}
    answer = anna.post("/duels", fields)
    assert answer.status == 422
    assert 'action="/play/relief"' in answer.text
    assert 'value="Nobdy"' in answer.text and 'aria-describedby="opponent-problem"' in answer.text
    assert '<option value="spurs" selected>' in answer.text
    assert answer.text.count('value="days2" checked') == 1
    assert answer.text.count('value="live" checked') == 2


@pytest.mark.parametrize("way", ["ranked", "friend"])
def test_what_is_wrong_with_a_pace_is_said_in_its_own_form(anna: Browser, way: str) -> None:
    answer = anna.post("/duels", {"game": "relief", "way": way, "pace": "hourly", "link": "1"})
    assert answer.status == 422
    before, _, after = answer.text.partition('id="pace-problem"')
    assert before.rfind(f'name="way" value="{way}"') == before.rfind('name="way"') and after
    assert 'id="pace"' in before


def test_a_refused_game_against_the_computer_comes_back_as_typed(anna: Browser) -> None:
    fields = {"way": "computer", "level": "level3", "seat": "blue", "board": "nowhere", "pace": "live"}
    answer = anna.post("/play/relief", fields)
    assert answer.status == 422
    assert 'name="level" value="level3" checked' in answer.text and 'name="seat" value="blue" checked' in answer.text
    assert 'type="checkbox" name="pace" value="live" checked' in answer.text
    assert 'id="board-problem"' in answer.text


def test_the_duels_pages_own_form_comes_back_to_the_duels_page(anna: Browser) -> None:
    answer = anna.post("/duels", {"pace": "relief/days1", "opponent": "Nobdy"})
    assert answer.status == 422 and 'action="/play/relief"' not in answer.text
    odd = anna.post("/duels", {"game": "feinthold", "way": "named", "pace": "days1", "opponent": "Nobdy"})
    assert odd.status == 422 and 'action="/play/' not in odd.text


@pytest.mark.parametrize("path", ["/", "/play"])
def test_the_games_are_told_of_without_one_being_imported(
    site: TestSite, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """All three took a tenth of a second of a stranger's first page on Lambda."""
    monkeypatch.setattr(registry, "game", lambda name: pytest.fail(f"{name} is imported"))
    page = Browser().get(path).text
    assert all(f'href="{place}"' in page for place in ("/duels", "/play/relief", "/sieges"))
