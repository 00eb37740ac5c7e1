"""A process that commits until it is killed: `python -m tests.store.writer FILE`. A line is a commit acknowledged."""

import itertools
import sys
import threading
import time

from engine.decisions import Add, Decision, Put
from infra.sqlite import SqliteStore
from tests.store.kinds import KINDS, Note, Tally

THREADS = 3


def work(store: SqliteStore, name: str) -> None:
    """Commit numbered records, each with a record that is written again and again and a count."""
    for number in itertools.count():
        note = Note(f"{name}/{number}", "x" * (number % 7 * 400), number)
        store.commit(Decision((Put(note, 0), Put(Note(name, number=number), None), Add(Tally("all"), 1)), None))
        sys.stdout.write(f"{note.id}\n")
        sys.stdout.flush()


def main(path: str) -> None:
    """Commit from some threads at once."""
    start = time.time_ns() % 2**50
    store = SqliteStore(path, itertools.count(start).__next__, KINDS)
    for thread in range(THREADS):
        threading.Thread(target=work, args=(store, f"{start}-{thread}"), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1])
