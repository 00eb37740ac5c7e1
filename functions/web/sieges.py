"""The page of all sieges, and the form that announces one."""

from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.errors import Malformed, Problem, Refusal
from engine.games import registry
from engine.platform.sessions import may
from engine.platform.sieges.entering import Announce
from engine.platform.sieges.records import LONGEST_NAME, MOST_FEE
from engine.times import DAY, Instant, later
from functions import sieges
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit
from infra.zones import find, zones

Data = dict[str, Any]
GROUPS: Final = ("open", "playing", "over")
USUAL: Final = {"seats": "6", "pace": "days3", "fee": "0"}
BAD: Final = -1  # what a field reads as that holds no number


def show(visit: Visit) -> Response[Any]:
    """Open, running and finished sieges, each a page at a time, and the member's own."""
    site, member = visit.site, visit.member
    mine = sieges.under_way(site, member.id) if member and may(visit.session, "duels") else []
    id = member.id if member else None
    groups = []
    for group in GROUPS:
        found, more = sieges.listed(site, group, visit.query.get(group, "")[:200])
        groups.append(
            {
                "group": group,
                "sieges": [sieges.line(siege, id) for siege in found],
                "first": group not in visit.query,
                "after": more,
            }
        )
    data = {"mine": [sieges.line(siege, id) for siege in mine], "groups": groups, "now": visit.received}
    return visit.page("pages/sieges/sieges.html", data)


def form(visit: Visit) -> Response[Any]:
    """The form that announces a siege."""
    return visit.page("pages/sieges/announce.html", _form(visit))


def announce(visit: Visit) -> Response[Any]:
    """Announce a siege; a refused form comes back as it was typed."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    try:
        siege = sieges.announce(visit.site, member, _command(visit))
    except (Refusal, Malformed) as error:
        if visit.wants_json:
            raise
        found = error.problems
        if isinstance(error, Refusal):
            found = (Problem(error.code, field="fee" if error.code == "credits_short" else "", detail=error.detail),)
        return visit.page("pages/sieges/announce.html", _form(visit, sentences(visit, found)), 422)
    return visit.redirect(f"/sieges/{siege.id}")


def _command(visit: Visit) -> Announce:
    form = visit.form
    zone = find(form.get("zone")) if form.get("zone") else visit.zone
    return Announce(
        visit.need_member().id,
        form.get("game") or registry.FORUMS[0],
        form.get("name"),
        _whole(form.get("seats")),
        form.get("pace"),
        zone or form.get("zone")[:80],
        _whole(form.get("fee") or "0"),
        _opening(visit, zone or "UTC"),
        form.get("request") or visit.site.sources.id(),
    )


def _opening(visit: Visit, zone: str) -> Instant:
    """The opening as typed in local time of the siege's zone, or as an instant (JSON); 0 if it is neither."""
    text = visit.form.get("opens").strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return Instant(int(text))
    try:
        local = datetime.fromisoformat(text)
        return Instant(int(local.replace(tzinfo=local.tzinfo or ZoneInfo(zone)).timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        return Instant(0)


def _whole(text: str) -> int:
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 6 else BAD


def _form(visit: Visit, problems: Any = ()) -> Data:
    games = []
    for name in registry.FORUMS:
        spec = registry.game(name).SPEC
        paces = [{"pace": pace, "span": spec.paces[pace].turn} for pace in spec.paces]
        games.append({"game": name, "fewest": spec.fewest, "most": len(spec.seats), "paces": paces})
    opens = datetime.fromtimestamp(later(visit.received, 7 * DAY) / 1000, UTC).astimezone(ZoneInfo(visit.zone))
    proposed = opens.replace(hour=20, minute=0).strftime("%Y-%m-%dT%H:%M")
    filled = {**USUAL, "name": "", "zone": visit.zone, "opens": proposed, **visit.form.typed}
    return {
        "games": games,
        "form": filled,
        "zones": zones(),
        "most_fee": MOST_FEE,
        "longest_name": LONGEST_NAME,
        "request": visit.form.get("request") or visit.site.sources.id(),
        "problems": problems,
        "now": visit.received,
    }
