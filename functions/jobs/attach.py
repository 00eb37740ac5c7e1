"""Gives a guest's games to the member who has signed in on the guest's browser (P3)."""

from dataclasses import replace
from typing import Final

from engine.decisions import Change, Decision, Drop, Job, Put
from engine.platform import guests
from engine.platform.duels import closing
from engine.platform.duels.records import MemberGame, Result
from engine.platform.duels.settling import settle
from engine.platform.members import MemberId
from functions import duel_ratings
from functions.acting import act
from functions.standings import leave_out
from infra.records import DUEL, MEMBER, MEMBER_GAME
from infra.site import Site

AT_ONCE: Final = 20
STATES: Final = ("running", "proposed", "invited", "ended")


def run(site: Site, job: Job) -> None:
    """Hand over twenty games at a time; the last time the guest is gone. The guest's rating is dropped with it."""
    guest, member = MemberId(job.about["guest"]), MemberId(job.about["member"])
    rows = [row for state in STATES for row in _games(site, guest, state)][:AT_ONCE]
    for row in rows:
        act(site, lambda row=row: _one(site, row, member))  # type: ignore[misc]
    if rows:
        act(site, lambda: Decision((Put(replace(job, due=site.sources.now()), None),), None))
        return

    def leave() -> Decision[None]:
        kept = site.store.get(MEMBER, guest)
        gone = (Put(replace(kept.value, deleted=True), kept.version),) if kept and not kept.value.deleted else ()
        return Decision(gone, None)

    act(site, leave)
    leave_out(site, guest)


def _games(site: Site, guest: MemberId, state: str) -> list[MemberGame]:
    return [row.value for row in site.store.query(MEMBER_GAME, "lists", guest, state, limit=AT_ONCE).rows]


def _one(site: Site, row: MemberGame, member: MemberId) -> Decision[None]:
    duel = site.store.get(DUEL, row.duel)
    if duel is None:
        return Decision((Drop(row, None),), None)
    moved = guests.attach(duel, row, member)
    if not moved.answer:
        return Decision((*moved.changes, Drop(row, None)), None)
    return Decision((*_void(site, row), Drop(row, None)), None)


def _void(site: Site, row: MemberGame) -> tuple[Change, ...]:
    """The game was between the guest and this very member: it has no result, and what it moved is taken back."""
    duel = site.store.get(DUEL, row.duel)
    if duel is None or duel.value.result == Result(None, guests.VOIDED):
        return ()
    now = site.sources.now()
    if duel.value.stage == "proposed":
        return ()
    if duel.value.stage != "ended":
        return closing.end(duel.value, duel.version, Result(None, guests.VOIDED), now).changes
    after = guests.voided(duel.value)
    listed = tuple(c for c in settle(after).changes if not (isinstance(c, Put) and _of(c.value, row.member)))
    return (Put(after, duel.version), *listed, *duel_ratings.take_back(site, row.duel))


def _of(value: object, member: MemberId) -> bool:
    return isinstance(value, MemberGame) and value.member == member
