"""What every page does: languages, sessions, tokens, headers, errors (P1, P30)."""

import dataclasses
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from functions.web import app, routes
from functions.web.arrival import arrive
from functions.web.visit import Response, Visit, etag, is_local
from infra.links import read, sign
from infra.store import Busy
from tests.support.browser import Browser
from tests.support.events import event
from tests.support.people import sign_in, sign_up
from tests.support.site import NOON, TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TestSite]:
    yield site_in(tmp_path)


@pytest.fixture
def browser(site: TestSite) -> Browser:
    return Browser()


def test_every_route_leads_to_a_function() -> None:
    for _, _, target in routes.ROUTES:
        assert callable(app._load(target)), target


def test_routes_are_told_once() -> None:
    assert len({(method, path) for method, path, _ in routes.ROUTES}) == len(routes.ROUTES)


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("fr-CA,fr;q=0.8,en;q=0.5", "fr"),
        ("en-GB", "en"),
        ("de", "en"),
        ("en;q=0.2,fr;q=0.9", "fr"),
        ("", "en"),
        (";q=x,", "en"),
    ],
)
def test_a_stranger_reads_the_language_that_the_browser_asks_for(browser: Browser, accepted: str, lang: str) -> None:
    browser.lang = accepted
    assert f'<html lang="{lang}"' in browser.get("/nowhere").text


def test_an_address_can_ask_for_a_language(browser: Browser) -> None:
    assert '<html lang="fr"' in browser.get("/nowhere?lang=fr").text
    assert '<html lang="en"' in browser.get("/nowhere?lang=xx").text


def test_a_stranger_s_choices_stay_on_the_browser(browser: Browser) -> None:
    browser.get("/")
    answer = browser.post("/look", {"lang": "fr", "back": "/rules"})
    assert (answer.status, answer.location) == (303, "/rules")
    browser.post("/look", {"theme": "dark"})
    page = browser.get("/nowhere").text
    assert '<html lang="fr" data-theme="dark"' in page


def test_a_member_s_choices_are_preferences(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, "ida@example.org", "Ida")
    browser.get("/")
    browser.post("/look", {"lang": "fr"})
    browser.post("/look", {"theme": "light"})
    elsewhere = Browser(lang="en")
    sign_in(elsewhere, site, "ida@example.org")
    assert '<html lang="fr" data-theme="light"' in elsewhere.get("/nowhere").text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example", "evil", "/a\nb", ""])
def test_choosing_leads_nowhere_but_to_this_site(browser: Browser, back: str) -> None:
    browser.get("/")
    assert browser.post("/look", {"lang": "fr", "back": back}).location == "/"


def test_choosing_comes_back_to_the_very_page(browser: Browser) -> None:
    page = browser.get("/nowhere?step=3&lang=fr&eyes=%22%26").text
    assert 'value="/nowhere?step=3&amp;eyes=%22%26"' in page
    assert browser.post("/look", {"lang": "en", "back": "/nowhere?step=3"}).location == "/nowhere?step=3"


def test_choosing_after_a_refused_form_comes_back_to_its_page(browser: Browser) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "referer": "http://localhost:8000/duels?x=1"}
    page = browser.send("POST", "/look", {**headers, "accept": "text/html"}, "csrf=wrong").text
    assert 'name="back" value="/duels"' in page


def test_a_form_needs_the_token_of_its_page(browser: Browser) -> None:
    browser.get("/")
    good = browser.csrf
    for wrong in ("", "x", good[:-1], good + "0"):
        browser.csrf = wrong
        answer = browser.post("/look", {"lang": "fr"})
        assert answer.status == 403 and "set-cookie" not in answer.headers
    browser.csrf = good
    assert browser.post("/look", {"lang": "fr"}).status == 303


def test_a_token_is_of_no_use_to_another_browser(site: TestSite, browser: Browser) -> None:
    browser.get("/")
    other = Browser()
    other.get("/")
    assert other.csrf != browser.csrf
    other.csrf = browser.csrf
    assert other.post("/look", {"lang": "fr"}).status == 403


def test_a_token_ends_with_the_session(site: TestSite, browser: Browser) -> None:
    browser.get("/")
    before = browser.csrf
    sign_up(browser, site, "ida@example.org", "Ida")
    browser.csrf = before
    assert browser.post("/look", {"lang": "fr"}).status == 403


