"""The letter with a fresh link to a turn, for a player whose old one opens nothing any more (P2)."""

from engine.decisions import Job
from functions.letters.written import Written, put_together
from functions.mail_links import turn_url, unsubscribe_url
from functions.names import name_of
from functions.tables import table
from infra.records import MEMBER
from infra.site import Site


def write(site: Site, job: Job) -> Written:
    """The letter, unless the turn has closed meanwhile or the address is paused. It was asked for: muting turn mails
    does not stop it."""
    about = job.about
    found, member_row = table(site, about["duel"]), site.store.get(MEMBER, about["to"])
    if found is None or member_row is None or member_row.value.bounced or member_row.value.deleted:
        return Written(None)
    member = member_row.value
    seat = next((seat for seat in found.seats if found.seated(member, seat)), None)
    if seat is None or found.turn != about["turn"]:
        return Written(None)
    others = found.opponents(member.id)
    data = {
        "game": found.game,
        "turn": found.turn,
        "opponent": found.name or (name_of(site, others[0]) if others else ""),
        "name": found.name,
        "deadline": found.deadline,
        "stage": "playing",
        "facts": (),
        "url": turn_url(site.settings, member, found.id, seat, found.turn),
    }
    unsubscribe = unsubscribe_url(site.settings, member.id, "turn")
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe))
