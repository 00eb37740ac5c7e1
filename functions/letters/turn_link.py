"""The letter with a fresh link to a turn, for a player whose old one opens nothing any more (P2)."""

from engine.decisions import Job
from functions.letters.written import Written, put_together
from functions.mail_links import turn_url, unsubscribe_url
from functions.names import name_of
from functions.web.session import seated
from infra.records import DUEL, MEMBER
from infra.site import Site


def write(site: Site, job: Job) -> Written:
    """The letter, unless the turn has closed meanwhile or the address is paused. It was asked for: muting turn mails
    does not stop it."""
    about = job.about
    duel_row, member_row = site.store.get(DUEL, about["duel"]), site.store.get(MEMBER, about["to"])
    if duel_row is None or member_row is None or member_row.value.bounced or member_row.value.deleted:
        return Written(None)
    duel, member = duel_row.value, member_row.value
    player = duel.player(member.id)
    if player is None or duel.turn != about["turn"] or not seated(duel, member, player.seat):
        return Written(None)
    other = duel.opponent(member.id)
    data = {
        "game": duel.game,
        "turn": duel.turn,
        "opponent": name_of(site, other) if other else "",
        "deadline": duel.deadline,
        "stage": duel.stage,
        "facts": (),
        "url": turn_url(site.settings, member, duel.id, player.seat, duel.turn),
    }
    unsubscribe = unsubscribe_url(site.settings, member.id, "turn")
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe))
