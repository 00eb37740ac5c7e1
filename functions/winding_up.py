"""Ending what a member has under way, at most twenty things at a time: after a freeze, or before leaving (P5, P29)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.decisions import Decision, Job, Put
from engine.errors import Refusal
from engine.platform.duels import propose
from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from engine.times import HOUR, MINUTE, Instant, later
from functions import sieges, tournaments
from functions.acting import act
from infra.records import CUP_ENTRY, DUEL, MEMBER_GAME, SIEGE_ENTRY
from infra.site import Site
from infra.store import Row

AT_ONCE: Final = 20
AGAIN: Final = 10 * MINUTE  # what began in the very moment is ended by a second round
ROUNDS: Final = 2
HALTED: Final = HOUR  # until the next round, as long as something waits for payouts to go on
LISTS: Final = ("proposed", "invited", "running", "cups", "sieges")

End = Callable[[Row[Duel], MemberId, Instant], Decision[Any]]  # of a game under way


def first(task: str, member: MemberId, about: Mapping[str, Any], now: Instant) -> Job:
    """The job that begins to end what a member has under way."""
    return Job(f"{task}/{member}", now, task, {"member": member, "list": 0, "after": "", "round": 0, **about})


def go_on(site: Site, job: Job, end: End) -> int | None:
    """End the next things, and leave a job for what follows; which round that was the end of, if of one.

    Proposals are withdrawn, invitations declined, games under way ended as `end` decides, tournaments and sieges left.
    While payouts are stopped, what would pay is left as it is, and comes again by rounds until they go on (P17).
    """
    about, member = job.about, MemberId(job.about["member"])
    name = LISTS[about["list"]]
    page = _page(site, name, member, about["after"])
    halted = [id for id in page[0] if not _one(site, name, id, member, end)]
    waits = bool(halted) or about.get("waits", False)
    now, over = site.sources.now(), None
    step, due = {"list": about["list"] + (not page[1]), "after": page[1], "waits": waits}, now
    if step["list"] == len(LISTS):
        over = int(about["round"])
        step = {"list": 0, "after": "", "round": over + 1, "waits": False}
        due = later(now, HALTED if waits else AGAIN)
    if over is None or over + 1 < ROUNDS or waits:
        following = replace(job, due=due, about={**about, **step}, tries=0)
        act(site, lambda: Decision((Put(following, None),), None))
    return over


def _page(site: Site, name: str, member: MemberId, after: str) -> tuple[list[str], str]:
    if name == "cups":
        cups = site.store.query(CUP_ENTRY, "latest", member, limit=AT_ONCE, after=after)
        return [row.value.tournament for row in cups.rows], cups.after
    if name == "sieges":
        entered = site.store.query(SIEGE_ENTRY, "lists", member, "under way", limit=AT_ONCE, after=after)
        return [row.value.siege for row in entered.rows], entered.after
    games = site.store.query(MEMBER_GAME, "lists", member, name, limit=AT_ONCE, after=after)
    return [row.value.duel for row in games.rows], games.after


def _one(site: Site, name: str, id: str, member: MemberId, end: End) -> bool:
    """End one thing; one that has just ended by itself is none any more. False if it waits for payouts to go on."""

    def decide() -> Decision[Any]:
        row, now = site.store.get(DUEL, id), site.sources.now()
        if row is None:
            return Decision((), None)
        if name == "proposed":
            return propose.withdraw(row.value, row.version, member, now)
        if name == "invited":
            return propose.decline(row.value, row.version, member, now)
        return end(row, member, now)

    try:
        if name == "cups":
            tournaments.dismiss(site, id, member)
        elif name == "sieges":
            sieges.dismiss(site, id, member)
        else:
            act(site, decide)
    except Refusal as refused:
        return refused.code != "payouts_stopped"
    return True
