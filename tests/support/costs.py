"""What pages and actions ask of the store."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.decisions import Decision, Put
from engine.platform.duels import propose
from engine.platform.members import Member, MemberId
from tests.support.browser import Answer, Browser
from tests.support.duelling import Duelling, duel, member, post_json
from tests.support.people import link_in
from tests.support.site import TestSite, site_in


@dataclass(frozen=True, slots=True)
class Cost:
    """One page or action: reads, the records they gave, transactions, and the kinds of the records written."""

    name: str
    reads: int
    found: int
    commits: int
    written: tuple[str, ...]


def cost(site: TestSite, name: str, act: Callable[[], Answer]) -> Cost:
    """What it costs to do this; it must succeed."""
    store = site.store
    reads, found, commits, written = store.reads, store.found, store.commits, len(store.written)
    answer = act()
    assert answer.status < 400, (name, answer.status, answer.seen)
    kinds = tuple(store.written[written:])
    return Cost(name, store.reads - reads, store.found - found, store.commits - commits, kinds)


def costs(folder: Path) -> Iterator[Cost]:
    """Every main page and action, in the course of one duel by correspondence and one in blitz."""
    site = site_in(folder)
    anna, beth, chris = (member(site, name) for name in ("Anna", "Beth", "Chris"))
    yield from _before(site, anna, beth)
    game = duel(site, anna, beth, pace="days2")
    yield from _during(site, game, chris)
    yield from _after(site, game, chris)
    yield from _elsewhere(site, anna, chris)


def busy(site: TestSite, number: int) -> Browser:
    """A member with so many games of each kind: half of those under way wait for her; as many proposals are open."""
    anna = member(site, "Anna")
    store, now = site.calm.store, site.sources.now()
    for n in range(number):
        other = Member(MemberId(f"m{n}"), f"Member {n}", f"m{n}@example.org", "en", "UTC", now)
        store.commit(Decision((Put(other, 0),), None))
        for what, invited in (("game", other.id), ("open", None), ("mine", None), ("invited", MemberId("anna"))):
            proposer = MemberId("anna") if what in ("game", "mine") else other.id
            command = propose.Propose(proposer, "feinthold", "days1", invited, f"{what} {n}")
            decision = propose.propose(command, None, (), now)
            rows = tuple(c for c in decision.changes if isinstance(c, Put))
            store.commit(Decision(rows, None))
            if what == "game":
                accepted = propose.accept(decision.answer, 1, other.id, bytes(32), (), now)
                puts = tuple(Put(c.value, None) for c in accepted.changes if isinstance(c, Put))
                store.commit(Decision(puts, None))
    return anna


def _before(site: TestSite, anna: Browser, beth: Browser) -> Iterator[Cost]:
    form = {"game": "feinthold", "pace": "blitz", "opponent": "Beth", "request": "r"}
    yield cost(site, "propose", lambda: post_json(anna, "/duels", form))
    path = post_json(anna, "/duels", form).location
    yield cost(site, "proposal", lambda: beth.get(path))
    yield cost(site, "accept", lambda: post_json(beth, f"{path}/accept", {}))
    yield cost(site, "ready room", lambda: beth.get(path))
    yield cost(site, "ready", lambda: post_json(beth, f"{path}/ready", {}))
    yield cost(site, "abandon", lambda: post_json(beth, f"{path}/abandon", {}))


def _during(site: TestSite, game: Duelling, chris: Browser) -> Iterator[Cost]:
    for seat in ("a", "b"):
        assert game.send(seat, {}).status == 200
    form = {"turn": 2, "after": 0, "orders": {"predict": "centre"}}
    yield cost(site, "game", lambda: game.a.get(game.path))
    yield cost(site, "game, JSON", lambda: game.a.get(game.path, "application/json"))
    linked = by_link(site, game)
    yield cost(site, "game, by a turn mail's link", lambda: linked.get(game.path))
    yield cost(site, "game, a stranger", lambda: chris.get(game.path))
    yield cost(site, "game, not signed in", lambda: Browser().get(game.path))
    yield cost(site, "live refresh", lambda: game.a.get(f"{game.path}/version"))
    yield cost(site, "live refresh, seen", lambda: game.a.get(f"{game.path}/version?beat"))
    yield cost(site, "draft", lambda: post_json(game.a, f"{game.path}/draft", form))
    yield cost(site, "notes", lambda: post_json(game.a, f"{game.path}/notes", {"notes": "mine"}))
    fields = {"turn:int": "2", "after:int": "0", "orders.predict": "centre"}
    yield cost(site, "submission", lambda: game.a.post(f"{game.path}/orders", fields))
    yield cost(site, "game after it, with the next game", lambda: game.a.get(f"{game.path}?sent=2"))
    yield cost(site, "submission that closes the turn", lambda: game.b.post(f"{game.path}/orders", fields))


def _after(site: TestSite, game: Duelling, chris: Browser) -> Iterator[Cost]:
    assert post_json(game.b, f"{game.path}/abandon", {}).status == 303
    yield cost(site, "game over", lambda: game.a.get(game.path))
    yield cost(site, "replay", lambda: chris.get(f"{game.path}/replay?step=1"))
    yield cost(site, "download", lambda: chris.get(f"{game.path}/download"))
    yield cost(site, "rematch", lambda: post_json(game.a, f"{game.path}/rematch", {}))


def _elsewhere(site: TestSite, anna: Browser, chris: Browser) -> Iterator[Cost]:
    yield cost(site, "home", lambda: anna.get("/"))
    yield cost(site, "home, not signed in", lambda: Browser().get("/"))
    yield cost(site, "games under way", lambda: anna.get("/games"))
    yield cost(site, "duels", lambda: anna.get("/duels"))
    yield cost(site, "history", lambda: anna.get("/history"))
    yield cost(site, "member", lambda: chris.get("/members/anna"))
    yield cost(site, "preferences", lambda: anna.get("/preferences"))
    yield cost(site, "rules", lambda: anna.get("/rules/feinthold"))


def by_link(site: TestSite, game: Duelling) -> Browser:
    """A browser that came by the link of side a's turn mail."""
    who = game.a.cookies["session"].rpartition(" ")[2]
    site.deliver()
    ours = [x for x in site.post.letters if x.to == f"{who}@example.org" and x.reference.startswith(f"mail/{game.id}/")]
    link = next(link_in(letter.text) for letter in ours if "/turn/" in letter.text)
    browser = Browser()
    browser.get(link)
    assert browser.post(link).status == 303
    return browser
