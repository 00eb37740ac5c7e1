"""What API Gateway does on AWS: HTTP requests to HTTP API events (payload 2.0), and their answers back, over WSGI."""

import base64
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote

from infra.sources import Sources

MOST_BYTES: Final = 1_000_000

Handler = Callable[[dict[str, Any], Any], dict[str, Any]]
StartResponse = Callable[[str, list[tuple[str, str]]], object]

_REASONS: Final = {
    200: "OK",
    204: "No Content",
    303: "See Other",
    308: "Permanent Redirect",
    304: "Not Modified",
    404: "Not Found",
}


class Gateway:
    """A WSGI application that calls a Lambda handler."""

    def __init__(self, handler: Handler, sources: Sources) -> None:
        self._handler = handler
        self._sources = sources

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        answer = self._handler(self._event(environ), None)
        status = answer["statusCode"]
        body = answer.get("body") or ""
        data = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
        headers = [*answer["headers"].items(), *(("Set-Cookie", cookie) for cookie in answer.get("cookies", ()))]
        if environ["REQUEST_METHOD"] != "HEAD" and status != 204:
            headers.append(("Content-Length", str(len(data))))
        start_response(f"{status} {HTTPStatus(status).phrase}", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [data]

    def _event(self, environ: dict[str, Any]) -> dict[str, Any]:
        received = self._sources.now()
        body = environ["wsgi.input"].read(MOST_BYTES)
        headers = _headers(environ)
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace") or "/"
        http = {
            "method": environ["REQUEST_METHOD"],
            "path": path,
            "protocol": environ["SERVER_PROTOCOL"],
            "sourceIp": environ["REMOTE_ADDR"],
            "userAgent": headers.get("user-agent", ""),
        }
        event: dict[str, Any] = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": path,
            "rawQueryString": environ["QUERY_STRING"],
            "headers": headers,
            "requestContext": {
                "http": http,
                "domainName": unquote(headers.get("host", "")),
                "stage": "$default",
                "timeEpoch": received,
                "requestId": self._sources.id(),
            },
            "isBase64Encoded": bool(body),
        }
        if cookies := headers.pop("cookie", ""):
            event["cookies"] = [cookie.strip() for cookie in cookies.split(";")]
        if body:
            event["body"] = base64.b64encode(body).decode()
        return event


def _headers(environ: dict[str, Any]) -> dict[str, str]:
    named = {name[5:]: text for name, text in environ.items() if name.startswith("HTTP_")}
    named |= {name: environ[name] for name in ("CONTENT_TYPE", "CONTENT_LENGTH") if environ.get(name)}
    return {name.replace("_", "-").lower(): text for name, text in named.items()}
