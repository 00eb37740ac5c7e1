"""Letters about tournaments, to their entrants."""

from engine.decisions import Job
from engine.platform.preferences import wants
from engine.platform.tournaments.bracket import latest_end
from engine.platform.tournaments.records import Tournament
from functions.letters.written import Written, put_together
from functions.mail_links import unsubscribe_url
from functions.names import name_of
from infra.records import MEMBER, TOURNAMENT
from infra.site import Site


def write(site: Site, job: Job) -> Written:
    """The letter, if the member wants such mails."""
    row, member_row = site.store.get(TOURNAMENT, job.about["tournament"]), site.store.get(MEMBER, job.about["to"])
    if row is None or member_row is None or not wants(member_row.value, "tournament"):
        return Written(None)
    tournament, member = row.value, member_row.value
    data = {
        "url": f"{site.settings.base_url}/tournaments/{tournament.id}",
        "size": tournament.size,
        "fee": tournament.fee,
        "pot": tournament.fee * tournament.size,
        "seed": tournament.seed(member.id) if tournament.seeds else 0,
        "champion": name_of(site, tournament.champion) if tournament.champion else "",
        "latest": latest_end(tournament, tournament.started) if tournament.started else None,
        "deadline": None,
        "stage": "",
        "facts": (),
        "none": _nobody(tournament),
    }
    unsubscribe = unsubscribe_url(site.settings, member.id, "tournament")
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe))


def _nobody(tournament: Tournament) -> bool:
    return tournament.stage == "ended" and tournament.champion is None
