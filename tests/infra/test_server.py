"""The one-machine site over real HTTP, and what its gateway makes of requests."""

import base64
import http.client
import io
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from engine.decisions import Job
from functions import serve as program
from infra.local.clock import KeptClock
from infra.local.gateway import Gateway
from infra.local.queue import LocalQueue
from infra.local.server import Machine, _secret, serve
from infra.site import Site
from tests.support.site import NOON, FixedSources, site_in


def environ(body: bytes = b"", **more: str) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/duels",
        "QUERY_STRING": "a=1&b=%C3%A9",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.7",
        "HTTP_HOST": "localhost:8000",
        "wsgi.input": io.BytesIO(body),
        **more,
    }


def told(answer: dict[str, Any], request: dict[str, Any]) -> tuple[dict[str, Any], str, list[tuple[str, str]], bytes]:
    """The event that a request becomes, and the status, headers and body that an answer becomes."""
    events: list[dict[str, Any]] = []
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
        events.append(event)
        return answer

    gateway = Gateway(handler, FixedSources())
    body = b"".join(gateway(request, lambda status, headers: begun.append((status, headers))))
    return events[0], *begun[0], body


PLAIN: dict[str, Any] = {"statusCode": 200, "headers": {}, "body": "", "isBase64Encoded": False}


def test_a_request_becomes_an_event() -> None:
    request = environ(b"x=\xc3\xa9", CONTENT_TYPE="text/plain", HTTP_COOKIE="a=1; b=2", HTTP_X_CSRF_TOKEN="t")
    event, *_ = told(PLAIN, request)
    assert event["rawPath"] == "/duels" and event["rawQueryString"] == "a=1&b=%C3%A9"
    assert event["cookies"] == ["a=1", "b=2"]
    assert event["headers"] == {"host": "localhost:8000", "content-type": "text/plain", "x-csrf-token": "t"}
    assert base64.b64decode(event["body"]) == b"x=\xc3\xa9" and event["isBase64Encoded"]
    assert event["requestContext"]["timeEpoch"] == NOON
    assert event["requestContext"]["http"]["method"] == "POST"


def test_the_client_is_who_the_connection_comes_from() -> None:
    event, *_ = told(PLAIN, environ(HTTP_X_FORWARDED_FOR="198.51.100.1"))
    assert event["requestContext"]["http"]["sourceIp"] == "192.0.2.7"


@pytest.mark.parametrize(("path", "seen"), [("/\xc3\xa9", "/é"), ("/\xff", "/\ufffd"), ("", "/")])
def test_odd_paths_are_text(path: str, seen: str) -> None:
    event, *_ = told(PLAIN, environ(PATH_INFO=path))
    assert event["rawPath"] == seen


def test_an_answer_becomes_a_response() -> None:
    answer = {
        "statusCode": 303,
        "headers": {"Location": "/x"},
        "cookies": ["a=1; Path=/", "b=2"],
        "body": base64.b64encode(b"\xff\x00").decode(),
        "isBase64Encoded": True,
    }
    _, status, headers, body = told(answer, environ())
    assert (status, body) == ("303 See Other", b"\xff\x00")
    assert headers == [
        ("Location", "/x"),
        ("Set-Cookie", "a=1; Path=/"),
        ("Set-Cookie", "b=2"),
        ("Content-Length", "2"),
    ]


def test_the_clock_never_goes_back(tmp_path: Path) -> None:
    fast = KeptClock(tmp_path / "clock", 100_000)
    time.sleep(0.02)
    later = KeptClock(tmp_path / "clock", 1)
    assert fast.now() - 500_000 < later.now() and later.now() > int(time.time() * 1000) + 1_500_000
    again = KeptClock(tmp_path / "clock", 1)
    assert 0 <= again.now() - later.now() < 60_000
    (tmp_path / "clock").write_text("broken", "utf-8")
    assert abs(KeptClock(tmp_path / "clock").now() - time.time() * 1000) < 60_000


