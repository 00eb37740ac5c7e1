"""Tournaments: the list with a form to open one, and each one's bracket (P19, P20)."""

from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import Member, MemberId
from engine.platform.sessions import may
from engine.platform.tournaments.bracket import latest_end, leads_to, rounds
from engine.platform.tournaments.entering import Create
from engine.platform.tournaments.records import MOST_FEE, OPEN_LASTS, SIZES, Match, Tournament
from engine.times import later
from functions import tournaments
from functions.names import names_of
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit
from infra.records import TOURNAMENT

LIST: Final = "pages/tournaments/list.html"
SHOWN: Final = 12
GROUPS: Final = {"open": "open", "running": "playing", "past": "ended"}  # each with the stage of its tournaments
FIELDS: Final = {"credits_short": "fee", "size_unknown": "size", "fee_unreadable": "fee"}

Data = dict[str, Any]


def show(visit: Visit) -> Response[Any]:
    """Open, running and past tournaments, each a page at a time (`?open=`, `?running=`, `?past=`), and the form."""
    return visit.page(LIST, _list(visit))


def create(visit: Visit) -> Response[Any]:
    """Open a tournament; a refused form comes back as it was typed."""
    member = _acting(visit)
    form = visit.form
    try:
        size, fee = _number(form.get("size"), "size"), _number(form.get("fee") or "0", "fee")
        request = form.get("request") or visit.site.sources.id()
        made = tournaments.create(visit.site, member, Create(member.id, size, fee, request))
        return visit.redirect(f"/tournaments/{made.id}")
    except (Refusal, Malformed) as error:
        if visit.wants_json:
            raise
        found = error.problems
        if isinstance(error, Refusal) and not found:
            found = (Problem(error.code, field=FIELDS.get(error.code, ""), detail=error.detail),)
        return visit.page(LIST, _list(visit, sentences(visit, found)), 422)


def one(visit: Visit, id: str) -> Response[Any]:
    """A tournament with its bracket."""
    tournament = tournaments.tournament_row(visit.site, id).value
    member = visit.member if may(visit.session, "duels") else None
    names = names_of(visit.site, {*tournament.entrants, tournament.creator}, member)
    data = {
        "tournament": _facts(tournament),
        "entrants": [_person(m, names) for m in (tournament.seeds or tournament.entrants)],
        "rounds": [[_match(tournament, m, names) for m in matches] for matches in rounds(tournament)],
        "champion": _person(tournament.champion, names) if tournament.champion else None,
        "latest": latest_end(tournament, visit.received) if tournament.stage == "playing" else None,
        "may": _may(tournament, member),
        "balance": visit.site.store.count(Balance(purse(member.id))) if member else None,
        "now": visit.received,
    }
    return visit.page("pages/tournaments/one.html", data)


def join(visit: Visit, id: str) -> Response[Any]:
    """Take a place."""
    tournaments.join(visit.site, _acting(visit), id)
    return visit.redirect(f"/tournaments/{id}")


def leave(visit: Visit, id: str) -> Response[Any]:
    """Give the place up."""
    tournaments.leave(visit.site, _acting(visit).id, id)
    return visit.redirect(f"/tournaments/{id}")


def _acting(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    return member


def _number(text: str, field: str) -> int:
    typed = text.strip()
    if not (typed.isascii() and typed.isdigit() and len(typed) < 5):
        code = "size_unknown" if field == "size" else "fee_unreadable"
        raise Malformed(Problem(code, field=field, detail={"most": MOST_FEE} if field == "fee" else {}))
    return int(typed)


def _list(visit: Visit, problems: Any = ()) -> Data:
    pages = {
        group: visit.site.store.query(TOURNAMENT, "stage", stage, limit=SHOWN, after=visit.query.get(group, "")[:200])
        for group, stage in GROUPS.items()
    }
    listed = [row.value for page in pages.values() for row in page.rows]
    names = names_of(visit.site, {t.champion or t.creator for t in listed}, visit.member)
    own = visit.member.id if visit.member else None
    return {
        **{group: [_line(row.value, names, own) for row in page.rows] for group, page in pages.items()},
        "first": {group: not visit.query.get(group) for group in pages},
        "after": {group: page.after for group, page in pages.items()},
        "sizes": list(SIZES),
        "most": MOST_FEE,
        "form": {"size": str(SIZES[0]), "fee": "0", **visit.form.typed},
        "request": visit.site.sources.id(),
        "problems": problems,
        "now": visit.received,
    }


def _line(tournament: Tournament, names: dict[MemberId, str], own: MemberId | None) -> Data:
    return {
        **_facts(tournament),
        "creator": _person(tournament.creator, names),
        "champion": _person(tournament.champion, names) if tournament.champion else None,
        "yours": own in tournament.entrants,
    }


def _facts(tournament: Tournament) -> Data:
    return {
        "id": tournament.id,
        "size": tournament.size,
        "fee": tournament.fee,
        "pot": tournament.fee * tournament.size,
        "entered": len(tournament.entrants),
        "stage": tournament.stage,
        "created": tournament.created,
        "lapses": later(tournament.created, OPEN_LASTS),
        "started": tournament.started,
        "ended": tournament.ended,
    }


def _match(tournament: Tournament, match: Match, names: dict[MemberId, str]) -> Data:
    sides = [
        {**_person(m, names), "seed": tournament.seed(m), "won": match.decided and match.winner == m} if m else None
        for m in (match.one, match.other)
    ]
    return {
        "number": match.number,
        "sides": sides,
        "duel": match.duel,
        "decided": match.decided,
        "by": match.by,
        "leads_to": leads_to(tournament.size, match.number),
    }


def _person(member: MemberId | None, names: dict[MemberId, str]) -> Data:
    return {"id": member, "name": names.get(member, "") if member else ""}


def _may(tournament: Tournament, member: Member | None) -> list[str]:
    if member is None or tournament.stage != "open" or tournament.full:
        return []
    return ["leave"] if member.id in tournament.entrants else ["join"]
