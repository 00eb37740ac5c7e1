"""Members of some standing with credits, games played to their end, moderators."""

from dataclasses import replace
from typing import Any

from engine.decisions import Add, Decision, Json, Put
from engine.platform.duels.records import Duel
from engine.platform.gifts import give
from engine.platform.ledger.records import Balance, escrow, purse
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import MODERATOR
from engine.platform.rivalries import Opponents
from engine.times import DAY, later
from infra.records import MARK, MEMBER, RATED, RATING_CHANGE
from tests.support.browser import Answer, Browser
from tests.support.duelling import Duelling, post_json, run_due
from tests.support.duelling import member as plain
from tests.support.jobs import state as kept
from tests.support.site import TestSite


def member(site: TestSite, name: str, **more: Any) -> Browser:
    """A member who may stake: a year here, four opponents, 100 credits."""
    browser = plain(site, name, **more)
    id, now = MemberId(name.lower()), site.sources.now()
    row = site.calm.store.get(MEMBER, id)
    assert row is not None
    changes = give(None, f"gift of {id}", id, now)
    old = Put(replace(row.value, joined=later(now, -365 * DAY)), row.version)
    site.calm.store.commit(Decision((old, *changes, Add(Opponents(id), 4)), None))
    return browser


def moderator(site: TestSite, name: str) -> Browser:
    """A member who moderates."""
    return plain(site, name, roles=(MODERATOR,))


def credits(site: TestSite, name: str) -> int:
    """What a member's purse holds."""
    return site.calm.store.count(Balance(purse(MemberId(name))))


def in_escrow(site: TestSite, game: Duelling) -> int:
    """What waits for the end of a duel."""
    return site.calm.store.count(Balance(escrow("duel", game.id)))


def account(site: TestSite, name: str) -> Member:
    """A member as kept."""
    row = site.calm.store.get(MEMBER, name)
    assert row is not None
    return row.value


def staked(site: TestSite, one: Browser, other: Browser, stake: int, pace: str = "days1") -> Duelling:
    """A duel with a stake, begun."""
    body = {"game": "feinthold", "pace": pace, "opponent": "", "stake": str(stake), "request": str(site.sources.now())}
    proposed = post_json(one, "/duels", body)
    assert proposed.status == 303, proposed.text
    path = proposed.location
    accepted = post_json(other, f"{path}/accept", {})
    assert accepted.status == 303, accepted.text
    seats = {browser.data(path)["you"]: browser for browser in (one, other)}
    return Duelling(site, path.rpartition("/")[2], seats["a"], seats["b"])


def full(seat: str) -> Json:
    """A full sheet that is legal in any turn."""
    return {"reinforce": [{"at": f"hq_{seat}", "units": 1, "decoys": 0}]}


def play(game: Duelling, turns: int, delays: dict[str, int], orders: dict[str, Json | None] | None = None) -> None:
    """Turns in which each seat sends so long (ms) after it was shown the turn; full sheets unless named otherwise."""
    for _ in range(turns):
        for seat in ("a", "b"):
            if state(game).stage == "ended":
                return
            sheet = orders[seat] if orders and seat in orders else full(seat)
            if sheet is None:
                continue
            game.page(seat)
            game.site.sources.move(delays[seat])
            sent = post(game, seat, sheet)
            assert sent.status == 200, sent.text
        game.site.sources.move(7_001)


def post(game: Duelling, seat: str, orders: Json) -> Answer:
    """Send orders without looking at the page."""
    at = state(game)
    player = next(p for p in at.players if p.seat == seat)
    after = player.sheet.number if player.sheet else 0
    return post_json(game.who(seat), f"{game.path}/orders", {"turn": at.turn, "after": after, "orders": orders})


def state(game: Duelling) -> Duel:
    """The duel as kept."""
    return kept(game)


def name_of(browser: Browser) -> str:
    """The id of a browser's member."""
    return browser.cookies["session"].rpartition(" ")[2]


def marks(site: TestSite, name: str) -> set[str]:
    """The signs of a member's open marks."""
    rows = site.calm.store.query(MARK, "", name, limit=50).rows
    return {row.value.sign for row in rows if row.value.open}


def rating(site: TestSite, name: str, board: str = "feinthold") -> int:
    """What the records of a member's rating sum to, in tenths."""
    rows = site.calm.store.query(RATING_CHANGE, "", name, limit=200).rows
    return 10_000 + sum(row.value.after - row.value.before for row in rows if row.value.board == board)


def unrated(site: TestSite, game: Duelling) -> str:
    """Why a duel that is over moved no rating, "" if it did."""
    row = site.calm.store.get(RATED, game.id)
    assert row is not None
    return row.value.why


def act(browser: Browser, what: str, about: str, other: str = "", reason: str = "Seen.", **more: str) -> Answer:
    """Act as a moderator."""
    body = {"what": what, "about": about, "other": other, "reason": reason, "request": f"{what} {about}", **more}
    browser.data("/moderation")
    return post_json(browser, "/moderation/acts", body)


def done(site: TestSite, browser: Browser, what: str, about: str, other: str = "") -> str:
    """Act, and let it take effect; the act's id."""
    answer = act(browser, what, about, other)
    assert answer.status == 303, answer.text
    run_due(site)
    return answer.location.rpartition("/")[2]


def won(game: Duelling, loser: str = "b") -> tuple[str, str]:
    """The duel is over: the winner's name and the loser's."""
    play(game, 1, {"a": 40_000, "b": 50_000})
    assert game.act(loser, "abandon").status == 303
    run_due(game.site)
    a, b = name_of(game.a), name_of(game.b)
    return (a, b) if loser == "b" else (b, a)


def judged(mod: Browser, id: str, verdict: str) -> Answer:
    """Judge the answers to an act as a moderator."""
    mod.get(f"/decisions/{id}")
    return mod.post(f"/decisions/{id}/judge", {"verdict": verdict, "reason": "Looked at again."})


def answered(browser: Browser, id: str, text: str = "It was not so.") -> Answer:
    """Answer an act as one of those concerned."""
    browser.get(f"/decisions/{id}")
    return browser.post(f"/decisions/{id}/answer", {"answer": text})
