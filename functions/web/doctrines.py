"""A member's doctrines: the three places, the editor, files, and what is public of them (P22, F27)."""

import json
from typing import Any, Final

from engine.decisions import Decision
from engine.errors import Malformed, Problem, Refusal
from engine.games.feinthold.doctrine.wire import parse, write
from engine.platform import doctrines
from engine.platform.doctrines import SLOTS, Book, Contender, contender_id
from engine.platform.members import Member
from engine.platform.sessions import may
from engine.times import Instant
from functions.acting import act
from functions.doctrine_books import book_of
from functions.web import doctrine_form
from functions.web.errors import problems as sentences
from functions.web.packed import pack, read
from functions.web.visit import Response, Visit
from infra.records import BOOK, CONTENDER

TEMPLATE: Final = "pages/doctrines/doctrines.html"
EDITOR: Final = "pages/doctrines/editor.html"
DONE: Final = ("saved", "deleted", "default", "published", "unpublished")
LONGEST_FILE: Final = 50_000  # characters


def show(visit: Visit) -> Response[Any]:
    """The three places, the default, and a form to import; who is not signed in is shown the way to the bench."""
    return visit.page(TEMPLATE, _places(visit))


def edit(visit: Visit, number: str) -> Response[Any]:
    """The editor with what is in the place, or a doctrine to begin with."""
    member, slot = _self(visit), _slot(number)
    there = book_of(visit.site, member.id).slot(slot)
    return editor(visit, dict(there.doctrine) if there else doctrine_form.blank(), slot)


def change(visit: Visit, number: str) -> Response[Any]:
    """Save the doctrine, or press one of the editor's buttons: those keep nothing but the form.

    A doctrine that is refused comes back as it was typed, every problem next to its list.
    """
    member, slot = _self(visit), _slot(number)
    typed, do = doctrine_form.typed(visit.form.json.get("doctrine")), visit.form.get("do", "save")
    if do.partition(".")[0] in doctrine_form.EDITING:
        return editor(visit, doctrine_form.pressed(typed, do), slot)
    try:
        doctrine = write(valid(typed))
    except Malformed as error:
        return editor(visit, typed, slot, error.problems)
    _decide(
        visit, lambda: doctrines.save(member.id, _book(visit, member), _public(visit, member, slot), slot, doctrine)
    )
    return visit.redirect("/doctrines?done=saved")


def export(visit: Visit, number: str) -> Response[Any]:
    """The doctrine as a JSON file (F27)."""
    member, slot = _self(visit), _slot(number)
    there = book_of(visit.site, member.id).slot(slot)
    if there is None:
        raise Refusal("empty_slot")
    answer: Response[Any] = Response(200, "application/json", json.dumps(there.doctrine, ensure_ascii=False, indent=1))
    answer.headers["Content-Disposition"] = f'attachment; filename="doctrine-{slot}.json"'
    return answer


def bring(visit: Visit) -> Response[Any]:
    """Open a doctrine from a file in the editor of a place; nothing is kept yet. A file that is refused says why."""
    _self(visit)
    slot = _slot(visit.form.get("slot", "1"))
    try:
        doctrine = write(valid(_file(visit.form.get("file"))))
    except Malformed as error:
        if visit.wants_json:
            return visit.json(_refused(visit, error.problems), 422)
        return visit.page(TEMPLATE, _places(visit, error.problems), 422)
    return editor(visit, dict(doctrine), slot, imported=True)


def choose(visit: Visit) -> Response[Any]:
    """Choose the default doctrine, or none (0)."""
    member, number = _self(visit), visit.form.get("default", "0")
    wanted = 0 if number == "0" else _slot(number)
    _decide(visit, lambda: doctrines.choose(member.id, _book(visit, member), wanted))
    return visit.redirect("/doctrines?done=default")


def publish(visit: Visit, number: str) -> Response[Any]:
    """Open the doctrine to challenges."""
    member, slot = _self(visit), _slot(number)
    _decide(
        visit,
        lambda: doctrines.publish(
            member.id, _book(visit, member), _public(visit, member, slot), slot, _now(visit), visit.site.settings.zone
        ),
    )
    return visit.redirect("/doctrines?done=published")


def unpublish(visit: Visit, number: str) -> Response[Any]:
    """Close the doctrine to challenges."""
    member, slot = _self(visit), _slot(number)
    zone = visit.site.settings.zone
    _decide(visit, lambda: doctrines.unpublish(_public(visit, member, slot), _now(visit), zone))
    return visit.redirect("/doctrines?done=unpublished")


