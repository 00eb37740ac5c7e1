"""Static files: under the hash of them all they are kept for ever."""

import mimetypes
from typing import Any, Final

from engine.errors import Refusal
from functions.web.visit import Response, Visit

_TYPES: Final = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
_FOREVER: Final = "public, max-age=31536000, immutable"
_SHORT: Final = "public, max-age=60"


def show(visit: Visit, version: str, name: str) -> Response[Any]:
    """One of the static files, by its exact name; under an older hash it is today's file, kept for a minute."""
    pages = visit.site.pages
    path = pages.assets.get(name)
    if path is None:
        raise Refusal("not_found")
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    body: str | bytes = path.read_bytes()
    if kind.startswith("text/") or kind == "image/svg+xml":
        body = path.read_text("utf-8")
    keep = _FOREVER if version == pages.fingerprint else _SHORT
    return Response(200, kind, body, headers={"Cache-Control": keep})


def icon(visit: Visit) -> Response[Any]:
    """The icon, for who asks without having read a page."""
    return show(visit, "", "icon.svg")


def robots(visit: Visit) -> Response[Any]:
    """Pages of running games and links of mails are nothing for search engines."""
    return Response(200, "text/plain; charset=utf-8", "User-agent: *\nDisallow: /games/\nDisallow: /turn/\n")
