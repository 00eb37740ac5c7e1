"""One installation of the site: what every handler works with."""

from dataclasses import dataclass

from infra.mail import Mailer
from infra.pages import Pages
from infra.queue import Queue
from infra.settings import Settings
from infra.sources import Sources
from infra.store import Store


@dataclass(frozen=True, slots=True)
class Site:
    """The parts of an installation, each behind its protocol."""

    settings: Settings
    sources: Sources
    store: Store
    queue: Queue
    mailer: Mailer
    pages: Pages


_installed: list[Site] = []


def install(site: Site) -> None:
    """Make this the site of the process: the one-machine server and tests do so before the first request."""
    _installed[:] = [site]


def current() -> Site:
    """The site of the process; raises LookupError if none is installed."""
    if not _installed:
        raise LookupError("no site is installed")
    return _installed[0]
