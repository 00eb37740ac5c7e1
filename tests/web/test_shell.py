"""The shell in a real browser: theme, language, countdown, refresh, small screens."""

import pytest
from playwright.sync_api import Page, Route, expect

from infra.local.server import Machine
from tests.web.conftest import Opener, overflow, sign_in, violations

pytestmark = pytest.mark.browser

PROBE = """<!doctype html><html lang="en" data-theme="auto" data-speed="{speed}"><title>Probe</title>
<script type="module" src="{script}"></script>
<body><div id="stale" hidden><p>changed</p><button type="button">Show</button></div>
<main data-refresh="/probe/version" data-every="100"{version}><p id="text">{text}</p>
<form><input id="field" name="field"></form>
<span class="countdown" data-deadline="{deadline}" data-now="0" data-units="0 d|0 h|0 min|0 s" data-said="0 left"><span
 class="left">?</span></span></main></body></html>"""


class Probe:
    """A page that refreshes, whose text and version the test changes."""

    def __init__(self, page: Page, machine: Machine, deadline: int = 90_061_000, speed: float = 1) -> None:
        self.text, self.version, self.asked = "one", "1", 0
        self._script = machine.site.pages.asset("app.js")
        self._deadline, self._speed = deadline, speed
        page.route("**/probe", self._page)
        page.route("**/probe/version", self._version)

    def _page(self, route: Route) -> None:
        body = PROBE.format(
            script=self._script,
            text=self.text,
            version=f' data-version="{self.version}"',
            deadline=self._deadline,
            speed=self._speed,
        )
        route.fulfill(content_type="text/html", body=body)

    def _version(self, route: Route) -> None:
        self.asked += 1
        if route.request.headers.get("if-none-match") == f'"{self.version}"':
            route.fulfill(status=204)
        else:
            route.fulfill(content_type="application/json", body=f'{{"version": "{self.version}"}}')


def test_the_theme_changes_at_once_and_stays(open_page: Opener) -> None:
    page = open_page("/rules", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    with page.expect_response("**/look"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")


def test_language_and_theme_work_without_scripts(open_page: Opener) -> None:
    page = open_page("/rules", java_script_enabled=False)
    page.get_by_role("button", name="Français").click()
    assert page.url.endswith("/rules")
    page.get_by_role("button", name="Sombre").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_member_s_language_follows_to_other_browsers(open_page: Opener) -> None:
    page = open_page()
    sign_in(page, "ada@example.org")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_keyboard_reaches_the_content_first(open_page: Opener) -> None:
    page = open_page("/rules")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("path", ["/", "/nowhere", "/rules", "/sign-in", "/_mail"])
def test_pages_fit_a_small_screen(open_page: Opener, path: str, locale: str) -> None:
    page = open_page(path, viewport={"width": 360, "height": 740}, locale=locale)
    assert overflow(page) <= 0


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("width", [320, 340, 353, 360, 544])
def test_nothing_in_the_header_is_cut(open_page: Opener, width: int, locale: str) -> None:
    page = open_page("/rules", viewport={"width": width, "height": 600}, locale=locale)
    cut = "e => [...e.querySelectorAll('a, summary')].filter(x => x.scrollWidth > x.clientWidth).map(x => x.innerText)"
    assert page.locator("header.top").evaluate(cut) == []
    assert overflow(page) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/nowhere", "/rules", "/sign-in", "/_mail"])
def test_pages_are_accessible(open_page: Opener, path: str, scheme: str) -> None:
    assert violations(open_page(path, color_scheme=scheme)) == []


def test_a_page_that_is_not_accessible_is_found(open_page: Opener) -> None:
    page = open_page()
    page.evaluate("document.querySelector('main').innerHTML = '<h1>x</h1><img src=x><input>'")
    assert [found.partition(":")[0] for found in violations(page)] == ["image-alt", "label"]


def test_a_refused_page_leads_to_signing_in_and_back(open_page: Opener) -> None:
    page = open_page("/preferences")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    assert "/sign-in" in page.url


def test_a_countdown_ticks_in_the_site_s_time(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    Probe(page, machine, deadline=90_061_000, speed=60)
    page.goto("/probe")
    left = page.locator(".left")
    expect(left).to_have_text("1 d 1 h")
    expect(left).to_have_text("1 d", timeout=4000)


def test_a_countdown_is_said_at_few_moments(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    Probe(page, machine, deadline=62_000)
    page.goto("/probe")
    said = page.locator("[aria-live=polite]")
    expect(said).to_have_text("")
    expect(said).to_have_text("1 min left", timeout=5000)
    expect(page.locator(".countdown")).to_have_class("countdown soon")
    page.wait_for_timeout(1200)
    expect(said).to_have_text("1 min left")


def asked_again(page: Page, probe: "Probe") -> None:
    """Wait until the page has asked for its version a second time."""
    for _ in range(100):
        if probe.asked >= 2:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the page has not asked again")


def test_a_changed_page_is_shown(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    probe = Probe(page, machine)
    page.goto("/probe")
    asked_again(page, probe)
    page.evaluate("window.kept = true")
    page.locator("#field").focus()
    probe.text, probe.version = "two", "2"
    expect(page.locator("#text")).to_have_text("two")
    assert page.evaluate("window.kept") is True
    expect(page.locator("#field")).to_be_focused()
    probe.text, probe.version = "three", "3"
    expect(page.locator("#text")).to_have_text("three")


def test_what_is_being_typed_is_not_lost(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    probe = Probe(page, machine)
    page.goto("/probe")
    page.fill("#field", "half a thought")
    probe.text, probe.version = "two", "2"
    expect(page.locator("#stale")).to_be_visible()
    expect(page.locator("#field")).to_have_value("half a thought")
    expect(page.locator("#text")).to_have_text("one")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#text")).to_have_text("two")
    expect(page.locator("#stale")).to_be_hidden()


def test_a_change_between_the_page_and_the_first_question_is_seen(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    probe = Probe(page, machine)
    page.goto("/probe", wait_until="commit")
    probe.text, probe.version = "two", "2"
    expect(page.locator("#text")).to_have_text("two")


def test_a_site_that_is_down_is_asked_less_often(open_page: Opener, machine: Machine) -> None:
    page = open_page()
    probe = Probe(page, machine)
    page.goto("/probe")
    page.unroute("**/probe/version")
    asked: list[int] = []

    def fail(route: Route) -> None:
        asked.append(1)
        route.abort()

    page.route("**/probe/version", fail)
    page.wait_for_timeout(1600)
    assert 2 <= len(asked) <= 6
    page.unroute("**/probe/version")
    page.route("**/probe/version", probe._version)
    probe.text, probe.version = "two", "2"
    expect(page.locator("#text")).to_have_text("two", timeout=6000)
