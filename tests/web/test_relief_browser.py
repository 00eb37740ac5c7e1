"""Relief in a real browser: by mouse, by touch, by keyboard, without scripts, live, and for who needs it said."""

import os
import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Opener, Signed, overflow, violations

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
Table = tuple[Page, Page]


@pytest.fixture
def table(open_page: Opener, signed_in: Signed) -> Table:
    """Red (at a desk) and blue (on a phone) at the start of a live game."""
    ada = open_page("/play/relief", **DESK, storage_state=signed_in[0])
    basile = open_page("/play/relief", **PHONE, storage_state=signed_in[1])
    ada.click("form:has(button[name=link]) button[name=link]")
    ada.wait_for_url("**/games/*")
    basile.goto(ada.url)
    basile.click("main form[action$='/accept'] button")
    for page in (ada, basile):
        page.set_default_timeout(10_000)
        page.goto(ada.url)
        page.click("main form[action$='/ready'] button")
    for page in (ada, basile):
        expect(page.locator(".rf-figure .rf-board")).to_be_visible()
    return (ada, basile) if ada.locator("svg[data-board]").count() else (basile, ada)


@pytest.fixture
def alone(open_page: Opener) -> Page:
    """A guest with red against the computer, on the board Classic."""
    return against_computer(open_page("/play/relief", **DESK))


def against_computer(page: Page) -> Page:
    """The first move of a game against the computer."""
    form = page.locator("form[action='/play/relief']")
    form.locator("label:has([value=red])").click()
    form.locator("select").select_option("classic")
    form.locator("button").click()
    page.wait_for_url("**/games/*")
    page.set_default_timeout(10_000)
    return page


def cell(page: Page, at: str) -> Locator:
    """A cell of the board."""
    return page.locator(f".rf-cell[data-at={at}]")


def moves(page: Page) -> Locator:
    """The moves of the list."""
    return page.locator(".rf-moves a")


def test_a_piece_lights_its_cells_and_a_click_on_one_plays(alone: Page) -> None:
    cell(alone, "c1").click()
    expect(cell(alone, "c3")).to_have_class("rf-cell h0 go")
    expect(alone.locator(".rf-cell.go")).not_to_have_count(0)
    cell(alone, "j9").click()
    expect(cell(alone, "e1").locator(".rf-piece")).to_be_visible()
    cell(alone, "c1").click()
    cell(alone, "c3").click()
    expect(moves(alone).first).to_have_text("E c1–c3")
    expect(moves(alone)).to_have_count(2, timeout=8_000)
    expect(alone.locator("#turn-title")).to_contain_text("Your move")


def test_the_other_sides_move_is_seen_within_a_second(table: Table) -> None:
    red, blue = table
    taken = [seen_after(*pair) for pair in ((red, blue, "c1c3"), (blue, red, "c10c8"), (red, blue, "c3c1"))]
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    assert min(taken) < max(1, busy), taken
    expect(blue.locator("#move")).to_be_attached()
    expect(blue.locator(".player-bar.moves .clock")).to_have_text(re.compile(r"^\s*9:5\d\s*$"))


def seen_after(mover: Page, other: Page, word: str) -> float:
    """The seconds from a move's click to the other side's page with it."""
    expect(mover.locator("#move")).to_be_attached(timeout=3_000)
    there = moves(other).count()
    mover.evaluate("word => (document.querySelector('#move').value = word)", word)
    begun = time.monotonic()
    mover.evaluate("document.querySelector('form[data-orders]').requestSubmit()")
    other.wait_for_function("n => document.querySelectorAll('.rf-moves a').length > n", arg=there, polling=20)
    return time.monotonic() - begun


def test_the_own_rows_are_at_the_bottom(table: Table) -> None:
    for page, bottom in zip(table, ("1", "10"), strict=True):
        rows = page.locator(".rf-names text")
        assert rows.last.text_content() == bottom


def test_all_of_it_works_by_keyboard(alone: Page) -> None:
    first = alone.locator(".rf-cell[tabindex='0']")
    first.focus()
    expect(first).to_have_attribute("aria-label", "c1, height 0, red Explorer")
    alone.keyboard.press("Enter")
    expect(alone.locator(".rf-status")).to_have_text("c1 chosen: now its target.")
    alone.keyboard.press("ArrowUp")
    expect(cell(alone, "c2")).to_be_focused()
    alone.keyboard.press("ArrowRight")
    alone.keyboard.press("ArrowLeft")
    alone.keyboard.press("ArrowUp")
    expect(cell(alone, "c3")).to_be_focused()
    assert "c1 → c3" in (cell(alone, "c3").get_attribute("aria-label") or "")
    alone.keyboard.press("Escape")
    expect(alone.locator(".rf-cell.go")).to_have_count(0)
    cell(alone, "c1").focus()
    alone.keyboard.press(" ")
    cell(alone, "c3").focus()
    alone.keyboard.press("Enter")
    expect(moves(alone).first).to_have_text("E c1–c3")


