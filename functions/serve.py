"""The whole site on this machine, in one process: `python -m functions.serve`.

From the environment: PORT (8000), DATA (a folder, `.data`), SPEED (how fast its clock runs, 1), SMTP_URL (mails also
leave by it), MAIL_FROM, ADMINS (addresses, with commas between them: those members appoint moderators), HOST
(127.0.0.1), BASE_URL (http://localhost:PORT) and PROXY (its address, as the site sees it: then its `X-Forwarded-For`
tells whose requests these are) for use behind a proxy.
"""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from engine.games import registry
from engine.times import SECOND
from functions.demo_members import DEMO, add_demo_members
from functions.fronts import today
from functions.nightly import nightly
from functions.tick import tick
from functions.web.app import handler, load_all
from functions.web.boards import BOARDS, TOOLS, board
from functions.worker import run_job
from infra import build
from infra.i18n import translator
from infra.local.server import Machine, build_site, serve
from infra.pages import Pages
from infra.site import Site
from infra.sqlite import SqliteStore

_HELP = """
  {site} is at {address}
  To sign in, ask for a link as {members};
  the mails are at {address}/_mail
  The data are in {data}; Ctrl-C stops the site.
"""


class Nights:
    """The schedules of a one-machine site: each call ticks, and the first of a local day makes the day ready.

    Then the store forgets what it may, which DynamoDB does by itself.
    """

    def __init__(self) -> None:
        self._day = ""

    def __call__(self, site: Site) -> None:
        """Tick; then, if the day is new, what `functions.nightly` does."""
        tick(site)
        now = site.sources.now()
        day = today(site, now)
        if day != self._day:
            nightly(site)
            if isinstance(site.store, SqliteStore):
                site.store.forget(now // SECOND)
            self._day = day


def start(environ: Mapping[str, str]) -> Machine:
    """Start the site that the environment describes; OSError if its port is taken, ValueError if a value is not one."""
    build.catalogues()
    host, port = environ.get("HOST", "127.0.0.1"), int(environ.get("PORT", "8000"))
    site, queue = build_site(
        Path(environ.get("DATA", ".data")),
        environ.get("BASE_URL", f"http://localhost:{port}").rstrip("/"),
        speed=float(environ.get("SPEED", "1")),
        smtp_url=environ.get("SMTP_URL", ""),
        mail_from=environ.get("MAIL_FROM", "games@localhost.localdomain"),
        pages=Pages(tools=TOOLS, kept=True),
        admins=tuple(address for address in environ.get("ADMINS", "").split(",") if address),
    )
    add_demo_members(site)
    return serve(site, queue, handler, run_job, Nights(), f"{host}:{port}", environ.get("PROXY", ""))


def make_ready() -> None:
    """Import the pages and the games while nobody asks for one yet."""
    load_all()
    for game in BOARDS:
        registry.game(game)
        board(game)


def main() -> int:
    """Serve until told to stop."""
    try:
        machine = start(os.environ)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"The site can't start: {error}\n")
        return 1
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    *first, last = (address for _, _, address, _, _ in DEMO)
    members = f"{', '.join(first)} or {last}"
    data = Path(os.environ.get("DATA", ".data")).resolve()
    sys.stderr.write(
        _HELP.format(
            site=translator("en")("shell.site"), address=machine.site.settings.base_url, members=members, data=data
        )
    )
    make_ready()
    stopped.wait()
    machine.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
