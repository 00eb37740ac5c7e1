"""Seasons that are closed: their prizes and titles, public for good (P26)."""

import re
from typing import Any

from engine.errors import Refusal
from engine.platform.doctrines import SLOTS, contender_id
from engine.platform.members import MemberId
from engine.platform.seasons.records import Season, Title
from functions.names import names_of
from functions.web.visit import Response, Visit
from infra.records import CONTENDER, SEASON

SHOWN = 12


def show(visit: Visit) -> Response[Any]:
    """The closed seasons, the latest first, a page at a time (`?after=`)."""
    after = visit.query.get("after", "")[:200]
    page = visit.site.store.query(SEASON, "latest", limit=SHOWN, after=after)
    seasons = [row.value for row in page.rows]
    firsts = {season.places[0].member for season in seasons if season.places}
    names = names_of(visit.site, firsts, visit.member)
    data = {
        "seasons": [{"month": s.month, "first": _first(s, names)} for s in seasons],
        "first": not after,
        "after": page.after,
    }
    return visit.page("pages/seasons/list.html", data)


def one(visit: Visit, month: str) -> Response[Any]:
    """A season's results."""
    row = visit.site.store.get(SEASON, month) if re.fullmatch(r"\d{4}-\d{2}", month) else None
    if row is None:
        raise Refusal("no_such_season")
    season = row.value
    members = {p.member for p in season.places} | {title.member for title in season.titles}
    names = names_of(visit.site, members, visit.member)
    data = {
        "month": season.month,
        "closed": season.closed,
        "places": [
            {
                "place": p.place,
                "member": {"id": p.member, "name": names[p.member]},
                "rating": p.tenths / 10,
                "games": p.games,
                "credits": p.credits,
            }
            for p in season.places
        ],
        "titles": [
            {
                "of": title.of,
                "member": {"id": title.member, "name": names[title.member]},
                "figure": title.figure if title.of == "front" else title.figure / 10,
                "games": title.games,
                "doctrine": _doctrine(visit, title),
            }
            for title in season.titles
        ],
    }
    return visit.page("pages/seasons/one.html", data)


def _doctrine(visit: Visit, title: Title) -> str:
    """The name of the doctrine that a title is for; not as long as the moderators hide one of its author's (P29)."""
    if not title.doctrine:
        return ""
    rows = (visit.site.store.get(CONTENDER, contender_id(title.member, number)) for number in SLOTS)
    return visit.t("doctrine.masked") if any(row is not None and row.value.hidden for row in rows) else title.doctrine


def _first(season: Season, names: dict[MemberId, str]) -> dict[str, Any] | None:
    if not season.places:
        return None
    member = season.places[0].member
    return {"id": member, "name": names[member]}
