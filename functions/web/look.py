"""Language and theme, for who is not signed in too."""

from typing import Any, Final
from urllib.parse import urlsplit

from functions.web.visit import Response, Visit, is_local
from infra.i18n import LANGS

THEMES: Final = ("auto", "light", "dark")


def choose(visit: Visit) -> Response[Any]:
    """Remember the language or theme on this browser, and go back to the page."""
    answer = visit.redirect(_back(visit.form.get("back", "/")))
    if visit.form.get("lang") in LANGS:
        answer.cookies.append(visit.cookie("lang", visit.form.get("lang")))
    if visit.form.get("theme") in THEMES:
        answer.cookies.append(visit.cookie("theme", visit.form.get("theme")))
    return answer


def _back(path: str) -> str:
    return urlsplit(path).path if is_local(path) else "/"
