"""Signing in over the web function (P1): links, codes, scanners, limits."""

import itertools
from pathlib import Path

import pytest

from engine.platform.rates import LINKS_FROM_CLIENT, LINKS_TO_ADDRESS
from engine.platform.sign_in import LINK_LASTS, TRIES
from engine.times import MINUTE
from infra.records import KINDS, MAILBOX, MEMBER, SESSION
from tests.support.browser import Browser
from tests.support.people import ask_for_link, code_in, sign_in, sign_up
from tests.support.site import TestSite, site_in

ADA = "ada@example.org"


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def browser() -> Browser:
    return Browser()


def test_a_newcomer_signs_up_by_a_link_and_a_name(site: TestSite, browser: Browser) -> None:
    id = sign_up(browser, site, ADA, "Ida", "Asia/Tokyo")
    row = site.store.get(MEMBER, id)
    assert row is not None
    assert (row.value.name, row.value.address, row.value.zone) == ("Ida", ADA, "Asia/Tokyo")
    assert browser.get("/sign-in").location == "/"


def test_a_member_is_signed_in_by_a_link_and_led_to_the_page_they_wanted(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    phone = Browser(lang="fr")
    link = ask_for_link(phone, site, ADA.upper(), "/duels")
    assert phone.get(link).status == 200
    assert phone.post(link).location == "/duels"
    assert "Ada" in phone.get("/preferences").seen


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", ""])
def test_the_page_wanted_is_one_of_this_site(site: TestSite, browser: Browser, wanted: str) -> None:
    sign_up(browser, site, ADA, "Ada")
    phone = Browser()
    link = ask_for_link(phone, site, ADA, wanted)
    phone.get(link)
    assert phone.post(link).location == "/"


def test_looking_at_a_link_changes_nothing_however_often(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, ADA)
    commits, scanner = site.store.commits, Browser(client="203.0.113.9")
    for method in ("GET", "HEAD") * 10:
        assert scanner.get(link, method=method).status == 200
        assert browser.get(link, method=method).status == 200
    assert site.store.commits == commits
    page = scanner.get(link)
    assert page.text.count("<script") == 1  # the shell's own, which sends no form
    assert browser.post(link).location.startswith("/welcome/")


def test_a_link_names_the_account_and_hides_it_from_other_browsers(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, "ada.lovelace@example.org")
    assert "Sign in as ada.lovelace@example.org" in browser.get(link).seen
    elsewhere = Browser().get(link)
    assert "lovelace" not in elsewhere.text
    assert "a…e@example.org" in elsewhere.seen


def test_the_button_alone_signs_in_no_other_browser(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, ADA)
    other = Browser()
    other.get(link)
    answer = other.post(link)
    assert answer.status == 422
    assert "Type the code of the mail." in answer.seen
    code = code_in(site.post.last(ADA).text)
    assert other.post(link, {"code": code}).location.startswith("/welcome/")


def test_the_asking_browser_may_type_the_code_instead(site: TestSite, browser: Browser) -> None:
    browser.get("/sign-in")
    asked = browser.post("/sign-in", {"address": ADA})
    page = browser.follow(asked)
    assert ADA in page.seen
    site.deliver()
    id = asked.location.rpartition("=")[2]
    code = code_in(site.post.last(ADA).text)
    assert browser.post("/sign-in/code", {"for": id, "code": code}).location == f"/welcome/{id}"


def test_nobody_else_sees_where_a_link_was_sent(site: TestSite, browser: Browser) -> None:
    browser.get("/sign-in")
    asked = browser.post("/sign-in", {"address": ADA})
    answer = Browser().get(asked.location)
    assert answer.status == 410
    assert ADA not in answer.text


def test_the_sixth_code_is_refused_even_if_it_is_right(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, ADA)
    thief = Browser()
    thief.get(link)
    for n in range(TRIES):
        answer = thief.post(link, {"code": f"0000 000{n}"})
        assert answer.status == 422
        assert "not the code" in answer.seen
    answer = thief.post(link, {"code": code_in(site.post.last(ADA).text)})
    assert answer.status == 410
    assert "Too many wrong codes" in answer.seen
    assert browser.post(link).status == 303


def test_a_link_is_over_after_ten_minutes(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, ADA)
    browser.get(link)
    site.sources.move(LINK_LASTS)
    assert browser.get(link).status == 410
    answer = browser.post(link)
    assert answer.status == 410
    assert "10 minutes" in answer.seen


def test_pressing_the_button_twice_signs_in_once_and_later_not_again(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    phone = Browser()
    link = ask_for_link(phone, site, ADA)
    phone.get(link)
    before = dict(phone.cookies)
    phone.post(link)
    twin = Browser(cookies=before, csrf=phone.csrf)
    assert twin.post(link).status == 303
    assert twin.cookies["session"] == phone.cookies["session"]
    phone.get("/")
    phone.post("/sign-out")
    phone.get(link)
    assert phone.post(link).status == 410
    assert "used already" in Browser().get(link).seen


def test_joining_twice_makes_one_member(site: TestSite, browser: Browser) -> None:
    welcome = sign_in(browser, site, ADA).location
    browser.get(welcome)
    before, csrf = dict(browser.cookies), browser.csrf
    form = {"name": "Ada", "lang": "en", "zone": "UTC"}
    assert browser.post(welcome, form).status == 303
    commits = site.store.commits
    twin = Browser(cookies=before, csrf=csrf)
    assert twin.post(welcome, form).status == 303
    assert site.store.commits == commits
    assert twin.cookies["session"] == browser.cookies["session"]


def test_a_name_that_is_taken_or_wrong_is_shown_again_with_what_was_typed(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    other = Browser(lang="fr")
    welcome = sign_in(other, site, "bea@example.org").location
    other.get(welcome)
    for name, said in (("ADA", "déjà pris"), ("Аdа", "déjà pris"), ("<i>Bea", "ne peut pas contenir")):
        answer = other.post(welcome, {"name": name, "lang": "fr", "zone": "paris"})
        assert answer.status == 422
        assert said in answer.seen
        assert "<i>" not in answer.text
        assert 'value="paris"' in answer.text
    answer = other.post(welcome, {"name": "Béa", "lang": "fr", "zone": "Nowhere/Land"})
    assert "Nowhere/Land" in answer.seen
    assert other.post(welcome, {"name": "Béa", "lang": "fr", "zone": "paris"}).status == 303


@pytest.mark.parametrize("name", ["Moderator", "M0derat0r", "Аdmin", "Sentine1", "RARN"])
def test_nobody_can_be_taken_for_the_site_itself(site: TestSite, browser: Browser, name: str) -> None:
    welcome = sign_in(browser, site, ADA).location
    browser.get(welcome)
    answer = browser.post(welcome, {"name": name, "lang": "en", "zone": "UTC"})
    assert answer.status == 422 and "too like a name that is" in answer.seen


def test_the_welcome_form_is_for_the_browser_that_proved_the_address(site: TestSite, browser: Browser) -> None:
    welcome = sign_in(browser, site, ADA).location
    thief = Browser()
    assert thief.get(welcome).status == 410
    thief.get("/sign-in")
    assert thief.post(welcome, {"name": "Eve", "lang": "en", "zone": "UTC"}).status == 410


def test_asking_says_the_same_and_reads_the_same_whoever_has_the_address(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    seen: list[tuple[int, tuple[int, int], str]] = []
    for address in (ADA, "nobody@example.org"):
        stranger = Browser(client=f"198.51.100.{len(seen)}")
        stranger.get("/sign-in")
        reads, commits = site.store.reads, site.store.commits
        asked = stranger.post("/sign-in", {"address": address})
        done = (site.store.reads - reads, site.store.commits - commits)
        page = stranger.follow(asked).text.replace(address, "X").replace(stranger.csrf, "C")
        seen.append((asked.status, done, page.replace(asked.location.rpartition("=")[2], "S")))
    assert seen[0] == seen[1]


def test_a_request_sent_twice_sends_one_mail(site: TestSite, browser: Browser) -> None:
    browser.get("/sign-in")
    first, second = (browser.post("/sign-in", {"address": ADA}) for _ in range(2))
    assert first.location == second.location
    site.deliver()
    assert len(site.post.letters) == 1


def test_the_mail_speaks_the_members_language_and_zone_and_has_no_unsubscribe(site: TestSite) -> None:
    sign_up(Browser(lang="fr"), site, ADA, "Ada", "Asia/Tokyo")
    ask_for_link(Browser(lang="en"), site, ADA)
    letter = site.post.last(ADA)
    assert "JST" in letter.text
    assert "Se connecter" in letter.text
    assert letter.unsubscribe is None
    assert "unsubscribe" not in letter.html


def test_an_address_gets_so_many_links_and_then_a_wait_in_the_readers_language(site: TestSite) -> None:
    readers = [Browser(client=f"192.0.2.{n}", lang="fr") for n in range(LINKS_TO_ADDRESS.most + 1)]
    for reader in readers:
        reader.get("/sign-in")
    answers = [reader.post("/sign-in", {"address": ADA}) for reader in readers]
    assert [a.status for a in answers] == [303] * LINKS_TO_ADDRESS.most + [429]
    wait = int(answers[-1].headers["retry-after"])
    assert 0 < wait <= LINKS_TO_ADDRESS.span // 1000
    assert f"Réessayez dans {-(-wait // 60)} minutes" in answers[-1].seen
    site.sources.move(1000 * wait)
    assert readers[-1].post("/sign-in", {"address": ADA}).status == 303


def test_a_client_gets_so_many_links_whatever_the_addresses(site: TestSite) -> None:
    addresses = (f"a{n}@example.org" for n in itertools.count())
    for n in range(LINKS_FROM_CLIENT.most):  # IPv6: a network of 64 bits is one client
        browser = Browser(client=f"2001:db8::{n:x}")
        browser.get("/sign-in")
        assert browser.post("/sign-in", {"address": next(addresses)}).status == 303
    browser = Browser(client="2001:db8::ffff")
    browser.get("/sign-in")
    assert browser.post("/sign-in", {"address": next(addresses)}).status == 429
    other = Browser(client="2001:db8:0:1::1")
    other.get("/sign-in")
    assert other.post("/sign-in", {"address": next(addresses)}).status == 303


def test_what_is_no_address_is_shown_again_as_typed(site: TestSite, browser: Browser) -> None:
    browser.get("/sign-in")
    answer = browser.post("/sign-in", {"address": 'ada"><script>'})
    assert answer.status == 422
    assert "<script>" not in answer.text
    assert "ada&#34;&gt;&lt;script&gt;" in answer.text


def test_a_post_from_elsewhere_is_refused(site: TestSite, browser: Browser) -> None:
    link = ask_for_link(browser, site, ADA)
    browser.csrf = "stolen"
    assert browser.post(link).status == 403
    assert browser.post("/sign-in", {"address": ADA}).status == 403


@pytest.mark.parametrize(
    "path", ["/sign-in/x", "/sign-in/WyJhIixudWxsXQ.forged", "/welcome/none", "/sign-in/code?for=x"]
)
def test_forged_links_open_nothing(site: TestSite, browser: Browser, path: str) -> None:
    assert browser.get(path).status == 410


def test_signing_out_ends_the_session_for_good(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    stolen = Browser(cookies=dict(browser.cookies))
    browser.get("/")
    assert browser.post("/sign-out").location == "/"
    assert "session" not in browser.cookies
    assert browser.get("/preferences").status == 401
    assert stolen.get("/preferences").status == 401
    browser.get("/")
    assert browser.post("/sign-out").status == 303


def test_no_token_code_or_address_is_stored_or_logged(
    site: TestSite, browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = ask_for_link(browser, site, ADA)
    code = code_in(site.post.last(ADA).text).replace(" ", "")
    browser.get(link)
    browser.get(browser.post(link).location)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (link.rpartition("/")[2], code, browser.cookies["browser"]):
        assert secret.encode() not in stored
        assert secret not in capsys.readouterr().out
    assert {MAILBOX, MEMBER, SESSION} <= set(KINDS)


def test_sign_in_pages_read_little(site: TestSite, browser: Browser) -> None:
    sign_up(browser, site, ADA, "Ada")
    link = ask_for_link(Browser(), site, ADA)
    site.sources.move(MINUTE)
    for path, most in (("/sign-in", 2), (link, 3), ("/preferences", 4)):
        reads = site.store.reads
        browser.get(path)
        assert site.store.reads - reads <= most, path


def test_cookies_are_bound_to_the_host_and_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    site = site_in(tmp_path, base_url="https://games.example.org")
    browser = Browser()
    sign_up(browser, site, ADA, "Ada")
    assert set(browser.cookies) == {"__Host-browser", "__Host-session"}
    for cookie in browser.set_cookies:
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
