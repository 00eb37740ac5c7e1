"""What every answer carries: protections, cookies, how long it is kept, how it is packed (P30)."""

import dataclasses
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from functions.web import app
from functions.web.arrival import arrive
from functions.web.visit import Response, Visit, etag, is_local
from tests.support.browser import Browser
from tests.support.events import event
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TestSite]:
    yield site_in(tmp_path)


@pytest.fixture
def browser(site: TestSite) -> Browser:
    return Browser()


def test_pages_carry_their_protections(browser: Browser) -> None:
    headers = browser.get("/").headers
    policy = headers["content-security-policy"]
    assert "'unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "private, no-store"
    assert "strict-transport-security" not in headers


def test_cookies_are_out_of_reach(tmp_path: Path) -> None:
    site = site_in(tmp_path, "https://games.example.org")
    raw = app.handler(event("/"), None)
    (cookie,) = raw["cookies"]
    assert cookie.startswith("__Host-browser=")
    assert {"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Strict-Transport-Security" in raw["headers"]
    name, _, value = cookie.partition(";")[0].partition("=")
    assert arrive(site.site, event("/", cookies=[f"{name}={value}"])).cookies == {"browser": value}
    assert arrive(site.site, event("/", cookies=[f"browser={value}"])).cookies == {}


def test_without_https_cookies_have_plain_names(site: TestSite) -> None:
    (cookie,) = app.handler(event("/"), None)["cookies"]
    assert cookie.startswith("browser=") and "Secure" not in cookie


def test_cookies_come_as_a_list_or_in_the_header(site: TestSite) -> None:
    plain = event("/")
    assert arrive(site.site, {**plain, "cookies": ["a=1", "b=2=3"]}).cookies == {"a": "1", "b": "2=3"}
    assert arrive(site.site, {**plain, "headers": {"Cookie": "a=1; b=2=3;c"}}).cookies == {"a": "1", "b": "2=3"}


def test_head_is_get_without_a_body(browser: Browser) -> None:
    answer = browser.send("HEAD", "/", {"accept": "text/html"})
    assert (answer.status, answer.text) == (200, "")
    assert browser.send("HEAD", "/look", {}).status == 405


def test_requests_at_once_keep_their_own_event(site: TestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    first_is_in, second_is_in = threading.Event(), threading.Event()

    def slow(visit: Visit) -> Response[Any]:
        (first_is_in if "gzip" in visit.headers.get("accept-encoding", "") else second_is_in).set()
        assert first_is_in.wait(5) and second_is_in.wait(5)
        return Response(200, "text/plain", "x" * 5000)

    monkeypatch.setattr(app, "_load", lambda target: slow)
    asked = [event("/", headers={"accept-encoding": "gzip"}), event("/")]

    def ask(n: int) -> bool:
        assert n == 0 or first_is_in.wait(5)
        return "Content-Encoding" in app.handler(asked[n], None)["headers"]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2))) == [True, False]


def test_static_files_are_kept_by_their_hash(site: TestSite, browser: Browser) -> None:
    address = site.site.pages.asset("app.css")
    before = site.store.reads
    answer = browser.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/css") and not browser.cookies
    assert browser.get("/static/older/app.css").headers["cache-control"] == "public, max-age=60"
    assert browser.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
    assert site.store.reads == before


def test_large_answers_are_packed(browser: Browser) -> None:
    packed = browser.send("GET", "/", {"accept": "text/html", "accept-encoding": "gzip, br"})
    plain = browser.send("GET", "/", {"accept": "text/html"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert "</html>" in packed.text


def test_a_version_is_told_once(site: TestSite) -> None:
    visit = arrive(site.site, event("/"))
    first = visit.versioned({"turn": 3})
    tag = str(first.headers["ETag"])
    known = dataclasses.replace(visit, headers={"if-none-match": tag})
    assert known.versioned({"turn": 3}).status_code == 204
    assert known.versioned({"turn": 4}).status_code == 200
    assert json.loads(str(first.body))["version"] == tag.strip('"') == etag({"turn": 3}).strip('"')


def test_a_refused_form_leads_back_to_its_page(browser: Browser) -> None:
    browser.get("/")
    browser.csrf = "old"
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}
    here = browser.send("POST", "/look", {**headers, "referer": "http://localhost:8000/rules/feinthold?x"}, "csrf=old")
    assert 'href="/rules/feinthold"' in here.text
    other = browser.send("POST", "/look", {**headers, "referer": "http://localhost:8000.evil.example/x"}, "csrf=old")
    assert "evil" not in other.text


@pytest.mark.parametrize("path", ["/", "/games/x", "/é"])
def test_local_paths(path: str) -> None:
    assert is_local(path)


@pytest.mark.parametrize("path", ["", "x", "//x", "/\\x", "/x\r\ny", "https://x", "/\tx"])
def test_what_is_no_local_path(path: str) -> None:
    assert not is_local(path)


def test_a_site_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.site._installed", [])
    with pytest.raises(LookupError):
        app.handler(event("/"), None)


def test_half_a_character_in_json_is_refused(tmp_path: Path) -> None:
    site_in(tmp_path)
    browser = Browser()
    browser.data("/")
    headers = {"accept": "application/json", "content-type": "application/json", "x-csrf-token": browser.csrf}
    answer = browser.send("POST", "/sign-in", headers, '{"address": "\\ud800@example.org"}')
    assert (answer.status, answer.json["error"]["code"]) == (400, "malformed")
