"""Sieges in a real browser: the map by mouse, touch, keyboard and typing, on a phone and on paper; sound pages."""

import itertools
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from engine.decisions import Decision, Put
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.members import Member, MemberId
from engine.platform.sieges.entering import Announce
from engine.platform.sieges.orders import SendOrders
from engine.platform.sieges.records import Siege
from engine.times import DAY, Instant, later
from functions import sieges
from infra.local.server import Machine
from infra.records import MEMBER, SIEGE
from tests.web.conftest import Opener, Signed, overflow, violations

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
ANNOUNCED = itertools.count()  # five a day are allowed to each
A4 = {"width": 703, "height": 1032}  # the page within its margins of 12 mm, at 96 pixels an inch


def siege_of(machine: Machine, page: Page) -> Siege:
    """The siege whose page is shown."""
    found = re.search(r"/sieges/([0-9a-f]+)", page.url)
    row = machine.site.store.get(SIEGE, found[1]) if found else None
    assert row is not None
    return row.value


def open_now(machine: Machine, siege: Siege) -> None:
    """Let the opening come."""
    row = machine.site.store.get(SIEGE, siege.id)
    assert row is not None
    sooner = replace(row.value, opens=Instant(machine.site.sources.now() - 5_000))
    machine.site.store.commit(Decision((Put(sooner, row.version),), None))
    sieges.wake(machine.site, siege.id)


def spot(page: Page, at: str) -> tuple[float, float]:
    """Where a cell of the map is in the window."""
    x, y = page.evaluate(
        """([column, row]) => {
          const map = document.querySelector('[data-board] svg');
          map.scrollIntoView({block: 'center', behavior: 'instant'});
          const point = new DOMPoint(20 * column + 10, 20 * row + 10).matrixTransform(map.getScreenCTM());
          return [point.x, point.y];
        }""",
        [ord(at[0]) - 64, int(at[1:])],
    )
    return x, y


def click(page: Page, *cells: str) -> None:
    """Click cells of the map."""
    for at in cells:
        page.mouse.click(*spot(page, at))


def formation(page: Page, numbers: str) -> None:
    """Choose the servants' places."""
    for number in numbers:
        page.locator(f"[data-formation] label:has([value='{number}'])").click()


def centres(page: Page) -> list[str]:
    """What stands in the three fields."""
    return [field.input_value() for field in page.locator("input[data-cell]").all()]


@pytest.fixture
def preparing(open_page: Opener, machine: Machine, signed_in: Signed) -> tuple[Page, Page]:
    """Ada at a desk and Basile on a phone: in turn one of them announces a siege, the other enters, both prepare."""
    ada = open_page("/sieges/new", **DESK, storage_state=signed_in[0])
    basile = open_page("/sieges/new", **PHONE, storage_state=signed_in[1])
    first, second = (ada, basile) if next(ANNOUNCED) % 2 else (basile, ada)
    first.fill("#name", "The Siege of the Browser")
    first.select_option("#seats", "2")
    first.click("form.panel button.primary")
    first.wait_for_url(re.compile("/sieges/[0-9a-f]{8}"))
    second.goto(first.url)
    second.click("form[action$='/join'] button")
    expect(second.locator(".siege-entrants li")).to_have_count(2)
    open_now(machine, siege_of(machine, first))
    for page in (ada, basile):
        page.goto(first.url)
        expect(page.locator("#orders-title")).to_have_text(re.compile("Prepare your unit|Préparez votre unité"))
    return ada, basile


@pytest.fixture
def playing(preparing: tuple[Page, Page]) -> tuple[Page, Page]:
    """The same in the first turn: Ada's trebuchet is in D4, D5 or D6, Basile's in D9, E9 or D10."""
    for page, cells in zip(preparing, (("D4", "D5", "D6"), ("D9", "E9", "D10")), strict=True):
        formation(page, "146")
        for field, at in zip(page.locator("input[data-cell]").all(), cells, strict=True):
            field.fill(at.lower())
        page.click("form[data-orders] button.primary")
        expect(page.locator(".siege-receipt, #target").first).to_be_attached()
    preparing[0].reload()
    expect(preparing[0].locator("#target")).to_be_visible()
    preparing[1].reload()
    return preparing


