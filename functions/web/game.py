"""One duel: its page for all its life, and what can be done there."""

from collections.abc import Callable
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.errors import Malformed, Problem, Refusal
from engine.platform.duels import drawing, leaving, orders, propose
from engine.platform.duels.records import Desk, Duel
from engine.platform.members import MemberId
from engine.platform.notices import clock
from engine.platform.sessions import Action, may
from functions import proposing, rematches, rivals
from functions.acting import act, duel_row, ground
from functions.fair_play import note_load, note_shown
from functions.fronts import disguised, sealed
from functions.lists import next_awaiting
from functions.presence import note, seen, watched
from functions.web import guest
from functions.web.boards import board
from functions.web.errors import problems as sentences
from functions.web.game_page import (
    NOBODY,
    chairs,
    facts_of,
    game_page,
    looked_at,
    news_after,
    receipt,
    rematch_asked,
    your_part,
)
from functions.web.request_ids import request_id
from functions.web.visit import Response, Visit
from infra.records import DESK, TURN
from infra.store import Row

TEMPLATE: Final = "pages/game/show.html"
NOTES_MOST: Final = 4_000


def show(visit: Visit, id: str) -> Response[Any]:
    """The duel as this reader may see it: a proposal, a ready room, a game, a game that is over."""
    duel = duel_row(visit.site, id).value
    _wake_overdue(visit, duel)
    if watched(duel):
        note(visit.site, duel, your_part(visit, duel), {})
    data = game_page(visit, duel)
    if "sent" in visit.query:
        data["next"] = _next(visit, duel)
    data["kept"] = "notes" if visit.query.get("kept") == "notes" else ""
    _note(visit, duel)
    return visit.page(TEMPLATE, data)


def version(visit: Visit, id: str) -> Response[Any]:
    """For live refresh: whether what the reader sees has changed. `?beat` says that the page is being looked at."""
    duel = duel_row(visit.site, id).value
    _wake_overdue(visit, duel)
    you = your_part(visit, duel)
    heard = seen(visit.site, duel) if watched(duel) else NOBODY
    note(visit.site, duel, you, heard, beat="beat" in visit.query)
    hidden = sealed(visit.site, duel)
    duel = disguised(duel) if hidden and you is None else duel
    placed = chairs(duel, you, heard, visit.received)
    after = news_after(visit, duel, you, rematch_asked(visit, duel, you))
    answer = visit.versioned(looked_at(facts_of(duel, you, hidden), placed, receipt(duel, you), after))
    if answer.status_code == 200:
        note_shown(visit.site, duel, you)
    return answer


def accept(visit: Visit, id: str) -> Response[Any]:
    """Take the other seat, as a guest where the game allows it (L17)."""
    visit = guest.playing(visit, duel_row(visit.site, id).value.game)
    member = _acting(visit, "duels", id)
    proposing.accept(visit.site, id, member, here=not visit.wants_json)
    return guest.remembered(visit, visit.redirect(f"/games/{id}"))


def decline(visit: Visit, id: str) -> Response[Any]:
    """Say no to a proposal."""
    member = _acting(visit, "duels", id)
    return _do(visit, id, lambda row: propose.decline(row.value, row.version, member, _now(visit)))


def withdraw(visit: Visit, id: str) -> Response[Any]:
    """Take one's own proposal back."""
    member = _acting(visit, "duels", id)
    return _do(visit, id, lambda row: propose.withdraw(row.value, row.version, member, _now(visit)))


def ready(visit: Visit, id: str) -> Response[Any]:
    """Be there, in the ready room."""
    member = _acting(visit, "duels", id)
    proposing.ready(visit.site, id, member)
    return visit.redirect(f"/games/{id}")


def offer_draw(visit: Visit, id: str) -> Response[Any]:
    """Offer a draw, or take the one offered."""
    member = _acting(visit, "draw", id)
    return _do(visit, id, lambda row: drawing.offer(row.value, row.version, member, _now(visit)))


def accept_draw(visit: Visit, id: str) -> Response[Any]:
    """Agree to a draw."""
    member = _acting(visit, "draw", id)
    return _do(visit, id, lambda row: drawing.accept(row.value, row.version, member, _now(visit)))


