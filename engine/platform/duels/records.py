"""What is kept of a duel."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NewType

from engine.decisions import Json
from engine.errors import Scalar
from engine.games.protocol import Seat
from engine.platform.members import MemberId
from engine.times import DAY, MINUTE, SECOND, Instant

DuelId = NewType("DuelId", str)
Stage = Literal["proposed", "ready", "playing", "ended"]
Kind = Literal["duel", "match", "challenge", "front", "practice"]

PROPOSAL_LASTS: Final = 7 * DAY
READY_LASTS: Final = 30 * MINUTE
GRACE: Final = 2 * SECOND  # orders on their way when the deadline passes (P6)
SUBMISSIONS: Final = 5
OPEN_PROPOSALS: Final = 10
AGREED: Final = "agreement"  # a draw that both wanted
NO_RESULT: Final = ("cancelled", "no_show", "outage", "silence", "voided", "stopped")
NEVER_BEGUN: Final = ("withdrawn", "declined", "lapsed")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Orders as sent: canonical, with when they arrived, and the commitment shown to the opponent (P11).

    `number` counts the submissions of the turn, `requests` names them all, so that one sent twice is known. `by` tells
    who wrote it; `notes` is what a doctrine's rules did, for its owner alone (F28). `full` is when the first of a
    member's submissions of the turn came that had an order other than a prediction (P27).
    """

    orders: Json
    number: int
    received: Instant
    commitment: str
    requests: tuple[str, ...]
    by: Literal["member", "ai", "stand_in"] = "member"
    notes: tuple[Json, ...] = ()
    full: Instant | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A member in a duel, or an AI (`policy` says how it plays, and there is no such member).

    `stand_in` is the policy that plays the turns the member misses, as it was when the game began (P12). `sheets`
    counts the turns the member sent orders for, `left` is a total clock's rest (ms).
    """

    member: MemberId
    seat: Seat = ""
    ready: Instant | None = None
    sheet: Sheet | None = None
    sheets: int = 0
    missed: int = 0
    left: int | None = None
    policy: Json | None = None
    stand_in: Json | None = None
    offered: int = 0  # the turn of the last draw offered
    guest: bool = False  # plays without an account (P3)


@dataclass(frozen=True, slots=True)
class Result:
    """How a duel ended: by the game's rules, by forfeit, or without result (`NO_RESULT`, `NEVER_BEGUN`)."""

    winner: Seat | None
    by: str

    @property
    def counts(self) -> bool:
        """Whether it is a win, a loss or a draw."""
        return self.by not in NO_RESULT and self.by not in NEVER_BEGUN


@dataclass(frozen=True, slots=True)
class Duel:
    """A duel, the whole of it but its past turns. `seed`, `state` and the sheets are secret while it runs.

    `awaits` names the seats whose orders the turn in play waits for, sent or not. `opened` and `deadline` belong to
    that turn, or to the ready room. The proposer is the first player until
    the seats are drawn; then players stand in the order of the seats. `front` is the date of a Daily Front: until that
    day is final nobody sees more of the game than its player did (P24).
    """

    id: DuelId
    game: str
    pace: str
    proposer: MemberId
    invited: MemberId | None
    proposed: Instant
    players: tuple[Player, ...]
    stage: Stage = "proposed"
    kind: Kind = "duel"
    options: Json = field(default_factory=dict)
    seed: str = ""
    accepted: Instant | None = None
    state: Json | None = None
    turn: int = 0
    played: int = 0  # turns resolved
    awaits: tuple[Seat, ...] = ()
    opened: Instant | None = None
    deadline: Instant | None = None
    ended: Instant | None = None
    result: Result | None = None
    wakes: int = 0  # deadlines moved by outages (P7b)
    cup: str = ""  # the tournament whose match it is, and which one (P20)
    cup_match: int = 0
    front: str = ""  # the Daily Front it is played on, ranked or again (P24)
    rated: bool | None = None  # as shown at the start (P13, P23); None: games that never are
    unrated_why: str = ""
    stake: int = 0  # credits that each side puts in (P17)
    link: bool = False  # proposed by a link to send: no list shows it
    begun: Instant | None = None
    draw: Seat = ""  # who offers a draw that has not been answered yet
    words: tuple[str, ...] = ()  # the orders of every turn played, where they are words and no secret (`Spec.word`)
    news: tuple["StoredFact", ...] = ()  # what happened in the last turn, where nothing is secret
    voided: bool = False  # by the moderators, after its end: it does not count any more (P29)

    @property
    def open(self) -> bool:
        """Whether it is offered to everybody."""
        return self.stage == "proposed" and self.invited is None and not self.link

    @property
    def free(self) -> bool:
        """Whether anybody who knows of it may accept it."""
        return self.stage == "proposed" and self.invited is None

    @property
    def shown(self) -> bool:
        """Whether lists show it to everybody while it is played: two members' game that hides nothing (P14)."""
        return self.stage == "playing" and self.kind == "duel" and bool(self.news)

    def waits_for(self, player: Player) -> bool:
        """Whether the game stands still until this player does something."""
        if self.stage == "ready":
            return player.ready is None
        return self.stage == "playing" and player.seat in self.awaits and player.sheet is None

    @property
    def mailed(self) -> bool:
        """Whether its turns and its result are told by mail: not what a member plays alone, at one sitting."""
        return self.kind in ("duel", "match", "challenge")

    @property
    def members(self) -> tuple[Player, ...]:
        """The players who are members, not AIs."""
        return tuple(p for p in self.players if p.policy is None)

    def player(self, member: MemberId | None) -> Player | None:
        """This member's part in it."""
        return next((p for p in self.players if p.member == member), None)

    def opponent(self, member: MemberId) -> MemberId | None:
        """The other member, or the invited one, or nobody yet."""
        others = [p.member for p in self.players if p.member != member]
        return others[0] if others else (self.invited if self.invited != member else None)


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact of a turn, as kept: `known_to` names the seats that may know it before the end; None: everybody."""

    code: str
    detail: Mapping[str, Scalar]
    known_to: tuple[Seat, ...] | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn played: its sheets by seat, what happened, the state after it, its rolls as (sides, value) in order.

    Turn 0 is the start. Never changed; the rolls are secret until the duel has ended (T17).
    """

    duel: DuelId
    number: int
    opened: Instant
    closed: Instant
    by: Literal["start", "sent", "deadline"]
    sheets: Mapping[Seat, Sheet]
    facts: tuple[StoredFact, ...]
    state: Json
    rolls: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class MemberGame:
    """A duel in a member's lists: changed at its start and end only."""

    member: MemberId
    duel: DuelId
    game: str
    pace: str
    opponent: MemberId | None
    state: Literal["proposed", "invited", "running", "ended"]
    at: Instant
    result: Literal["won", "lost", "drawn", "none"] | None = None
    by: str = ""
    kind: Kind = "duel"
    stake: int = 0


@dataclass(frozen=True, slots=True)
class Desk:
    """What a player keeps to themself in a duel: a draft of orders for one turn, and notes (P14b)."""

    duel: DuelId
    seat: Seat
    draft: Json | None = None
    draft_turn: int = 0
    draft_after: int = 0  # submissions made when the draft was kept: a later one puts it aside
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Proposals:
    """A counter: minus the open proposals of a member; its floor keeps them at ten (P10)."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class NoShow:
    """A member did not come to a ready room (P10)."""

    member: MemberId
    at: Instant
    duel: DuelId


@dataclass(frozen=True, slots=True)
class Presence:
    """When something of a duel was last shown to one of its players."""

    duel: DuelId
    member: MemberId
    at: Instant
