"""What moderators see of members, games, doctrines, matches, sieges and their texts, and may do about them (P29).

Of a running game that is who plays, at which pace, which turn: no more than anybody sees (P14, P30).
"""

from typing import Any, Final

from engine.errors import Refusal
from engine.platform.doctrines import author_and_slot
from engine.platform.duels.records import Duel
from engine.platform.members import Member
from engine.platform.moderation import acting
from engine.platform.moderation.records import MODERATOR
from engine.platform.sieges.stopping import stopped
from functions import targets
from functions.acting import duel_row
from functions.names import names_of
from functions.reports import reports_of
from functions.siege_texts import author, public_text, text_key
from functions.sieges import siege_row
from functions.tournaments import tournament_row
from functions.web.moderation import ANSWERABLE, acts_of, done, marks_of, moderator
from functions.web.topic import anchor
from functions.web.visit import Response, Visit
from infra.records import CONTENDER, FRONT_GAME, LINK, MEMBER, RATED

Data = dict[str, Any]

TEMPLATE: Final = "pages/moderation/subject.html"
LINKS: Final = 50


def member(visit: Visit, id: str) -> Response[Any]:
    """A member: since when, marks, links, acts; freezing, linking, hiding the name."""
    by = moderator(visit)
    row = visit.site.store.get(MEMBER, id)
    if row is None:
        raise Refusal("no_such_member")
    found = row.value
    links = [row.value for row in visit.site.store.query(LINK, "", found.id, limit=LINKS).rows]
    names = names_of(visit.site, {link.other for link in links}, found)
    facts = {
        "kind": "member",
        "id": found.id,
        "name": found.name,
        "joined": found.joined,
        "frozen": found.frozen,
        "deleted": found.deleted,
        "moderator": MODERATOR in found.roles,
        "links": [
            {"id": link.other, "name": names[link.other], "since": link.since, "why": link.why, "ended": link.ended}
            for link in links
        ],
        "marks": marks_of(visit, found.id),
    }
    return _page(visit, found.id, facts, _of_member(visit, by, found))


def game(visit: Visit, id: str) -> Response[Any]:
    """A game: stopping, voiding, taking a Front off its leaderboard."""
    moderator(visit)
    duel = duel_row(visit.site, id).value
    names = names_of(visit.site, {p.member for p in duel.players}, visit.member)
    over = duel.stage == "ended"
    rated = visit.site.store.get(RATED, duel.id) if over else None
    facts = {
        "kind": "game",
        "id": duel.id,
        "game": duel.game,
        "pace": duel.pace,
        "of": duel.kind,
        "stage": duel.stage,
        "turn": duel.turn,
        "proposed": duel.proposed,
        "ended": duel.ended,
        "by": duel.result.by if duel.result else "",
        "winner": next((names[p.member] for p in duel.players if duel.result and p.seat == duel.result.winner), ""),
        "stake": duel.stake,
        "voided": duel.voided,
        "unrated": (rated.value.why if rated else duel.unrated_why) if over else "",
        "cup": {"id": duel.cup, "match": duel.cup_match} if duel.cup else None,
        "players": [{"id": p.member, "name": names[p.member], "ai": p.policy is not None} for p in duel.players],
    }
    return _page(visit, duel.id, facts, _of_game(visit, duel))


def doctrine(visit: Visit, id: str) -> Response[Any]:
    """A doctrine that is or was public: hiding it. Its rules stay its author's."""
    moderator(visit)
    row = visit.site.store.get(CONTENDER, id)
    author = author_and_slot(id)
    if row is None or author is None:
        raise Refusal("no_such_doctrine")
    names = names_of(visit.site, {author[0]}, visit.member)
    facts = {
        "kind": "doctrine",
        "id": row.value.id,
        "name": row.value.name,
        "hidden": row.value.hidden,
        "published": row.value.published,
        "author": {"id": author[0], "name": names[author[0]]},
    }
    return _page(visit, row.value.id, facts, () if row.value.hidden else ("hide_doctrine",))


