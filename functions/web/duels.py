"""The duels page: open proposals, and a form to propose one (P10)."""

from typing import Any, Final

from engine.decisions import Json
from engine.errors import Malformed, Problem, Refusal
from engine.games import registry
from engine.platform import stakes
from engine.platform.duels import propose
from engine.platform.duels.records import OPEN_PROPOSALS
from engine.platform.sessions import may
from functions import lists
from functions.members import member_named
from functions.names import names_of
from functions.proposing import make
from functions.web import guest, play_page
from functions.web.counting import may_stake
from functions.web.errors import problems as sentences
from functions.web.visit import Form, Response, Visit

TEMPLATE: Final = "pages/duels/duels.html"
SHOWN: Final = 12
FIELDS: Final = {
    "unknown_pace": "pace",
    "barred": "pace",
    "unknown_game": "game",
    "too_many_proposals": "",
    "frozen": "",
    **dict.fromkeys(("stake_game", "stake_young", "stake_new", "stake_won", "credits_short"), "stake"),
}


def show(visit: Visit) -> Response[Any]:
    """The open proposals of others a page at a time (`?after=`), the member's own, and the form."""
    return visit.page(TEMPLATE, page(visit))


def offer(visit: Visit) -> Response[Any]:
    """Propose a duel; a refused form comes back as it was typed."""
    game, pace = _game_and_pace(visit)
    visit = guest.playing(visit, game)
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    form = visit.form
    try:
        invited = member_named(visit.site, form.get("opponent")).id if form.get("opponent").strip() else None
        request = form.get("request") or visit.site.sources.id()
        link = bool(form.get("link"))
        stake = stakes.amount(form.get("stake"))
        command = propose.Propose(member.id, game, pace, invited, request, link, _options(game, form), stake)
        return guest.remembered(visit, visit.redirect(f"/games/{make(visit.site, command).id}"))
    except (Refusal, Malformed) as error:
        if visit.wants_json:
            raise
        found = error.problems
        if isinstance(error, Refusal) and not found:
            found = (Problem(error.code, field=FIELDS.get(error.code, "opponent"), detail=error.detail),)
        return _again(visit, game, sentences(visit, found))


def _again(visit: Visit, game: str, problems: Any) -> Response[Any]:
    """A refused form on the page it was sent from, as it was typed: a game's own page says so by `way`."""
    spec = play_page.spec_of(game) if visit.form.get("way") in play_page.WAYS else None
    if spec is None:
        return visit.page(TEMPLATE, page(visit, problems), 422)
    return visit.page(play_page.TEMPLATE, play_page.page(visit, spec, problems), 422)


def page(visit: Visit, problems: Any = ()) -> dict[str, Any]:
    """What the duels page shows; `problems` are those of a form just refused."""
    site, member = visit.site, visit.member
    after = visit.query.get("after", "")[:200]
    listed, more = lists.proposals(site, SHOWN, after)
    open_ones = [duel for duel in listed if member is None or duel.proposer != member.id]
    mine = lists.games(site, member.id, "proposed", OPEN_PROPOSALS)[0] if member else []
    invited = lists.games(site, member.id, "invited", SHOWN)[0] if member else []
    names = names_of(site, {d.proposer for d in open_ones}, member)
    return {
        "proposals": [lists.duel_line(d, member.id if member else None, names) for d in open_ones],
        "first": not after,
        "after": more,
        "mine": lists.lines(site, mine, member),
        "invited": lists.lines(site, invited, member),
        "games": [_game(name) for name in propose.OFFERED],
        "form": _filled(visit),
        "stake": may_stake(visit),
        "request": site.sources.id(),
        "problems": problems,
        "now": visit.received,
    }


def _game(name: str) -> dict[str, Any]:
    paces = propose.paces_of(name)
    return {"game": name, "paces": list(paces), "live": [pace for pace in paces if propose.pace_of(name, pace).live]}


def _game_and_pace(visit: Visit) -> tuple[str, str]:
    """The page's form names both at once, "feinthold/days1"; JSON may name them apart."""
    pace = visit.form.get("pace")
    game, slash, of_game = pace.partition("/")
    return (game, of_game) if slash else (visit.form.get("game", registry.DUELS[0]), pace)


def _options(game: str, form: Form) -> Json:
    """The options of the game that the form names; those left blank are drawn."""
    known = registry.game(game).SPEC.options if game in propose.OFFERED else {}
    return {name: form.get(name) for name in known if form.get(name)}


def _filled(visit: Visit) -> dict[str, str]:
    filled = {
        "game": registry.DUELS[0],
        "pace": "days1",
        "opponent": visit.query.get("to", ""),
        "stake": "0",
        **visit.form.typed,
    }
    if visit.form.get("pace"):
        filled["game"], filled["pace"] = _game_and_pace(visit)
    return filled
