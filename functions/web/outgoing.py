"""What every answer carries: security headers, how long it may be kept, compression."""

import gzip
from typing import Any, Final

from functions.web.arrival import browser_cookie
from functions.web.visit import HTML, Response, Visit

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_OWN: Final = "private, no-store"
_SMALL: Final = 1_400
_PACKED: Final = ("text/", "application/json", "image/svg+xml")


def finish(visit: Visit, answer: Response[Any]) -> Response[Any]:
    """The same answer with its headers, compressed if it is worth it."""
    headers = answer.headers
    headers.setdefault("Cache-Control", _OWN)
    headers.setdefault("Vary", "Accept, Accept-Encoding, Accept-Language, Cookie")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers["X-Content-Type-Options"] = "nosniff"
    headers.setdefault("Content-Security-Policy", POLICY)
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if visit.site.settings.secure:
        headers["Strict-Transport-Security"] = "max-age=31536000"
    if visit.browser and "browser" not in visit.cookies and headers["Cache-Control"] == _OWN:
        answer.cookies.append(visit.cookie("browser", browser_cookie(visit)))
    if answer.content_type == HTML:
        headers["Content-Language"] = visit.lang
    return _packed(visit, answer)


def _packed(visit: Visit, answer: Response[Any]) -> Response[Any]:
    kind, body = answer.content_type or "", answer.body
    if not kind.startswith(_PACKED) or "gzip" not in visit.headers.get("accept-encoding", ""):
        return answer
    data = body.encode() if isinstance(body, str) else body
    if data is not None and len(data) > _SMALL:
        answer.body = gzip.compress(data, 5, mtime=0)
        answer.headers["Content-Encoding"] = "gzip"
    return answer
