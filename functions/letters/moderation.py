"""Letters about moderators' decisions, to those whom they concern (P29)."""

from engine.decisions import Job
from engine.platform.moderation.records import FINAL
from engine.platform.preferences import wants
from functions.letters.written import Written, put_together
from functions.mail_links import unsubscribe_url
from functions.siege_texts import named
from infra.i18n import translator
from infra.records import ACT, MEMBER
from infra.site import Site

KIND = "moderation"


def write(site: Site, job: Job) -> Written:
    """The letter of an act, or of what another moderator says to the answers, if it is wanted."""
    act_row, member_row = site.store.get(ACT, job.about["act"]), site.store.get(MEMBER, job.about["to"])
    if act_row is None or member_row is None or not wants(member_row.value, KIND):
        return Written(None)
    act, member = act_row.value, member_row.value
    data = {
        "what": act.what,
        "named": named(site, act, translator(member.lang)),
        "reason": act.reason,
        "automatic": "" if act.by else act.reason,
        "state": act.state,
        "verdict": act.verdict,
        "final": act.what in FINAL,
        "deadline": None,
        "stage": "",
        "facts": (),
        "url": f"{site.settings.base_url}/decisions/{act.id}",
    }
    unsubscribe = unsubscribe_url(site.settings, member.id, KIND)
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe))
