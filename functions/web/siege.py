"""One siege: its page from the announcement to the end, and what can be done there."""

from typing import Any, Final

from engine.decisions import Decision, Put
from engine.errors import Malformed, Problem, Refusal
from engine.platform.duels.records import DuelId, Presence
from engine.platform.members import Member
from engine.platform.sessions import Action, may
from engine.platform.sieges import notices
from engine.platform.sieges.orders import Receipt, SendOrders
from engine.platform.sieges.records import LONGEST_TEXT, Siege
from functions import sieges
from functions.lists import next_awaiting
from functions.sieges import siege_row
from functions.web.boards import board
from functions.web.request_ids import request_id
from functions.web.siege_page import siege_page, version_of, view, your_part
from functions.web.visit import Response, Visit

TEMPLATE: Final = "pages/sieges/siege.html"
OF_ORDERS: Final = ("malformed", "illegal_orders")


def show(visit: Visit, id: str) -> Response[Any]:
    """The siege as this reader may see it: an announcement, a turn to play, a siege that is over."""
    siege = siege_row(visit.site, id).value
    wake_overdue(visit, siege)
    data = siege_page(visit, siege)
    if "sent" in visit.query and visit.member is not None and may(visit.session, "duels"):
        data["next"] = next_awaiting(visit.site, visit.member, siege.id)
    return visit.page(TEMPLATE, data)


def version(visit: Visit, id: str) -> Response[Any]:
    """For live refresh: whether what the reader sees has changed. `?beat` says that the page is being looked at."""
    siege = siege_row(visit.site, id).value
    wake_overdue(visit, siege)
    you = your_part(visit, siege)
    if you is not None and siege.stage == "playing" and "beat" in visit.query:
        seen = Presence(DuelId(siege.id), you.member, visit.site.sources.now())
        visit.site.store.commit(Decision((Put(seen, None),), None))
    return visit.versioned(version_of(siege, you))


def join(visit: Visit, id: str) -> Response[Any]:
    """Take a seat."""
    member = acting(visit, "duels", id)
    sieges.join(visit.site, member, id)
    return visit.redirect(f"/sieges/{id}")


def leave(visit: Visit, id: str) -> Response[Any]:
    """Give the seat up, or leave the running game."""
    member = acting(visit, "abandon", id)
    sieges.leave(visit.site, member.id, id)
    return visit.redirect(f"/sieges/{id}")


def send(visit: Visit, id: str) -> Response[Any]:
    """Send orders with their text, or look at the text first; what is refused comes back as typed."""
    member = acting(visit, "orders", id)
    siege = siege_row(visit.site, id).value
    typed = _typed(visit, siege)
    if visit.form.get("do") == "preview":
        return _preview(visit, siege, typed)
    command = SendOrders(
        member.id,
        _number(visit, "turn"),
        typed["orders"],
        typed["text"],
        typed["follow"],
        request_id(visit, _number(visit, "after"), typed),
        visit.received,
    )
    try:
        taken = sieges.send(visit.site, id, command)
    except (Malformed, Refusal) as error:
        return _refused(visit, id, typed, error)
    if not visit.wants_json:
        return visit.redirect(f"/sieges/{id}?sent={command.turn}")
    return visit.json(_told(taken))


def wake_overdue(visit: Visit, siege: Siege) -> None:
    """A page that meets an overdue turn wakes it; it does not close it itself (P6)."""
    now = visit.site.sources.now()
    due = siege.opens if siege.stage == "open" else siege.deadline
    if due is not None and now > due and siege.stage in ("open", "playing"):
        visit.site.queue.wake((notices.clock(siege.id, now),), now)


def acting(visit: Visit, action: Action, id: str) -> Member:
    """Who does something to this siege; Refusal (`sign_in_needed`, `link_too_narrow`)."""
    member = visit.need_member()
    if not may(visit.session, action, id):
        raise Refusal("link_too_narrow")
    return member


def text_of(visit: Visit) -> str | None:
    """The text as typed, with line ends as they are kept; None if the form has none."""
    sent = visit.form.json.get("text")
    if sent is None:
        return None
    if not isinstance(sent, str):
        raise Malformed(Problem("bad_shape", field="text"))
    return sent.replace("\r\n", "\n").replace("\r", "\n")


def _typed(visit: Visit, siege: Siege) -> dict[str, Any]:
    sent = visit.form.json
    orders = sent.get("orders", {})
    if visit.form.body is None:
        you = your_part(visit, siege)
        shown = view(siege, you) if you else None
        orders = board(siege.game).complete(shown, orders) if shown else orders
    return {"orders": orders, "text": text_of(visit), "follow": sent.get("follow", False) is True}


def _preview(visit: Visit, siege: Siege, typed: dict[str, Any]) -> Response[Any]:
    from functions.markdown import html

    data = siege_page(visit, siege, typed={**typed, "text": typed["text"] or ""})
    return visit.page(TEMPLATE, {**data, "preview": str(html((typed["text"] or "")[:LONGEST_TEXT]))})


def _refused(visit: Visit, id: str, typed: dict[str, Any], error: Malformed | Refusal) -> Response[Any]:
    siege = siege_row(visit.site, id).value
    wake_overdue(visit, siege)
    code = error.code if isinstance(error, Refusal) else "malformed"
    if your_part(visit, siege) is None:
        raise error
    message = visit.t(f"refusal.{code}", **(error.detail if isinstance(error, Refusal) else {}))
    problems = [_problem(visit, siege, p) for p in error.problems] if code in OF_ORDERS else []
    if visit.wants_json:
        return visit.json({"error": {"code": code, "message": message, "problems": problems}}, 422)
    shown = problems or [{"code": code, "at": None, "field": "", "message": message}]
    return visit.page(TEMPLATE, siege_page(visit, siege, shown, {**typed, "text": typed["text"] or ""}), 422)


def _problem(visit: Visit, siege: Siege, problem: Problem) -> dict[str, Any]:
    if problem.field == "text":
        said = visit.t(f"problem.{problem.code}", **problem.detail)
    else:
        said = board(siege.game).problem(visit.t, problem.code, problem.at, problem.field, problem.detail)
    return {"code": problem.code, "at": problem.at, "field": problem.field, "message": said}


def _number(visit: Visit, name: str) -> int:
    number = visit.form.json.get(name, 0)
    if not isinstance(number, int) or isinstance(number, bool) or not -10 <= number < 10_000:
        raise Malformed(Problem("bad_number", field=name))
    return number


def _told(taken: Receipt) -> dict[str, Any]:
    sheet = taken.sheet
    kept = {"orders": sheet.orders, "at": sheet.received, "day": sheet.day, "text": sheet.text, "follow": sheet.follow}
    return {"turn": taken.turn, "closed": taken.closed, "sheet": kept}
