"""Every night the books are gone through: all balances anew from the postings; if one differs, payouts stop (P17)."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from engine.decisions import Change, Decision, Job, Kept, Put, was
from engine.platform.ledger.books import UNDER_WAY, Audited, Finding, Tally, closed, counted, judged
from engine.platform.ledger.moving import halt, resume
from engine.platform.ledger.records import BOOKS, Account, Balance, Halt
from engine.times import Instant, later
from functions.acting import act
from infra.log import log
from infra.records import BALANCE, HALT, POSTING
from infra.records import JOB as KEPT_JOB
from infra.site import Site

AT_ONCE: Final = 100  # accounts in one run of the job
PAGES: Final = 150  # of postings in one run
PAGE: Final = 500  # postings
TRIES: Final = 5  # to find an account at rest
JOB: Final = "reconcile"


@dataclass(frozen=True, slots=True)
class Walk:
    """How far an account's postings are read: what was read so far, where the next ones begin, how often it moved."""

    account: Account
    after: str = ""
    balance: int = 0
    postings: int = 0
    total: int = 0
    upto: int = 0
    tries: int = 0
    over: bool = False
    at_rest: bool = False

    @property
    def seen(self) -> Audited:
        """The account as it was read."""
        return Audited(self.account, self.balance, self.postings, self.total, self.upto)


def begin(site: Site, lift: bool = False) -> None:
    """Have the books gone through, from the first account: by a job that takes some at a time.

    With `lift` payouts that were stopped go on if all is right; a walk that was to do so and begins anew still does.
    """

    def decide() -> Decision[None]:
        now = site.sources.now()
        kept = site.store.get(KEPT_JOB, JOB)
        lifts = lift or bool(kept and kept.value.about.get("lift"))
        about = {"tally": asdict(Tally(later(now, -UNDER_WAY))), "book": 0, "after": "", "lift": lifts}
        return Decision((Put(Job(JOB, now, JOB, about), was(kept)),), None)

    act(site, decide)


def go_on(site: Site, about: Any) -> Finding | None:
    """Go through the next accounts, and leave a job for those after them; what does not balance, if anything.

    An account of more postings than one run reads is gone on with in the next.

    Then payouts are stopped, and a parked job tells the moderators what was found. Once they have seen to it and let
    that job run again, all is gone through anew, and payouts go on if nothing more is found.
    """
    if "tally" not in about:
        begin(site, lift=True)
        return None
    tally, book, pages = Tally(**about["tally"]), int(about["book"]), PAGES
    start = (about["after"],) if about["after"] else None
    found = site.store.counts(BALANCE, book, limit=AT_ONCE + 1, start=start)
    accounts = [counter.account for counter, _ in found if counter.account != about["after"]][:AT_ONCE]
    after = about["after"]
    for account in accounts:
        walk = _left_off(about, account)
        while not walk.over and pages:
            walk, pages = _step(site, walk, tally.upto), pages - 1
        if not walk.over:
            _leave(site, about, {"tally": asdict(tally), "after": after, "walk": asdict(walk)})
            return None
        tally, after = counted(tally, walk.seen), account
        finding = judged(walk.seen) if walk.at_rest else None
        if finding is not None:
            return _alarm(site, finding)
    if accounts or book + 1 < BOOKS:
        following = {"after": after} if accounts else {"after": "", "book": book + 1}
        _leave(site, about, {"tally": asdict(tally), "walk": None, **following})
        return None
    finding = closed(tally)
    log("books", accounts=tally.accounts, postings=tally.postings, balance=finding is None)
    if finding is None and bool(about.get("lift")):
        let_go_on(site)
    return _alarm(site, finding) if finding else None


def audit(site: Site, account: Account, upto: Instant) -> tuple[Audited, bool]:
    """An account's balance beside the sum of its postings; whether it stood still while they were read."""
    walk = Walk(account)
    while not walk.over:
        walk = _step(site, walk, upto)
    return walk.seen, walk.at_rest


def _step(site: Site, walk: Walk, upto: Instant) -> Walk:
    """The next postings of an account; from the first again if it moved, or seems wrong, so many times."""
    first = not walk.after
    balance = site.store.count(Balance(walk.account)) if first else walk.balance
    page = site.store.query(POSTING, "", walk.account, limit=PAGE, after=walk.after)
    read = replace(
        walk,
        after=page.after,
        balance=balance,
        postings=walk.postings + len(page.rows),
        total=walk.total + sum(row.value.credits for row in page.rows),
        upto=walk.upto + sum(row.value.credits for row in page.rows if row.value.at <= upto),
    )
    if page.after:
        return read
    at_rest = site.store.count(Balance(walk.account)) == balance
    if (at_rest and judged(read.seen) is None) or walk.tries + 1 == TRIES:
        return replace(read, over=True, at_rest=at_rest)
    return Walk(walk.account, tries=walk.tries + 1)


def _left_off(about: Any, account: Account) -> Walk:
    """Where the last run left off in this account: at its first posting, if it was in none."""
    walk = about.get("walk")
    return Walk(**walk) if walk and walk["account"] == account else Walk(account)


def _leave(site: Site, about: Any, more: Any) -> None:
    """A job for what is still to be gone through."""
    job = Job(JOB, site.sources.now(), JOB, {**about, **more})
    act(site, lambda: Decision((Put(job, None),), None))


def stops(site: Site) -> dict[int, Kept[Halt] | None]:
    """The stop of payouts in each part of the books, where there is one."""
    return {number: site.store.get(HALT, number) for number in range(BOOKS)}


def stop(site: Site, why: str) -> None:
    """No payouts from now on."""
    act(site, lambda: Decision(halt(why, site.sources.now(), stops(site)), None))


def let_go_on(site: Site) -> None:
    """Payouts go on: somebody has seen to the books."""
    act(site, lambda: Decision(resume([stop for stop in stops(site).values() if stop]), None))


def _alarm(site: Site, finding: Finding) -> Finding:
    now = site.sources.now()
    about = {"account": finding.account, "wrong": finding.wrong, "is": finding.is_, "should_be": finding.should_be}
    told = Job(f"{JOB}/found/{finding.account}", now, JOB, about, parked=True)

    def decide() -> Decision[None]:
        changes: tuple[Change, ...] = (*halt(finding.wrong, now, stops(site)), Put(told, None))
        return Decision(changes, None)

    act(site, decide)
    log("the books do not balance", wrong=finding.wrong)
    return finding
