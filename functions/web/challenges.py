"""Challenges: whom one can challenge, what is public of them, and who does it best (P22, P23)."""

from collections.abc import Iterable
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from engine.games.feinthold.doctrine.house import HOUSE as RULES
from engine.platform import challenges, doctrines
from engine.platform.challenges import ChallengeChange, Challenger, Meeting
from engine.platform.doctrines import HOUSE, Contender, house_id
from engine.platform.members import Member, MemberId
from engine.platform.sessions import may
from functions import reports, solo_games
from functions.doctrine_books import contender_of
from functions.names import name_of, names_of
from functions.web.doctrines import public
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit
from infra.records import CHALLENGE_CHANGE, CHALLENGER, CONTENDER, MEETING

Data = dict[str, Any]

SHOWN: Final = 20
MEETINGS: Final = 50
HISTORY: Final = 15
RESULTS: Final = ("lost", "drawn", "won")
LIST: Final = "pages/challenges/challenges.html"
ONE: Final = "pages/challenges/contender.html"
RANKING: Final = "pages/challenges/ranking.html"


def show(visit: Visit) -> Response[Any]:
    """The house AIs and the published doctrines, the best first, a page at a time (`?after=`)."""
    site, member = visit.site, visit.member
    after = visit.query.get("after", "")[:200]
    page = site.store.query(CONTENDER, "open", limit=SHOWN, after=after)
    listed = [row.value for row in page.rows]
    house = [] if after else [contender_of(site, house_id(name)) for name in HOUSE]
    names = names_of(site, {c.author for c in listed if c.author}, member, visit.lang)
    met = _meetings(visit, member.id, (*house, *listed)) if member else {}
    data = {
        "house": [_line(visit, c, names, met) for c in house],
        "contenders": [_line(visit, c, names, met) for c in listed],
        "mine": _mine(visit, member) if member else None,
        "request": site.sources.id(),
        "first": not after,
        "after": page.after,
    }
    return visit.page(LIST, data)


def one(visit: Visit, id: str) -> Response[Any]:
    """What is public of a doctrine: never a member's rules; a house AI's are."""
    return visit.page(ONE, _contender(visit, contender_of(visit.site, id)))


def begin(visit: Visit) -> Response[Any]:
    """Challenge a doctrine."""
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    request = visit.form.get("request") or visit.site.sources.id()
    return visit.redirect(f"/games/{solo_games.challenge(visit.site, member, visit.form.get('doctrine'), request)}")


def report(visit: Visit, id: str) -> Response[Any]:
    """Tell the moderators about a doctrine's name (P5b)."""
    member, site = visit.need_member(), visit.site
    if not may(visit.session, "report"):
        raise Refusal("link_too_narrow")
    contender, reason = contender_of(site, id), visit.form.get("reason")
    if contender.author in (None, member.id):
        raise Refusal("report_self")

    try:
        reports.tell(site, member.id, "doctrine", contender.id, reason)
    except Malformed as error:
        if visit.wants_json:
            raise
        return visit.page(ONE, _contender(visit, contender, reason, error.problems), 422)
    return visit.redirect(f"/challenges/{contender.id}?done=reported")


def ranking(visit: Visit) -> Response[Any]:
    """Members by challenge rating, a page at a time (`?after=`, `?from=` tells how many came before)."""
    after = visit.query.get("after", "")[:200]
    before = _number(visit.query.get("from", "")) if after else 0
    page = visit.site.store.query(CHALLENGER, "ranking", limit=SHOWN, after=after)
    rows = [row.value for row in page.rows]
    names = names_of(visit.site, {row.member for row in rows}, visit.member, visit.lang)
    data = {
        "rows": [
            {"rank": n, "member": {"id": row.member, "name": names[row.member]}, **record(row)}
            for n, row in enumerate(rows, start=before + 1)
        ],
        "mine": _mine(visit, visit.member) if visit.member else None,
        "before": before,
        "after": page.after,
    }
    return visit.page(RANKING, data)


def record(row: Challenger | Contender) -> Data:
    """A rating in points, and the results of rated challenges."""
    return {"rating": row.rating / 10, "won": row.won, "drawn": row.drawn, "lost": row.lost}


def _line(visit: Visit, contender: Contender, names: dict[MemberId, str], met: dict[str, Meeting]) -> Data:
    meeting = met.get(contender.id)
    author = contender.author
    return {
        **public(contender),
        "house": doctrines.house_name(contender.id),
        "name": name_of(visit.site, contender.id, visit.member, visit.lang) if author is None else contender.name,
        "author": {"id": author, "name": names.get(author, "")} if author else None,
        "yours": visit.member is not None and author == visit.member.id,
        "running": meeting.running if meeting else None,
        "unrated_why": challenges.unrated_because(meeting, (), visit.received),
    }


def _contender(visit: Visit, contender: Contender, reason: str = "", found: tuple[Problem, ...] = ()) -> Data:
    site, member, author = visit.site, visit.member, contender.author
    house = doctrines.house_name(contender.id)
    row = site.store.get(MEETING, member.id, contender.id) if member else None
    meeting = row.value if row else None
    yours = member is not None and author == member.id
    findings = solo_games.findings_against(site, member.id, author) if member and not yours else ()
    history = site.store.query(CHALLENGE_CHANGE, "history", contender.id, limit=HISTORY).rows
    changes = [row.value for row in history]
    people = {change.other for change in changes} | ({author} if author else set())
    names = names_of(site, people, member, visit.lang)
    return {
        **public(contender),
        "house": house,
        "rules": RULES[house]["rules"] if house else None,
        "name": contender.name if yours else name_of(site, contender.id, member, visit.lang),
        "author": {"id": author, "name": names[author]} if author else None,
        "yours": yours,
        "open": contender.open,
        "running": meeting.running if meeting else None,
        "unrated_why": challenges.unrated_because(meeting, findings, visit.received),
        "again": challenges.rated_again_at(meeting, visit.received),
        "history": [_change(change, names) for change in changes],
        "request": site.sources.id(),
        "reason": reason,
        "problems": sentences(visit, found),
        "done": visit.query.get("done") == "reported",
    }


def _change(change: ChallengeChange, names: dict[MemberId, str]) -> Data:
    """A rated challenge from the doctrine's side."""
    return {
        "game": change.game,
        "at": change.at,
        "member": {"id": change.other, "name": names[change.other]},
        "result": RESULTS[change.score],
        "before": change.before / 10,
        "after": change.after / 10,
        "voided": change.voided,
    }


def _meetings(visit: Visit, member: MemberId, shown: Iterable[Contender]) -> dict[str, Meeting]:
    """What the member has had with each doctrine shown: one query, and a read each for who has met very many."""
    page = visit.site.store.query(MEETING, "", member, limit=MEETINGS)
    met: dict[str, Meeting] = {row.value.doctrine: row.value for row in page.rows}
    others = [c.id for c in shown if c.id not in met] if page.after else []
    rows = (visit.site.store.get(MEETING, member, doctrine) for doctrine in others)
    met.update((row.value.doctrine, row.value) for row in rows if row)
    return met


def _mine(visit: Visit, member: Member) -> Data:
    row = visit.site.store.get(CHALLENGER, member.id)
    return record(row.value if row else Challenger(member.id))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
