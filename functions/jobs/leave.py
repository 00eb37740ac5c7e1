"""After an account was deleted: what is under way is given up, and the rest of what is kept goes (P5)."""

from collections.abc import Callable
from typing import Final

from engine.decisions import Change, Decision, Drop, Job
from engine.platform.doctrines import SLOTS, close, contender_id
from engine.platform.duels import leaving
from engine.platform.ledger.moving import close_purse
from engine.platform.members import MemberId
from engine.platform.rights import empty
from functions import winding_up
from functions.acting import act
from functions.pairing import balance
from functions.standings import leave_out
from infra.records import BLOCK, BOOK, BROWSER_USE, CONTENDER, DEBT, GAINS, TEMPO
from infra.site import Site

AT_ONCE: Final = 20


def run(site: Site, job: Job) -> None:
    """Give up the next twenty things; at the end of a round, the credits left go to the house.

    Before each round the purse is closed, so that what comes later falls to the house too, and lists of standings leave
    the member out: what a round settles finds them gone already.
    """
    member = MemberId(job.about["member"])
    if job.about["list"] == 0 and not job.about["after"]:
        act(site, lambda: Decision(close_purse(site.store.get(DEBT, member), member), None))
        leave_out(site, member)
    over = winding_up.go_on(site, job, lambda row, gone, now: leaving.abandon(row.value, row.version, gone, now))
    if over is None:
        return
    for forget in (_doctrines, _blocks, _blocked, _browsers, _figures):
        _until_done(site, forget, member)
    act(site, lambda: Decision(empty(member, balance(site, member), over, site.sources.now()), None))


def _until_done(site: Site, forget: Callable[[Site, MemberId], tuple[Change, ...]], member: MemberId) -> None:
    def decide() -> Decision[bool]:
        changes = forget(site, member)
        return Decision(changes, bool(changes))

    while act(site, decide):
        continue


def _doctrines(site: Site, member: MemberId) -> tuple[Change, ...]:
    book = site.store.get(BOOK, member)
    if book is None:
        return ()
    changes: list[Change] = [Drop(book.value, book.version)]
    for number in SLOTS:
        public = site.store.get(CONTENDER, contender_id(member, number))
        changes.append(close(member, number, public, site.sources.now(), site.settings.zone))
    return tuple(changes)


def _blocks(site: Site, member: MemberId) -> tuple[Change, ...]:
    return tuple(Drop(row.value, None) for row in site.store.query(BLOCK, "", member, limit=AT_ONCE).rows)


def _blocked(site: Site, member: MemberId) -> tuple[Change, ...]:
    """Who had blocked the member has nobody to block any more; the name is kept with the block."""
    return tuple(Drop(row.value, None) for row in site.store.query(BLOCK, "against", member, limit=AT_ONCE).rows)


def _browsers(site: Site, member: MemberId) -> tuple[Change, ...]:
    return tuple(Drop(row.value, None) for row in site.store.query(BROWSER_USE, "member", member, limit=AT_ONCE).rows)


def _figures(site: Site, member: MemberId) -> tuple[Change, ...]:
    tempo = site.store.get(TEMPO, member)
    gains = site.store.query(GAINS, "", member, limit=AT_ONCE).rows
    return (*((Drop(tempo.value, None),) if tempo else ()), *(Drop(row.value, None) for row in gains))
