"""What every answer carries: security headers, how long it may be kept, compression."""

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
    if visit.browser and headers["Cache-Control"] == _OWN:
        kept = browser_cookie(visit)
        if visit.cookies.get("browser") != kept:
            answer.cookies.append(visit.cookie("browser", kept))
    if answer.content_type == HTML:
        headers["Content-Language"] = visit.lang
    kind = answer.content_type or ""
    answer.compress = kind.startswith(_PACKED) and len(answer.body or "") > _SMALL
    return answer
