"""Every night the books are gone through: all balances anew from the postings; if one differs, payouts stop (P17)."""

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
PAGE: Final = 500  # postings
TRIES: Final = 5  # to find an account at rest
JOB: Final = "reconcile"


def begin(site: Site, lift: bool = False) -> None:
    """Have the books gone through, from the first account: by a job that takes some at a time.

    With `lift` payouts that were stopped go on if all is right; a walk that was to do so and begins anew still does.
    """

    def decide() -> Decision[None]:
        now = site.sources.now()
        kept = site.store.get(KEPT_JOB, JOB)
        lifts = lift or bool(kept and kept.value.about.get("lift"))
        return Decision((Put(_job(Tally(later(now, -UNDER_WAY)), 0, "", now, lifts), was(kept)),), None)

    act(site, decide)


def go_on(site: Site, about: Any) -> Finding | None:
    """Go through the next accounts, and leave a job for those after them; what does not balance, if anything.

    Then payouts are stopped, and a parked job tells the moderators what was found. Once they have seen to it and let
    that job run again, all is gone through anew, and payouts go on if nothing more is found.
    """
    if "tally" not in about:
        begin(site, lift=True)
        return None
    tally, book = Tally(**about["tally"]), int(about["book"])
    start = (about["after"],) if about["after"] else None
    found = site.store.counts(BALANCE, book, limit=AT_ONCE + 1, start=start)
    accounts = [counter.account for counter, _ in found if counter.account != about["after"]][:AT_ONCE]
    for account in accounts:
        seen, at_rest = audit(site, account, tally.upto)
        tally = counted(tally, seen)
        finding = judged(seen) if at_rest else None
        if finding is not None:
            return _alarm(site, finding)
    if accounts or book + 1 < BOOKS:
        following = (book, str(accounts[-1])) if accounts else (book + 1, "")
        act(
            site,
            lambda: Decision((Put(_job(tally, *following, site.sources.now(), bool(about.get("lift"))), None),), None),
        )
        return None
    finding = closed(tally)
    log("books", accounts=tally.accounts, postings=tally.postings, balance=finding is None)
    if finding is None and bool(about.get("lift")):
        let_go_on(site)
    return _alarm(site, finding) if finding else None


def audit(site: Site, account: Account, upto: Instant) -> tuple[Audited, bool]:
    """An account's balance beside the sum of its postings; whether it stood still while they were read."""
    for _ in range(TRIES):
        before = site.store.count(Balance(account))
        total = postings = settled = 0
        after = ""
        while True:
            page = site.store.query(POSTING, "", account, limit=PAGE, after=after)
            total += sum(row.value.credits for row in page.rows)
            settled += sum(row.value.credits for row in page.rows if row.value.at <= upto)
            postings += len(page.rows)
            after = page.after
            if not after:
                break
        seen = Audited(account, before, postings, total, settled)
        if site.store.count(Balance(account)) == before and judged(seen) is None:
            return seen, True
    return seen, site.store.count(Balance(account)) == before


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


def _job(tally: Tally, book: int, after: str, now: Instant, lift: bool) -> Job:
    kept = {"upto": tally.upto, "accounts": tally.accounts, "postings": tally.postings, "total": tally.total}
    return Job(JOB, now, JOB, {"tally": kept, "book": book, "after": after, "lift": lift})
