"""The preferences page (P4): refilled when wrong, saved as a whole, paused addresses, signing out everywhere."""

from pathlib import Path
from typing import Any

import pytest

from engine.platform.members import MAILS, Member, Quiet
from engine.platform.names import KEPT_BACK
from engine.platform.preferences import pause
from engine.platform.rates import RENAMES
from functions import renaming
from infra.records import MEMBER
from tests.support.browser import Browser
from tests.support.people import sign_in, sign_up
from tests.support.site import TestSite, site_in

FORM: dict[str, Any] = {
    "name": "Ada",
    "lang": "en",
    "zone": "Europe/Paris",
    "theme": "auto",
    "mail": ["", *MAILS],
    "quiet": "",
    "quiet_start": "22:00",
    "quiet_end": "07:00",
}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def ada(site: TestSite) -> Browser:
    browser = Browser()
    sign_up(browser, site, "ada@example.org", "Ada")
    return browser


def member(browser: Browser, site: TestSite) -> Member:
    name = browser.data("/preferences")["name"]
    rows = (site.store.get(MEMBER, f"id{n:014}") for n in range(1, 60))
    return next(row.value for row in rows if row and row.value.name == name)


def test_everything_is_saved_at_once(site: TestSite, ada: Browser) -> None:
    ada.get("/preferences")
    form = {**FORM, "name": "Ada L", "lang": "fr", "zone": "tokyo", "theme": "dark", "mail": ["", "turn", "result"]}
    answer = ada.post("/preferences", {**form, "quiet": ["", "on"], "quiet_start": "23:30", "quiet_end": "6:15"})
    assert answer.location == "/preferences?done=saved"
    page = ada.follow(answer)
    assert "Enregistré." in page.seen
    assert 'data-theme="dark"' in page.text
    saved = member(ada, site)
    assert (saved.name, saved.lang, saved.zone) == ("Ada L", "fr", "Asia/Tokyo")
    assert saved.quiet == Quiet(23 * 60 + 30, 6 * 60 + 15)
    assert set(MAILS) - set(saved.muted) == {"turn", "result"}


def test_fields_that_are_not_sent_stay_as_they_are(site: TestSite, ada: Browser) -> None:
    ada.data("/preferences")
    assert ada.post("/preferences", {"theme": "light"}).status == 303
    saved = member(ada, site)
    assert (saved.theme, saved.name, saved.muted, saved.quiet) == ("light", "Ada", (), None)


def test_saving_twice_writes_once(site: TestSite, ada: Browser) -> None:
    ada.get("/preferences")
    ada.post("/preferences", {**FORM, "theme": "dark"})
    commits = site.store.commits
    assert ada.post("/preferences", {**FORM, "theme": "dark"}).status == 303
    assert site.store.commits == commits


def test_every_problem_is_shown_next_to_its_field_and_nothing_is_saved(site: TestSite, ada: Browser) -> None:
    ada.get("/preferences")
    wrong = {"name": "Ada\u200f", "zone": "Mars/Olympus", "quiet": ["", "on"], "quiet_start": "25:00", "theme": "dark"}
    answer = ada.post("/preferences", {**FORM, **wrong})
    assert answer.status == 422
    for field in ("name", "zone", "quiet_start"):
        assert f'id="problem-{field}-1"' in answer.text
    assert "U+200F" in answer.seen
    assert 'value="Mars/Olympus"' in answer.text
    assert 'value="25:00"' in answer.text
    assert member(ada, site).theme == "auto"


def test_problems_come_as_json_to_who_asks_for_it(site: TestSite, ada: Browser) -> None:
    ada.get("/preferences")
    answer = ada.post("/preferences", {**FORM, "name": "x" * 200}, accept="application/json")
    assert answer.status == 422
    (problem,) = answer.json["problems"]
    assert (problem["code"], problem["field"]) == ("name_long", "name")
    assert "200" in problem["message"]