def decline_draw(visit: Visit, id: str) -> Response[Any]:
    """Play on, or take one's own offer back."""
    member = _acting(visit, "draw", id)
    return _do(visit, id, lambda row: drawing.decline(row.value, row.version, member))


def abandon(visit: Visit, id: str) -> Response[Any]:
    """Leave the game."""
    member = _acting(visit, "abandon", id)
    return _do(visit, id, lambda row: leaving.abandon(row.value, row.version, member, _now(visit)))


def send(visit: Visit, id: str) -> Response[Any]:
    """Send orders for the turn; refused ones come back as typed, each problem beside its field."""
    member = _acting(visit, "orders", id)
    if visit.form.get("do") == "draft":
        return draft(visit, id)
    typed = _typed_orders(visit)
    command = orders.SubmitOrders(
        duel_row(visit.site, id).value.id,
        member,
        _number(visit, "turn"),
        typed,
        request_id(visit, _number(visit, "after"), {"orders": typed}),
        visit.received,
    )
    _here(visit, id)
    try:
        taken = act(visit.site, lambda: _submit(visit, command))
    except (Malformed, Refusal) as error:
        return _refused(visit, id, typed, error)
    duel = duel_row(visit.site, id).value
    note(visit.site, duel, your_part(visit, duel), {})
    if not visit.wants_json:
        return visit.redirect(f"/games/{id}?sent={taken.turn}")
    shown = {"turn": taken.turn, "closed": taken.closed, "sheet": _told(taken), "next": _next(visit, duel)}
    return visit.json(shown)


def draft(visit: Visit, id: str) -> Response[Any]:
    """Keep orders without sending them; nothing of them is judged yet."""
    _acting(visit, "draft", id)
    typed = _typed_orders(visit)
    turn, after = _number(visit, "turn"), _number(visit, "after")
    return _desk(visit, id, lambda desk: _with_draft(desk, typed, turn, after), "orders")


def notes(visit: Visit, id: str) -> Response[Any]:
    """Keep private notes."""
    _acting(visit, "notes", id)
    text = visit.form.get("notes").replace("\r\n", "\n")
    if len(text) > NOTES_MOST:
        return _too_long(visit, id, text)
    return _desk(visit, id, lambda desk: _with_notes(desk, text), "notes")


def rematch(visit: Visit, id: str) -> Response[Any]:
    """Ask for another game, or accept the one the opponent has asked for."""
    member = _acting(visit, "duels", id)
    duel = duel_row(visit.site, id).value
    if wanted := rivals.again(duel, member):
        return visit.redirect(f"/games/{rivals.begin(visit.site, wanted, leaving.rematch_request(duel.id)).id}")
    return visit.redirect(f"/games/{rematches.again(visit.site, duel, member, here=not visit.wants_json).id}")


def _here(visit: Visit, id: str) -> None:
    """Who sends orders to a doctrine opens the next turn, and is on the page: no mail need tell so (P8)."""
    duel = duel_row(visit.site, id).value
    if duel.kind == "challenge":
        note(visit.site, duel, your_part(visit, duel), {}, beat=True)


def _next(visit: Visit, duel: Duel) -> dict[str, Any] | None:
    """The next game that awaits the member (P14b); a turn mail's session sees no other game (P2)."""
    if visit.member is None or not may(visit.session, "duels"):
        return None
    return next_awaiting(visit.site, visit.member, duel.id)


def _submit(visit: Visit, command: orders.SubmitOrders) -> Decision[orders.Receipt]:
    row = duel_row(visit.site, command.duel)
    over = command.turn != row.value.turn or row.value.stage == "ended"
    played = visit.site.store.get(TURN, command.duel, command.turn) if over else None
    return orders.submit(row.value, row.version, played.value if played else None, command, ground(visit.site))


def _do(visit: Visit, id: str, decide: Callable[[Row[Duel]], Decision[Duel]]) -> Response[Any]:
    duel = act(visit.site, lambda: decide(duel_row(visit.site, id)))
    note(visit.site, duel, your_part(visit, duel), {})
    return visit.redirect(f"/games/{id}")


