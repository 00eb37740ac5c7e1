"""Linked accounts: by a browser's use, by moderators, and never by one turn link (P28)."""

from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.addresses import mailbox_key
from engine.platform.members import Mailbox, MemberId
from engine.times import DAY
from functions import linking
from functions.pairing import against
from tests.support.browser import Browser
from tests.support.clubs import act, done, marks, moderator, name_of, play, post, unrated
from tests.support.duelling import Duelling, duel, member, run_due
from tests.support.people import ask_for_link, link_in
from tests.support.site import TestSite, site_in

ANNA, BETH = MemberId("anna"), MemberId("beth")


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    """A game in which both have sent orders, from browsers of their own."""
    return _played(site, member(site, "Anna"), member(site, "Beth"))


def _played(site: TestSite, one: Browser, other: Browser) -> Duelling:
    game = duel(site, one, other)
    play(game, 1, {"a": 40_000, "b": 61_000})
    return game


def _sign_in(site: TestSite, browser: Browser, who: str) -> None:
    """A full sign-in from a browser, that of whoever was signed in there being over."""
    browser.cookies.pop("session", None)
    run_due(site)
    link = ask_for_link(browser, site, f"{who}@example.org")
    browser.get(link)
    assert browser.post(link).status == 303
    run_due(site)


@pytest.fixture(autouse=True)
def mailboxes(site: TestSite) -> None:
    """Members can be found by their addresses."""
    secret = site.site.settings.secret
    boxes = [Mailbox(mailbox_key(secret, f"{who}@example.org"), who) for who in (ANNA, BETH)]
    site.calm.store.commit(Decision(tuple(Put(box, 0) for box in boxes), None))


def test_both_signed_in_on_two_days_from_one_browser_are_linked(site: TestSite, game: Duelling) -> None:
    browser = Browser()
    for day in range(2):
        _sign_in(site, browser, "anna")
        _sign_in(site, browser, "beth")
        assert linking.are_linked(site.calm, ANNA, BETH) == (day == 1)
        site.sources.move(DAY)
    told = {letter.to for letter in site.post.letters if "linked" in letter.subject}
    assert told == {"anna@example.org", "beth@example.org"}
    assert against(site.calm, ANNA, BETH) == "linked"


def test_days_on_which_they_alternate_count(site: TestSite, game: Duelling) -> None:
    browser = Browser()
    for who in ("anna", "beth", "anna", "beth"):
        _sign_in(site, browser, who)
        site.sources.move(DAY)
    assert linking.are_linked(site.calm, ANNA, BETH)


def test_one_day_is_not_enough(site: TestSite, game: Duelling) -> None:
    browser = Browser()
    for who in ("anna", "beth", "anna", "beth"):
        _sign_in(site, browser, who)
    site.sources.move(DAY)
    _sign_in(site, browser, "beth")
    assert not linking.are_linked(site.calm, ANNA, BETH)


def test_other_browsers_on_one_network_are_no_link(site: TestSite, game: Duelling) -> None:
    one, other = Browser(client="192.0.2.7"), Browser(client="192.0.2.7")
    for _ in range(3):
        _sign_in(site, one, "anna")
        _sign_in(site, other, "beth")
        site.sources.move(DAY)
    assert not linking.are_linked(site.calm, ANNA, BETH)
    assert game.act("a", "abandon").status == 303
    run_due(site)
    assert marks(site, "anna") | marks(site, "beth") == {"network"}
    assert unrated(site, game) == ""


def test_an_account_that_has_sent_no_orders_is_not_linked_until_it_does(site: TestSite) -> None:
    anna, beth, chris = (member(site, name) for name in ("Anna", "Beth", "Chris"))
    _played(site, anna, chris)
    browser = Browser()
    for _ in range(2):
        _sign_in(site, browser, "anna")
        _sign_in(site, browser, "beth")
        site.sources.move(DAY)
    assert not linking.are_linked(site.calm, ANNA, BETH)
    game = _played(site, beth, chris)
    assert game.act("a", "abandon").status == 303
    run_due(site)
    assert linking.are_linked(site.calm, ANNA, BETH)


def test_opening_somebodys_turn_link_links_nobody(site: TestSite, game: Duelling) -> None:
    victim = Browser()
    for _ in range(3):
        _sign_in(site, victim, name_of(game.b))
        for seat in ("a", "b"):
            post(game, seat, {})
        run_due(site)
        link = link_in(site.post.last(f"{name_of(game.a)}@example.org").text)
        victim.get(link)
        assert victim.post(link).status == 303
        victim.get(game.path)
        site.sources.move(DAY)
        run_due(site)
    assert not linking.are_linked(site.calm, ANNA, BETH)


class TestByModerators:
    def test_a_link_acts_on_games_started_later(self, site: TestSite, game: Duelling) -> None:
        mod = moderator(site, "Mona")
        done(site, mod, "link", "anna", "beth")
        assert game.act("a", "abandon").status == 303
        run_due(site)
        assert unrated(site, game) == ""
        later = _played(site, game.a, game.b)
        assert later.page("a")["duel"]["unrated_why"] == "linked"
        assert later.act("a", "abandon").status == 303
        run_due(site)
        assert unrated(site, later) == "linked"
        assert "linked" in marks(site, "anna") | marks(site, "beth")

    def test_unlinking_holds_against_the_browser(self, site: TestSite, game: Duelling) -> None:
        mod = moderator(site, "Mona")
        done(site, mod, "link", "anna", "beth")
        done(site, mod, "unlink", "anna", "beth")
        browser = Browser()
        for _ in range(3):
            _sign_in(site, browser, "anna")
            _sign_in(site, browser, "beth")
            site.sources.move(DAY)
        assert not linking.are_linked(site.calm, ANNA, BETH)
        answer = act(mod, "link", "anna", "beth", request="again")
        assert answer.status == 303
        run_due(site)
        assert linking.are_linked(site.calm, ANNA, BETH)

    def test_links_run_on_from_account_to_account_but_not_over_one_that_was_ended(self, site: TestSite) -> None:
        mod = moderator(site, "Mona")
        for name in ("Anna", "Beth", "Chris"):
            member(site, name)
        done(site, mod, "link", "anna", "beth")
        done(site, mod, "link", "beth", "chris")
        assert linking.linked(site.calm, ANNA) == {"beth", "chris"}
        done(site, mod, "link", "anna", "chris")
        done(site, mod, "unlink", "anna", "chris")
        assert linking.linked(site.calm, ANNA) == {"beth"}
        assert not linking.are_linked(site.calm, ANNA, MemberId("chris"))

    def test_an_automatic_link_is_answered_and_undone(self, site: TestSite, game: Duelling) -> None:
        browser = Browser()
        for _ in range(2):
            _sign_in(site, browser, "anna")
            _sign_in(site, browser, "beth")
            site.sources.move(DAY)
        anna = game.a if name_of(game.a) == "anna" else game.b
        decision = anna.data("/decisions")["decisions"][0]
        assert decision["what"] == "link" and decision["automatic"]
        page = f"/decisions/{decision['id']}"
        anna.get(page)
        assert anna.post(f"{page}/answer", {"answer": "She is my sister."}).status == 303
        mod = moderator(site, "Mona")
        mod.get(page)
        assert mod.post(f"{page}/judge", {"verdict": "undone", "reason": "Two people."}).status == 303
        run_due(site)
        assert not linking.are_linked(site.calm, ANNA, BETH)
        _sign_in(site, browser, "anna")
        _sign_in(site, browser, "beth")
        assert not linking.are_linked(site.calm, ANNA, BETH)
