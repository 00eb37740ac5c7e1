"""A game's own page: find an opponent, challenge a friend, play the computer."""

from typing import Any

from engine.errors import Problem, Refusal
from engine.games.protocol import Spec
from engine.platform.duels.solo import Solo
from engine.platform.sessions import may
from functions.rivals import begin, rival
from functions.web import guest, play_page
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit


def index(visit: Visit) -> Response[Any]:
    """The games, and where each is played: on a page of its own, among the duels, or by many."""
    return visit.page("pages/games_to_play.html", {"games": play_page.places()})


def show(visit: Visit, game: str) -> Response[Any]:
    """What can be played of this game, and the open proposals. Refused: `not_found` for games without such a page."""
    return visit.page(play_page.TEMPLATE, play_page.page(visit, _spec(game)))


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
        return guest.remembered(visit, visit.page(play_page.TEMPLATE, play_page.page(visit, spec, found), 422))
    request = visit.form.get("request") or visit.site.sources.id()
    return guest.remembered(visit, visit.redirect(f"/games/{begin(visit.site, wanted, request).id}"))


def _wanted(visit: Visit, spec: Spec) -> Solo:
    form = visit.form
    level = form.get("level", next(iter(spec.rivals)))
    pace = form.get("pace") or play_page.unhurried(spec)
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


def _spec(game: str) -> Spec:
    spec = play_page.spec_of(game)
    if spec is None:
        raise Refusal("not_found")
    return spec