def test_a_unit_is_prepared_by_clicks_and_what_is_impossible_is_marked_at_once(preparing: tuple[Page, Page]) -> None:
    ada, _ = preparing
    formation(ada, "146")
    click(ada, "D4", "E9", "A1")
    assert centres(ada) == ["D4", "E9", "A1"]
    expect(ada.locator(".mark.plan")).to_have_count(3)
    expect(ada.locator(".mark.plan.off")).to_have_count(1)
    expect(ada.locator("[data-status]")).to_contain_text("In A1 a servant would stand off the field")
    ada.click("form[data-orders] button.primary")
    expect(ada.locator("#centres-problem")).to_contain_text("In A1 a servant would stand off the field")
    assert centres(ada) == ["D4", "E9", "A1"]
    ada.locator("input[data-cell]").nth(2).fill("c8")
    expect(ada.locator(".mark.plan.off")).to_have_count(0)
    ada.click("form[data-orders] button.primary")
    expect(ada.locator(".siege-receipt")).to_contain_text("Places D4, E9, C8")


def test_a_phone_prepares_by_tapping(preparing: tuple[Page, Page]) -> None:
    _, basile = preparing
    for at in ("C3", "F6", "C9"):
        basile.touchscreen.tap(*spot(basile, at))
    assert centres(basile) == ["C3", "F6", "C9"]
    expect(basile.locator("[data-status]")).to_have_text("C9 choisie")


def test_a_target_is_chosen_by_click_by_keys_and_by_typing(playing: tuple[Page, Page]) -> None:
    ada, basile = playing
    click(ada, "F9")
    expect(ada.locator("#target")).to_have_value("F9")
    expect(ada.locator(".mark.aim")).to_have_count(1)
    ada.locator("[data-board]").focus()
    ada.keyboard.press("ArrowRight")
    expect(ada.locator("[data-status]")).to_have_text("G9")
    ada.keyboard.press("ArrowDown")
    ada.keyboard.press("Enter")
    expect(ada.locator("#target")).to_have_value("G10")
    ada.fill("#target", "b2")
    moved = ada.locator(".mark.aim").get_attribute("transform")
    assert moved == "translate(50 50)"
    basile.fill("#target", "Z9")
    basile.click("form[data-orders] button.primary")
    expect(basile.locator("#target-problem")).to_be_visible()
    expect(basile.locator("#target")).to_have_value("Z9")


def test_a_text_is_looked_at_before_it_is_sent_and_read_by_all_with_the_results(playing: tuple[Page, Page]) -> None:
    ada, basile = playing
    ada.fill("#target", "H11")
    ada.fill("#text", "The *stone* flies.\n\n<script>alert(1)</script>")
    ada.click("button[value=preview]")
    expect(ada.locator("#preview em")).to_have_text("stone")
    expect(ada.locator("#preview")).to_be_in_viewport()
    assert ada.locator("#preview script").count() == 0
    ada.click("form[data-orders] button.primary")
    expect(ada.locator(".siege-receipt")).to_contain_text("A text goes with it")
    basile.fill("#target", "A1")
    basile.click("form[data-orders] button.primary")
    expect(basile.locator("#report-title")).to_have_text("Résultats du tour 1")
    basile.goto(basile.url.partition("?")[0] + "/turns/1")
    expect(basile.locator(".post.prelude em")).to_have_text("stone")
    basile.click(".post.prelude a[href*='quote=']")
    basile.locator("#react textarea").press("End")
    assert "> The *stone* flies." in basile.locator("#react textarea").input_value()
    basile.locator("#react textarea").press_sequentially(" Bravo")
    basile.click("#react button.primary")
    expect(basile.locator(".post:not(.prelude) blockquote em")).to_have_text("stone")
    for page in (ada, basile):
        assert violations(page) == []
        assert overflow(page) == 0


def test_what_others_do_leaves_a_text_being_written_alone(playing: tuple[Page, Page]) -> None:
    ada, basile = playing
    ada.fill("#target", "H11")
    ada.fill("#text", "Half a sen")
    basile.fill("#target", "H11")
    basile.click("form[data-orders] button.primary")
    expect(basile.locator(".siege-receipt")).to_be_visible()
    ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.locator("#siege-scores .state.done")).to_have_count(1)
    assert (ada.input_value("#target"), ada.input_value("#text")) == ("H11", "Half a sen")
    expect(ada.locator("#stale")).to_be_hidden()


