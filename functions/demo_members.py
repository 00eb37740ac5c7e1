"""Members who are there from the start, so that the site can be tried alone: four, as a tournament needs."""

from typing import Final

from engine.decisions import Decision, Put
from engine.platform.addresses import mailbox_key
from engine.platform.gifts import gift_key, give
from engine.platform.members import Mailbox, Member, MemberId
from engine.platform.names import take
from infra.folding import forms
from infra.records import GIFT
from infra.site import Site
from infra.store import Conflict

DEMO: Final = (
    ("ada", "Ada", "ada@example.org", "en", "Europe/London"),
    ("basile", "Basile", "basile@example.org", "fr", "Europe/Paris"),
    ("chloe", "Chloé", "chloe@example.org", "fr", "Europe/Brussels"),
    ("dov", "Dov", "dov@example.org", "en", "America/New_York"),
)


def add_demo_members(site: Site) -> None:
    """Make them members, unless they are already."""
    for id, name, address, lang, zone in DEMO:
        now = site.sources.now()
        member = Member(MemberId(id), name, address, "fr" if lang == "fr" else "en", zone, now)
        mailbox = Mailbox(mailbox_key(site.settings.secret, address), member.id)
        try:
            key = gift_key(site.settings.secret, address)
            gift = give(site.store.get(GIFT, key), key, member.id, now)
            changes = (Put(member, 0), Put(mailbox, 0), *take(member.id, name, forms(name), {}, now), *gift)
            site.store.commit(Decision(changes, None))
        except Conflict:
            continue
