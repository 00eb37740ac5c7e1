"""Cold start of the web function as it is packaged: `python -m bench.cold_start [ROUNDS]`.

One fresh process a start, in turn with the floor (Python and one plain botocore client for DynamoDB), so that what else
the machine does falls on both; the figures are medians of processor time, and of the clock.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.package import package, size

ENVIRONMENT: Final = {
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "eu-west-3",
    "AWS_DEFAULT_REGION": "eu-west-3",
    "BASE_URL": "https://example.org",
    "SITE_SECRET": "0" * 64,
    "CLUB_TABLE": "club",
    "LEDGER_TABLE": "ledger",
    "CLOCKS_QUEUE": "https://example.org/clocks",
    "SLOW_QUEUE": "https://example.org/slow",
}
FLOOR: Final = "import botocore.session; botocore.session.get_session().create_client('dynamodb', 'eu-west-3')"
INIT: Final = "import functions.entry"
FIRST: Final = """
import functions.entry
http = {"method": "GET", "path": "/robots.txt", "sourceIp": "192.0.2.1"}
event = {"rawPath": "/robots.txt", "requestContext": {"http": http, "timeEpoch": 0, "stage": "$default"}}
assert functions.entry.handler(event, None)["statusCode"] == 200
"""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds that a process took."""

    clock: float
    processor: float


def measure(code: str, folder: Path | None) -> Start:
    """Run the code in a fresh process, with the packages of this folder alone (None: those of this environment)."""
    setup = f"import sys; sys.path.insert(0, {str(folder)!r}); " if folder else ""
    flags = ["-I", "-S"] if folder else ["-I"]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**ENVIRONMENT, "PATH": os.environ["PATH"], "ENTRY": "functions.web.app"}
    subprocess.run([sys.executable, *flags, "-c", setup + code], env=environment, check=True, stdout=subprocess.DEVNULL)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Start(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(rounds: int = 15) -> None:
    """Print the medians, in milliseconds and as ratios to the floor."""
    folder = package()
    cases: dict[str, tuple[str, Path | None]] = {
        "floor: python, botocore client": (FLOOR, None),
        "bare python": ("pass", None),
        "web function, ready": (INIT, folder),
        "web function, first answer": (FIRST, folder),
    }
    found: dict[str, list[Start]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, (code, where) in cases.items():
            found[name].append(measure(code, where))
    floor = _medians(found["floor: python, botocore client"])
    print(f"package {size(folder) / 1e6:.1f} MB; medians of {rounds}")
    for name, starts in found.items():
        clock, processor = _medians(starts)
        ratio = processor / floor[1]
        print(f"{name:32} {1000 * processor:6.0f} ms processor ({ratio:.2f} x floor) {1000 * clock:6.0f} ms clock")


def _medians(starts: list[Start]) -> tuple[float, float]:
    return statistics.median(s.clock for s in starts), statistics.median(s.processor for s in starts)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
