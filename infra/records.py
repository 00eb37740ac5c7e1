"""Every kind of record, with its key and indexes: declared once, for every store."""

from typing import Any, Final

from engine.decisions import Job
from engine.platform.clocks import Pulse
from engine.platform.duels.records import Desk, Duel, MemberGame, NoShow, Presence, Proposals, Turn
from engine.times import DAY, SECOND, Instant
from infra.store import Entry, Index, Kind, down

DUE_SHARDS: Final = 4


def shard(job_id: str) -> int:
    """Which of the `due` index's parts a job stands in: the same for the same id, always."""
    return sum(job_id.encode()) % DUE_SHARDS


JOB = Kind(
    "job",
    Job,
    ("id",),
    indexes=(
        Index("due", lambda j: None if j.parked else Entry((shard(j.id),), (j.due,))),
        Index("parked", lambda j: Entry((), (j.due,)) if j.parked else None),
    ),
)

DUEL = Kind(
    "duel",
    Duel,
    ("id",),
    indexes=(Index("open", lambda d: Entry((d.game,), (down(d.proposed),)) if d.open else None),),
)
TURN = Kind("turn", Turn, ("duel", "number"))
MEMBER_GAME = Kind(
    "member_game",
    MemberGame,
    ("member", "duel"),
    indexes=(Index("lists", lambda g: Entry((g.member, g.state), (down(g.at),))),),
)
DESK = Kind("desk", Desk, ("duel", "seat"))
PROPOSALS = Kind("proposals", Proposals, ("member",), counter=True)
NO_SHOW = Kind("no_show", NoShow, ("member", "at", "duel"), expires=lambda n: seconds(n.at, 3 * DAY))
PRESENCE = Kind("presence", Presence, ("duel", "member"), expires=lambda p: seconds(p.at, DAY))
PULSE = Kind("pulse", Pulse, ("id",))


def seconds(at: Instant, span: int) -> int:
    """The Unix time, in seconds, of a span (ms) after an instant."""
    return (at + span) // SECOND


KINDS: Final[tuple[Kind[Any], ...]] = (JOB, DUEL, TURN, MEMBER_GAME, DESK, PROPOSALS, NO_SHOW, PRESENCE, PULSE)
BY_TYPE: Final[dict[type, Kind[Any]]] = {kind.type: kind for kind in KINDS}
