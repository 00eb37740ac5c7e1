"""Feinthold in a real browser: orders by clicking and by keyboard, live pages, the replay, accessibility."""

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.web.conftest import Opener, Signed, overflow

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 780}}
DESK = {"viewport": {"width": 1280, "height": 800}}
Table = tuple[Page, Page]


@pytest.fixture
def pair(open_page: Opener, signed_in: Signed) -> Table:
    """Ada at a desk and Basile on a phone."""
    pages = open_page(**DESK, storage_state=signed_in[0]), open_page(**PHONE, storage_state=signed_in[1])
    for page in pages:
        page.set_default_timeout(10_000)
    return pages


@pytest.fixture
def table(pair: Table) -> Table:
    """Ada and Basile in the first turn of a duel by correspondence."""
    ada, basile = pair
    propose(ada, "days1")
    basile.goto(ada.url)
    basile.click("main form[action$='/accept'] button")
    ada.goto(ada.url)
    return ada, basile


def propose(page: Page, pace: str) -> None:
    """Propose a duel to Basile, and see it."""
    token = page.request.get("/duels", headers={"Accept": "application/json"}).json()["csrf"]
    asked = {"csrf": token, "game": "feinthold", "pace": pace, "opponent": "Basile"}
    answer = page.request.post("/duels", form=asked, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])


def side(page: Page) -> str:
    """The reader's side."""
    return page.locator("svg.fh-map").first.get_attribute("data-side") or ""


def spot(page: Page, name: str) -> str:
    """The selector of a position that is the reader's own by its name (`hq`, `fwd`, `post`)."""
    return f"a.spot[data-at={name}_{side(page)}]"


def figure(page: Page, source: str, to: str) -> str:
    """The units that a move between two own positions has."""
    end = side(page)
    return page.locator(f"[id='move:{source}_{end}:{to}_{end}']").input_value()


def test_clicking_two_positions_orders_a_move(table: Table) -> None:
    ada, _ = table
    ada.click(spot(ada, "hq"))
    expect(ada.locator("a.spot.target")).to_have_count(2)
    ada.click(spot(ada, "fwd"))
    assert figure(ada, "hq", "fwd") == "4"
    expect(ada.locator(".arrows .arrow.on text")).to_have_text("4")
    ada.locator(".fh-line.reinforce button").nth(1).click()
    expect(ada.locator("#fh-left")).to_have_text("3")
    expect(ada.locator("a.spot .placed.on text")).to_have_text("+1")
    ada.locator(".send .primary").click()
    expect(ada.locator(".receipt")).to_contain_text("Move, HQ → Forward relay: 4 units")
    expect(ada.locator(".receipt")).to_contain_text("Reinforce, HQ: 1 unit")


def test_steppers_stop_at_what_is_there(table: Table) -> None:
    _, basile = table
    basile.click(spot(basile, "hq"))
    more = basile.locator(".fh-line.move").first.locator("button").last
    for _ in range(6):
        more.click()
    assert figure(basile, "hq", "fwd") == "4"
    other = basile.locator(".fh-line.move").nth(1).locator("button").last
    other.click()
    assert figure(basile, "hq", "post") == "0"


def test_the_keyboard_alone_is_enough(table: Table) -> None:
    ada, _ = table
    ada.locator(spot(ada, "hq")).focus()
    ada.keyboard.press("Enter")
    expect(ada.locator(spot(ada, "hq"))).to_have_attribute("aria-pressed", "true")
    expect(ada.locator(".fh-status")).to_contain_text("Your HQ")
    ada.locator(spot(ada, "post")).focus()
    ada.keyboard.press("Space")
    assert figure(ada, "hq", "post") == "4"
    field = ada.locator(f"[id='move:hq_{side(ada)}:post_{side(ada)}']")
    field.focus()
    ada.keyboard.press("ArrowDown")
    assert figure(ada, "hq", "post") == "3"
    ada.keyboard.press("Enter")
    expect(ada.locator(".receipt")).to_contain_text("Move, HQ → Post: 3 units")


