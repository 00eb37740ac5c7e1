"""One action of a commit as SQL: its condition, then its effect."""

import sqlite3
from typing import Final

from engine.decisions import Add, Drop, Hold, Put
from infra.items import INDEXES, Action, conflicts

FORGET: Final = "DELETE FROM item WHERE expires IS NOT NULL AND expires <= ?"
_STATE: Final = "SELECT version, number FROM item WHERE partition = ? AND sort = ?"
_DROP: Final = "DELETE FROM item WHERE partition = ? AND sort = ?"
_COLUMNS: Final = (
    "partition, sort, version, body, number, expires, partition0, sort0, partition1, sort1, partition2, sort2"
)
_PUT: Final = (
    f"INSERT INTO item ({_COLUMNS}) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (partition, sort) DO UPDATE"
    f" SET ({_COLUMNS}) = ({', '.join('excluded.' + column for column in _COLUMNS.split(', '))})"
)
_ADD: Final = (
    "INSERT INTO item (partition, sort, version, body, number, expires) VALUES (?, ?, 1, ?, ?, ?)"
    " ON CONFLICT (partition, sort) DO UPDATE SET number = number + excluded.number, expires = excluded.expires"
)


def conflicting(db: sqlite3.Connection, actions: list[Action]) -> list[str]:
    """The kinds of the actions whose condition does not hold."""

    def failed(action: Action) -> bool:
        found = db.execute(_STATE, (action.place.partition, action.place.sort)).fetchone()
        version, number = found or (0, 0)
        change = action.change
        if isinstance(change, Add):
            return change.floor is not None and number + change.by < change.floor
        return change.was is not None and change.was != version

    return conflicts(actions, failed)


def write(db: sqlite3.Connection, action: Action, version: int) -> None:
    """The action's effect; what is put gets this version."""
    where = (action.place.partition, action.place.sort)
    match action.change:
        case Put():
            listed = [*action.listed, *[None] * (INDEXES - len(action.listed))]
            places = [part for p in listed for part in ((p.partition, p.sort) if p else (None, None))]
            db.execute(_PUT, (*where, version, action.body, action.expires, *places))
        case Add(by=by):
            db.execute(_ADD, (*where, action.body, by, action.expires))
        case Drop():
            db.execute(_DROP, where)
        case Hold():
            pass