@pytest.fixture(scope="module")
def crowded(machine: Machine) -> Siege:
    """Twelve who have played six turns on the largest field; Ada is one of them."""
    site = machine.site
    names = [MemberId(f"guest{n:02}") for n in range(1, 12)]
    people = [Member(id, f"Knight {id[-2:]}", f"{id}@example.org", "en", "UTC", site.sources.now()) for id in names]
    site.store.commit(Decision(tuple(Put(one, 0) for one in people), None))
    ada = site.store.get(MEMBER, "ada")
    assert ada is not None
    opens = later(site.sources.now(), 2 * DAY)
    wanted = Announce(people[0].id, "trebuchet", "The Long Siege", 12, "days3", "Europe/Paris", 0, opens, "crowd")
    siege = sieges.announce(site, people[0], wanted)
    for one in (ada.value, *people[1:]):
        sieges.join(site, one, siege.id)
    open_now(machine, siege)
    for _ in range(7):
        play_a_turn(machine, siege)
    row = site.store.get(SIEGE, siege.id)
    assert row is not None and row.value.turn >= 5 and row.value.stage == "playing"
    return row.value


def play_a_turn(machine: Machine, siege: Siege) -> None:
    """Everybody awaited sends random orders."""
    site = machine.site
    row = site.store.get(SIEGE, siege.id)
    assert row is not None
    now, game = row.value, registry.game(siege.game)
    for seat in now.awaits:
        player = now.seat(seat)
        assert player is not None
        view = game.view(game.load(now.state or {}), seat)
        dice = SeededDice(f"{seat}/{now.turn}".encode(), 1)
        orders = game.write(game.think(view, {"policy": "random"}, dice).orders)
        command = SendOrders(player.member, now.turn, orders, None, False, f"{seat}/{now.turn}", site.sources.now())
        sieges.send(site, siege.id, command)


@pytest.mark.parametrize("look", [{**DESK, "locale": "fr-FR"}, {**PHONE, "color_scheme": "dark"}, DESK, PHONE])
def test_the_largest_field_is_sound_on_a_desk_and_on_a_phone(
    open_page: Opener, crowded: Siege, signed_in: Signed, look: dict[str, object]
) -> None:
    page = open_page(f"/sieges/{crowded.id}", **look, storage_state=signed_in[0])
    for path in ("", "/turns/2", "/dice"):
        page.goto(f"/sieges/{crowded.id}{path}")
        assert violations(page) == [], path
        assert overflow(page) == 0, path


def test_the_largest_field_is_legible_on_a_phone(open_page: Opener, crowded: Siege, signed_in: Signed) -> None:
    page = open_page(f"/sieges/{crowded.id}", **PHONE, storage_state=signed_in[0])
    map = page.locator(".siege-map svg.tb-map").first
    assert map.get_attribute("viewBox") == f"0 0 {20 * 22} {20 * 30}"
    box = map.bounding_box()
    assert box is not None and 340 <= box["width"] <= 360
    heights = page.evaluate(
        "[...document.querySelectorAll('.tb-map .labels text')].map(t => t.getBoundingClientRect().height)"
    )
    assert min(heights) >= 9


@pytest.mark.parametrize("path", ["", "/turns/2"])
def test_the_largest_field_fits_a_sheet_of_paper_under_its_title(
    open_page: Opener, crowded: Siege, signed_in: Signed, path: str
) -> None:
    page = open_page(f"/sieges/{crowded.id}{path}", viewport=A4, storage_state=signed_in[0])
    page.emulate_media(media="print")
    box = page.locator(".siege-map svg.tb-map").first.bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= A4["width"] + 1
    assert box["y"] + box["height"] <= A4["height"]
    assert box["height"] > 0.6 * A4["height"]
    for unwanted in (".siege-orders", ".actions", ".bottom", ".top nav", ".tb-keys"):
        assert not any(element.is_visible() for element in page.locator(unwanted).all()), unwanted


@pytest.mark.parametrize("path", ["/sieges", "/sieges/new", "/rules/trebuchet"])
@pytest.mark.parametrize("look", [{**DESK, "locale": "fr-FR"}, {**PHONE, "color_scheme": "dark"}])
def test_the_pages_around_it_are_sound(
    open_page: Opener, signed_in: Signed, path: str, look: dict[str, object]
) -> None:
    page = open_page(path, **look, storage_state=signed_in[0])
    assert violations(page) == []
    assert overflow(page) == 0


def test_without_scripts_cells_are_typed_and_the_aim_is_on_the_map(
    open_page: Opener, playing: tuple[Page, Page], signed_in: Signed
) -> None:
    page = open_page(playing[0].url, **PHONE, java_script_enabled=False, storage_state=signed_in[0])
    page.fill("#target", "h11")
    page.click("form[data-orders] button.primary")
    expect(page.locator(".siege-receipt")).to_contain_text("H11")
    expect(page.locator(".mark.aim")).to_have_count(1)
    assert overflow(page) == 0