def test_refused_orders_take_the_focus_and_lead_to_the_field(table: Table) -> None:
    ada, _ = table
    key = f"move:hq_{side(ada)}:fwd_{side(ada)}"
    ada.locator(f"[id='{key}']").fill("9")
    ada.locator(".send .primary").click()
    expect(ada.locator("#problems")).to_be_focused()
    ada.click(f"#problems a[href='#{key}']")
    expect(ada.locator(f"[id='{key}']")).to_be_focused()
    assert figure(ada, "hq", "fwd") == "9"


def test_who_turned_to_the_fields_chooses_anew_on_the_map(table: Table) -> None:
    ada, _ = table
    ada.click(spot(ada, "hq"))
    ada.locator(".fh-line.reinforce button").nth(1).click()
    expect(ada.locator("a.spot.target")).to_have_count(0)
    ada.click(spot(ada, "fwd"))
    assert figure(ada, "hq", "fwd") == "0"
    expect(ada.locator("a.spot.chosen")).to_have_attribute("data-at", f"fwd_{side(ada)}")


def test_the_same_two_clicks_take_a_move_back(table: Table) -> None:
    ada, _ = table
    for units in ("4", "0", "4"):
        ada.click(spot(ada, "hq"))
        ada.click(spot(ada, "fwd"))
        assert figure(ada, "hq", "fwd") == units


def test_a_name_on_the_map_is_its_position(table: Table) -> None:
    for page in table:
        own = spot(page, "hq")
        name = page.locator(".fh-map .names text", has_text=page.locator(own).get_attribute("data-name"))
        name.scroll_into_view_if_needed()
        box = name.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(own)).to_contain_class("chosen")


def test_positions_fold_by_hand_and_all_unfold_at_once(table: Table) -> None:
    ada, _ = table
    fold, field = ada.locator(".fh-fold"), ada.locator(f"[id='reinforce:hq_{side(ada)}']")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(field).to_be_hidden()
    ada.click(".fh-all")
    expect(field).to_be_visible()


def test_orders_begun_are_kept_when_the_page_is_left(table: Table) -> None:
    ada, _ = table
    ada.click(spot(ada, "hq"))
    ada.click(spot(ada, "post"))
    ada.click(".notes summary")
    ada.fill("#notes", "half a thought")
    address = ada.url
    ada.click("text=Read the rules")
    ada.wait_for_url("**/rules/**")
    for _ in range(100):  # what leaves with a page tells nobody that it has arrived
        kept = ada.request.get(address, headers={"Accept": "application/json"}).json()
        if kept["notes"] and kept["drafted"]:
            break
        ada.wait_for_timeout(100)
    ada.go_back()
    assert figure(ada, "hq", "post") == "4"
    expect(ada.locator("#notes")).to_have_value("half a thought")
    expect(ada.locator(".draft-note")).to_be_visible()


def test_an_earlier_report_leaves_the_orders_begun_alone(table: Table) -> None:
    ada, basile = table
    for _ in range(2):
        for page in (ada, basile):
            page.goto(ada.url.split("?")[0])
            page.locator(".send .primary").click()
    ada.goto(ada.url.split("?")[0])
    ada.click(spot(ada, "hq"))
    ada.click(spot(ada, "fwd"))
    ada.locator(".earlier a").first.click()
    expect(ada.locator("#report-title")).to_contain_text("turn 1")
    assert figure(ada, "hq", "fwd") == "4"


def test_it_works_on_a_phone_without_scripts(open_page: Opener, table: Table) -> None:
    ada, basile = table
    plain = open_page(**PHONE, java_script_enabled=False, storage_state=basile.context.storage_state())
    plain.goto(ada.url)
    assert overflow(plain) <= 0
    plain.locator(f"[id='move:hq_{side(plain)}:fwd_{side(plain)}']").fill("2")
    plain.locator("[formaction$='/draft']").click()
    assert figure(plain, "hq", "fwd") == "2"
    expect(plain.locator(".arrows .arrow.on text")).to_have_text("2")
    plain.locator(".send .primary").click()
    expect(plain.locator(".receipt")).to_contain_text("Déplacement, QG → Relais avancé : 2 unités")


