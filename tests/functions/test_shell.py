"""What every page does: languages, sessions, tokens, headers, errors (P1, P30)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.web import app, routes
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


def test_a_part_of_the_site_is_made_ready_when_it_is_first_asked_for(browser: Browser) -> None:
    """All of it took a cold start longer than the page asked for."""
    resolver = app._Resolver()
    resolver.resolve(event("/robots.txt"), None)
    assert len(resolver._static_routes + resolver._dynamic_routes) == 1
    for path in ("/rules", "/rules/relief", "/nowhere", "/rules"):
        resolver.resolve(event(path), None)
    assert len(resolver._static_routes + resolver._dynamic_routes) == 3


def test_every_route_is_found_by_the_part_it_is_in(browser: Browser) -> None:
    resolver = app._Resolver()
    for method, path, _ in routes.ROUTES:
        resolver.resolve(event(path.replace("<", "").replace(">", ""), method=method), None)
        assert resolver.matched == path


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


@pytest.mark.parametrize(
    ("path", "page"), [("/games/g1/orders", "/games/g1"), ("/preferences/try-again", "/preferences")]
)
def test_who_comes_back_to_where_a_form_was_sent_is_led_to_its_page(browser: Browser, path: str, page: str) -> None:
    answer = browser.get(path)
    assert (answer.status, answer.location) == (303, page)
    assert browser.get(path, "application/json").status == 405
    assert browser.get("/look").status == 405


@pytest.mark.parametrize(
    ("path", "location"), [("/règles/", "/r%C3%A8gles"), ("/games/日本/accept", "/games/%E6%97%A5%E6%9C%AC")]
)
def test_where_an_address_of_any_letters_leads_is_ascii(browser: Browser, path: str, location: str) -> None:
    assert browser.get(path).location == location
    browser.get("/")
    assert browser.post("/look", {"back": "/?to=Zoé%20B"}).location == "/?to=Zo%C3%A9%20B"


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
        ("application/x-www-form-urlencoded", "a=" + "x" * 300_001, 413),
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
