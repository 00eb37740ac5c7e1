"""Every kind of record, with its key and indexes: declared once, for every store."""

from typing import Any, Final

from engine.decisions import Job
from infra.store import Entry, Index, Kind

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

KINDS: Final[tuple[Kind[Any], ...]] = (JOB,)
BY_TYPE: Final[dict[type, Kind[Any]]] = {kind.type: kind for kind in KINDS}
