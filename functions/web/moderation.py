"""The moderators' queue and log, and the form by which they act (P29)."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from engine.decisions import Job
from engine.errors import Malformed, Refusal
from engine.platform.blocks import Report
from engine.platform.marks import Evidence, Mark
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import TOLD, Act
from engine.platform.sessions import may
from engine.platform.unsettled import held_until
from functions import moderating, seasons
from functions.members import member_named
from functions.names import names_of
from functions.siege_texts import author, public_text
from functions.targets import TARGETS
from functions.web.errors import problems as sentences
from functions.web.errors import sentence
from functions.web.visit import Response, Visit
from infra.records import ACT, JOB, MARK, REPORT
from infra.store import Kind

Data = dict[str, Any]

ANSWERABLE: Final = {"told": sorted(TOLD)}  # acts whose form says that those concerned are mailed
SHOWN: Final = 20
MOST_TOLD: Final = 30  # of what waits in a list; beyond that it is "30+"
EXCERPT: Final = 300  # characters of a text in the queue
SERIES: Final = 20  # figures shown of one piece of evidence


def show(visit: Visit) -> Response[Any]:
    """The queue, a page at a time: `?of=` marks, reports, answers, jobs, or the log of acts."""
    moderator(visit)
    of = visit.query.get("of", "marks")
    if of not in LISTS:
        raise Refusal("not_found")
    after = visit.query.get("after", "")[:300]
    lines, more = LISTS[of](visit, after)
    data = {
        "of": of,
        "lists": [{"name": name, "waiting": _waiting(visit, name)} for name in LISTS],
        "lines": lines,
        "first": not after,
        "here": f"/moderation?{urlencode({'of': of, **({'after': after} if after else {})})}",
        "after": more,
        "done": done(visit),
        **ANSWERABLE,
        "request": visit.site.sources.id(),
        "now": visit.received,
    }
    return visit.page("pages/moderation/queue.html", data)


def take(visit: Visit) -> Response[Any]:
    """Act, with a reason; a refused form is shown again as it was typed."""
    by, form = moderator(visit), visit.form
    what, about, other = form.get("what"), form.get("about"), form.get("other")
    request = form.get("request") or visit.site.sources.id()
    try:
        if what == "link" and form.get("name"):
            other = member_named(visit.site, form.get("name")).id
        act = moderating.take(visit.site, by, what, about, other, form.get("reason"), request)
    except (Malformed, Refusal) as error:
        if visit.wants_json or (isinstance(error, Refusal) and error.code == "not_found"):
            raise
        return _again(visit, error)
    back = form.get("back")
    if not back.startswith("/moderation"):
        return visit.redirect(f"/decisions/{act.id}")
    return visit.redirect(f"{back}{'&' if '?' in back else '?'}done={act.id}")


def done(visit: Visit) -> Data | None:
    """The act that the page comes back from, to say so: its effect follows in a moment. One read, none else."""
    id = visit.query.get("done", "")
    row = visit.site.store.get(ACT, id[:40]) if id else None
    return {"id": row.value.id, "what": row.value.what} if row else None


def moderator(visit: Visit) -> Member:
    """Who asks, if a moderator with a full session; for anybody else there is no such page."""
    member = visit.member
    if member is None or not may(visit.session, "report"):
        raise Refusal("not_found")
    return moderating.need_moderator(visit.site, member)


def told(visit: Visit, error: Malformed | Refusal, field: str) -> Any:
    """What is wrong with a form, next to a field of it."""
    if isinstance(error, Malformed) or error.problems:
        return sentences(visit, error.problems)
    message = sentence(visit, f"refusal.{error.code}", error.detail)
    return ({"code": error.code, "at": None, "field": field, "message": message},)


def act_line(act: Act, names: Mapping[MemberId, str]) -> Data:
    """An act in a list."""
    return {
        "id": act.id,
        "what": act.what,
        "about": act.about,
        "by": {"id": act.by, "name": names.get(act.by, "")} if act.by else None,
        "reason": act.reason,
        "at": act.at,
        "state": act.state,
        "concerns": [{"id": member, "name": names.get(member, "")} for member in act.concerns],
    }


def acts_of(visit: Visit, about: str) -> list[Data]:
    """The latest acts about a game, a member, a doctrine; one query and the names."""
    acts = [row.value for row in visit.site.store.query(ACT, "subject", about, limit=SHOWN).rows]
    names = _names(visit, acts)
    return [act_line(act, names) for act in acts]


def mark_line(mark: Mark, names: Mapping[MemberId, str]) -> Data:
    """A mark with its evidence, the latest first."""
    about = MemberId(mark.about)
    return {
        "id": f"{mark.member}/{mark.sign}/{mark.about}",
        "member": {"id": mark.member, "name": names.get(mark.member, "")},
        "sign": mark.sign,
        "about": {"id": about, "name": names[about]} if about in names else None,
        "at": mark.at,
        "open": mark.open,
        "count": len(mark.known),
        "evidence": [_evidence(one) for one in reversed(mark.evidence)],
    }


def marks_of(visit: Visit, member: MemberId) -> list[Data]:
    """A member's marks, open and dismissed; one query and the names."""
    marks = [row.value for row in visit.site.store.query(MARK, "", member, limit=SHOWN).rows]
    names = names_of(visit.site, _members(marks), visit.member)
    return [mark_line(mark, names) for mark in marks]


