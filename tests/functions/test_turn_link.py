"""Turn mails' links (P2): one game, until the turn closes, then a fresh link."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.clocks import Ground
from engine.platform.duels import closing, leaving, propose
from engine.platform.duels.records import Duel
from engine.platform.members import Member, MemberId
from engine.platform.rates import TURN_LINKS
from engine.times import MINUTE
from functions import acting, proposing
from functions.mail_links import sign_in_url, turn_url
from functions.web.session import turn_cookie
from infra.records import DUEL, MEMBER
from infra.store import Row
from tests.support.browser import Browser
from tests.support.people import link_in, sign_up
from tests.support.site import TestSite, site_in


@dataclass(frozen=True)
class Game:
    """A duel in its first turn, with both players signed in."""

    site: TestSite
    id: str
    ada: MemberId
    bea: MemberId
    browser: Browser  # Ada's

    @property
    def row(self) -> Row[Duel]:
        row = self.site.store.get(DUEL, self.id)
        assert row is not None
        return row

    def member(self, id: MemberId) -> Member:
        row = self.site.store.get(MEMBER, id)
        assert row is not None
        return row.value

    def link(self, id: MemberId, turn: int | None = None) -> str:
        """The path of the link in a mail to this player about a turn (None: the one that is open)."""
        duel = self.row.value
        player = duel.player(id)
        assert player is not None
        settings = self.site.site.settings
        url = turn_url(settings, self.member(id), self.id, player.seat, turn or duel.turn)
        return url.removeprefix(settings.base_url)

    def close_turn(self) -> None:
        """Let the deadline pass, and close the turn."""
        deadline = self.row.value.deadline
        assert deadline is not None
        self.site.sources.time = deadline
        self.site.sources.move(MINUTE)
        ground = Ground(self.site.sources.now(), None, acting.rhythm(self.site.site))
        self.site.store.commit(closing.wake(self.row.value, self.row.version, ground))

    def end(self) -> None:
        """Bea leaves the game."""
        self.site.store.commit(leaving.abandon(self.row.value, self.row.version, self.bea, self.site.sources.now()))


@pytest.fixture
def game(tmp_path: Path) -> Game:
    site, ada = site_in(tmp_path), Browser()
    ids = [MemberId(sign_up(b, site, f"{n}@example.org", n)) for b, n in ((ada, "Ada"), (Browser(), "Bea"))]
    made = proposing.make(site.site, propose.Propose(ids[0], "feinthold", PACE, ids[1], "r1"))
    row = site.store.get(DUEL, made.id)
    assert row is not None
    seed = site.sources.seed()
    site.store.commit(propose.accept(row.value, row.version, ids[1], seed, (), site.sources.now()))
    return Game(site, made.id, ids[0], ids[1], ada)


PACE = "days1"


def opened(game: Game) -> Browser:
    """A browser without any other session that came by Bea's link."""
    browser = Browser()
    link = game.link(game.bea)
    browser.get(link)
    assert browser.post(link).location == f"/games/{game.id}"
    return browser


def test_looking_at_the_link_names_the_account_and_opens_nothing(game: Game) -> None:
    commits, scanner = game.site.store.commits, Browser()
    for method in ("GET", "HEAD") * 10:
        assert scanner.get(game.link(game.bea), method=method).status == 200
    assert game.site.store.commits == commits
    assert turn_cookie(game.id) not in scanner.cookies
    assert "Open the game as Bea" in scanner.get(game.link(game.bea)).seen


def test_its_button_opens_that_game_for_its_player(game: Game) -> None:
    page = opened(game).data(f"/games/{game.id}")
    assert page["you"] is not None


def test_it_opens_no_other_page_of_the_member(game: Game) -> None:
    browser = opened(game)
    for path in ("/preferences", "/duels", "/history"):
        assert "Bea" not in browser.get(path).seen
    assert browser.get("/preferences").status == 401
    browser.get(f"/games/{game.id}")
    for path in ("/preferences", "/preferences/sign-out-everywhere", f"/members/{game.ada}/block"):
        assert browser.post(path, {"theme": "dark"}).status == 401


def test_it_neither_abandons_nor_asks_for_a_rematch(game: Game) -> None:
    browser = opened(game)
    browser.get(f"/games/{game.id}")
    for action in ("abandon", "rematch"):
        assert browser.post(f"/games/{game.id}/{action}").status >= 400
    assert game.row.value.stage == "playing"


def test_pressing_twice_goes_on_with_the_same_session(game: Game) -> None:
    browser = opened(game)
    commits = game.site.store.commits
    browser.get(game.link(game.bea))
    assert browser.post(game.link(game.bea)).status == 303
    assert game.site.store.commits == commits