def live(ada: Page, basile: Page) -> None:
    """Both in the first turn of a live duel, whose page has opened by itself."""
    propose(ada, "blitz")
    basile.goto(ada.url)
    basile.click("main form[action$='/accept'] button")
    basile.click("main form[action$='/ready'] button")
    expect(ada.locator("main form[action$='/ready'] button")).to_be_visible(timeout=20_000)
    ada.click("main form[action$='/ready'] button")
    for page in (ada, basile):
        expect(page.locator("svg.fh-map")).to_be_visible(timeout=10_000)


def test_a_live_game_opens_and_turns_by_itself(pair: Table) -> None:
    ada, basile = pair
    live(ada, basile)
    basile.click(spot(basile, "hq"))
    expect(basile.locator("a.spot.chosen")).to_have_count(1)
    basile.locator(".send .primary").click()
    ada.locator(".send .primary").click()
    expect(basile.locator(".report h2")).to_contain_text("tour 1", timeout=10_000)


def test_after_refused_orders_the_page_goes_on_by_itself_with_the_notes_begun(pair: Table) -> None:
    ada, basile = pair
    live(ada, basile)
    key = f"move:hq_{side(ada)}:fwd_{side(ada)}"
    ada.locator(f"[id='{key}']").fill("9")
    ada.locator(".send .primary").click()
    expect(ada.locator("#problems")).to_be_focused()
    expect(ada).to_have_url(basile.url)
    basile.locator(".send .primary").click()
    expect(ada.locator(".game-head .theirs .state")).to_contain_text("sent", timeout=10_000)
    assert figure(ada, "hq", "fwd") == "9"
    ada.locator(f"[id='{key}']").fill("1")
    ada.locator(".send .primary").click()
    expect(ada.locator(".turn")).to_contain_text("2")
    ada.click(".notes summary")
    ada.fill("#notes", "half a thought")
    basile.click(".abandon summary")
    basile.click(".abandon button")
    expect(ada.locator(".result")).to_be_visible(timeout=10_000)
    expect(ada.locator("#notes")).to_have_value("half a thought")
    basile.click("text=Revanche")
    expect(ada.locator(".result")).to_contain_text("Basile asks for a rematch.", timeout=10_000)
    ada.click("text=Accept the rematch")
    expect(ada.locator(".ready-room")).to_be_visible()
    expect(basile.locator(".ready-room")).to_be_visible(timeout=10_000)


def test_the_replay_steps_by_arrow_keys(table: Table) -> None:
    ada, basile = table
    for page in table:
        page.locator(".send .primary").click()
    ada.goto(ada.url.split("?")[0])
    ada.click(".abandon summary")
    ada.click(".abandon button")
    ada.click("text=See the replay")
    expect(ada.locator(".eyes [aria-current]")).to_have_text("Ada")
    expect(ada.locator("[data-replay] [data-scripted]")).to_be_visible()
    ada.evaluate("window.kept = true")
    ada.click(".fh-legend summary")
    ada.keyboard.press("ArrowRight")
    ada.wait_for_url("**step=1*")
    ada.click("#eyes-all")
    expect(ada.locator(".eyes [aria-current]")).to_have_text("Everything")
    expect(ada.locator(".fh-legend")).to_have_attribute("open", "")
    assert ada.evaluate("window.kept") is True
    expect(ada.locator("[data-step=next]")).to_have_attribute("aria-disabled", "true")
    assert_accessible(ada)
    basile.goto(ada.url)
    assert overflow(basile) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_game_is_accessible_in_both_themes(table: Table, scheme: str) -> None:
    ada, basile = table
    for page in table:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.reload()
        page.click(spot(page, "hq"))
        assert overflow(page) <= 0
        assert_accessible(page)
    ada.locator(f"[id='move:hq_{side(ada)}:fwd_{side(ada)}']").fill("9")
    ada.locator(".send .primary").click()
    assert_accessible(ada)
    basile.locator(".send .primary").click()
    basile.click(".proof summary")
    assert_accessible(basile)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rules_are_accessible_and_fit_a_phone(open_page: Opener, locale: str, scheme: str) -> None:
    page = open_page("/rules/feinthold", **PHONE, locale=locale, color_scheme=scheme)
    page.click(".fh-legend summary")
    assert overflow(page) <= 0
    assert_accessible(page)
    page.goto("/rules")
    assert overflow(page) <= 0
    assert_accessible(page)


def assert_accessible(page: Page) -> None:
    """No fault that axe-core can find."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
