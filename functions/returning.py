"""Who comes back: the deleted accounts of a mailbox, and what of them goes on in a new one (P29)."""

from typing import Final

from engine.platform.gifts import Gift, gift_key
from engine.platform.members import Member, MemberId
from engine.platform.returning import Former
from infra.records import GIFT, LINK, MEMBER
from infra.site import Site

LOOKED_AT: Final = 5  # accounts of a mailbox deleted of late: the latest
LINKS_READ: Final = 50


def former(site: Site, member: Member) -> tuple[MemberId, ...]:
    """The accounts of a member's mailbox that were deleted in the last 12 months, the latest five; one read."""
    row = site.store.get(GIFT, gift_key(site.settings.secret, member.address))
    return row.value.former(site.sources.now())[-LOOKED_AT:] if row else ()


def formers(site: Site, gift: Gift | None) -> list[Former]:
    """The mailbox's accounts that were deleted in the last 12 months, the latest five; two reads each."""
    known = gift.former(site.sources.now())[-LOOKED_AT:] if gift else ()
    return [_former(site, id) for id in known]


def _former(site: Site, id: MemberId) -> Former:
    row = site.store.get(MEMBER, id)
    links = site.store.query(LINK, "", id, limit=LINKS_READ).rows
    return Former(id, row is not None and row.value.frozen is not None, any(link.value.acts for link in links))