def test_a_red_cell_tells_its_sum_on_hover_focus_and_first_tap(table: Table) -> None:
    page, move = near_attack(*table)
    status = page.locator(".rf-status")
    cell(page, move[0]).click()
    target = cell(page, move[1])
    before = moves(page).count()
    target.focus()
    expect(status).to_have_text(re.compile(r"\d (against|contre) \d"))
    expect(page.locator(".rf-bubble")).to_have_attribute("visibility", "visible")
    if page.viewport_size == PHONE["viewport"]:
        page.locator(".rf-cell.start").focus()
        target.tap()
        expect(status).to_have_text(re.compile("Tap again|Touchez encore"))
        assert moves(page).count() == before
        target.tap()
    else:
        target.hover()
        expect(status).to_have_text(re.compile(r"\d (against|contre) \d"))
        target.click()
    expect(moves(page)).to_have_count(before + 1)


def near_attack(red: Page, blue: Page) -> tuple[Page, tuple[str, str]]:
    """Play the most advanced moves on both sides until one of them can attack."""
    for _ in range(60):
        for page in (red, blue):
            if not page.locator("#move").count():
                continue
            attack = page.locator("#move option[data-sums]").first
            if attack.count():
                return page, (attack.get_attribute("data-from") or "", attack.get_attribute("data-to") or "")
            sign = 1 if page is red else -1
            page.evaluate(
                """sign => {
                  const options = [...document.querySelectorAll('#move option[data-from]')];
                  const gain = (o) => sign * (parseInt(o.dataset.to.slice(1)) - parseInt(o.dataset.from.slice(1)));
                  options.sort((a, b) => gain(b) - gain(a));
                  document.querySelector('#move').value = options[0].value;
                  document.querySelector('form[data-orders]').requestSubmit();
                }""",
                sign,
            )
            expect(page.locator("#move")).to_have_count(0)
            other = blue if page is red else red
            expect(other.locator("#move")).to_have_count(1, timeout=4_000)
    raise AssertionError("nobody can attack")


def test_without_scripts_a_list_of_moves_plays(open_page: Opener) -> None:
    page = against_computer(open_page("/play/relief", **PHONE, java_script_enabled=False))
    page.locator("#move").select_option("c1c3")
    page.click(".rf-form button")
    expect(moves(page).first).to_have_text("E c1–c3")
    assert overflow(page) == 0


def test_pages_are_sound_for_everybody(open_page: Opener, table: Table) -> None:
    red, blue = table
    stranger = open_page(red.url.replace("http://", "http://"), **PHONE, color_scheme="dark")
    cell(red, "d1").click()
    for page in (red, blue, stranger):
        assert violations(page) == []
        assert overflow(page) == 0
    expect(stranger.locator(".rf-figure .rf-board")).to_be_visible()
    assert stranger.locator("main form").count() == 0


@pytest.mark.parametrize("path", ["/play", "/play/relief", "/import", "/rules/relief"])
@pytest.mark.parametrize("look", [{**DESK, "locale": "fr-FR"}, {**PHONE, "color_scheme": "dark"}])
def test_the_pages_around_it_are_sound(open_page: Opener, path: str, look: dict[str, object]) -> None:
    page = open_page(path, **look)
    assert violations(page) == []
    assert overflow(page) == 0


def test_a_replay_is_stepped_by_its_keys(alone: Page) -> None:
    cell(alone, "c1").click()
    cell(alone, "c3").click()
    expect(moves(alone)).to_have_count(2, timeout=8_000)
    moves(alone).first.click()
    expect(alone.locator(".count-of")).to_have_text("1 / 2")
    expect(alone.locator(".hint[data-scripted]")).to_be_visible()
    alone.keyboard.press("ArrowRight")
    expect(alone.locator(".count-of")).to_have_text("2 / 2")
    alone.keyboard.press("ArrowLeft")
    expect(alone.locator(".count-of")).to_have_text("1 / 2")
    alone.keyboard.press("ArrowLeft")
    expect(alone.locator(".count-of")).to_have_text("0 / 2")
    assert violations(alone) == []