def test_it_ends_when_the_turn_closes_and_the_page_offers_a_fresh_link(game: Game) -> None:
    browser, old = opened(game), game.link(game.bea)
    game.close_turn()
    page = browser.get(f"/games/{game.id}")
    assert "Mail me a fresh link" in page.seen
    assert browser.data(f"/games/{game.id}").get("you") is None
    assert browser.post(f"/games/{game.id}/orders", {"turn:int": "2"}).status == 401
    browser.get(f"/games/{game.id}")
    assert "on its way" in browser.post(f"/games/{game.id}/fresh-link").seen
    game.site.deliver()
    letter = game.site.post.last("Bea@example.org")
    fresh = link_in(letter.text)
    assert fresh != old
    assert letter.unsubscribe
    browser.get(fresh)
    browser.post(fresh)
    assert browser.data(f"/games/{game.id}")["you"] is not None


def test_a_stale_link_offers_a_fresh_one_to_the_players_own_address_only(game: Game) -> None:
    old = game.link(game.bea)
    game.close_turn()
    stranger = Browser()
    page = stranger.get(old)
    assert page.status == 410
    assert "Mail me a fresh link" in page.seen
    assert "@" not in page.seen
    assert stranger.post(old).status == 410
    assert stranger.post(f"{old}/fresh").status == 200
    game.site.deliver()
    fresh = [letter.to for letter in game.site.post.letters if "fresh link" in letter.subject]
    assert fresh == ["Bea@example.org"]


def test_after_the_end_there_is_nothing_to_open(game: Game) -> None:
    browser, old = opened(game), game.link(game.bea)
    game.end()
    assert "This game is over" in Browser().get(old).seen
    page = browser.get(f"/games/{game.id}")
    assert page.status == 200
    assert "fresh link" not in page.seen
    browser.get(old)
    assert "This game is over" in browser.post(f"{old}/fresh").seen


def test_signing_out_everywhere_ends_the_session_and_the_link(game: Game) -> None:
    browser, old = Browser(), game.link(game.ada)
    browser.get(old)
    browser.post(old)
    game.browser.get("/preferences")
    game.browser.post("/preferences/sign-out-everywhere")
    assert browser.data(f"/games/{game.id}").get("you") is None
    assert browser.get(old).status == 410
    assert browser.post(old).status == 410


def test_who_is_signed_in_as_that_member_goes_straight_to_the_game(game: Game) -> None:
    assert game.browser.get(game.link(game.ada)).location == f"/games/{game.id}"
    game.browser.get("/")
    game.browser.post("/sign-out")
    assert game.browser.get(game.link(game.ada)).status == 200


def test_the_link_of_another_member_leaves_the_full_session_alone(game: Game) -> None:
    link = game.link(game.bea)
    game.browser.get(link)
    game.browser.post(link)
    theirs = game.browser.data(f"/games/{game.id}")["you"]
    assert "Ada" in game.browser.get("/preferences").seen
    game.browser.get("/")
    game.browser.post("/sign-out")
    assert not [name for name in game.browser.cookies if name != "browser"]
    assert theirs is not None


def test_fresh_links_are_limited(game: Game) -> None:
    old = game.link(game.bea)
    game.close_turn()
    answers = []
    game.site.sources.move(30 * MINUTE)  # well within the hour's window
    for n in range(TURN_LINKS.most + 1):
        browser = Browser(client=f"192.0.2.{n}")
        browser.get(old)
        game.site.sources.move(MINUTE)
        answers.append(browser.post(f"{old}/fresh").status)
    assert answers == [200] * TURN_LINKS.most + [429]


def test_forged_links_open_nothing(game: Game) -> None:
    settings = game.site.site.settings
    token = sign_in_url(settings, game.id).rpartition("/")[2]
    nobody = turn_url(settings, game.member(game.ada), "nogame", "south", 1).removeprefix(settings.base_url)
    for path in (f"/turn/{token}", "/turn/x", nobody):
        assert Browser().get(path).status == 404
    strange = turn_url(settings, game.member(game.ada), game.id, "nowhere", 1).removeprefix(settings.base_url)
    assert Browser().get(strange).status == 410


def test_the_moment_is_told_in_the_player_s_zone_as_in_the_mail(game: Game) -> None:
    there = game.site.store.get(MEMBER, game.ada)
    assert there is not None
    game.site.store.commit(Decision((Put(replace(there.value, zone="Asia/Tokyo"), there.version),), None))
    assert "JST" in Browser().get(game.link(game.ada)).seen