def delete(visit: Visit, number: str) -> Response[Any]:
    """Empty the place."""
    member, slot = _self(visit), _slot(number)
    _decide(
        visit,
        lambda: doctrines.delete(
            member.id, _book(visit, member), _public(visit, member, slot), slot, _now(visit), visit.site.settings.zone
        ),
    )
    return visit.redirect("/doctrines?done=deleted")


def editor(
    visit: Visit, doctrine: dict[str, Any], slot: int, found: tuple[Problem, ...] = (), imported: bool = False
) -> Response[Any]:
    """The editor of a place, or (0) of the bench for anybody, filled with a doctrine and what is wrong with it."""
    problems = doctrine_form.summary(visit.t, found)
    if found and visit.wants_json:
        return visit.json(_refused(visit, found), 422)
    data = {
        "slot": slot,
        "doctrine": doctrine,
        "form": None if visit.wants_json else doctrine_form.form(visit.t, doctrine, found),
        "lists": None if visit.wants_json else doctrine_form.templates(visit.t),
        "problems": problems,
        "imported": imported,
    }
    return visit.page(EDITOR, data, 422 if found else 200)


def valid(typed: object) -> Any:
    """The doctrine, if it can play: raises Malformed with every problem, an empty one among them."""
    doctrine = parse(typed)
    if not doctrine.rules:
        raise Malformed(Problem("no_rules", field="rules"))
    return doctrine


def _places(visit: Visit, found: tuple[Problem, ...] = ()) -> dict[str, Any]:
    member = visit.member if may(visit.session, "settings") else None
    book = book_of(visit.site, member.id) if member else None
    return {
        "slots": [_place(visit, book, number) for number in SLOTS] if book else [],
        "default": book.default if book else 0,
        "done": visit.query.get("done", "") if visit.query.get("done") in DONE else "",
        "problems": _file_problems(visit, found),
    }


def _place(visit: Visit, book: Book, number: int) -> dict[str, Any]:
    slot = book.slot(number)
    row = visit.site.store.get(CONTENDER, contender_id(book.member, number))
    return {
        "number": number,
        "name": slot.name if slot else None,
        "rules": len(slot.doctrine["rules"]) if slot else 0,
        "packed": pack(slot.doctrine) if slot else "",
        "public": public(row.value) if row else None,
    }


def public(contender: Contender) -> dict[str, Any]:
    """What everybody may know of a doctrine: rating in points, record, whether it can be challenged."""
    return {
        "id": contender.id,
        "published": contender.published,
        "hidden": contender.hidden,
        "rating": contender.rating / 10,
        "won": contender.won,
        "drawn": contender.drawn,
        "lost": contender.lost,
    }


def _file(text: str) -> object:
    if not text.strip():
        raise Malformed(Problem("file_missing", field="file"))
    try:
        return read(text[:LONGEST_FILE])
    except (ValueError, RecursionError) as error:
        raise Malformed(Problem("file_unreadable", field="file")) from error


def _file_problems(visit: Visit, found: tuple[Problem, ...]) -> list[dict[str, Any]]:
    if any(problem.code.startswith("file_") for problem in found):
        return [dict(problem) for problem in sentences(visit, found)]
    return [{**line, "field": "file"} for line in doctrine_form.summary(visit.t, found)]


def _refused(visit: Visit, found: tuple[Problem, ...]) -> dict[str, Any]:
    ours = any(problem.code.startswith("file_") for problem in found)
    problems = list(sentences(visit, found)) if ours else doctrine_form.summary(visit.t, found)
    return {"error": {"code": "malformed", "message": visit.t("refusal.malformed"), "problems": problems}}


def _self(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "settings"):
        raise Refusal("link_too_narrow")
    return member


def _slot(number: str) -> int:
    if number not in map(str, SLOTS):
        raise Refusal("no_slot")
    return int(number)


def _book(visit: Visit, member: Member) -> Any:
    return visit.site.store.get(BOOK, member.id)


def _public(visit: Visit, member: Member, slot: int) -> Any:
    return visit.site.store.get(CONTENDER, contender_id(member.id, slot))


def _decide(visit: Visit, decide: Any) -> None:
    def settled() -> Decision[Any]:
        decision: Decision[Any] = decide()
        return decision

    act(visit.site, settled)


def _now(visit: Visit) -> Instant:
    return visit.site.sources.now()
