"""What only the embedded store does: it outlives its process, is backed up while in use, and forgets."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.decisions import Add, Decision, Put
from infra.sqlite import SqliteStore
from infra.store import Busy, Row, Store
from tests.store import conftest
from tests.store.kinds import KINDS, LEAF, NOTE, TALLY, Leaf, Note, Tally
from tests.support.ministack import ROOT

KILLS = 40


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store in `club.db`."""
    with conftest.sqlite(tmp_path) as store:
        yield store


def opened(path: Path) -> SqliteStore:
    return SqliteStore(path, conftest.fresh_versions(), KINDS)


def test_killed_forty_times_under_load_it_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    chance = random.Random(40)
    acknowledged: set[str] = set()
    command = [sys.executable, "-m", "tests.store.writer", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as writers:
        for _ in range(KILLS):
            acknowledged |= _killed(writers, chance.randrange(1, 20), chance.uniform(0.0, 0.01))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with closing(opened(path)) as store:
        _check(store, acknowledged)
    assert len(acknowledged) > 5 * KILLS


def _killed(writers: "subprocess.Popen[str]", commits: int, seconds: float) -> set[str]:
    """What a writer acknowledged before it was killed: so many commits and what came in some time more."""
    assert writers.stdin
    assert writers.stdout
    writers.stdin.write("go\n")
    writers.stdin.flush()
    process = int(writers.stdout.readline())
    lines: list[str] = []
    for _ in range(commits):
        lines.append(writers.stdout.readline())
        assert lines[-1] != "\n", "it ended by itself"
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    lines += iter(writers.stdout.readline, "\n")
    return {line.rstrip("\n") for line in lines}


def _check(store: SqliteStore, acknowledged: set[str]) -> None:
    missing = [note for note in acknowledged if not store.get(NOTE, note)]
    assert not missing
    everything = [row.value.id for row in _all(store) if "/" in row.value.id]
    assert acknowledged <= set(everything)
    assert store.count(Tally("all")) == len(everything), "a commit was written in part"


def _all(store: Store) -> Iterator[Row[Note]]:
    after = ""
    while True:
        page = store.query(NOTE, "number", limit=500, after=after)
        yield from page.rows
        after = page.after
        if not after:
            return


def test_what_was_written_is_there_when_opened_again(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "club.db")) as store:
        store.commit(Decision((Put(Note("n", "é"), 0), Add(Tally("t"), 3)), None))
        row = store.get(NOTE, "n")
    with closing(opened(tmp_path / "club.db")) as store:
        assert store.get(NOTE, "n") == row
        assert store.counts(TALLY, "t", limit=1) == ((Tally("t"), 3),)


def test_a_backup_holds_all_that_was_committed_and_can_be_opened(sqlite: SqliteStore, tmp_path: Path) -> None:
    sqlite.commit(Decision((Put(Note("n", "before"), 0),), None))
    (tmp_path / "backup.db").write_bytes(b"an older backup")
    sqlite.backup(tmp_path / "backup.db")
    sqlite.commit(Decision((Put(Note("n", "after"), None),), None))
    with closing(opened(tmp_path / "backup.db")) as copy:
        row = copy.get(NOTE, "n")
    assert row
    assert row.value.text == "before"
    assert not list(tmp_path.glob("*.unfinished"))


def test_forgets_what_it_may_forget(sqlite: SqliteStore) -> None:
    sqlite.commit(Decision((Put(Leaf("old", 100), 0), Put(Leaf("new", 101), 0), Put(Note("n"), 0)), None))
    assert sqlite.forget(100) == 1
    assert sqlite.get(LEAF, "old") is None
    assert sqlite.get(LEAF, "new")
    assert sqlite.get(NOTE, "n")


def test_readers_do_not_wait_for_the_writer(sqlite: SqliteStore) -> None:
    sqlite.commit(Decision((Put(Note("n", "1"), 0),), None))
    within, go_on = threading.Event(), threading.Event()

    def slow() -> int:
        within.set()
        assert go_on.wait(5)
        return 7

    sqlite._versions = slow
    writer = threading.Thread(target=sqlite.commit, args=(Decision((Put(Note("n", "2"), None),), None),))
    writer.start()
    assert within.wait(5)
    meanwhile = sqlite.get(NOTE, "n")
    go_on.set()
    writer.join()
    after = sqlite.get(NOTE, "n")
    assert meanwhile
    assert after
    assert (meanwhile.value.text, after.value.text) == ("1", "2")


def test_a_file_held_by_another_process_is_busy(sqlite: SqliteStore, tmp_path: Path) -> None:
    sqlite._writer.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(tmp_path / "club.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            sqlite.commit(Decision((Put(Note("n"), 0),), None))
        other.execute("ROLLBACK")
    sqlite.commit(Decision((Put(Note("n"), 0),), None))


def test_a_commit_that_breaks_leaves_nothing_and_the_store_in_order(sqlite: SqliteStore) -> None:
    given = iter([5])
    sqlite._versions = lambda: next(given)
    with pytest.raises(StopIteration):
        sqlite.commit(Decision((Put(Note("a"), 0), Put(Note("b"), 0)), None))
    assert sqlite.get(NOTE, "a") is None
    sqlite._versions = lambda: 6
    sqlite.commit(Decision((Put(Note("a"), 0),), None))
    assert sqlite.get(NOTE, "a")


def test_a_file_of_a_later_program_is_left_alone(tmp_path: Path) -> None:
    opened(tmp_path / "club.db").close()
    with closing(sqlite3.connect(tmp_path / "club.db")) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="99"):
        opened(tmp_path / "club.db")


def test_it_writes_through_to_the_disk_with_a_write_ahead_log(sqlite: SqliteStore) -> None:
    modes = [sqlite._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 2]
