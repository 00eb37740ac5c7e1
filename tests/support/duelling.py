"""Two members in a duel, and the jobs that follow what they do."""

import json
from dataclasses import dataclass
from typing import Any

from engine.decisions import Decision, Json, Put
from engine.games import registry
from engine.platform.members import Lang, Member, MemberId
from engine.platform.names import take
from engine.platform.sessions import begin, session_id
from functions.worker import run_job
from infra.folding import forms
from infra.records import DUE_SHARDS, JOB
from tests.support.browser import Answer, Browser
from tests.support.site import TestSite


def member(site: TestSite, name: str, lang: Lang = "en", **more: Any) -> Browser:
    """A member by this name (the id and the mailbox are the name in lower case), signed in."""
    now = site.sources.now()
    id = MemberId(name.lower())
    there = Member(id, name, f"{id}@example.org", lang, "Europe/Paris", now, **more)
    cookie = f"cookie of {id}"
    session = begin(there, session_id(cookie), now)
    names = take(id, name, forms(name), {}, now)
    site.site.store.commit(Decision((Put(there, 0), Put(session, 0), *names), None))
    browser = Browser(lang=lang, cookies={"session": cookie})
    browser.data("/duels")
    return browser


def run_due(site: TestSite) -> None:
    """Run every job that is due, and those that follow at once, as the worker does."""
    for _ in range(10):
        due = [
            row.value
            for shard in range(DUE_SHARDS)
            for row in site.site.store.query(JOB, "due", shard, limit=50, upto=(site.sources.now(),)).rows
        ]
        for job in sorted(due, key=lambda job: (job.due, job.id)):
            run_job(site.site, job.id)
        if not due:
            return


def post_json(browser: Browser, path: str, body: Json) -> Answer:
    """Send JSON and take JSON back."""
    headers = {"accept": "application/json", "content-type": "application/json", "x-csrf-token": browser.csrf}
    return browser.send("POST", path, headers, json.dumps(body))


@dataclass(frozen=True)
class Duelling:
    """A duel under way: its two players in the order of their seats."""

    site: TestSite
    id: str
    a: Browser
    b: Browser
    seats: tuple[str, ...] = ("a", "b")

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/games/{self.id}"

    def page(self, seat: str) -> Any:
        """The page's data as a seat sees it."""
        return self.who(seat).data(self.path)

    def who(self, seat: str) -> Browser:
        """The browser of a seat's player."""
        return (self.a, self.b)[self.seats.index(seat)]

    def send(self, seat: str, orders: Json, turn: int | None = None, after: int | None = None) -> Answer:
        """Send a seat's orders, for the turn in play unless another is named."""
        page = self.page(seat)
        body = {
            "turn": page["duel"]["turn"] if turn is None else turn,
            "after": page["after"] if after is None else after,
            "orders": orders,
        }
        return post_json(self.who(seat), f"{self.path}/orders", body)

    def act(self, seat: str, action: str) -> Answer:
        """Do something else with the duel (`ready`, `offer-draw`, …)."""
        return post_json(self.who(seat), f"{self.path}/{action}", {})


def duel(
    site: TestSite, one: Browser, other: Browser, pace: str = "days1", opponent: str = "", game: str = "feinthold"
) -> Duelling:
    """A duel proposed by `one` and accepted by `other`, ready if its pace asks for it."""
    proposed = post_json(
        one, "/duels", {"game": game, "pace": pace, "opponent": opponent, "request": f"{pace} {site.sources.now()}"}
    )
    assert proposed.status == 303, proposed.text
    path = proposed.location
    for who, action in ((other, "accept"), (one, "ready"), (other, "ready")):
        if action in who.data(path)["may"]:
            done = post_json(who, f"{path}/{action}", {})
            assert done.status == 303, done.text
    seats = {one.data(path)["you"]: one, other.data(path)["you"]: other}
    first, second = registry.game(game).SPEC.seats[:2]
    return Duelling(site, path.rpartition("/")[2], seats[first], seats[second], (first, second))