@contextmanager
def running(data: Path, **more: str) -> Iterator[Machine]:
    """The program as `make play` starts it, on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    machine = program.start({"PORT": str(port), "DATA": str(data), **more})
    try:
        yield machine
    finally:
        machine.stop()


class Client:
    """An HTTP client that keeps cookies."""

    def __init__(self, machine: Machine) -> None:
        self._host = urlsplit(machine.address).netloc
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: str | bytes = "", **headers: str) -> tuple[int, dict[str, str], str]:
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()), "Accept": "text/html", **headers}
        with closing(http.client.HTTPConnection(self._host, timeout=20)) as connection:
            connection.request(method, path, body or None, sent)
            answer = connection.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, dict(answer.headers), text

    def data(self, path: str) -> Any:
        return json.loads(self.ask("GET", path, Accept="application/json")[2])

    def post(self, path: str, page: str, **fields: str) -> tuple[int, dict[str, str], str]:
        token = self.data(page)["csrf"]
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode({**fields, "csrf": token}), **kind)


def sign_in(client: Client, address: str) -> None:
    """Sign in by the mailed link and its button."""
    status, *_ = client.post("/sign-in", "/sign-in", address=address)
    assert status == 303
    link = ""
    for _ in range(100):
        mails = [mail for mail in client.data("/_mail")["mails"] if mail["to"] == address]
        if mails:
            link = next(link for link in mails[0]["links"] if "/sign-in/" in link)
            break
        time.sleep(0.05)
    path = urlsplit(link).path
    assert client.post(path, path)[0] == 303


def test_the_site_is_used_over_http_and_there_again_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as machine:
        client = Client(machine)
        status, headers, page = client.ask("GET", "/")
        assert status == 200 and "<h1>" in page and headers["Content-Type"] == "text/html; charset=utf-8"
        style = re.search(r'href="(/static/[^"]+app\.css)"', page)
        assert style and client.ask("GET", style[1])[1]["Content-Type"].startswith("text/css")
        sign_in(client, "ada@example.org")
        assert "Ada" in client.ask("GET", "/")[2]
        assert client.ask("HEAD", "/")[0] == 200
        assert client.ask("GET", "/nowhere")[0] == 404
        before = machine.site.sources.now()
    with running(tmp_path) as machine:
        again = Client(machine)
        again.cookies = client.cookies
        assert "Ada" in again.ask("GET", "/")[2]
        assert len(again.data("/_mail")["mails"]) == 1
        assert machine.site.sources.now() >= before


def test_a_large_upload_is_refused_before_it_is_kept(tmp_path: Path) -> None:
    with running(tmp_path) as machine:
        client = Client(machine)
        assert client.ask("POST", "/look", b"x" * 400_000)[0] == 413
        with suppress(ConnectionError):  # the server need not read it all
            assert client.ask("POST", "/look", b"x" * 3_000_000)[0] == 413
        assert client.ask("GET", "/")[0] == 200


def test_requests_at_once_do_not_mix(tmp_path: Path) -> None:
    with running(tmp_path) as machine:

        def ask(n: int) -> bool:
            status, _, text = Client(machine).ask("GET", f"/nowhere-{n}")
            return status == 404 and f'value="/nowhere-{n}"' in text

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(ask, range(80)))


def test_a_taken_port_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("os.environ", {"PORT": str(taken.getsockname()[1]), "DATA": str(tmp_path)})
        assert program.main() == 1
    assert "can't start" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [{"PORT": "x"}, {"SPEED": "fast"}, {"SMTP_URL": "mail.example.org"}])
def test_a_wrong_setting_is_told(tmp_path: Path, wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        program.start({"DATA": str(tmp_path), "PORT": "0", **wrong})


@pytest.mark.parametrize("kept", ["", "00ff", "no secret"])
def test_a_folder_whose_secret_is_lost_is_no_site(tmp_path: Path, kept: str) -> None:
    (tmp_path / "secret").write_text(kept, "ascii")
    with pytest.raises(ValueError):
        program.start({"DATA": str(tmp_path), "PORT": "0"})


def test_of_many_who_make_the_secret_all_have_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: _secret(tmp_path / "secret"), range(16)))
    assert len(found) == 1 and len(found.pop()) == 32
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("proxy", "client"), [("", "127.0.0.1"), ("127.0.0.1", "198.51.100.7")])
def test_only_the_proxy_that_is_named_says_who_the_client_is(tmp_path: Path, proxy: str, client: str) -> None:
    test, seen = site_in(tmp_path), []

    def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
        seen.append(event["requestContext"]["http"]["sourceIp"])
        return PLAIN

    queue = LocalQueue(test.sources)
    site = Site(test.site.settings, test.sources, test.store, queue, test.post, test.site.pages)
    machine = serve(site, queue, handler, lambda *_: True, lambda _: None, proxy=proxy)
    forwarded = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}
    assert Client(machine).ask("GET", "/", **forwarded)[0] == 200
    machine.stop()
    assert seen == [client]


def test_mails_that_leave_are_nobodys_to_read_at_the_sites_address(tmp_path: Path) -> None:
    mails = {"SMTP_URL": "smtp://127.0.0.1:9"}
    for more, status in (({}, 200), ({"BASE_URL": "https://games.example.org"}, 404)):
        with running(tmp_path, **mails, **more) as machine:
            assert Client(machine).ask("GET", "/_mail")[0] == status


def test_due_jobs_run_with_nobody_looking(tmp_path: Path) -> None:
    test = site_in(tmp_path)
    ran = threading.Event()
    queue = LocalQueue(test.sources)

    def tick(site: Site) -> None:
        site.queue.wake([Job("clock/x", NOON, "clock", queue="clocks")], NOON)

    def run(_: Site, job_id: str) -> bool:
        if job_id == "clock/x":
            ran.set()
        return True

    site = Site(test.site.settings, test.sources, test.store, queue, test.post, test.site.pages)
    machine = serve(site, queue, lambda event, context: PLAIN, run, tick)
    assert ran.wait(5)
    machine.stop()
