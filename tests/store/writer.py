"""A process that starts one to be killed for each line it reads: `python -m tests.store.writer FILE`.

The started process tells its id, then commits and tells what was acknowledged, a line each, until it is killed; then an
empty line follows. Forked, as starting anew forty times would take longer than the rest.
"""

import itertools
import os
import sys
import threading
import time

from engine.decisions import Add, Decision, Put
from infra.sqlite import SqliteStore
from tests.store.kinds import KINDS, Note, Tally

THREADS = 3


def work(store: SqliteStore, name: str) -> None:
    """Commit numbered records, each with a record that is written again and again and a count."""
    try:
        for number in itertools.count():
            note = Note(f"{name}/{number}", "x" * (number % 7 * 400), number)
            store.commit(Decision((Put(note, 0), Put(Note(name, number=number), None), Add(Tally("all"), 1)), None))
            _tell(note.id)
    finally:
        os._exit(1)


def write(path: str) -> None:
    """Commit from some threads at once."""
    start = time.time_ns() % 2**50
    _tell(str(os.getpid()))
    store = SqliteStore(path, itertools.count(start).__next__, KINDS)
    for thread in range(THREADS):
        threading.Thread(target=work, args=(store, f"{start}-{thread}"), daemon=True).start()
    threading.Event().wait()


def main(path: str) -> None:
    """One process after the other."""
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            write(path)
        os.waitpid(child, 0)
        _tell("")


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # whole, or not at all


if __name__ == "__main__":
    main(sys.argv[1])
