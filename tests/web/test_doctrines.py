"""Doctrines, bench, challenges and the Daily Front in a real browser: without scripts, by keyboard, small and large."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from engine.games.feinthold.doctrine.house import HOUSE
from functions.web.packed import pack
from infra.local.server import Machine
from tests.web.conftest import Opener, overflow, sign_in, violations

ADDRESS: Final = "ada@example.org"
BENCH: Final = f"d={pack(HOUSE['pivot'])}"
PAGES: Final = (
    "/doctrines", "/doctrines/1", f"/bench/results?{BENCH}", f"/bench/game?{BENCH}&ai=ram&side=b&layout=7&step=2",
    "/practice", "/challenges", "/challenges/ai:ram", "/challenges/ranking", "/front", "/front/archive",
    "/front/month/2026-11",
)  # fmt: skip


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, machine: Machine) -> Iterator[Any]:
    """The cookies of a member with a published doctrine."""
    context = chromium.new_context(base_url=machine.address, locale="en-GB")
    page = context.new_page()
    sign_in(page, ADDRESS)
    page.goto("/doctrines")
    token = page.input_value("main [name=csrf] >> nth=0")
    sent = page.request.post(
        "/doctrines/1",
        data=json.dumps({"doctrine": HOUSE["pivot"]}),
        headers={"Content-Type": "application/json", "X-CSRF-Token": token},
    )
    assert sent.ok
    page.goto("/doctrines")
    page.click("text=Publish")
    yield context.storage_state()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_and_are_accessible(open_page: Opener, signed_in: Any, path: str) -> None:
    for width, scheme, lang in ((360, "dark", "fr"), (1280, "light", "en")):
        page: Page = open_page(
            f"{path}{'&' if '?' in path else '?'}lang={lang}",
            storage_state=signed_in,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
        )
        assert overflow(page) <= 0
        assert violations(page) == []


def test_another_condition_brings_its_lists(open_page: Opener, signed_in: Any) -> None:
    page = open_page("/doctrines/2", storage_state=signed_in)
    page.select_option("[id='rules.0.if.0.is']", "observed")
    for key in ("place", "op", "n", "within"):
        assert page.locator(f"[name='doctrine.rules.0.if.0.{key}']").count() == 1
    assert page.evaluate("document.activeElement.id") == "rules.0.if.0.is"
    assert page.locator("[data-said]").count() == 0
    page.select_option("[id='rules.0.if.0.place']", "their_hq")
    page.select_option("[id='rules.0.if.0.is']", "units")
    assert page.input_value("[id='rules.0.if.0.place']") == "their_hq"
    page.fill("#name", "Scripted")
    page.click(".bar >> text=Save")
    assert page.locator("main >> text=Scripted").count() >= 1


def test_a_doctrine_is_written_without_scripts(open_page: Opener, signed_in: Any) -> None:
    page = open_page("/doctrines/3", storage_state=signed_in, java_script_enabled=False)
    page.click("text=Add a rule")
    assert page.locator(".rule").count() == 2
    page.select_option("[id='rules.1.then.0.do']", "move")
    page.click("text=Show the lists")
    page.select_option("[id='rules.1.then.0.from']", "my_hq")
    page.select_option("[id='rules.1.then.0.units']", "half")
    page.click(".bar >> text=Save")
    assert "needs a name" in page.inner_text("#problems")
    assert page.input_value("[id='rules.1.then.0.units']") == "half"
    page.fill("#name", "Plain")
    page.click(".bar >> text=Test on the bench")
    assert page.inner_text("h1") == "Test bench: Plain"
    page.click("text=Back to the doctrine")
    page.click(".bar >> text=Save")
    assert "The doctrine is saved." in page.inner_text(".notice.good")


def test_rules_are_ordered_by_keyboard_alone(open_page: Opener, signed_in: Any) -> None:
    page = open_page("/doctrines/1", storage_state=signed_in)
    first = page.inner_text("[data-said] >> nth=0")
    page.focus("[aria-label='Move rule 1 down']")
    page.keyboard.press("Enter")
    page.wait_for_url("**#rules.1")
    assert page.inner_text("[data-said] >> nth=1") == first
    page.focus("#name")
    page.keyboard.press("Enter")  # saves: the form's own button
    page.wait_for_url("**/doctrines?done=saved")


def test_a_file_goes_out_and_comes_in(open_page: Opener, signed_in: Any, tmp_path: Any) -> None:
    page = open_page("/doctrines", storage_state=signed_in)
    with page.expect_download() as started:
        page.click("text=Export >> nth=0")
    file = tmp_path / "doctrine.json"
    started.value.save_as(file)
    assert json.loads(file.read_text("utf-8"))["name"] == "Pivot"
    page.set_input_files("#file", file)
    page.select_option("#slot", "2")
    page.click("text=Open in the editor")
    assert page.input_value("#name") == "Pivot" and "/doctrines" in page.url


def test_one_click_plays_against_a_house_ai(open_page: Opener, signed_in: Any) -> None:
    page = open_page("/practice", storage_state=signed_in)
    page.click("text=Play against Ram")
    page.wait_for_url("**/games/*")
    assert re.search(r"\(you\).*against.*Ram|Ram.*against", page.inner_text("h1"), re.DOTALL)
    page.click("text=Send the orders")
    page.wait_for_url("**sent=1")
    assert "Turn 2 of 8" in page.inner_text("main")


def test_the_front_is_started_by_its_button(open_page: Opener, signed_in: Any) -> None:
    page = open_page("/front", storage_state=signed_in)
    assert page.locator("svg.fh-map").count() == 0
    page.click("form[action='/front'] button")
    page.wait_for_url("**/games/*")
    assert page.locator("svg.fh-map").count() == 1
    assert violations(page) == []
