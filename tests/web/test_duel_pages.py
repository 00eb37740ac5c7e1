"""A duel from the mail link to the replay, in real browsers: with a mouse, without scripts, by keyboard alone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.web.conftest import Opener, Signed, mailed_link, overflow

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 780}
SERIOUS = ("serious", "critical")
MOVE = "form[data-orders] input[id^='move:hq_']"


def own(page: Page, place: str) -> str:
    """The selector of one of the reader's own positions on the map (`hq`, `fwd`, `post`)."""
    return f"a.spot[data-at={place}_{page.locator('svg.fh-map').first.get_attribute('data-side')}]"


def propose(page: Page, opponent: str, pace: str = "feinthold/days1") -> str:
    """Fill in the duels page's form and send it; the duel's path."""
    page.goto("/duels")
    page.locator(f"input[value='{pace}']").check()
    page.get_by_label("Opponent").fill(opponent)
    page.locator("#propose ~ form button").click()
    expect(page.locator(".proposal")).to_be_visible()
    return re.sub(r"^https?://[^/]+", "", page.url)


def opened_by_mail(page: Page, address: str, duel: str) -> None:
    """Press the button behind the link of the turn's latest mail."""
    link = mailed_link(page, address, "/turn/")
    page.goto(link)
    page.locator("main form button").first.click()
    expect(page).to_have_url(re.compile(re.escape(duel)))


def test_two_members_play_two_turns_by_mail_links_and_clicks_and_see_the_replay(
    open_page: Opener, signed_in: Signed
) -> None:
    ada, basile = open_page(storage_state=signed_in[0]), open_page(storage_state=signed_in[1], viewport=PHONE)
    duel = propose(ada, "basile")
    basile.goto("/")
    basile.locator("#invited ~ ul a.main").first.click()
    basile.get_by_role("button", name="Accepter").click()
    by_link = open_page()  # who accepted is on the game's page and gets no mail of its first turn
    opened_by_mail(by_link, "ada@example.org", duel)
    for turn in (1, 2):
        for page in (by_link if turn == 1 else ada, basile):
            page.goto(duel)
            expect(page.locator(".game-turn .turn")).to_contain_text(str(turn))
            page.click(own(page, "hq"))
            page.click(own(page, "fwd" if turn == 1 else "post"))
            page.locator(".send .primary").click()
            expect(page.locator(".receipt, .report, form[action$='/fresh-link']").first).to_be_visible()
            assert overflow(page) <= 0
    by_link.goto(duel)
    expect(by_link.get_by_role("button", name="Mail me a fresh link")).to_be_visible()
    ada.goto(duel)
    ada.locator(".abandon summary").click()
    ada.get_by_role("button", name="Abandon this game").click()
    expect(ada.locator(".result")).to_contain_text("You abandoned.")
    stranger = open_page(f"{duel}/replay?step=2")
    expect(stranger.locator("svg.fh-map").first).to_be_visible()
    expect(stranger.locator(".side")).to_have_count(2)
    assert "Basile" in stranger.locator("h1").inner_text()


def test_without_scripts_forms_alone_play_a_turn(open_page: Opener, signed_in: Signed) -> None:
    plain = {"java_script_enabled": False}
    ada, basile = (
        open_page(storage_state=signed_in[0], **plain),
        open_page(storage_state=signed_in[1], viewport=PHONE, **plain),
    )
    duel = propose(ada, "Basile")
    basile.goto(duel)
    basile.locator("form[action$='/accept'] button").click()
    for page in (ada, basile):
        page.goto(duel)
        page.locator(MOVE).first.fill("2")
        page.locator(".send .primary").click()
    expect(basile.locator(".game-turn .turn")).to_contain_text("2")
    expect(basile.locator(".report")).to_contain_text("2 unités")
    ada.goto(duel)
    ada.locator(MOVE).first.fill("9")
    ada.locator(".send .primary").click()
    expect(ada.locator("#problems")).to_be_visible()
    expect(ada.locator(MOVE).first).to_have_value("9")


def test_the_keyboard_alone_proposes_accepts_and_orders(open_page: Opener, signed_in: Signed) -> None:
    ada, basile = open_page(storage_state=signed_in[0]), open_page(storage_state=signed_in[1])
    ada.goto("/duels")
    _tab_to(ada, "input[name=pace]:checked")
    ada.keyboard.press("ArrowDown")
    _tab_to(ada, "#opponent")
    ada.keyboard.type("Basile")
    ada.keyboard.press("Enter")
    expect(ada.locator(".proposal")).to_contain_text("2 days a turn")
    basile.goto("/")
    _tab_to(basile, "#invited ~ ul a.main")
    basile.keyboard.press("Enter")
    expect(basile.locator(".proposal")).to_be_visible()
    _tab_to(basile, "form[action$='/accept'] button")
    basile.keyboard.press("Enter")
    expect(basile.locator(".game-turn")).to_be_visible()
    _tab_to(basile, own(basile, "hq"))
    basile.keyboard.press("Enter")
    _tab_to(basile, own(basile, "fwd"), back=True)
    basile.keyboard.press("Enter")
    _tab_to(basile, ".send .primary")
    basile.keyboard.press("Enter")
    expect(basile.locator(".receipt")).to_contain_text("4 unités")


def test_a_page_that_changes_keeps_what_is_being_typed(open_page: Opener, signed_in: Signed) -> None:
    ada, basile = open_page(storage_state=signed_in[0]), open_page(storage_state=signed_in[1])
    duel = propose(ada, "Basile", "feinthold/blitz")
    basile.goto(duel)
    basile.locator("form[action$='/accept'] button").click()
    expect(ada.locator(".ready-room")).to_be_visible(timeout=20_000)  # it opened by itself
    for page in (ada, basile):
        page.locator("form[action$='/ready'] button").click()
    for page in (ada, basile):
        expect(page.locator(".game-turn")).to_be_visible()
    ada.locator(MOVE).first.fill("3")
    basile.locator(MOVE).first.fill("1")
    basile.locator(".send .primary").click()
    expect(ada.locator(".game-head .theirs .state")).to_contain_text("orders sent")
    expect(ada.locator("#stale")).to_be_hidden()
    expect(ada.locator(MOVE).first).to_have_value("3")
    ada.locator(".send .primary").click()
    for page in (ada, basile):
        expect(page.locator(".game-turn .turn")).to_contain_text("2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_main_pages_are_accessible_and_fit_a_phone(open_page: Opener, signed_in: Signed, scheme: str) -> None:
    stranger = open_page(viewport=PHONE, color_scheme=scheme)
    for path in ("/", "/sign-in", "/duels", "/rules", "/members/ada"):
        _check(stranger, path)
    page = open_page(viewport=PHONE, color_scheme=scheme, storage_state=signed_in[0])
    propose(page, "")
    propose(page, "Basile")
    for path in ("/", "/games", "/duels", "/duels?after=0.x", "/history", "/members/basile", "/preferences"):
        _check(page, path)


def _check(page: Page, path: str) -> None:
    page.goto(path)
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in SERIOUS] == [], path
    assert overflow(page) <= 0, path


def _tab_to(page: Page, selector: str, back: bool = False) -> None:
    """Press Tab until this has the focus."""
    for _ in range(80):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("s => document.activeElement === document.querySelector(s)", selector):
            return
    raise AssertionError(f"not reached: {selector}")
