"""Acts: taken with a reason, answered once by each member concerned, judged by another moderator (P29)."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.decisions import Change, Decision, Job, Put
from engine.errors import Malformed, Problem, Refusal
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import LONGEST, MODERATOR, TOLD, Act, ActId, Answer, Concern, What
from engine.times import DAY, Instant, later

NOT_OF_LATE: Final = 30 * DAY  # a moderator keeps off opponents of the last days


@dataclass(frozen=True, slots=True)
class Take:
    """The command to act. `request` names the form, so that one sent twice is one act."""

    what: What
    about: str
    by: MemberId
    reason: str
    request: str
    other: str = ""
    concerns: tuple[MemberId, ...] = ()


def moderates(member: Member, admins: Collection[str]) -> bool:
    """Whether a member is a moderator; admins, named by their addresses in the settings, are."""
    return MODERATOR in member.roles or administers(member, admins)


def administers(member: Member, admins: Collection[str]) -> bool:
    """Whether a member is an admin: appoints moderators."""
    return bool(member.address) and member.address.lower() in {address.strip().lower() for address in admins}


def act_id(command: Take) -> ActId:
    """The id of this act: the same for the same request."""
    text = f"act/{command.what}/{command.about}/{command.by}/{command.request}"
    return ActId(hashlib.sha256(text.encode()).hexdigest()[:16])


def take(command: Take, there: Act | None, opponents: Collection[MemberId], now: Instant) -> Decision[Act]:
    """Enter the act in the log; its effect is a job's, and those concerned are told.

    `opponents` are those of the moderator's own last 30 days. Raises Malformed (`reason_missing`, `reason_long`).
    Refused: `own_matter`.
    """
    if there is not None:
        return Decision((), there)
    _read(command.reason)
    concerned = set(command.concerns)
    if command.by and concerned & {command.by, *opponents}:
        raise Refusal("own_matter")
    act = Act(
        act_id(command),
        command.what,
        command.about,
        command.by,
        command.reason.strip(),
        now,
        command.other,
        tuple(dict.fromkeys(command.concerns)),
    )
    return Decision((Put(act, 0), Put(effect(act, now), None), *_told(act, "act", now)), act)


def answer(act: Act, was: int, member: MemberId, text: str, now: Instant) -> Decision[Act]:
    """A member concerned answers, once: another moderator is to look at it.

    Raises Malformed (`reason_missing`, `reason_long`). Refused: `not_concerned`, `answered_already`.
    """
    if any(a.member == member and a.text == text.strip() for a in act.answers):
        return Decision((), act)
    if member not in act.concerns:
        raise Refusal("not_concerned")
    if not act.may_answer(member):
        raise Refusal("answered_already")
    _read(text)
    answered = replace(act, state="answered", answers=(*act.answers, Answer(member, text.strip(), now)))
    return Decision((Put(answered, was),), answered)


def judge(
    act: Act,
    was: int,
    by: MemberId,
    verdict: Literal["upheld", "undone"],
    reason: str,
    opponents: Collection[MemberId],
    now: Instant,
) -> Decision[Act]:
    """Another moderator upholds the act, or undoes it: what it did is put right by a job, and those concerned are told.

    Raises Malformed (`reason_missing`, `reason_long`). Refused: `not_answered`, `another_moderator`, `own_matter`.
    """
    if act.state == verdict and act.judge == by:
        return Decision((), act)
    if not act.waits:
        raise Refusal("not_answered")
    if act.by == by:
        raise Refusal("another_moderator")
    if {by, *opponents} & set(act.concerns):
        raise Refusal("own_matter")
    _read(reason)
    judged = replace(act, state=verdict, judge=by, verdict=reason.strip(), judged=now)
    jobs = (Put(effect(judged, now), None),) if verdict == "undone" else ()
    return Decision((Put(judged, was), *jobs, *_told(judged, f"judged{len(act.answers)}", now)), judged)


def effect(act: Act, now: Instant) -> Job:
    """The job that does what the act asks for, or undoes it."""
    return Job(f"act/{act.id}", now, "moderate", {"act": act.id})


def _told(act: Act, event: str, now: Instant) -> tuple[Change, ...]:
    """The act in the lists of those concerned, and a mail to each for a week."""
    if act.what not in TOLD:
        return ()
    changes: list[Change] = []
    for member in act.concerns:
        about = {"notice": "judged" if act.judged else "act", "act": act.id, "to": member}
        job = Job(f"mail/{act.id}/{member}/{event}", now, "mail", about, until=later(now, 7 * DAY))
        changes += [Put(Concern(member, act.id, act.at), None), Put(job, None)]
    return tuple(changes)


def _read(text: str) -> None:
    if not text.strip():
        raise Malformed(Problem("reason_missing", field="reason"))
    if len(text) > LONGEST:
        raise Malformed(Problem("reason_long", field="reason", detail={"most": LONGEST}))