def _marks(visit: Visit, after: str) -> tuple[list[Data], str]:
    page = visit.site.store.query(MARK, "open", limit=SHOWN, after=after)
    marks = [row.value for row in page.rows]
    names = names_of(visit.site, _members(marks), visit.member)
    return [mark_line(mark, names) for mark in marks], page.after


def _members(marks: list[Mark]) -> set[MemberId]:
    return {m.member for m in marks} | {MemberId(m.about) for m in marks if m.about and "/" not in m.about}


def _evidence(one: Evidence) -> Data:
    return {"game": one.game, "at": one.at, **dict(one.detail), "series": list(one.series[:SERIES])}


def _reports(visit: Visit, after: str) -> tuple[list[Data], str]:
    page = visit.site.store.query(REPORT, "open", limit=SHOWN, after=after)
    reports = [row.value for row in page.rows]
    texts = {report.subject: _text(visit, report.subject) for report in reports if report.about == "text"}
    members = {r.by for r in reports} | {MemberId(r.subject) for r in reports if r.about != "text"}
    members |= {text["author"] for text in texts.values() if text and text["author"]}
    names = names_of(visit.site, members, visit.member)
    return [_report(report, names, texts.get(report.subject)) for report in reports], page.after


def _text(visit: Visit, subject: str) -> Data | None:
    """The beginning of a text that was reported; two reads."""
    try:
        siege, row = public_text(visit.site, subject)
    except Refusal:
        return None
    post = row.value
    return {
        "path": f"{siege.id}/{post.turn}/{post.id}",
        "siege": siege.name,
        "turn": post.turn,
        "author": author(siege, post),
        "hidden": post.hidden,
        "text": " ".join(post.text.split())[:EXCERPT],
        "whole": len(post.text) <= EXCERPT,
    }


def _report(report: Report, names: Mapping[MemberId, str], text: Data | None) -> Data:
    writer = text["author"] if text else None
    return {
        "text": {**text, "author": {"id": writer, "name": names[writer] if writer else ""}} if text else None,
        "id": f"{report.about}/{report.subject}/{report.by}",
        "about": report.about,
        "subject": {"id": report.subject, "name": names.get(MemberId(report.subject), "")},
        "by": {"id": report.by, "name": names.get(report.by, "")},
        "reason": report.reason,
        "at": report.at,
    }


def _answers(visit: Visit, after: str) -> tuple[list[Data], str]:
    return _acts(visit, "answered", after)


def _log(visit: Visit, after: str) -> tuple[list[Data], str]:
    return _acts(visit, "log", after)


def _waiting(visit: Visit, name: str) -> int:
    """How much waits in a list, up to one more than is told; one query, none for the log."""
    asked: tuple[Kind[Any], str] | None = WAITING.get(name)
    return len(visit.site.store.query(*asked, limit=MOST_TOLD + 1).rows) if asked else 0


def _acts(visit: Visit, index: str, after: str) -> tuple[list[Data], str]:
    page = visit.site.store.query(ACT, index, limit=SHOWN, after=after)
    acts = [row.value for row in page.rows]
    names = _names(visit, acts)
    return [act_line(act, names) for act in acts], page.after


def _jobs(visit: Visit, after: str) -> tuple[list[Data], str]:
    page = visit.site.store.query(JOB, "parked", limit=SHOWN, after=after)
    return [
        {
            "id": row.value.id,
            "task": row.value.task,
            "due": row.value.due,
            "tries": row.value.tries,
            "holds": _held_up(visit, row.value),
            "books": row.value.about if "should_be" in row.value.about else None,
        }
        for row in page.rows
    ], page.after


def _held_up(visit: Visit, job: Job) -> Data | None:
    """The month whose closure waits for a parked job, and until when (P26)."""
    month = seasons.held_up(visit.site, job)
    return {"month": month, "until": held_until(job, seasons.ends(visit.site, month))} if month else None


def _names(visit: Visit, acts: list[Act]) -> Mapping[MemberId, str]:
    members = {act.by for act in acts if act.by} | {member for act in acts for member in act.concerns}
    return names_of(visit.site, members, visit.member)


def _again(visit: Visit, error: Malformed | Refusal) -> Response[Any]:
    """The form alone, as it was typed, with what is wrong."""
    form = visit.form
    names = ("what", "about", "other", "name", "reason", "request", "back")
    back = form.get("back")
    data = {
        "form": {name: form.get(name) for name in names},
        "known": form.get("what") in TARGETS,
        "back": back if back.startswith("/moderation") else "/moderation",
        **ANSWERABLE,
        "problems": told(visit, error, "reason"),
        "now": visit.received,
    }
    return visit.page("pages/moderation/again.html", data, 422)


WAITING: Final[Mapping[str, tuple[Kind[Any], str]]] = {
    "marks": (MARK, "open"),
    "reports": (REPORT, "open"),
    "answers": (ACT, "answered"),
    "jobs": (JOB, "parked"),
}
LISTS: Final[Mapping[str, Callable[[Visit, str], tuple[list[Data], str]]]] = {
    "marks": _marks,
    "reports": _reports,
    "answers": _answers,
    "jobs": _jobs,
    "log": _log,
}
