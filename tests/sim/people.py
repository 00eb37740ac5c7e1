"""Members as they are: prompt, late, absent, or with two tabs open."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Literal

from engine.decisions import Json
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Seat
from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from engine.platform.sieges.records import Siege
from engine.times import DAY, HOUR, MINUTE, SECOND
from infra.faults import Crash
from infra.records import DUEL
from tests.sim.world import World
from tests.support.browser import Answer, Browser

Habit = Literal["prompt", "late", "absent", "two tabs"]
HABITS: Final[tuple[Habit, ...]] = ("prompt", "prompt", "late", "absent", "two tabs")
LOOKS: Final = {
    "live": 10 * SECOND,
    "blitz": 15 * SECOND,
    "rapid": MINUTE,
    "days1": 3 * HOUR,
    "days2": 6 * HOUR,
    "days3": 8 * HOUR,
}


TIRED_AFTER: Final = 50  # turns: then somebody leaves sooner or later


@dataclass(frozen=True, slots=True)
class Ack:
    """An acknowledged submission: what the member was told was taken."""

    duel: str
    member: str
    turn: int
    number: int
    commitment: str


@dataclass
class Person:
    """A member at a browser."""

    world: World
    id: str
    name: str
    habit: Habit
    browser: Browser
    random: Random
    acks: list[Ack] = field(default_factory=list)
    rivals: dict[str, "Person"] = field(default_factory=dict)

    def follow(self, duel: str, pace: str, rival: "Person") -> None:
        """Look at a duel again and again, and do what there is to do, until it is over."""
        self.rivals[duel] = rival

        def look() -> None:
            page = self.get(f"/games/{duel}")
            if page is not None and page.get("duel", {}).get("stage") == "ended":
                return
            if page is not None and "duel" in page:
                self._act(duel, page)
            self.world.at(self.world.sources.time + self._pause(LOOKS[pace]), look)

        self.world.at(self.world.sources.time + self._pause(LOOKS[pace]), look)

    def hurry(self, duel: str, turn: int) -> None:
        """Send some orders right now."""
        sheet = self.think(duel)
        if sheet is not None:
            self.send(duel, turn, 0, sheet)

    def post(self, path: str, body: Json) -> Answer | None:
        """Send JSON; None if the answer never came. Like a browser told to try again, it does so twice."""
        for _ in range(3):
            if not self.world.up:
                return None
            headers = {
                "accept": "application/json",
                "content-type": "application/json",
                "x-csrf-token": self.browser.csrf,
            }
            try:
                answer = self.browser.send("POST", path, headers, json.dumps(body))
            except Crash:
                self.world.crashes += 1
                continue
            if answer.status != 503:
                return answer
        return None

    def get(self, path: str) -> Any:
        """The data of a page; None if the answer never came."""
        if not self.world.up:
            return None
        try:
            return self.browser.data(path)
        except Crash:
            self.world.crashes += 1
            return None

    def think(self, duel: str, policy: str = "random") -> Json | None:
        """Legal orders for what the member sees (taken from the state, as policies want a view)."""
        row = self.world.truth.get(DUEL, duel)
        player = row.value.player(MemberId(self.id)) if row else None
        if row is None or player is None or row.value.stage != "playing":
            return None
        return thought(row.value, player.seat, self.random, policy)

    def send(self, duel: str, turn: int, after: int, orders: Json) -> None:
        """Send orders, and remember what was acknowledged."""
        answer = self.post(f"/games/{duel}/orders", {"turn": turn, "after": after, "orders": orders})
        if answer is not None and answer.status == 200:
            sheet = answer.json["sheet"]
            self.acks.append(Ack(duel, self.id, turn, sheet["number"], sheet["commitment"]))

    def _act(self, duel: str, page: Any) -> None:
        may, stage = page["may"], page["duel"]["stage"]
        if "accept" in may or "ready" in may:
            if self.habit != "absent" or self.random.random() < 0.5:
                self.post(f"/games/{duel}/{'accept' if 'accept' in may else 'ready'}", {})
        elif stage == "playing" and "orders" in may and self._feels_like_it(page):
            self._order(duel, page)
        elif stage == "playing" and "accept-draw" in may:
            self.post(f"/games/{duel}/{self.random.choice(('accept-draw', 'decline-draw'))}", {})
        elif stage == "playing" and "offer-draw" in may and self.random.random() < 0.03:
            self.post(f"/games/{duel}/offer-draw", {})
        elif stage == "playing" and "abandon" in may and self.random.random() < self._weariness(page):
            self.post(f"/games/{duel}/abandon", {})

    def _weariness(self, page: Any) -> float:
        return 0.003 if page["duel"]["turn"] < TIRED_AFTER else 0.05

    def _feels_like_it(self, page: Any) -> bool:
        if page["receipt"] is not None:
            return self.random.random() < 0.1
        if self.habit == "absent":
            return self.random.random() < 0.15
        if self.habit == "late":
            left = page["duel"]["deadline"] - self.world.sources.time
            span = page["duel"]["deadline"] - page["duel"]["opened"]
            return bool(left < span * 0.3)
        return True

    def _order(self, duel: str, page: Any) -> None:
        turn, after = page["duel"]["turn"], page["after"]
        if self.random.random() < 0.05:
            self.send(duel, turn, after, {"move": [{"from": "hq_a", "to": "hq_b", "units": 99}]})
        if self.random.random() < 0.03:
            self.send(duel, turn - 1, after, {})
        orders = [self.think(duel) for _ in range(2 if self.habit == "two tabs" else 1)]
        for sheet in orders:
            if sheet is not None:
                if self.random.random() < 0.2:
                    self.world.meanwhile.append(at_the_same_time(lambda: self.rivals[duel].hurry(duel, turn)))
                self.send(duel, turn, after, sheet)

    def _pause(self, usual: int) -> int:
        longest = {"prompt": 1.0, "two tabs": 1.0, "late": 0.7, "absent": 3.0}[self.habit]
        if usual == LOOKS["live"] and self.habit == "absent" and self.random.random() < 0.02:
            return 2 * MINUTE  # gone for longer than a live game waits
        return int(usual * self.random.uniform(0.1, longest))


def thought(table: Duel | Siege, seat: Seat, random: Random, policy: str = "random") -> Json:
    """Legal orders for a seat of a game under way, by a policy."""
    game = registry.game(table.game)
    view = game.view(game.load(table.state or {}), seat)
    return game.write(game.think(view, {"policy": policy}, SeededDice(random.randbytes(32), 1)).orders)


def at_the_same_time(act: Callable[[], object]) -> Callable[[], None]:
    """Let another request be handled in the middle of this one, as on another machine."""

    def run() -> None:
        thread = threading.Thread(target=act)
        thread.start()
        thread.join()

    return run


__all__ = ("DAY", "HABITS", "Ack", "Habit", "Person", "at_the_same_time", "thought")