def match(visit: Visit, id: str, number: str) -> Response[Any]:
    """A tournament match that was stopped, or goes on for too long: naming who goes on (P20, P21)."""
    moderator(visit)
    tournament = tournament_row(visit.site, id).value
    if not (number.isdecimal() and number.isascii() and int(number) < len(tournament.matches)):
        raise Refusal("not_found")
    found = tournament.matches[int(number)]
    players = [m for m in (found.one, found.other) if m is not None]
    names = names_of(visit.site, set(players), visit.member)
    facts = {
        "kind": "match",
        "id": tournament.id,
        "number": found.number,
        "game": found.duel,
        "begun": found.begun,
        "by": found.by,
        "players": [{"id": m, "name": names[m], "ai": False} for m in players],
    }
    ready = len(players) == 2 and targets.decidable(visit.site, tournament.id, found.number)
    return _page(visit, tournament.id, facts, ("decide_match",) if ready else ())


def siege(visit: Visit, id: str) -> Response[Any]:
    """A siege, as anybody sees it: stopping it. Where units stand and what was sent is not among it (P30)."""
    moderator(visit)
    found = siege_row(visit.site, id).value
    names = names_of(visit.site, set(found.members), visit.member)
    facts = {
        "kind": "siege",
        "id": found.id,
        "name": found.name,
        "game": found.game,
        "stage": found.stage,
        "turn": found.turn,
        "last": found.last,
        "opens": found.opens,
        "ended": found.ended,
        "stopped": stopped(found),
        "fee": found.fee,
        "players": [{"id": member, "name": names[member], "ai": False} for member in found.members],
    }
    return _page(visit, found.id, facts, ("stop_siege",) if found.stage in ("open", "playing") else ())


def text(visit: Visit, id: str, turn: str, post: str) -> Response[Any]:
    """A text of a siege that everybody was shown, hidden since or not: hiding it, what was told of it."""
    moderator(visit)
    number = int(turn) if turn.removeprefix("-").isdecimal() and turn.isascii() and len(turn) < 6 else None
    if number is None:
        raise Refusal("no_such_text")
    found, row = public_text(visit.site, text_key(id, number, post))
    key, writer = text_key(found.id, number, row.value.id), author(found, row.value)
    told, _ = reports_of(visit.site, "text", key)
    from functions.markdown import html

    names = names_of(visit.site, {*(report.by for report in told), *([writer] if writer else [])}, visit.member)
    facts = {
        "kind": "text",
        "id": key,
        "place": f"{found.id}/{number}/{row.value.id}",
        "siege": {"id": found.id, "name": found.name},
        "turn": number,
        "path": f"/sieges/{found.id}/turns/{number}#{anchor(row.value.id)}",
        "author": {"id": writer, "name": names.get(writer, "") if writer else ""},
        "at": row.value.at,
        "html": str(html(row.value.text)),
        "hidden": row.value.hidden,
        "reports": [
            {"by": {"id": one.by, "name": names[one.by]}, "reason": one.reason, "at": one.at, "open": one.open}
            for one in told
        ],
    }
    return _page(visit, key, facts, () if row.value.hidden else ("hide_text",))


def _of_member(visit: Visit, by: Member, found: Member) -> tuple[str, ...]:
    if found.deleted or found.id == by.id:
        return ()
    acts = ["unfreeze" if found.frozen is not None else "freeze", "hide_name", "link", "unlink"]
    if acting.administers(by, visit.site.settings.admins):
        acts.append("dismiss_moderator" if MODERATOR in found.roles else "appoint")
    return tuple(acts)


def _of_game(visit: Visit, duel: Duel) -> tuple[str, ...]:
    if duel.stage != "ended":
        return ("stop",)
    acts = []
    if duel.kind in targets.VOIDED and duel.result and duel.result.counts and not duel.voided:
        acts.append("void")
    if duel.kind == "front" and _ranked(visit, duel):
        acts.append("remove_front")
    return tuple(acts)


def _ranked(visit: Visit, duel: Duel) -> bool:
    entry = visit.site.store.get(FRONT_GAME, duel.front, duel.members[0].member)
    return entry is not None and entry.value.game == duel.id and entry.value.ranked


def _page(visit: Visit, about: str, facts: Data, acts: tuple[str, ...]) -> Response[Any]:
    data = {
        "subject": facts,
        "done": done(visit),
        **ANSWERABLE,
        "may": acts,
        "acts": acts_of(visit, about),
        "request": visit.site.sources.id(),
        "now": visit.received,
    }
    return visit.page(TEMPLATE, data)
