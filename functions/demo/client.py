"""A member with nothing but HTTP: pages as JSON, forms, cookies, and the mails they get."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any, Final, TypeVar

A = TypeVar("A")

PATIENCE: Final = 30.0  # s


class Refused(Exception):
    """The site did not do what was asked; the message is its own."""


class Client:
    """A browser that reads JSON. `links` is for what its mails led to."""

    def __init__(self, address: str, name: str, mailbox: str, lang: str) -> None:
        self.name = name
        self.mailbox = mailbox
        self.lang = lang
        self.address = address
        self.links: list[str] = []
        self._csrf = ""
        self._seen: set[str] = set()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Any:
        """The data of a page; raises Refused."""
        return self._ask(urllib.request.Request(self._url(path), headers={"Accept": "application/json"}))

    def post(self, path: str, fields: Any) -> Any:
        """The data of the page that a form leads to; raises Refused."""
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "X-CSRF-Token": self._csrf,
        }
        return self._ask(urllib.request.Request(self._url(path), json.dumps(fields).encode(), headers))

    def new_mails(self) -> list[Any]:
        """The mails that came since the last look, the oldest first."""
        mails = [mail for mail in self.get("/_mail")["mails"] if mail["to"] == self.mailbox]
        fresh = [mail for mail in reversed(mails) if mail["id"] not in self._seen]
        self._seen.update(mail["id"] for mail in fresh)
        return fresh

    def _url(self, path: str) -> str:
        return path if path.startswith("http") else self.address + path

    def _ask(self, request: urllib.request.Request) -> Any:
        request.add_header("Accept-Language", self.lang)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                data = json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(_why(json.load(error))) from error
        self._csrf = data.get("csrf", self._csrf)
        return data


def wait_for(what: Callable[[], A | None], pause: float = 0.1) -> A:
    """What is there as soon as it is there; raises TimeoutError after half a minute."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(pause)
    raise TimeoutError("nothing happened for half a minute")


def _why(data: Any) -> str:
    return str(data["error"]["message"] if "error" in data else data.get("problems"))
