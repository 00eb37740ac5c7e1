"""The first page."""

from typing import Any

from functions.web.visit import Response, Visit


def show(visit: Visit) -> Response[Any]:
    """What the site is, and where to begin."""
    return visit.page("pages/home.html", {})
