"""Games against a doctrine: begun at once, by one member (P14b, P23, P24)."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from engine.decisions import Decision, Json, Put
from engine.games.protocol import Seat
from engine.platform.duels.records import Duel, DuelId, MemberGame, Player
from engine.platform.duels.start import begin
from engine.platform.members import MemberId
from engine.times import Instant

Kind = Literal["challenge", "front", "practice"]


@dataclass(frozen=True, slots=True)
class Solo:
    """What is to be played: the rival's id and policy, at a pace, on `options` and `seat` or as they are drawn.

    `stand_in` is the member's default doctrine as a policy. `front` is the date of a Daily Front. `rated` and `why` are
    what the member is told at the start.
    """

    kind: Kind
    pace: str
    member: MemberId
    rival: MemberId
    policy: Json
    options: Json = field(default_factory=dict)
    seat: Seat | None = None
    stand_in: Json | None = None
    front: str = ""
    rated: bool | None = None
    why: str = ""
    game: str = field(kw_only=True)


def solo_id(kind: Kind, member: MemberId, request: str) -> DuelId:
    """The id of the game that this request makes: the same for the same request."""
    return DuelId(hashlib.sha256(f"{kind}/{member}/{request}".encode()).hexdigest()[:16])


def play(id: DuelId, wanted: Solo, seed: bytes, now: Instant) -> Decision[Duel]:
    """The game, its first turn open; its id must be new. The rival's orders of that turn are made now (P11)."""
    players = (Player(wanted.member, stand_in=wanted.stand_in), Player(wanted.rival, policy=wanted.policy))
    duel = Duel(
        id,
        wanted.game,
        wanted.pace,
        wanted.member,
        wanted.rival,
        now,
        players,
        kind=wanted.kind,
        options=wanted.options,
        seed=seed.hex(),
        accepted=now,
        front=wanted.front,
        rated=wanted.rated,
        unrated_why=wanted.why,
    )
    begun = begin(duel, 0, now, seat=wanted.seat)
    row = MemberGame(wanted.member, id, duel.game, duel.pace, wanted.rival, "running", now, kind=wanted.kind)
    return Decision((*begun.changes, Put(row, None)), begun.answer)
