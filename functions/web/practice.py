"""Practice against the house AIs: one click, unlimited, unrated (P14b)."""

from typing import Any, Final

from engine.errors import Refusal
from engine.games.feinthold.doctrine.house import HOUSE as RULES
from engine.platform.doctrines import HOUSE, house_id
from engine.platform.sessions import may
from functions import solo_games
from functions.web.visit import Response, Visit

TEMPLATE: Final = "pages/practice/practice.html"


def show(visit: Visit) -> Response[Any]:
    """The three house AIs with their rules."""
    data = {"ais": [ai(name) for name in HOUSE], "request": visit.site.sources.id()}
    return visit.page(TEMPLATE, data)


def begin(visit: Visit) -> Response[Any]:
    """A game against the AI of the form's button."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    request = visit.form.get("request") or visit.site.sources.id()
    return visit.redirect(f"/games/{solo_games.practice(visit.site, member, visit.form.get('ai'), request)}")


def ai(name: str) -> dict[str, Any]:
    """A house AI as pages show it, with its rules: they are public (F29)."""
    return {"ai": name, "id": house_id(name), "rules": RULES[name]["rules"]}