def _acting(visit: Visit, action: Action, id: str) -> MemberId:
    member = visit.need_member()
    if not may(visit.session, action, id):
        raise Refusal("link_too_narrow")
    return member.id


def _refused(visit: Visit, id: str, typed: object, error: Malformed | Refusal) -> Response[Any]:
    duel = duel_row(visit.site, id).value
    _wake_overdue(visit, duel)
    you = your_part(visit, duel)
    if you is None:
        raise error
    code = error.code if isinstance(error, Refusal) else "malformed"
    message = visit.t(f"refusal.{code}", **(error.detail if isinstance(error, Refusal) else {}))
    of_orders = isinstance(error, Malformed) or code == "illegal_orders"
    problems = [_problem(visit, duel, you.seat, p) for p in error.problems] if of_orders else []
    note_shown(visit.site, duel, you)
    if visit.wants_json:
        return visit.json({"error": {"code": code, "message": message, "problems": problems}}, 422)
    shown = problems or [{"code": code, "at": None, "field": "", "message": message}]
    return visit.page(TEMPLATE, game_page(visit, duel, tuple(shown), typed), 422)


def _too_long(visit: Visit, id: str, text: str) -> Response[Any]:
    problem = Problem("too_long", field="notes", detail={"most": NOTES_MOST})
    if visit.wants_json:
        raise Malformed(problem)
    data = game_page(visit, duel_row(visit.site, id).value, sentences(visit, (problem,)))
    return visit.page(TEMPLATE, {**data, "notes": text}, 422)


def _problem(visit: Visit, duel: Duel, seat: str, problem: Problem) -> dict[str, Any]:
    said = board(duel.game).problem(visit.t, seat, problem.code, problem.at, problem.detail)
    return {"code": problem.code, "at": problem.at, "field": problem.field, "message": said}


def _typed_orders(visit: Visit) -> object:
    sent = visit.form.json
    if visit.form.body is not None and "orders" not in sent:
        raise Malformed(Problem("missing", field="orders"))
    return sent.get("orders", {})


def _number(visit: Visit, name: str) -> int:
    number = visit.form.json.get(name, 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 10_000:
        raise Malformed(Problem("bad_number", field=name))
    return number


def _told(taken: orders.Receipt) -> dict[str, Any]:
    sheet = taken.sheet
    return {"orders": sheet.orders, "at": sheet.received, "commitment": sheet.commitment, "number": sheet.number}


def _desk(visit: Visit, id: str, change: Callable[[Desk], Desk], kept: str) -> Response[Any]:
    """Keep something on the player's desk, and come back to where it stands on the page."""
    duel = duel_row(visit.site, id).value
    you = your_part(visit, duel)
    if you is None or not you.seat:
        raise Refusal("not_playing")
    seat = you.seat

    def decide() -> Decision[None]:
        row = visit.site.store.get(DESK, duel.id, seat)
        desk = change(row.value if row else Desk(duel.id, seat))
        return Decision((Put(desk, row.version if row else 0),), None)

    act(visit.site, decide)
    return visit.redirect(f"/games/{id}?kept={kept}#{kept}")


def _with_draft(desk: Desk, typed: object, turn: int, after: int) -> Desk:
    draft = typed if isinstance(typed, dict) else {}
    return Desk(desk.duel, desk.seat, draft, turn, after, desk.notes)


def _with_notes(desk: Desk, text: str) -> Desk:
    return Desk(desk.duel, desk.seat, desk.draft, desk.draft_turn, desk.draft_after, text)


def _wake_overdue(visit: Visit, duel: Duel) -> None:
    """A page that meets an overdue turn wakes it; it does not close it itself (P6)."""
    now = _now(visit)
    if duel.stage in ("ready", "playing") and duel.deadline is not None and now > duel.deadline:
        visit.site.queue.wake((clock(duel.id, now),), now)


def _note(visit: Visit, duel: Duel) -> None:
    """A page that replaces itself because something has changed is no load of its own (P27)."""
    note = note_shown if visit.headers.get("x-refresh") else note_load
    note(visit.site, duel, your_part(visit, duel))


def _now(visit: Visit) -> Any:
    return visit.site.sources.now()
