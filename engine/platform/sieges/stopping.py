"""A siege that moderators stop: without honours, every fee coming back (P29)."""

from dataclasses import replace
from typing import Final

from engine.decisions import Decision, Drop, Put
from engine.platform.sieges import notices
from engine.platform.sieges.records import Result, Siege, Stage
from engine.times import Instant

STOPPED: Final = "stopped"


def stop(siege: Siege, was: int, now: Instant) -> Decision[Siege]:
    """The siege is over where it stands; nothing if it was. The turn in play is not fired and its texts stay secret.

    Once its first turn was opened it has ended, before that it is cancelled. A job gives the fees back, of all who
    began and of those who never did; who played is told by the letter of the act.
    """
    if siege.stage not in ("open", "playing"):
        return Decision((), siege)
    players = tuple(replace(p, sheet=None) for p in siege.players)
    stage: Stage = "ended" if any(p.began for p in players) else "cancelled"
    stopped = replace(
        siege, stage=stage, players=players, awaits=(), deadline=None, ended=now, result=Result(STOPPED, {})
    )
    clock = Drop(notices.clock(siege.id, now), None)
    return Decision((Put(stopped, was), clock, Put(notices.settle(siege.id, now), None)), stopped)


def stopped(siege: Siege) -> bool:
    """Whether moderators have stopped it."""
    return siege.result is not None and siege.result.by == STOPPED
