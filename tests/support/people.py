"""Members for tests: signing up and in as people do, by the mail they get."""

import re

from tests.support.browser import Answer, Browser
from tests.support.site import TestSite


def ask_for_link(browser: Browser, site: TestSite, address: str, next: str = "/") -> str:
    """Ask for a link; the path of the mail's link."""
    browser.get("/sign-in")
    answer = browser.post("/sign-in", {"address": address, "next": next})
    assert answer.status == 303, answer.seen
    site.deliver()
    return link_in(site.post.letters[-1].text)


def sign_in(browser: Browser, site: TestSite, address: str) -> Answer:
    """Sign in by link; the answer to its button."""
    link = ask_for_link(browser, site, address)
    browser.get(link)
    return browser.post(link)


def sign_up(browser: Browser, site: TestSite, address: str, name: str, zone: str = "Europe/Paris") -> str:
    """Become a member and be signed in; the member's id."""
    welcome = sign_in(browser, site, address).location
    browser.get(welcome)
    answer = browser.post(welcome, {"name": name, "lang": browser.lang, "zone": zone})
    assert answer.status == 303, answer.seen
    found = re.search(r'href="/members/(\w+)"', browser.get("/preferences").text)
    assert found
    return found[1]


def link_in(text: str) -> str:
    """The path of the first link in a mail's text."""
    found = re.search(r"https?://[^/\s]+(/\S+)", text)
    assert found, text
    return found[1]


def code_in(text: str) -> str:
    """The code in a sign-in mail's text."""
    found = re.search(r"\b(\d{4} \d{4})\b", text)
    assert found, text
    return found[1]
