"""Members in a siege, from the announcement on."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.decisions import Decision, Json
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.ledger.moving import move
from engine.platform.ledger.records import HOUSE, Account, Balance, Line, purse
from engine.platform.members import MemberId
from engine.platform.sieges.records import Siege, SiegeTurn
from engine.times import DAY, SECOND
from infra.records import SIEGE, SIEGE_TURN
from tests.support.browser import Answer, Browser
from tests.support.duelling import member, post_json, run_due
from tests.support.site import TestSite

NAMES = ("Anna", "Beth", "Chris", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Karl", "Lena")


@dataclass
class Sieging:
    """A siege and who plays in it, by seat (`p1` announced it)."""

    site: TestSite
    id: str
    players: dict[str, Browser]
    random: Random = field(default_factory=lambda: Random(7))

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/sieges/{self.id}"

    @property
    def state(self) -> Siege:
        """The siege as it is kept."""
        row = self.site.calm.store.get(SIEGE, self.id)
        assert row is not None
        return row.value

    def turn(self, number: int) -> SiegeTurn:
        """A turn as it is kept."""
        row = self.site.calm.store.get(SIEGE_TURN, self.id, number)
        assert row is not None
        return row.value

    def page(self, seat: str) -> Any:
        """The page's data as a seat sees it."""
        return self.players[seat].data(self.path)

    def send(self, seat: str, orders: object, turn: int | None = None, **more: Any) -> Answer:
        """Send a seat's orders, for the turn in play unless another is named."""
        siege = self.state
        player = siege.seat(seat)
        after = player.sheet.number if player and player.sheet else 0
        body = {"turn": siege.turn if turn is None else turn, "after": after, "orders": orders, **more}
        return post_json(self.players[seat], f"{self.path}/orders", body)

    def thought(self, seat: str) -> Json:
        """Random legal orders for what the seat sees."""
        siege = self.state
        game = registry.game(siege.game)
        view = game.view(game.load(siege.state or {}), seat)
        dice = SeededDice(self.random.randbytes(32), 1)
        return game.write(game.think(view, {"policy": "random"}, dice).orders)

    def everybody(self, **more: Any) -> None:
        """Every awaited player sends random orders."""
        for seat in self.state.awaits:
            assert self.send(seat, self.thought(seat), **more).status == 200

    def run(self) -> None:
        """Run every job that is due."""
        run_due(self.site)

    def pass_time(self, span: int) -> None:
        """Let time pass, then run what is due."""
        self.site.sources.move(span)
        self.run()


def announced(site: TestSite, players: int = 3, fee: int = 0, pace: str = "days3", **more: Any) -> Sieging:
    """A siege that so many members have entered; its opening is a day away."""
    browsers = [member(site, name) for name in NAMES[:players]]
    opens = site.sources.now() + DAY
    form = {"name": "The Siege", "seats": max(players, 2), "pace": pace, "fee": fee, "opens": opens, "request": "r"}
    answer = post_json(browsers[0], "/sieges", {**form, **more})
    assert answer.status == 303, answer.text
    siege = Sieging(site, answer.location.rpartition("/")[2], {f"p{n}": b for n, b in enumerate(browsers, 1)})
    for browser in browsers[1:]:
        joined = post_json(browser, f"{siege.path}/join", {})
        assert joined.status == 303, joined.text
    return siege


def opened(site: TestSite, players: int = 3, **more: Any) -> Sieging:
    """A siege whose players are asked to prepare."""
    siege = announced(site, players, **more)
    siege.pass_time(DAY)
    assert siege.state.stage == "playing"
    return siege


def begun(site: TestSite, players: int = 3, **more: Any) -> Sieging:
    """A siege in its first turn."""
    siege = opened(site, players, **more)
    for _ in range(3):
        if siege.state.turn < 1:
            siege.everybody()
    siege.run()
    assert siege.state.turn == 1
    return siege


def to_the_end(siege: Sieging, most: int = 500) -> None:
    """Play random orders until it is over."""
    for _ in range(most):
        if siege.state.stage == "ended":
            break
        siege.everybody()
        siege.site.sources.move(3_600 * SECOND)
    siege.run()
    assert siege.state.stage == "ended"


def credits(site: TestSite, account: str) -> int:
    """What an account holds."""
    return site.calm.store.count(Balance(Account(account)))


def give(site: TestSite, credits: int, *members: str) -> None:
    """Let members have credits of the house."""
    for name in members:
        lines = (Line(HOUSE, -credits), Line(purse(MemberId(name)), credits))
        debts = {MemberId(name): None}
        site.calm.store.commit(Decision(move(f"given/{name}", "gift", site.sources.now(), lines, {}, debts), None))


def codes(answer: Answer) -> list[str]:
    """The codes of what was wrong."""
    error = answer.json["error"]
    return [problem["code"] for problem in error["problems"]] or [error["code"]]


def told(siege: Sieging, notice: str) -> list[str]:
    """Who had a letter with this notice, by the members' ids."""
    return sorted(m.to.partition("@")[0] for m in siege.site.post.letters if m.reference.endswith(f"/{notice}"))
