"""The clock of a one-machine site, which never goes back: not even when the site starts again at another speed."""

import json
import time
from pathlib import Path

from engine.times import Instant
from infra.sources import SystemSources


class KeptClock(SystemSources):
    """The machine's time at first, from then on `speed` times as fast, on and off; the file remembers since when."""

    def __init__(self, path: Path, speed: float = 1.0) -> None:
        super().__init__(speed)
        now = time.time()
        begun, shown, pace = _read(path) or (now, now, speed)
        self._begun = now
        self._shown = max(shown, shown + (now - begun) * pace)
        self._pace = speed
        path.write_text(json.dumps([self._begun, self._shown, self._pace]), "utf-8")

    def now(self) -> Instant:
        """The site's time, in milliseconds since the epoch."""
        return Instant(int(1000 * (self._shown + (time.time() - self._begun) * self._pace)))


def _read(path: Path) -> tuple[float, float, float] | None:
    try:
        begun, shown, pace = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return float(begun), float(shown), float(pace)
