"""`make bench`: what a turn, a page and an action cost, in under a minute.

Longer ones run by themselves: `python -m bench.cold_start`, `bench.feinthold_ais`, `bench.relief_levels`,
`bench.relief_balance`, `bench.relief_movegen`, `bench.trebuchet_games`.
"""

import contextlib
import io
import tempfile
from collections import Counter
from pathlib import Path

from bench import feinthold_turns, pages
from infra import build
from tests.support.costs import costs


def main() -> None:
    """Print the figures."""
    build.catalogues()
    print("Feinthold, one process")
    feinthold_turns.main()
    print("\nThe local server, real HTTP")
    pages.main()
    print("\nWhat pages and actions ask of the store (reads, records found, transactions: records written)")
    print(table())


def table() -> str:
    """A line for each page and action."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        found = list(costs(Path(folder)))
    lines = []
    for cost in found:
        written = ", ".join(f"{count} {kind}" for kind, count in Counter(cost.written).items())
        lines.append(f"{cost.name:36} {cost.reads:3} {cost.found:3} {cost.commits:3}  {written}".rstrip())
    return "\n".join(lines)


if __name__ == "__main__":
    main()