def test_a_name_given_up_is_kept_back_a_year_from_others_and_not_from_oneself(site: TestSite, ada: Browser) -> None:
    bea = Browser()
    sign_up(bea, site, "bea@example.org", "Bea")
    ada.get("/preferences")
    assert ada.post("/preferences", {**FORM, "name": "Ida"}).status == 303
    bea.get("/preferences")
    answer = bea.post("/preferences", {**FORM, "name": "ADA"})
    assert answer.status == 422
    assert "taken" in answer.seen
    assert ada.post("/preferences", {**FORM, "name": "Ada"}).status == 303
    assert ada.post("/preferences", {**FORM, "name": "Ida"}).status == 303
    site.sources.move(KEPT_BACK)
    sign_in(bea, site, "bea@example.org")
    bea.get("/preferences")
    assert bea.post("/preferences", {**FORM, "name": "Ada"}).status == 303


def test_names_can_be_changed_so_often_a_day(site: TestSite, ada: Browser) -> None:
    ada.get("/preferences")
    for n in range(RENAMES.most):
        assert ada.post("/preferences", {**FORM, "name": f"Ada {n}"}).status == 303
    answer = ada.post("/preferences", {**FORM, "name": "Ada again"})
    assert answer.status == 429
    assert int(answer.headers["retry-after"]) > 0
    assert ada.post("/preferences", {**FORM, "name": f"Ada {RENAMES.most - 1}", "theme": "dark"}).status == 303


def test_a_paused_address_is_shown_on_ones_own_preferences_only(site: TestSite, ada: Browser) -> None:
    id = member(ada, site).id
    row = site.store.get(MEMBER, id)
    assert row is not None
    site.store.commit(pause(row, "bounce"))
    assert "came back" in ada.get("/preferences").seen
    assert ada.data("/preferences")["bounced"] == "bounce"
    for path in (f"/members/{id}", "/"):
        assert "came back" not in ada.get(path).seen
    assert "bounced" not in ada.data(f"/members/{id}")
    ada.get("/preferences")
    assert ada.follow(ada.post("/preferences/try-again")).status == 200
    assert ada.post("/preferences/try-again").status == 303
    assert member(ada, site).bounced is None


def test_signing_out_everywhere_ends_every_browsers_session(site: TestSite, ada: Browser) -> None:
    phone = Browser()
    sign_in(phone, site, "ada@example.org")
    assert phone.get("/preferences").status == 200
    ada.get("/preferences")
    commits = site.store.commits
    assert ada.post("/preferences/sign-out-everywhere").status == 303
    assert site.store.commits == commits + 1
    assert [b.get("/preferences").status for b in (ada, phone)] == [401, 401]
    sign_in(phone, site, "ada@example.org")
    assert phone.get("/preferences").status == 200


def test_nobody_signed_out_sees_or_changes_preferences(site: TestSite) -> None:
    stranger = Browser()
    answer = stranger.get("/preferences")
    assert answer.status == 401
    assert "/sign-in?next=/preferences" in answer.text
    assert stranger.post("/preferences", FORM).status == 401


def test_the_switches_of_every_page_are_preferences_of_who_is_signed_in(site: TestSite, ada: Browser) -> None:
    ada.get("/")
    ada.post("/look", {"lang": "fr", "back": "/"})
    ada.post("/look", {"theme": "dark", "back": "/"})
    page = Browser(cookies={"session": ada.cookies["session"]}).get("/preferences")
    assert "Préférences" in page.seen
    assert 'data-theme="dark"' in page.text
    assert ada.post("/look", {"lang": "xx", "theme": "pink", "back": "//evil.example"}).location == "/"
    assert (member(ada, site).lang, member(ada, site).theme) == ("fr", "dark")


def test_a_name_that_moderators_took_down_is_not_its_members_to_take_until_it_is_given_back(
    site: TestSite, ada: Browser
) -> None:
    id = member(ada, site).id
    renaming.hide(site.site, id, "Ada")
    assert ada.data("/preferences")["name"].startswith("Member ")
    for name in ("Ada", "ADA", "Аdа"):
        answer = ada.post("/preferences", {**FORM, "name": name})
        assert answer.status == 422 and "is taken" in answer.seen
    renaming.restore(site.site, id, "Ada")
    assert ada.data("/preferences")["name"] == "Ada"
    for name in ("Ida B", "Ada"):
        assert ada.post("/preferences", {**FORM, "name": name}).status == 303
    renaming.hide(site.site, id, "Ada")
    site.sources.move(KEPT_BACK)
    other = Browser()
    sign_up(other, site, "eve@example.org", "Ada")
