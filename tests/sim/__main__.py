"""`python -m tests.sim --seeds 200`, or `--seed 17` to see one world's story."""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor

from infra import build
from tests.sim.run import Report, simulate


def main() -> int:
    """Simulate; the exit code tells whether every seed kept its promises."""
    parser = argparse.ArgumentParser(prog="tests.sim")
    parser.add_argument("--seeds", type=int, default=200, help="how many worlds, from seed 0")
    parser.add_argument("--seed", type=int, help="one world, with its story")
    chosen = parser.parse_args()
    build.catalogues()
    if chosen.seed is not None:
        report = simulate(chosen.seed)
        print(*report.story, sep="\n")
        return 0
    failed = 0
    totals = [0, 0, 0, 0, 0]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for seed, outcome in enumerate(pool.map(_attempt, range(chosen.seeds), chunksize=4)):
            if isinstance(outcome, str):
                failed += 1
                print(f"seed {seed}: {outcome}")
            else:
                counted = (outcome.duels, outcome.turns, outcome.mails, outcome.acks, outcome.crashes)
                totals = [total + number for total, number in zip(totals, counted, strict=True)]
    print(
        "{} worlds, {} broken: {} duels, {} turns, {} mails, {} acknowledged sheets, {} crashes".format(
            chosen.seeds, failed, *totals
        )
    )
    return 1 if failed else 0


def _attempt(seed: int) -> Report | str:
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  the site's own log
    try:
        return simulate(seed)
    except AssertionError as broken:
        return str(broken)


if __name__ == "__main__":
    sys.exit(main())
