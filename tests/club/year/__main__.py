"""`python -m tests.club.year --members 200 --days 365 --seed 1`: the totals of a year, or what did not hold."""

import argparse
import contextlib
import gc
import os
import sys

from infra import build
from tests.club.year.club import FIRST
from tests.club.year.year import simulate


def main() -> int:
    """Simulate and print; the exit code tells whether everything held."""
    parser = argparse.ArgumentParser(prog="tests.club.year")
    parser.add_argument("--members", type=int, default=200)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", default=FIRST, help="the first day")
    chosen = parser.parse_args()
    build.catalogues()
    gc.freeze()
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # noqa: PTH123  the site's own log
            year = simulate(chosen.members, chosen.days, chosen.seed, chosen.first)
    except AssertionError as broken:
        print(f"{type(broken).__name__}: {broken}", file=sys.stderr)
        raise
    print(f"python -m tests.club.year --members {chosen.members} --days {chosen.days} --seed {chosen.seed}")
    print(*year.lines(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
