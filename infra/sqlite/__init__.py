"""The embedded store: one SQLite file."""

from infra.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