def test_scripts_send_the_token_as_a_header(browser: Browser) -> None:
    data = browser.data("/")
    headers = {"content-type": "application/json", "accept": "application/json"}
    body = json.dumps({"lang": "fr"})
    assert browser.send("POST", "/look", headers, body).status == 403
    assert browser.send("POST", "/look", {**headers, "x-csrf-token": data["csrf"]}, body).status == 303


def test_a_forged_browser_cookie_is_replaced(site: TestSite, browser: Browser) -> None:
    browser.get("/")
    browser.cookies["browser"] = sign(b"another secret", "browser", "victim")
    before = browser.csrf
    browser.get("/")
    assert browser.csrf != before
    kept = read(site.site.settings.secret, "browser", browser.cookies["browser"], NOON)
    assert kept != "victim"


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/nowhere", 404, "no page at this address"),
        ("GET", "/games/<script>alert(1)</script>", 404, ""),
        ("POST", "/", 405, "used that way"),
        ("PUT", "/", 405, "used that way"),
        ("POST", "/nowhere", 404, "no page"),
        ("GET", "/static/x/..", 404, "no page"),
        ("GET", "/static/x/layout.html", 404, "no page"),
        ("GET", "/_mail", 404, "no page"),
    ],
)
def test_what_is_not_there_says_so(browser: Browser, method: str, path: str, status: int, said: str) -> None:
    answer = browser.send(method, path, {"accept": "text/html"})
    assert answer.status == status
    assert said in answer.seen and "<script>alert" not in answer.text
    assert 'href="/"' in answer.text


def test_a_wrong_method_names_the_right_ones(browser: Browser) -> None:
    assert browser.send("DELETE", "/preferences", {}).headers["allow"] == "GET, POST"


def test_a_slash_too_many_is_forgiven(browser: Browser) -> None:
    answer = browser.get("/rules/")
    assert (answer.status, answer.location) == (308, "/rules")
    assert app.handler(event("//evil.example/"), None)["statusCode"] == 404


def test_errors_are_data_for_a_script(browser: Browser) -> None:
    answer = browser.get("/nowhere", "application/json")
    assert answer.status == 404
    assert answer.json["error"] == {
        "code": "not_found",
        "message": "There is no page at this address, or it is gone.",
        "problems": [],
    }


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", "{", 400),
        ("application/json", "[1]", 400),
        ("application/json", "[" * 90_000, 400),
        ("multipart/form-data; boundary=x", "--x", 400),
        ("application/x-www-form-urlencoded", "a=1&" * 300, 400),
        ("application/x-www-form-urlencoded", "a=" + "x" * 100_001, 413),
    ],
)
def test_what_can_t_be_read_is_refused(browser: Browser, kind: str, body: str, status: int) -> None:
    assert browser.send("POST", "/look", {"content-type": kind, "accept": "text/html"}, body).status == status


def test_a_body_that_is_no_text_is_refused(site: TestSite) -> None:
    asked = {**event("/look", method="POST"), "body": "/////w==", "isBase64Encoded": True}
    assert app.handler(asked, None)["statusCode"] == 400
    assert app.handler({**asked, "body": "not base64!"}, None)["statusCode"] == 400


def test_a_failure_shows_a_page_and_logs_no_secret(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(visit: object) -> None:
        raise RuntimeError("ida@example.org is the secret")

    monkeypatch.setattr(app, "_load", lambda target: fail)
    answer = browser.get("/preferences?token=a-secret")
    logged = capsys.readouterr().out
    assert answer.status == 500 and "noted" in answer.seen
    assert "RuntimeError" in logged and "secret" not in logged and "ida@" not in logged + answer.text


def test_an_error_whose_page_fails_still_has_an_answer(
    site: TestSite, browser: Browser, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("the page is broken")

    monkeypatch.setattr(site.site.pages, "render", fail)
    answer = browser.get("/nowhere")
    assert answer.status == 500 and "Something broke" in answer.text
    assert "LookupError" in capsys.readouterr().out


def test_a_busy_store_shows_a_page(site: TestSite, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise Busy

    browser.cookies["session"] = "x"
    monkeypatch.setattr(site.store, "get", busy)
    answer = browser.get("/")
    assert answer.status == 503 and "try again" in answer.seen


def test_one_line_is_logged_for_each_request(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    browser.get("/sign-in/a-token-of-somebody?next=b-token")
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["route"] for line in lines] == ["/sign-in/<token>"]
    assert "a-token" not in lines[0] and "b-token" not in lines[0]


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
