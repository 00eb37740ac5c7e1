"""A browser without scripts, before the web function itself: cookies, forms, JSON."""

import base64
import gzip
import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from functions.web.app import handler
from infra.site import current

Fields = Mapping[str, str | Iterable[str]]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.text)

    @property
    def location(self) -> str:
        """Where it leads."""
        return self.headers["location"]

    @property
    def seen(self) -> str:
        """The page's text without its tags."""
        return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", self.text)))


@dataclass
class Browser:
    """Keeps cookies as browsers do, and sends the token of the page it looked at last."""

    client: str = "192.0.2.1"
    lang: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""
    set_cookies: list[str] = field(default_factory=list)  # as they were sent

    def get(self, path: str, accept: str = "text/html", method: str = "GET") -> Answer:
        """Look at a page."""
        answer = self.send(method, path, {"accept": accept})
        found = re.search(r'name="csrf" value="([^"]*)"', answer.text)
        if found:
            self.csrf = found[1]
        return answer

    def data(self, path: str) -> Any:
        """The data of a page."""
        answer = self.get(path, "application/json")
        self.csrf = answer.json.get("csrf", self.csrf)
        return answer.json

    def post(self, path: str, fields: Fields | None = None, accept: str = "text/html") -> Answer:
        """Send a form."""
        typed = {"csrf": self.csrf, **(fields or {})}
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": accept}
        return self.send("POST", path, headers, urlencode(typed, doseq=True))

    def follow(self, answer: Answer) -> Answer:
        """Go where a redirect leads."""
        assert answer.status == 303, answer.seen
        return self.get(answer.location)

    def send(self, method: str, path: str, headers: Mapping[str, str], body: str = "") -> Answer:
        """One request, as API Gateway hands it over (payload 2.0)."""
        parts = urlsplit(path)
        event = {
            "version": "2.0",
            "rawPath": parts.path,
            "rawQueryString": parts.query,
            "headers": {"host": "localhost:8000", "accept-language": self.lang, **headers},
            "cookies": [f"{name}={value}" for name, value in self.cookies.items()],
            "requestContext": {
                "http": {"method": method, "path": parts.path, "sourceIp": self.client},
                "timeEpoch": current().sources.now(),
                "stage": "$default",
            },
            "body": body,
            "isBase64Encoded": False,
        }
        return self._take(handler(event, None))

    def _take(self, raw: Mapping[str, Any]) -> Answer:
        for cookie in raw.get("cookies", ()):
            self._keep(cookie)
        headers = {name.lower(): str(value) for name, value in raw["headers"].items()}
        body = raw.get("body") or ""
        data = base64.b64decode(body) if raw.get("isBase64Encoded") else body.encode()
        if headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        return Answer(raw["statusCode"], headers, data.decode())

    def _keep(self, cookie: str) -> None:
        self.set_cookies.append(cookie)
        pair, *attributes = [part.strip() for part in cookie.split(";")]
        name, _, value = pair.partition("=")
        gone = not value or any(a.lower() == "max-age=0" for a in attributes)
        self.cookies.pop(name, None)
        if not gone:
            self.cookies[name] = value
