"""The layout of the file, and its connections."""

import sqlite3
from pathlib import Path
from typing import Final

LAYOUT: Final = 1  # raised when the tables change
BUSY_SECONDS: Final = 5.0  # how long another process may hold the file

_TABLES: Final = """
CREATE TABLE item (
  partition TEXT NOT NULL, sort TEXT NOT NULL,
  version INTEGER NOT NULL, body BLOB NOT NULL, number INTEGER NOT NULL, expires INTEGER,
  partition0 TEXT, sort0 TEXT, partition1 TEXT, sort1 TEXT, partition2 TEXT, sort2 TEXT
);
CREATE UNIQUE INDEX item_key ON item (partition, sort);
CREATE UNIQUE INDEX item_0 ON item (partition0, sort0) WHERE partition0 IS NOT NULL;
CREATE UNIQUE INDEX item_1 ON item (partition1, sort1) WHERE partition1 IS NOT NULL;
CREATE UNIQUE INDEX item_2 ON item (partition2, sort2) WHERE partition2 IS NOT NULL;
CREATE INDEX item_expires ON item (expires) WHERE expires IS NOT NULL;
"""


def open_writer(path: Path) -> sqlite3.Connection:
    """The connection that writes and checkpoints; makes the tables if the file is new. ValueError: a later layout."""
    db = _open(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found > LAYOUT:
        db.close()
        raise ValueError(f"{path} has layout {found}, this program knows {LAYOUT}")
    if found < LAYOUT:
        db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {LAYOUT}; COMMIT;")
    return db


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that reads only."""
    db = _open(path)
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    return db


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
