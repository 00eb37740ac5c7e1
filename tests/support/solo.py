"""Games against doctrines on a test's site: begun by their pages, played with a human's pauses."""

from dataclasses import dataclass
from typing import Any

from engine.decisions import Json
from engine.games.feinthold.doctrine.house import HOUSE
from engine.times import SECOND
from tests.support.browser import Answer, Browser
from tests.support.duelling import post_json, run_due
from tests.support.site import TestSite

THINKS = 20 * SECOND
STAY: Json = {"reinforce": [], "move": []}


@dataclass(frozen=True)
class SoloGame:
    """A game under way, and who plays it."""

    site: TestSite
    browser: Browser
    id: str

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/games/{self.id}"

    @property
    def page(self) -> Any:
        """The page's data, as its player sees it."""
        return self.browser.data(self.path)

    def send(self, orders: Json = STAY, thinks: int = THINKS) -> Answer:
        """Look at the turn, think (ms), send orders."""
        page = self.page
        self.site.sources.move(thinks)
        body = {"turn": page["duel"]["turn"], "after": page["after"], "orders": orders}
        return post_json(self.browser, f"{self.path}/orders", body)

    def miss(self) -> None:
        """Let the turn pass."""
        deadline = self.page["duel"]["deadline"]
        self.site.sources.move(deadline - self.site.sources.now() + 3 * SECOND)
        run_due(self.site)

    def finish(self, orders: Json = STAY) -> Any:
        """Play on to the end; the page's data then."""
        while self.page["duel"]["stage"] != "ended":
            sent = self.send(orders)
            assert sent.status == 200, sent.text
        run_due(self.site)
        return self.page


def begin(site: TestSite, browser: Browser, path: str, body: Json) -> SoloGame:
    """The game that a page's form begins."""
    answer = post_json(browser, path, body)
    assert answer.status == 303, answer.text
    return SoloGame(site, browser, answer.location.rpartition("/")[2])


def save(browser: Browser, slot: int, house: str = "pivot", **more: Any) -> None:
    """Put a doctrine with a house AI's rules into a member's place."""
    answer = post_json(browser, f"/doctrines/{slot}", {"doctrine": {**HOUSE[house], **more}})
    assert answer.status == 303, answer.text
