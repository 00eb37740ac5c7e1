"""The Daily Front: one blitz game a day, the same for everybody (P24, P25)."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.decisions import Add, Change, Decision, Hold, Job, Json, Kept, Put, was
from engine.errors import Refusal
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Seat
from engine.games.registry import DOCTRINED
from engine.platform.doctrines import house_id
from engine.platform.duels.records import Duel, DuelId
from engine.platform.duels.solo import Solo, play, solo_id
from engine.platform.local_days import Day, Month, begins, ends, month_of, weekday
from engine.platform.members import MemberId
from engine.platform.ratings.records import Holder
from engine.times import MINUTE, SECOND, Instant, later

GAME: Final = DOCTRINED
PACE: Final = "blitz"
LAYOUTS: Final = 10
TURNS: Final = 8
# Monday to Sunday: which AI, and how much noise.
WEEK: Final = (("sentinel", 1), ("pivot", 1), ("ram", 1), ("sentinel", 1), ("pivot", 1), ("ram", 1), ("ram", 2))
POINTS: Final = {"won": 3, "drawn": 1, "lost": 0}
LAST_GAME: Final = 15 * MINUTE  # a blitz game takes nine minutes at most, and what its turns wait for late orders
STILL_RUNNING: Final = 10 * SECOND
STUCK: Final = 10 * MINUTE

Result = Literal["won", "drawn", "lost", "none"]
Why = Literal["", "linked", "no_result", "stand_in", "superhuman", "regular", "stopped", "frozen", "removed"]


@dataclass(frozen=True, slots=True)
class Front:
    """A day's game: everything in it but `ai` is secret before a member's Start, `seed` until the day is final.

    `opens` and `closes` bound the local day; `final` is when its last possible game had ended, None before.
    """

    day: Day
    layout: int
    seat: Seat
    ai: str
    noise: int
    seed: str
    opens: Instant
    closes: Instant
    final: Instant | None = None


@dataclass(frozen=True, slots=True)
class FrontGame:
    """A member's one ranked game of a day. `why` tells why it is not ranked, "" while it runs or if it is.

    `thinking` is the time the member took for the sheets sent, in milliseconds: shown, never ranked.
    """

    day: Day
    member: MemberId
    game: DuelId
    at: Instant
    ended: Instant | None = None
    result: Result = "none"
    by: str = ""
    turns: int = 0
    positions: int = 0
    income: int = 0
    thinking: int = 0
    why: Why = ""

    @property
    def ranked(self) -> bool:
        """Whether it stands on the day's leaderboard."""
        return self.ended is not None and not self.why

    @property
    def place(self) -> tuple[int, int, int, int]:
        """What orders the leaderboard, the lowest first; equal places share a rank (P25)."""
        kind = {"won": 0, "drawn": 1}.get(self.result, 2)
        turns = self.turns if kind == 0 else 0 if kind == 1 else -self.turns
        return (kind, turns, -self.positions, -self.income)


@dataclass(frozen=True, slots=True)
class Starter:
    """Who presses Start: with which stand-in, whether with frozen ratings, and what the accounts linked to theirs have
    had of the day so far."""

    member: MemberId
    stand_in: Json | None = None
    frozen: bool = False
    linked: Mapping[MemberId, Kept[FrontGame] | None] = field(default_factory=dict)

    @property
    def why(self) -> Why:
        """Why the game will not be ranked, "" if it may be (P24)."""
        if self.frozen:
            return "frozen"
        return "linked" if any(entry is not None and not _void(entry.value) for entry in self.linked.values()) else ""


@dataclass(frozen=True, slots=True)
class Tally:
    """A counter: how many ranked games of a day share a place."""

    day: Day
    kind: int
    turns: int
    positions: int
    income: int


@dataclass(frozen=True, slots=True)
class Monthly:
    """A member's points of a month, with what breaks ties: wins, then the older account. `gone`: the account is
    deleted, and lists leave it out."""

    month: Month
    member: MemberId
    joined: Instant
    points: int = 0
    won: int = 0
    drawn: int = 0
    days: int = 0
    gone: bool = False

    @property
    def listed(self) -> bool:
        """Whether it stands on the month's list."""
        return self.days > 0 and not self.gone


