"""Members' names for pages and mails."""

from engine.platform.members import Member, MemberId
from infra.records import MEMBER
from infra.site import Site


def name_of(site: Site, member: MemberId, known: Member | None = None) -> str:
    """A member's name, "" if the account is gone; no read for the `known` one."""
    if known is not None and known.id == member:
        return known.name
    row = site.store.get(MEMBER, member)
    return row.value.name if row else ""


def names_of(site: Site, members: set[MemberId], known: Member | None = None) -> dict[MemberId, str]:
    """The names of a few members, each read once."""
    return {member: name_of(site, member, known) for member in sorted(members)}
