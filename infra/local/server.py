"""The one-machine site: SQLite, mails in a folder, wake-ups in the process, pages over HTTP."""

import contextlib
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from infra.i18n import translator
from infra.local.clock import KeptClock
from infra.local.gateway import MOST_BYTES, Gateway, Handler
from infra.local.loop import Loop
from infra.local.queue import LocalQueue
from infra.mail import Mailer
from infra.mail_folder import BothMailer, FolderMailer
from infra.mail_smtp import SmtpMailer
from infra.pages import Pages
from infra.settings import Settings
from infra.site import Site, install
from infra.sqlite.store import SqliteStore

THREADS: Final = 8
SECRET_BYTES: Final = 32
_TICK: Final = 10_000  # ms of the site's clock: oftener than AWS can, as live games like it
_FASTEST_TICK: Final = 100  # ms of this machine's clock
_LOOK: Final = 0.2  # s: how soon a call to stop is seen


@dataclass(frozen=True, slots=True)
class Machine:
    """A running one-machine site; `stop` finishes what is running."""

    site: Site
    queue: LocalQueue
    address: str
    stop: Callable[[], None]


def build_site(
    data: Path,
    base_url: str,
    speed: float = 1.0,
    smtp_url: str = "",
    mail_from: str = "games@localhost.localdomain",
    pages: Pages | None = None,
    admins: tuple[str, ...] = (),
) -> tuple[Site, LocalQueue]:
    """The site whose data are in this folder, made if it is not there, and its queue. ValueError: a bad `smtp_url`."""
    data.mkdir(parents=True, exist_ok=True)
    tick = max(_TICK, int(_FASTEST_TICK * speed))
    secret = _secret(data / "secret")
    settings = Settings(base_url, secret, mail_from=mail_from, admins=admins, speed=speed, tick=tick)
    sources = KeptClock(data / "clock.json", speed)
    name = translator("en")("shell.site")
    queue = LocalQueue(sources, speed)
    folder = FolderMailer(data / "mail", mail_from, name, sources.now)
    mailer: Mailer = folder
    if smtp_url:
        mailer = BothMailer(folder, SmtpMailer(smtp_url, mail_from, name, sources.now))
    store = SqliteStore(data / "site.sqlite", sources.version)
    return Site(settings, sources, store, queue, mailer, pages or Pages()), queue


def serve(
    site: Site,
    queue: LocalQueue,
    handler: Handler,
    run_job: Callable[[Site, str], bool],
    tick: Callable[[Site], object],
    listen: str = "127.0.0.1:0",
    proxy: str = "",
) -> Machine:
    """Serve the site in threads of its own; port 0 takes a free one. Raises OSError if the port is taken.

    `proxy` is the address of the one proxy whose `X-Forwarded-For` names the client; nobody else's does.
    """
    install(site)
    sockets: dict[int, Any] = {}
    try:
        server: Any = create_server(
            Gateway(handler, site.sources),
            map=sockets,
            listen=listen,
            threads=THREADS,
            ident=None,
            max_request_body_size=MOST_BYTES,
            clear_untrusted_proxy_headers=True,
            **({"trusted_proxy": proxy, "trusted_proxy_headers": {"x-forwarded-for"}} if proxy else {}),
        )
    except OSError:
        wasyncore.close_all(sockets)
        raise
    loop = Loop(site, queue, run_job, tick)
    stopping = threading.Event()

    def answer() -> None:
        while not stopping.is_set():
            wasyncore.loop(timeout=_LOOK, map=sockets, count=1)

    def stop() -> None:
        stopping.set()
        thread.join()
        server.task_dispatcher.shutdown()
        wasyncore.close_all(sockets)
        loop.stop()
        if isinstance(site.store, SqliteStore):
            site.store.close()

    thread = threading.Thread(target=answer, name="http")
    thread.start()
    loop.start()
    return Machine(site, queue, f"http://{listen.rpartition(':')[0]}:{server.effective_port}", stop)


def _secret(path: Path) -> bytes:
    """The secret of this folder, made if it is not there; it appears whole, as an empty one would sign anything."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as new:
            new.write(secrets.token_hex(SECRET_BYTES))
            new.flush()
            os.fsync(new.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    secret = bytes.fromhex(path.read_text("ascii"))
    if len(secret) < SECRET_BYTES:
        raise ValueError(f"{path} holds no secret")
    return secret
