"""Jobs about duels: one clock for each, one mail for each event and reader (P7, P8)."""

from typing import Final

from engine.decisions import Job
from engine.platform.duels.records import PROPOSAL_LASTS as PROPOSAL_LASTS
from engine.platform.duels.records import Duel, DuelId
from engine.platform.members import MemberId
from engine.times import DAY, Instant

WARN_AT: Final = 80  # per cent of the turn gone (P8)


def clock(duel: DuelId, due: Instant) -> Job:
    """The one wake-up of a duel: its next deadline or lapse. A later one replaces it."""
    return Job(f"clock/{duel}", due, "clock", {"duel": duel}, queue="clocks")


def watch(duel: DuelId, due: Instant) -> Job:
    """When to look next whether both players are still there (L14)."""
    return Job(f"watch/{duel}", due, "watch", {"duel": duel}, queue="clocks")


def think(duel: Duel, now: Instant) -> Job:
    """The computer's orders for the turn in play are to be made."""
    return Job(f"think/{duel.id}", now, "think", {"duel": duel.id, "turn": duel.turn})


def settle(duel: DuelId, due: Instant, ended: Instant | None = None) -> Job:
    """What follows the end of a duel: lists, ratings, stakes. `ended`: when it was played to its end, as long as its
    month waits for that (P26)."""
    return Job(f"settle/{duel}", due, "settle", {"duel": duel} if ended is None else {"duel": duel, "ended": ended})


def letter(duel: Duel, to: MemberId, notice: str, due: Instant, until: Instant) -> Job:
    """A mail about the duel as it stands, to one member; it is not sent after `until`."""
    about = {"notice": notice, "duel": duel.id, "turn": duel.turn, "to": to}
    return Job(f"mail/{duel.id}/{duel.turn}/{to}/{notice}", due, "mail", about, until=until)


def moved(duel: Duel, to: MemberId, was: Instant, now: Instant) -> Job:
    """A mail that says from when to when the deadline moved (P7b, P8)."""
    deadline = duel.deadline or now
    about = {"notice": "moved", "duel": duel.id, "turn": duel.turn, "to": to, "was": was, "deadline": deadline}
    return Job(f"mail/{duel.id}/{duel.turn}/{to}/moved{duel.wakes}", now, "mail", about, until=deadline)


def results(duel: Duel, now: Instant) -> tuple[Job, ...]:
    """The mails that tell both players how it ended, for a week."""
    told = duel.members if duel.mailed else ()
    return tuple(letter(duel, p.member, "result", now, Instant(now + 7 * DAY)) for p in told)


def warning_due(opened: Instant, deadline: Instant) -> Instant:
    """When a fifth of the turn is left."""
    return Instant(opened + (deadline - opened) * WARN_AT // 100)