def front(secret: bytes, day: Day, zone: str) -> Front:
    """The game of a local date: the same from the same secret, whenever and wherever it is made (P24)."""
    seed = hmac.digest(secret, f"front/{day}".encode("ascii"), "sha256")
    dice = SeededDice(seed, 0)
    ai, noise = WEEK[weekday(day) - 1]
    layout, seat = dice.roll(LAYOUTS), "ab"[dice.roll(2) - 1]
    return Front(day, layout, seat, ai, noise, seed.hex(), begins(day, zone), ends(day, zone))


def make(there: Front | None, made: Front) -> Decision[Front]:
    """Keep a day's game, with the job that makes the day final; it is there already, or it is made now."""
    if there is not None:
        return Decision((), there)
    return Decision((Put(made, 0), Put(finality(made.day, later(made.closes, LAST_GAME)), None)), made)


def finality(day: Day, due: Instant) -> Job:
    """The job that makes a day final."""
    return Job(f"front/{day}", due, "front", {"day": day})


def finish(kept: Kept[Front], running: bool, now: Instant, slowly: bool = False) -> Decision[None]:
    """Make the day final once its last possible game has ended; `running`: one of its games still goes on.

    Too early, or while a game runs, it is tried again later; `slowly`, if nothing but moderators can bring it to an
    end.
    """
    day = kept.value
    due = later(day.closes, LAST_GAME)
    if day.final is not None:
        return Decision((), None)
    if now < due or running:
        return Decision((Put(finality(day.day, max(due, later(now, STUCK if slowly else STILL_RUNNING))), None),), None)
    return Decision((Put(replace(day, final=now), kept.version),), None)


def policy(day: Front) -> Json:
    """How the day's AI plays: its noise follows from the day's seed (F29)."""
    return {"policy": day.ai, "noise": day.noise, "seed": day.seed}


def start(
    kept: Front, entry: Kept[FrontGame] | None, starter: Starter, received: Instant, now: Instant
) -> Decision[DuelId]:
    """Begin the member's one ranked game of the day; asked again, it is the same game.

    It belongs to the day it was `received` on. Of linked accounts only the first started may be ranked (P24): that none
    of them has begun is held, so that of two at once one is the later. A game that an outage cancelled leaves no trace:
    another may begin. Refused: `front_over`.
    """
    if entry is not None and not _void(entry.value):
        return Decision((), entry.value.game)
    if not kept.opens <= received < kept.closes:
        raise Refusal("front_over")
    member = starter.member
    id = solo_id("front", member, f"{kept.day}/{entry.value.game if entry else ''}")
    begun = play(id, _solo(kept, "front", member, starter.stand_in), _seed(kept, id), now)
    mine = FrontGame(kept.day, member, id, now, why=starter.why)
    alone = () if starter.why else tuple(_unchanged(mine, other, row) for other, row in starter.linked.items())
    return Decision((*begun.changes, Put(mine, was(entry)), *alone), id)


def retry(
    kept: Front, entry: FrontGame | None, id: DuelId, member: MemberId, stand_in: Json | None, now: Instant
) -> Decision[Duel]:
    """Play a day's game again, for nothing: a past day's, or today's after one's own. Refused: `front_not_yet`.

    After an outage one's own is still to come: its map is none to try beforehand.
    """
    if kept.final is None and (entry is None or entry.ended is None or _void(entry)):
        raise Refusal("front_not_yet")
    return play(id, _solo(kept, "practice", member, stand_in), _seed(kept, id), now)


