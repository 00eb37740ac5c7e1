"""Requests as API Gateway hands them over (HTTP API, payload 2.0)."""

from typing import Any

from tests.support.site import NOON


def event(
    path: str, cookies: list[str] | None = None, method: str = "GET", headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """A request for a page."""
    return {
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"accept": "text/html", **(headers or {})},
        "cookies": cookies or [],
        "requestContext": {
            "http": {"method": method, "path": path, "sourceIp": "192.0.2.9"},
            "timeEpoch": NOON,
            "stage": "$default",
        },
        "isBase64Encoded": False,
    }
