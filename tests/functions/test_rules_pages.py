"""The rules pages: what they say of the club is what the code does (P15, P17, P19, P26)."""

import re
from pathlib import Path

import pytest

from engine.platform.elo import START
from engine.platform.seasons import records as seasons
from engine.platform.tournaments import records as tournaments
from tests.support.browser import Browser
from tests.support.site import site_in


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    site_in(tmp_path)
    return Browser()


def _numbers(page: str, part: str) -> set[int]:
    section = page.split(f'<section id="{part}">')[1].split("</section>")[0]
    return {int(n) for n in re.findall(r"\d+", re.sub(r"<[^>]*>", " ", section))}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_rules_name_the_figures_of_seasons_ratings_and_fees(browser: Browser, lang: str) -> None:
    page = browser.get(f"/rules?lang={lang}").text
    assert _numbers(page, "seasons") == {
        *seasons.PRIZES,
        seasons.DUELS,
        seasons.CHALLENGES,
        seasons.MET,
        seasons.DAYS,
    }
    assert START // 10 in _numbers(page, "ratings")
    assert tournaments.MOST_FEE in _numbers(page, "cups")


def test_the_contents_of_the_rules_lead_to_every_part(browser: Browser) -> None:
    page = browser.get("/rules").text
    contents = page.split('<nav class="contents"')[1].split("</nav>")[0]
    assert re.findall(r'href="#(\w+)"', contents) == re.findall(r'<section id="(\w+)"', page)


@pytest.mark.parametrize(
    ("game", "path"), [("feinthold", "/duels#propose"), ("relief", "/play/relief"), ("trebuchet", "/sieges")]
)
def test_the_rules_of_a_game_end_where_it_is_played(browser: Browser, game: str, path: str) -> None:
    end = browser.get(f"/rules/{game}").text.split("</article>")[0].rsplit('<div class="actions">', 1)[1]
    assert f'href="{path}"' in end and 'href="/rules"' in end
