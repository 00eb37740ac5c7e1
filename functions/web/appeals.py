"""Decisions of the moderators, for those whom they concern: what, why, and one answer each (P29)."""

from typing import Any, Final, Literal

from engine.errors import Malformed, Refusal
from engine.platform.members import Member, MemberId
from engine.platform.moderation import acting
from engine.platform.moderation.records import FINAL, Act
from engine.platform.sessions import may
from functions import moderating
from functions.names import names_of
from functions.siege_texts import named, public_text
from functions.web.moderation import act_line, told
from functions.web.topic import anchor
from functions.web.visit import Response, Visit
from infra.records import ACT, CONCERN

Data = dict[str, Any]

SHOWN: Final = 20
ONE: Final = "pages/appeals/decision.html"


def mine(visit: Visit) -> Response[Any]:
    """The decisions that concern the member, the latest first, a page at a time (`?after=`)."""
    member, site = _self(visit), visit.site
    after = visit.query.get("after", "")[:300]
    page = site.store.query(CONCERN, "latest", member.id, limit=SHOWN, after=after)
    acts = [row.value for each in page.rows if (row := site.store.get(ACT, each.value.act))]
    lines = [_public(act_line(act, {}), act, member) for act in acts]
    data = {"decisions": lines, "first": not after, "after": page.after, "now": visit.received}
    return visit.page("pages/appeals/decisions.html", data)


def show(visit: Visit, id: str) -> Response[Any]:
    """One decision: for those it concerns, and for moderators."""
    return _page(visit, _readable(visit, id))


def answer(visit: Visit, id: str) -> Response[Any]:
    """Say something to it, once."""
    member = _self(visit)
    act = _readable(visit, id)
    try:
        moderating.answer(visit.site, act.id, member.id, visit.form.get("answer"))
    except (Malformed, Refusal) as error:
        return _refused(visit, act, error)
    return visit.redirect(f"/decisions/{act.id}?done=answered")


def judge(visit: Visit, id: str) -> Response[Any]:
    """Another moderator upholds it, or undoes it."""
    by = moderating.need_moderator(visit.site, _self(visit))
    act = _readable(visit, id)
    verdict: Literal["upheld", "undone"] = "undone" if visit.form.get("verdict") == "undone" else "upheld"
    try:
        moderating.judge(visit.site, act.id, by, verdict, visit.form.get("reason"))
    except (Malformed, Refusal) as error:
        return _refused(visit, act, error)
    return visit.redirect(f"/decisions/{act.id}?done=judged")


def _self(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "report"):
        raise Refusal("link_too_narrow")
    return member


def _readable(visit: Visit, id: str) -> Act:
    member = _self(visit)
    act = moderating.act_row(visit.site, id).value
    if member.id not in act.concerns and not acting.moderates(member, visit.site.settings.admins):
        raise Refusal("no_such_decision")
    return act


def _page(visit: Visit, act: Act, problems: Any = (), status: int = 200) -> Response[Any]:
    member = _self(visit)
    moderates = acting.moderates(member, visit.site.settings.admins)
    names = names_of(visit.site, {*act.concerns, *((act.by,) if act.by and moderates else ())}, member)
    judging = moderates and act.waits and act.by != member.id and member.id not in act.concerns
    data = {
        "decision": _public(act_line(act, names), act, None if moderates else member),
        "named": named(visit.site, act, visit.t),
        "text": _text(visit, act),
        "moderates": moderates,
        "own": member.id in act.concerns,
        "waits": act.waits,
        "may_answer": act.may_answer(member.id),
        "may_judge": judging,
        "final": act.what in FINAL,
        "answers": [
            {"member": {"id": a.member, "name": names.get(a.member, "")}, "text": a.text, "at": a.at}
            for a in act.answers
            if moderates or a.member == member.id
        ],
        "verdict": {"text": act.verdict, "at": act.judged} if act.judged else None,
        "typed": {"answer": visit.form.get("answer"), "reason": visit.form.get("reason")},
        "done": visit.query.get("done", "") if visit.query.get("done") in ("answered", "judged") else "",
        "problems": problems,
        "now": visit.received,
    }
    return visit.page(ONE, data, status)


def _text(visit: Visit, act: Act) -> Data | None:
    """The text that was hidden, for its author and for who judges."""
    if act.what != "hide_text":
        return None
    siege, row = public_text(visit.site, act.about)
    post = row.value
    from functions.markdown import html

    return {"path": f"/sieges/{siege.id}/turns/{post.turn}#{anchor(post.id)}", "html": str(html(post.text))}


def _public(line: Data, act: Act, reader: Member | None) -> Data:
    """The line without who took the decision, nor who else it concerns, for members whom it concerns."""
    automatic = "" if act.by else act.reason
    if reader is None:
        return {**line, "automatic": automatic}
    own = [person for person in line["concerns"] if person["id"] == reader.id]
    about = act.about if not _is_person(act) else ""
    return {**line, "by": None, "concerns": own, "about": about, "automatic": automatic}


def _is_person(act: Act) -> bool:
    return MemberId(act.about) in act.concerns


def _refused(visit: Visit, act: Act, error: Malformed | Refusal) -> Response[Any]:
    if visit.wants_json:
        raise error
    return _page(visit, moderating.act_row(visit.site, act.id).value, told(visit, error, "answer"), 422)
