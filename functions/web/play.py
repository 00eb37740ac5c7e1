"""A game's own page: find an opponent, challenge a friend, play the computer."""

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import Problem, Refusal
from engine.games import registry
from engine.games.protocol import Spec
from engine.platform.duels import propose
from engine.platform.duels.records import Duel
from engine.platform.duels.solo import Solo
from engine.platform.members import MemberId
from engine.platform.sessions import may
from functions import lists
from functions.names import names_of
from functions.rivals import begin, rival
from functions.web import guest
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit
from infra.records import DUEL

TEMPLATE: Final = "pages/play.html"
SHOWN: Final = 5


def index(visit: Visit) -> Response[Any]:
    """The games that two play, and where each is played."""
    specs = [registry.game(name).SPEC for name in registry.DUELS]
    games = [{"game": spec.name, "own": bool(spec.rivals), "guests": spec.guests} for spec in specs]
    return visit.page("pages/games_to_play.html", {"games": games})


def show(visit: Visit, game: str) -> Response[Any]:
    """What can be played of this game, and the open proposals. Refused: `not_found` for games without such a page."""
    return visit.page(TEMPLATE, page(visit, _spec(game)))


def computer(visit: Visit, game: str) -> Response[Any]:
    """A game against the computer, begun at once, once for a request; members and guests, unrated."""
    spec = _spec(game)
    visit = guest.playing(visit, game)
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    try:
        wanted = _wanted(visit, spec)
    except Refusal as error:
        if visit.wants_json:
            raise
        found = sentences(visit, error.problems)
        return guest.remembered(visit, visit.page(TEMPLATE, page(visit, spec, found), 422))
    request = visit.form.get("request") or visit.site.sources.id()
    return guest.remembered(visit, visit.redirect(f"/games/{begin(visit.site, wanted, request).id}"))


def page(visit: Visit, spec: Spec, problems: Any = ()) -> dict[str, Any]:
    """What the page shows; `problems` are those of a form just refused."""
    site, member = visit.site, visit.member
    rows = site.store.query(DUEL, "open", spec.name, limit=SHOWN).rows
    watched = lists.under_way(site, spec.name, SHOWN)
    people = {row.value.proposer for row in rows} | {p.member for duel in watched for p in duel.players}
    names = names_of(site, people, member, visit.lang)
    filled = {"level": next(iter(spec.rivals)), "pace": "", "seat": "", "opponent": visit.query.get("to", "")}
    return {
        "game": spec.name,
        "seats": spec.seats,
        "paces": propose.paces_of(spec.name),
        "unhurried": _unhurried(spec),
        "live": [name for name, pace in spec.paces.items() if pace.live],
        "options": spec.options,
        "levels": tuple(spec.rivals),
        "guests": spec.guests,
        "proposals": [lists.duel_line(row.value, member.id if member else None, names) for row in rows],
        "under_way": [_watched(duel, names) for duel in watched],
        "form": {**filled, **visit.form.typed},
        "request": site.sources.id(),
        "problems": problems,
        "now": visit.received,
    }


def _watched(duel: Duel, names: Mapping[MemberId, str]) -> dict[str, Any]:
    players = [{"seat": p.seat, "name": names.get(p.member, "")} for p in duel.players]
    return {"id": duel.id, "pace": duel.pace, "turn": duel.turn, "players": players, "begun": duel.begun}


def _wanted(visit: Visit, spec: Spec) -> Solo:
    form = visit.form
    level = form.get("level", next(iter(spec.rivals)))
    pace = form.get("pace") or _unhurried(spec)
    options = {name: form.get(name) for name in spec.options if form.get(name)}
    seat = form.get("seat") or None
    wrong = [name for name, value in options.items() if value not in spec.options[name]]
    known = (("level", level in spec.rivals), ("pace", pace in spec.paces), ("seat", seat in (None, *spec.seats)))
    wrong += [name for name, there in known if not there]
    if wrong:
        raise Refusal("unknown_option", tuple(Problem("unknown_option", field=name) for name in wrong))
    assert visit.member is not None
    other, policy = rival(spec.name, level), spec.rivals[level]
    return Solo("practice", pace, visit.member.id, other, policy, options=options, seat=seat, game=spec.name)


def _unhurried(spec: Spec) -> str:
    """The slowest pace: against the computer nobody waits."""
    return max(spec.paces, key=lambda name: spec.paces[name].turn)


def _spec(game: str) -> Spec:
    spec = registry.game(game).SPEC if game in registry.DUELS else None
    if spec is None or not spec.rivals:
        raise Refusal("not_found")
    return spec
