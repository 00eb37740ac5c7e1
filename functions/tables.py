"""Games whose turns a mail's link opens, of whichever kind they are (P2)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.protocol import Seat
from engine.platform.duels.records import Duel
from engine.platform.members import Member, MemberId
from engine.platform.sieges.records import Siege
from engine.times import Instant
from infra.records import DUEL, SIEGE
from infra.site import Site


@dataclass(frozen=True, slots=True)
class Table:
    """A game as its turns are played: where its page is, whose turn it is until when, who sits where.

    `name` is that of a game with one; `playing` is false before its first turn and after its end.
    """

    id: str
    path: str
    game: str
    name: str
    playing: bool
    turn: int
    deadline: Instant | None
    seats: Mapping[Seat, MemberId]

    def seated(self, member: Member, seat: Seat) -> bool:
        """Whether it is being played and the member has this seat."""
        return self.playing and self.seats.get(seat) == member.id

    def opponents(self, member: MemberId) -> tuple[MemberId, ...]:
        """Who else sits there."""
        return tuple(other for other in self.seats.values() if other != member)


def table(site: Site, id: str, path: str = "") -> Table | None:
    """The game of this id; one read for a duel or if `path` tells the kind, else two."""
    duel = None if path.startswith("/sieges/") else site.store.get(DUEL, id)
    if duel is not None:
        return of_duel(duel.value)
    siege = None if path.startswith("/games/") else site.store.get(SIEGE, id)
    return of_siege(siege.value) if siege else None


def of_duel(duel: Duel) -> Table:
    """A duel as a table."""
    seats = {p.seat: p.member for p in duel.players if p.policy is None}
    playing = duel.stage == "playing"
    return Table(duel.id, f"/games/{duel.id}", duel.game, "", playing, duel.turn, duel.deadline, seats)


def of_siege(siege: Siege) -> Table:
    """A siege as a table."""
    seats = {p.seat: p.member for p in siege.players}
    playing = siege.stage == "playing"
    path = f"/sieges/{siege.id}"
    return Table(siege.id, path, siege.game, siege.name, playing, siege.turn, siege.deadline, seats)
