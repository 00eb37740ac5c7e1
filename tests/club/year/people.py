"""Members of the club over a year: how they sign in, play and answer, each in their own manner."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from engine.platform.sieges.records import Siege
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant
from infra.records import DUEL, SIEGE
from tests.sim.people import Person, thought
from tests.support.browser import Answer

if TYPE_CHECKING:
    from tests.club.year.club import YearClub

Kind = Literal["keen", "usual", "idle", "silent", "cheat", "moderator"]
Span = tuple[int, int]

AGAIN: Final = 20 * MINUTE  # until something that failed is tried again
SLOW: Final[Span] = (HOUR, 14 * HOUR)
SPANS: Final[Mapping[str, Span]] = {  # until orders are sent, by pace
    "blitz": (5 * SECOND, 45 * SECOND),
    "rapid": (20 * SECOND, 200 * SECOND),
    "live": (2 * SECOND, 12 * SECOND),
    "half_day": (HOUR // 2, 8 * HOUR),
    "days2": (HOUR, 24 * HOUR),
}
CHALLENGED: Final[Span] = (10 * MINUTE, 12 * HOUR)  # a challenge waits for nobody else
READING: Final[Span] = (4 * SECOND, 20 * SECOND)
SUPERHUMAN: Final[Span] = (600, 2_200)
LIVE: Final = ("blitz", "rapid", "live")
ENOUGH: Final = 12  # turns of a siege, after which its players would rather end it


@dataclass(frozen=True, slots=True)
class Manner:
    """How often members of a kind miss a turn, give a game up, and look at the page before they send orders."""

    misses: float
    weary: float
    looks: float
    policies: tuple[str, ...] = ("random",)


MANNERS: Final[Mapping[Kind, Manner]] = {
    "keen": Manner(0.02, 0.01, 0.15, ("ram", "pivot", "sentinel", "random")),
    "usual": Manner(0.06, 0.02, 0.15, ("random", "random", "ram")),
    "idle": Manner(0.25, 0.05, 0.1),
    "silent": Manner(1.0, 0.0, 0.0),
    "cheat": Manner(0.02, 0.01, 1.0, ("ram",)),
    "moderator": Manner(0.1, 0.02, 0.2),
}


@dataclass(kw_only=True)
class Clubber(Person):
    """A member at a browser, or somebody who is about to become one (`id` is blank until then).

    `eager` is how often they play compared with others, `solo` the same of challenges.
    """

    club: "YearClub"
    address: str
    kind: Kind
    eager: float
    solo: float
    gone: bool = False
    home: "Clubber | None" = None  # whose browser this member uses too
    shares: bool = False  # a browser with somebody else
    published: bool = False  # a doctrine of their own
    signed_in: Instant = field(default=Instant(0))

    @property
    def here(self) -> bool:
        """Whether this is a member, now."""
        return bool(self.id) and not self.gone

    @property
    def manner(self) -> Manner:
        """How members of this kind play."""
        return MANNERS[self.kind]

    def soon(self, span: Span, act: Callable[[], object]) -> None:
        """Do something after a while, unless gone by then."""

        def do() -> None:
            if not self.gone:
                act()

        self.world.at(self.world.sources.time + self.random.randint(*span), do)

    def does(self, path: str, body: Mapping[str, object]) -> Answer | None:
        """Do something: the answer if it was done, None if it was refused or went wrong."""
        answer = self.post(path, dict(body)) if self.world.up else None
        return answer if answer is not None and answer.status in (200, 303) else None

    def sign_in(self, then: Callable[[], object] | None = None) -> None:
        """Ask for a link, follow it once it is there, then do what is to follow."""
        if self.home is not None and "browser" in self.home.browser.cookies:
            self.browser.client = self.home.browser.client
            self.browser.cookies["browser"] = self.home.browser.cookies["browser"]
        asked = self.get("/sign-in?again=1") is not None and self.does("/sign-in", {"address": self.address})
        span = (MINUTE, 4 * MINUTE) if asked else (AGAIN, 2 * AGAIN)
        self.soon(span, (lambda: self._follow_link(then)) if asked else (lambda: self.sign_in(then)))

    def leave(self) -> None:
        """Delete the account, after a fresh sign-in."""

        def delete() -> None:
            if self.does("/account/delete", {"confirm": "yes"}) is None:
                self.soon((AGAIN, AGAIN), self.leave)
            else:
                self.gone = True

        self.sign_in(delete)

    def attend(self, duel: Duel) -> None:
        """A duel's turn waits for this member."""
        if self.random.random() >= self.manner.misses:
            alone = duel.kind in ("challenge", "practice") and not duel.front
            self.soon(CHALLENGED if alone else SPANS.get(duel.pace, SLOW), lambda: self._play(duel.id, duel.turn))

    def besieged(self, siege: Siege) -> None:
        """A siege's turn waits for this member."""
        if self.random.random() >= self.manner.misses:
            self.soon(SLOW, lambda: self._shoot(siege.id, siege.turn))

    def consider(self, duel: Duel) -> None:
        """Take a proposal, or say no to it."""
        declines = duel.invited == self.id and self.random.random() < 0.1
        self.does(f"/games/{duel.id}/{'decline' if declines else 'accept'}", {})

    def appeal(self, act: str) -> None:
        """Answer a moderators' decision."""
        self.does(f"/decisions/{act}/answer", {"answer": "It was not like that."})

    def _follow_link(self, then: Callable[[], object] | None) -> None:
        link = self.club.chronicle.links.pop(self.address, "")
        answer = self.does(link, {}) if link and self.get(link) is not None else None
        if answer is not None and answer.location.startswith("/welcome/"):
            if self.id:  # the account was deleted after all: its answer was lost
                self.gone = True
                return
            answer = self._welcomed(answer.location)
        if answer is None or answer.status != 303 or self.get("/duels") is None:
            self.soon((AGAIN, 2 * AGAIN), lambda: self.sign_in(then))
            return
        self.signed_in = self.world.sources.time
        if not self.id:
            self.id = self.club.chronicle.by_address[self.address]
            self.club.joined(self)
        if then is not None:
            then()

    def _welcomed(self, path: str) -> Answer | None:
        chosen = {"name": self.name, "lang": self.browser.lang, "zone": "Europe/Paris"}
        return self.does(path, chosen) if self.get(path) is not None else None

    def _play(self, id: str, turn: int) -> None:
        row = self.world.truth.get(DUEL, id)
        player = row.value.player(MemberId(self.id)) if row else None
        if row is None or player is None or row.value.turn != turn or not row.value.waits_for(player):
            return
        if not self.world.up:
            self.soon((AGAIN, AGAIN), lambda: self._play(id, turn))
            return
        long = row.value.game == "relief"  # at random it would take two hundred moves
        lost = row.value.kind == "front" and self.kind not in ("keen", "cheat")
        if self.random.random() < (0.05 if long or lost else self.manner.weary):
            self.does(f"/games/{id}/abandon", {})
            return
        policy = "random" if long else self.random.choice(self.manner.policies)
        orders = thought(row.value, player.seat, self.random, policy)
        if self.random.random() < self.manner.looks and self.get(f"/games/{id}") is not None:
            quick = self.kind == "cheat" and row.value.pace != "days1"
            self.soon(SUPERHUMAN if quick else READING, lambda: self.send(id, turn, 0, orders))
        else:
            self.send(id, turn, 0, orders)

    def _shoot(self, id: str, turn: int) -> None:
        row = self.world.truth.get(SIEGE, id)
        player = row.value.player(MemberId(self.id)) if row else None
        if row is None or player is None or row.value.turn != turn or not row.value.waits_for(player):
            return
        if not self.world.up:
            self.soon((AGAIN, AGAIN), lambda: self._shoot(id, turn))
            return
        if turn > 0 and self.random.random() < self.manner.weary:
            self.does(f"/sieges/{id}/leave", {})
            return
        orders = dict(thought(row.value, player.seat, self.random))
        if turn > ENOUGH:
            orders["agree_end"] = True
        body = {"turn": turn, "after": 0, "orders": orders}
        self.does(f"/sieges/{id}/orders", {**body, "text": "We take aim."} if self.random.random() < 0.2 else body)
        if turn > 1 and self.random.random() < 0.1:
            self.does(f"/sieges/{id}/topic", {"text": "Well shot!", "request": f"{turn}"})


__all__ = ("DAY", "LIVE", "Clubber", "Kind")
