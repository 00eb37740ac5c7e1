"""A turn of a siege for everybody: the texts before it, its map and account, and what is said about it (T15, T16)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from engine.errors import Malformed, Problem, Refusal
from engine.platform.sieges import topic
from engine.platform.sieges.records import LONGEST_TEXT, Post, Siege
from engine.platform.sieges.topic import React
from functions import reports, sieges
from functions.siege_texts import author, public_text, text_key
from functions.sieges import seat_names, siege_row, turn_of
from functions.web.errors import problems as sentences
from functions.web.siege import acting, text_of, wake_overdue
from functions.web.siege_page import base, outcome, report, told, view, your_part
from functions.web.visit import Response, Visit
from infra.records import SIEGE_POST

Data = dict[str, Any]
TEMPLATE: Final = "pages/sieges/turn.html"
SHOWN: Final = 40


def show(visit: Visit, id: str, turn: str) -> Response[Any]:
    """A turn that is over: its texts, map, account and topic, `?after=` a page of them."""
    siege = siege_row(visit.site, id).value
    wake_overdue(visit, siege)
    return visit.page(TEMPLATE, _page(visit, siege, _number(siege, turn)))


def react(visit: Visit, id: str) -> Response[Any]:
    """Say something about the last results, or look at it first; a refused text comes back as typed."""
    member = acting(visit, "report", id)
    siege = siege_row(visit.site, id).value
    if siege.last is None:
        raise Refusal("topic_closed")
    text = text_of(visit) or ""
    if visit.form.get("do") == "preview":
        return visit.page(TEMPLATE, _page(visit, siege, siege.last, typed=text, preview=True))
    request = visit.form.get("request") or visit.site.sources.id()
    try:
        post = sieges.react(visit.site, id, React(member.id, text, request, visit.received))
    except (Malformed, Refusal) as error:
        if visit.wants_json:
            raise
        found = error.problems or (Problem(getattr(error, "code", ""), field="text", detail=_detail(error)),)
        siege = siege_row(visit.site, id).value
        return visit.page(TEMPLATE, _page(visit, siege, siege.last or 0, sentences(visit, found), text), 422)
    turn = post.turn if post else siege.last
    return visit.redirect(f"/sieges/{id}/turns/{turn}#{anchor(post.id) if post else 'topic'}")


def complain(visit: Visit, id: str, turn: str, post: str) -> Response[Any]:
    """Tell the moderators about a text (P5b)."""
    member = acting(visit, "report", id)
    siege, row = public_text(visit.site, text_key(id, _number(siege_row(visit.site, id).value, turn), post))
    found, reason, after = row.value, visit.form.get("reason"), visit.form.get("after")
    if found.hidden:
        raise Refusal("no_such_text")
    if author(siege, found) == member.id:
        raise Refusal("report_self")
    try:
        reports.tell(visit.site, member.id, "text", text_key(siege.id, found.turn, found.id), reason)
    except Malformed as error:
        if visit.wants_json:
            raise
        at = f"reason-{anchor(found.id)}"
        wrong = tuple({**problem, "field": at} for problem in sentences(visit, error.problems))
        complaint = {"post": found.id, "reason": reason, "problems": wrong}
        return visit.page(TEMPLATE, {**_page(visit, siege, found.turn, after=after), "complaint": complaint}, 422)
    where = urlencode({"reported": found.id, **({"after": after} if after else {})})
    return visit.redirect(f"/sieges/{siege.id}/turns/{found.turn}?{where}#{anchor(found.id)}")


def anchor(post: str) -> str:
    """The id of a text on its page."""
    return "post-" + post.replace(".", "-")


def shown_posts(visit: Visit, posts: Iterable[Post], names: Mapping[str, str]) -> list[Data]:
    """Texts as they are shown; one that moderators have hidden leaves its author and the reason."""
    told_ones = list(posts)
    if any(not post.hidden for post in told_ones):
        from functions.markdown import html
    return [
        {
            "id": post.id,
            "anchor": anchor(post.id),
            "turn": post.turn,
            "seat": post.seat,
            "name": names[post.seat],
            "at": None if post.prelude else post.at,
            "prelude": post.prelude,
            "hidden": post.hidden,
            "text": "" if post.hidden else post.text,
            "html": "" if post.hidden else str(html(post.text)),
        }
        for post in told_ones
    ]


def _page(
    visit: Visit,
    siege: Siege,
    number: int,
    problems: Iterable[Mapping[str, Any]] = (),
    typed: str | None = None,
    preview: bool = False,
    after: str | None = None,
) -> Data:
    you = your_part(visit, siege)
    names = seat_names(visit.site, siege, visit.member)
    turn = turn_of(visit.site, siege, number)
    if turn is None:
        raise Refusal("not_found")
    here = (visit.query.get("after", "") if after is None else after)[:200]
    page = visit.site.store.query(SIEGE_POST, "", siege.id, limit=SHOWN, after=here, start=(number,), upto=(number,))
    posts = shown_posts(visit, (row.value for row in page.rows if topic.public(siege, row.value)), names)
    last = number == siege.last
    member = visit.member.id if visit.member else None
    talking = last and topic.open_to(siege, member, visit.received) and acting_full(visit)
    return {
        **base(visit, siege, you, names),
        "turn": number,
        "report": report(siege, turn, you),
        "view": view(siege, you, turn.state),
        "preludes": [post for post in posts if post["prelude"]],
        "reactions": [post for post in posts if not post["prelude"]],
        "first": not here,
        "here": here,
        "after": page.after,
        "news": told(siege.news, siege, you) if last else [],
        "outcome": outcome(visit, siege, names) if last else None,
        "may": ["react"] if talking else [],
        "text": typed if typed is not None else _quotation(visit, posts),
        "preview": _preview(typed) if preview and typed else None,
        "request": visit.site.sources.id() if talking else "",
        "reported": visit.query.get("reported", ""),
        "complaint": None,
        "problems": tuple(problems),
    }


def acting_full(visit: Visit) -> bool:
    """Whether the session opens more than one turn of one game (P2)."""
    return visit.session is not None and visit.session.full


def _quotation(visit: Visit, posts: Iterable[Data]) -> str:
    asked = visit.query.get("quote", "")
    post = next((post for post in posts if post["id"] == asked), None)
    if post is None:
        return ""
    from functions.markdown import quoted

    return quoted(visit.t("sieges.hidden", reason=post["hidden"]) if post["hidden"] else post["text"], post["name"])


def _preview(text: str) -> str:
    from functions.markdown import html

    return str(html(text[:LONGEST_TEXT]))


def _number(siege: Siege, text: str) -> int:
    bare = text.removeprefix("-")
    number = int(text) if bare.isascii() and bare.isdigit() and len(bare) < 5 else None
    if number is None or number not in siege.resolved:
        raise Refusal("not_found")
    return number


def _detail(error: Malformed | Refusal) -> Mapping[str, Any]:
    return error.detail if isinstance(error, Refusal) else {}
