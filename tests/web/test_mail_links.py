"""Mails' links in a real browser (P1): scanners that run scripts change nothing, newcomers join."""

import re

import pytest
from playwright.sync_api import Page, expect

from functions.mail_links import read_sign_in
from infra.local.server import Machine
from infra.records import SIGN_IN
from tests.web.conftest import Opener, mailed_link, overflow, sign_in

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}


def ask(page: Page, address: str) -> str:
    """Ask for a link; the link."""
    page.goto("/sign-in")
    page.fill("main [name=address]", address)
    page.click("main button")
    return mailed_link(page, address, "/sign-in/")


def test_a_scanner_that_opens_a_link_ten_times_and_runs_its_scripts_changes_nothing(
    open_page: Opener, machine: Machine
) -> None:
    asking, scanner = open_page(), open_page()
    link = ask(asking, "scanned@example.org")
    id = read_sign_in(machine.site.settings, link.rpartition("/")[2], machine.site.sources.now())
    before = machine.site.store.get(SIGN_IN, id or "")
    sent: list[str] = []
    scanner.on("request", lambda request: sent.append(request.method))
    for _ in range(10):
        scanner.goto(link)
        scanner.wait_for_load_state("networkidle")
    assert before is not None
    assert machine.site.store.get(SIGN_IN, id or "") == before
    assert set(sent) == {"GET"}
    expect(scanner.locator("main form button")).to_have_count(1)
    asking.goto(link)
    asking.click("main button")
    expect(asking.get_by_role("heading", level=1)).to_have_text("Welcome")


def test_a_newcomers_zone_is_that_of_the_device(open_page: Opener) -> None:
    page = open_page(timezone_id="Asia/Tokyo", viewport=PHONE)
    sign_in(page, "tokyo@example.org")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    page.get_by_label("Name", exact=True).fill("Haruki")
    page.get_by_role("button", name="Create my account").click()
    page.goto("/preferences")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    assert overflow(page) <= 0


def test_without_scripts_the_code_opens_another_browser(open_page: Opener) -> None:
    desk = open_page(java_script_enabled=False)
    phone = open_page(java_script_enabled=False, viewport=PHONE, locale="fr-FR")
    link = ask(desk, "two@example.org")
    phone.goto(link)
    assert overflow(phone) <= 0
    mails = phone.request.get("/_mail", headers={"Accept": "application/json"}).json()["mails"]
    found = re.search(r"\b\d{4} \d{4}\b", next(m["text"] for m in mails if m["to"] == "two@example.org"))
    assert found
    phone.get_by_label("Code du message").fill(found[0])
    phone.locator("main button").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Bienvenue")
    phone.get_by_label("Nom").fill("<b>Zoé")
    phone.get_by_role("button", name="Créer mon compte").click()
    expect(phone.get_by_label("Nom")).to_have_value("<b>Zoé")
    expect(phone.get_by_label("Nom")).to_have_attribute("aria-invalid", "true")
    assert overflow(phone) <= 0
    phone.get_by_label("Nom").fill("Zoé")
    phone.get_by_role("button", name="Créer mon compte").click()
    expect(phone.get_by_role("link", name="Zoé")).to_be_visible()