def settle(
    duel: Duel,
    entry: Kept[FrontGame] | None,
    monthly: Kept[Monthly] | None,
    holder: Holder,
    thinking: int,
    why: Why = "",
) -> Decision[None]:
    """Enter a game that is over on the day's leaderboard and in the month's points, once.

    `thinking` is the member's time for the sheets sent (ms), `why` a reason not to rank it that has been found.
    """
    if entry is None or entry.value.ended is not None or entry.value.game != duel.id or duel.ended is None:
        return Decision((), None)
    ended = _ended(duel, entry.value, thinking, why)
    if not ended.ranked:
        return Decision((Put(ended, entry.version),), None)
    counted = Put(_counted(_monthly(monthly, ended, holder), ended.result, 1), was(monthly))
    return Decision((Put(ended, entry.version), Add(tally(ended), 1), counted), None)


def remove(entry: Kept[FrontGame], monthly: Kept[Monthly] | None, why: Why) -> Decision[None]:
    """Take a game off the leaderboard, with its points; once (P29)."""
    if not entry.value.ranked:
        return Decision((), None)
    changes: tuple[Change, ...] = (Put(replace(entry.value, why=why), entry.version), Add(tally(entry.value), -1))
    if monthly is None:
        return Decision(changes, None)
    return Decision((*changes, Put(_counted(monthly.value, entry.value.result, -1), monthly.version)), None)


def restore(entry: Kept[FrontGame], monthly: Kept[Monthly] | None) -> Decision[None]:
    """Put a game that was removed back on the leaderboard, with its points; once (P29)."""
    if entry.value.why != "removed":
        return Decision((), None)
    back = replace(entry.value, why="")
    changes: tuple[Change, ...] = (Put(back, entry.version), Add(tally(back), 1))
    if monthly is None:
        return Decision(changes, None)
    return Decision((*changes, Put(_counted(monthly.value, back.result, 1), monthly.version)), None)


def tally(entry: FrontGame) -> Tally:
    """The counter of the games in this one's place."""
    return Tally(entry.day, *entry.place)


def _void(entry: FrontGame) -> bool:
    return entry.ended is not None and entry.by == "outage"


def _unchanged(mine: FrontGame, other: MemberId, entry: Kept[FrontGame] | None) -> Hold:
    return Hold(entry.value if entry else replace(mine, member=other), was(entry))


def _solo(day: Front, kind: Literal["front", "practice"], member: MemberId, stand_in: Json | None) -> Solo:
    return Solo(
        kind,
        PACE,
        member,
        house_id(day.ai),
        policy(day),
        {"layout": day.layout},
        day.seat,
        stand_in,
        front=day.day,
        game=GAME,
    )


def _seed(day: Front, game: DuelId) -> bytes:
    """A game's own seed: its receipts tell nothing about those of other games of the day."""
    return hmac.digest(bytes.fromhex(day.seed), f"game/{game}".encode("ascii"), "sha256")


def _ended(duel: Duel, entry: FrontGame, thinking: int, why: Why) -> FrontGame:
    player, result = duel.members[0], duel.result
    assert result is not None
    outcome: Result = "none"
    if result.counts:
        outcome = "drawn" if result.winner is None else "won" if result.winner == player.seat else "lost"
    own = 2 * player.sheets > duel.played
    if outcome == "none":
        found: Why = "stopped" if result.by == "stopped" else "no_result"
    else:
        found = entry.why or why or ("stand_in" if outcome != "lost" and not own else "")
    game = registry.game(duel.game)
    view = game.show(game.view(game.load(duel.state or {}), player.seat))
    return replace(
        entry,
        ended=duel.ended,
        result=outcome,
        by=result.by,
        turns=duel.played,
        positions=sum(owner == player.seat for owner in view["flags"].values()),
        income=view["income"],
        thinking=thinking,
        why=found,
    )


def _monthly(kept: Kept[Monthly] | None, entry: FrontGame, holder: Holder) -> Monthly:
    if kept:
        return kept.value
    return Monthly(month_of(entry.day), entry.member, holder.joined, gone=holder.gone)


def _counted(month: Monthly, result: Result, by: int) -> Monthly:
    return replace(
        month,
        points=month.points + by * POINTS.get(result, 0),
        won=month.won + by * (result == "won"),
        drawn=month.drawn + by * (result == "drawn"),
        days=month.days + by,
    )
