"""What differs from one installation to another, read once from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Settings:
    """An installation. `base_url` has no slash at its end; `secret` signs links, sessions and tokens.

    `speed` is how fast the clock runs (1 except for trying things out), `tick` how often ticks come, in milliseconds.
    """

    base_url: str
    secret: bytes
    zone: str = "Europe/Paris"
    mail_from: str = "games@example.org"
    admins: tuple[str, ...] = ()
    speed: float = 1.0
    tick: int = 60_000

    def stretched(self, span: int) -> int:
        """A span (ms) that people need, by their own watches, on a clock that may run faster."""
        return int(span * max(1.0, self.speed))

    @property
    def at_home(self) -> bool:
        """Whether the site's address is one that only this machine's own browsers know."""
        return urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")

    @property
    def secure(self) -> bool:
        """Whether browsers reach the site by HTTPS: then cookies are `__Host-` ones."""
        return self.base_url.startswith("https:")


def from_environment(environ: Mapping[str, str]) -> Settings:
    """The settings of a deployed site; KeyError names what is missing."""
    return Settings(
        base_url=environ["BASE_URL"].rstrip("/"),
        secret=environ["SITE_SECRET"].encode(),
        zone=environ.get("SITE_ZONE", "Europe/Paris"),
        mail_from=environ.get("MAIL_FROM", "games@example.org"),
        admins=tuple(a for a in environ.get("ADMINS", "").split(",") if a),
    )
