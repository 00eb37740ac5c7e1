"""What members have told the moderators, read by what it is about, and closed (P5b, P29)."""

from dataclasses import replace
from typing import Final

from engine.decisions import Decision, Put
from engine.platform import blocks
from engine.platform.blocks import Report, Subject
from engine.platform.members import MemberId
from engine.platform.rates import REPORTS
from functions.acting import act
from functions.limits import spending
from infra.records import REPORT
from infra.site import Site

AT_ONCE: Final = 20


def reports_of(site: Site, about: str, subject: str, after: str = "") -> tuple[list[Report], str]:
    """What was told of one text or doctrine, a page of it, and where the next begins; one query."""
    page = site.store.query(REPORT, "", about, limit=AT_ONCE, after=after, start=(subject,), upto=(subject,))
    return [row.value for row in page.rows], page.after


def tell(site: Site, member: MemberId, about: Subject, subject: str, reason: str) -> None:
    """Tell the moderators; the same words again count once. Refused as `blocks.report` is, and `too_often`."""

    def decide() -> Decision[None]:
        now = site.sources.now()
        mine = site.store.get(REPORT, about, subject, member)
        counted = () if mine and mine.value.reason == reason else spending(site, now, (REPORTS, member))
        return blocks.report(mine, Report(about, subject, member, reason, now), counted)

    act(site, decide)


def close(site: Site, report: Report) -> None:
    """Take a report out of the queue, once; not what was told anew since it was read."""

    def decide() -> Decision[None]:
        row = site.store.get(REPORT, report.about, report.subject, report.by)
        if row is None or not row.value.open or row.value.at > report.at:
            return Decision((), None)
        return Decision((Put(replace(row.value, open=False), row.version),), None)

    act(site, decide)


def close_all(site: Site, about: str, subject: str) -> None:
    """Take everything that was told of one text or doctrine out of the queue: it has been dealt with."""
    after = ""
    while True:
        reports, after = reports_of(site, about, subject, after)
        for report in reports:
            close(site, report)
        if not after:
            return
