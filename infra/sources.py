"""Where the time, the secrets and the ids come from; tests and the simulator bring their own."""

import secrets
import time
from typing import Protocol

from engine.times import Instant


class Sources(Protocol):
    """Everything a decision may not find by itself."""

    def now(self) -> Instant:
        """The time, in milliseconds since the epoch."""
        ...

    def pause(self, seconds: float) -> None:
        """Wait."""
        ...

    def id(self) -> str:
        """A new id: 80 random bits in base 32, lower case."""
        ...

    def seed(self) -> bytes:
        """A new secret of 32 bytes."""
        ...

    def version(self) -> int:
        """A record's new version, above zero and below 2**53."""
        ...

    def jitter(self) -> float:
        """A number from 0 to 1, to spread what would happen at once."""
        ...


class SystemSources:
    """The machine's clock, run `speed` times as fast since `start`, and its random numbers."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._origin = time.time()

    def now(self) -> Instant:
        """The time, in milliseconds since the epoch."""
        real = time.time()
        return Instant(int(1000 * (self._origin + (real - self._origin) * self._speed)))

    def pause(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def id(self) -> str:
        """A new id: 80 random bits in base 32, lower case."""
        number = secrets.randbits(80)
        return "".join("abcdefghijkmnpqrstuvwxyz23456789"[(number >> shift) & 31] for shift in range(0, 80, 5))

    def seed(self) -> bytes:
        """A new secret of 32 bytes."""
        return secrets.token_bytes(32)

    def version(self) -> int:
        """A record's new version, above zero and below 2**53."""
        return 1 + secrets.randbelow(2**53 - 2)

    def jitter(self) -> float:
        """A number from 0 to 1, to spread what would happen at once."""
        return secrets.randbelow(1_000_000) / 1_000_000
