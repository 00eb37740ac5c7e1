"""A real browser before the one-machine site."""

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from functions import serve
from infra.local.server import Machine

CHROMIUM: Final = "/usr/bin/chromium"
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Headless Chromium, started once. Where there is none its tests are skipped, but not in CI."""
    if not Path(CHROMIUM).exists() and not os.environ.get("CI"):
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The site as `make play` starts it, with its own data, for the tests of one file."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = tmp_path_factory.mktemp("site")
    machine = serve.start({"PORT": str(port), "DATA": str(data), "BASE_URL": f"http://127.0.0.1:{port}"})
    yield machine
    machine.stop()


Opener = Callable[..., Page]
Signed = tuple[StorageState, StorageState]


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, machine: Machine) -> Signed:
    """The cookies of Ada (English) and Basile (French): signing in is limited, and tested by itself."""
    states = []
    for name in ("ada", "basile"):
        context = chromium.new_context(base_url=machine.address)
        page = context.new_page()
        sign_in(page, f"{name}@example.org")
        expect(page.locator(".top a[href='/preferences']")).to_be_visible()
        states.append(context.storage_state())
        context.close()
    return states[0], states[1]


@pytest.fixture
def open_page(chromium: Browser, machine: Machine) -> Iterator[Opener]:
    """Opens pages of the site, each in a browser of its own; a script's error or a breach of policy fails the test.

    Options are those of a Playwright context (`viewport`, `locale`, `color_scheme`, `java_script_enabled`, …).
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(path: str = "/", **options: object) -> Page:
        context = chromium.new_context(**{"base_url": machine.address, "locale": "en-GB", **options})  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert faults == []


def sign_in(page: Page, address: str) -> None:
    """Sign this browser in, by the mailed link."""
    page.goto("/sign-in")
    page.fill("main [name=address]", address)
    page.click("main button")
    page.goto(mailed_link(page, address, "/sign-in/"))
    page.click("main button")


def mailed_link(page: Page, address: str, about: str, seconds: float = 10) -> str:
    """The link of the latest mail to an address that has one with this in it, once it is there."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        answer = page.request.get("/_mail", headers={"Accept": "application/json"})
        for mail in json.loads(answer.text())["mails"]:
            for link in mail["links"] if mail["to"] == address else ():
                if about in link:
                    return str(link)
        time.sleep(0.05)
    raise AssertionError(f"no mail to {address} with {about}")


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page (WCAG 2.2 AA and good practice), each with the elements concerned."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{v['id']}: {[node['html'][:120] for node in v['nodes']]}" for v in found]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


__all__ = ("Opener", "Signed", "mailed_link", "overflow", "sign_in", "violations")
