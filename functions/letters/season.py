"""The letter to a season's winner: prizes and titles in one."""

from engine.decisions import Job
from engine.platform.preferences import wants
from functions.letters.written import Written, put_together
from functions.mail_links import unsubscribe_url
from infra.records import MEMBER, SEASON
from infra.site import Site


def write(site: Site, job: Job) -> Written:
    """The letter, if the member wants news."""
    row, member_row = site.store.get(SEASON, job.about["month"]), site.store.get(MEMBER, job.about["to"])
    if row is None or member_row is None or not wants(member_row.value, "news"):
        return Written(None)
    season, member = row.value, member_row.value
    place = next((p for p in season.places if p.member == member.id), None)
    data = {
        "url": f"{site.settings.base_url}/seasons/{season.month}",
        "month": season.month,
        "place": place.place if place else 0,
        "credits": place.credits if place else 0,
        "titles": [title.of for title in season.titles if title.member == member.id],
        "deadline": None,
        "stage": "",
        "facts": (),
    }
    unsubscribe = unsubscribe_url(site.settings, member.id, "news")
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe))
