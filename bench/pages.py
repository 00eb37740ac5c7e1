"""The one-machine site over real HTTP: the game page and a submission, beside what the machine itself can do.

Floors of the same run: a bare waitress with an empty page, and one bare commit of SQLite (WAL, synchronous=FULL).
"""

import http.client
import json
import os
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from functions.demo_members import DEMO

WARM: Final = 30
PAGES: Final = 600
SUBMISSIONS: Final = 240
PEOPLE: Final = 4  # browsers at once
COMMITS: Final = 300
EMPTY: Final = """
import sys
from waitress import serve
def page(environ, start):
    start("200 OK", [("Content-Type", "text/html"), ("Content-Length", "3")])
    return [b"ok\\n"]
serve(page, listen=sys.argv[1], threads=8, _quiet=True)
"""


@dataclass(frozen=True, slots=True)
class Times:
    """How long each of many requests took (ms), one after the other; and how many a second by several at once."""

    each: list[float]
    rate: float

    def line(self, name: str, floor: float) -> str:
        """A line of the table; `floor` is the median that this one is a multiple of."""
        middle, slow = statistics.median(self.each), statistics.quantiles(self.each, n=20)[18]
        return f"{name:38} {middle:7.2f} {slow:7.2f} {self.rate:8.0f} {middle / floor:8.1f}"


@dataclass
class Person:
    """A browser that keeps its connection, its cookies and the last page's token."""

    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""
    connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: Any = None, accept: str = "application/json") -> tuple[int, bytes]:
        """One request; its status and body."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address, timeout=20)
        headers = {"Accept": accept, "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": "application/json", "X-CSRF-Token": self.csrf}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", ()):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.read()

    def get(self, path: str) -> Any:
        """The data of a page."""
        status, body = self.ask("GET", path)
        data = json.loads(body)
        assert status == 200, (path, data)
        self.csrf = data.get("csrf", self.csrf)
        return data

    def post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """The answer to a form sent; it must be taken."""
        status, answer = self.ask("POST", path, body)
        assert status in (200, 303), (path, answer)
        return answer


def main() -> None:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        with _running([sys.executable, "-c", EMPTY], Path(folder)) as address:
            empty = _times(lambda: Person(address), lambda person: person.ask("GET", "/"), PAGES)
        commits = Times(*_bare_commits(Path(folder) / "bare.db"))
        with _running([sys.executable, "-m", "functions.serve"], Path(folder)) as address:
            pages, submissions = _duels(address)
    print(f"{'':38} {'p50 ms':>7} {'p95 ms':>7} {'a second':>8} {'× floor':>8}")
    print(empty.line("floor: an empty page of waitress", statistics.median(empty.each)))
    print(pages.line("the game page", statistics.median(empty.each)))
    print(commits.line("floor: a bare commit of SQLite", statistics.median(commits.each)))
    print(submissions.line("a submission", statistics.median(commits.each)))
    print(f"(p50 and p95 by one browser; a second: by {PEOPLE} browsers at once, commits and submissions by one)")


def _duels(address: str) -> tuple[Times, Times]:
    """Two members play; the page is measured in a turn's middle, submissions as they come."""
    one, other = (_signed_in(address, mailbox) for _, _, mailbox, _, _ in DEMO[:2])
    path = _begin(one, other, "first")
    _turn(one, other, path)
    cookies = dict(one.cookies)
    pages = _times(lambda: Person(address, cookies), lambda person: _html(person, path), PAGES)
    taken: list[float] = []
    while len(taken) < SUBMISSIONS:
        if one.get(path)["duel"]["stage"] == "ended":
            path = _begin(one, other, f"next {len(taken)}")
        taken += _turn(one, other, path)
    return pages, Times(taken, 1000 * len(taken) / sum(taken))


def _html(person: Person, path: str) -> None:
    status, body = person.ask("GET", path, accept="text/html")
    assert status == 200 and b"data-orders" in body


def _begin(one: Person, other: Person, request: str) -> str:
    body = {"game": "feinthold", "pace": "days1", "opponent": "Basile", "request": request}
    one.get("/duels")
    one.post("/duels", body)
    path = f"/games/{one.get('/duels')['mine'][0]['id']}"
    other.get(path)
    other.post(f"{path}/accept", {})
    return path


def _turn(one: Person, other: Person, path: str) -> list[float]:
    """Both send orders; what their submissions took (ms)."""
    taken = []
    for person in (one, other):
        page = person.get(path)
        body = {"turn": page["duel"]["turn"], "after": page["after"], "orders": {"predict": "centre"}}
        began = time.perf_counter()
        person.post(f"{path}/orders", body)
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def _signed_in(address: str, mailbox: str) -> Person:
    person = Person(address)
    person.get("/sign-in")
    person.post("/sign-in", {"address": mailbox})
    link = _wait_for(lambda: _link(person, mailbox))
    person.get(link)
    person.post(link, {})
    return person


def _link(person: Person, mailbox: str) -> str | None:
    for mail in person.get("/_mail")["mails"]:
        for link in mail["links"] if mail["to"] == mailbox else ():
            if "/sign-in/" in link:
                return re.sub(r"^https?://[^/]+", "", str(link))
    return None


def _times(make: Callable[[], Person], act: Callable[[Person], object], count: int) -> Times:
    person = make()
    for _ in range(WARM):
        act(person)
    each = []
    for _ in range(count):
        began = time.perf_counter()
        act(person)
        each.append(1000 * (time.perf_counter() - began))
    people = [make() for _ in range(PEOPLE)]
    threads = [threading.Thread(target=lambda p=p: [act(p) for _ in range(count // PEOPLE)]) for p in people]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Times(each, PEOPLE * (count // PEOPLE) / (time.perf_counter() - began))


def _bare_commits(path: Path) -> tuple[list[float], float]:
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v BLOB)")
        each = []
        for number in range(COMMITS):
            began = time.perf_counter()
            database.execute("INSERT INTO t VALUES (?, ?)", (number, bytes(1_000)))
            each.append(1000 * (time.perf_counter() - began))
    database.close()
    return each, 1000 * len(each) / sum(each)


@contextmanager
def _running(command: list[str], data: Path) -> Iterator[str]:
    """A server on a free port; its address once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    own = {"PORT": str(port), "DATA": str(data / "data"), "BASE_URL": f"http://{address}", "HOST": "127.0.0.1"}
    with (data / "log").open("ab") as log:
        server = subprocess.Popen([*command, address], env={**os.environ, **own}, stdout=log, stderr=log)
    try:
        _wait_for(lambda: _answers(address))
        yield address
    finally:
        server.terminate()
        server.wait()


def _answers(address: str) -> bool:
    try:
        Person(address).ask("GET", "/robots.txt")
    except OSError:
        return False
    return True


def _wait_for(what: Callable[[], Any], longest: float = 20) -> Any:
    end = time.monotonic() + longest
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise TimeoutError(what)


if __name__ == "__main__":
    main()
