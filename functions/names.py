"""The names of members and doctrines for pages and mails."""

from typing import Final

from engine.platform.doctrines import house_name, is_doctrine
from engine.platform.members import Lang, Member, MemberId
from infra.i18n import translator
from infra.records import CONTENDER, MEMBER
from infra.site import Site

RIVAL: Final = "rival:"  # a game's own computer player


def name_of(site: Site, member: MemberId, known: Member | None = None, lang: Lang | None = None) -> str:
    """A member's or a doctrine's name; no read for the `known` one and for house AIs. If the account is gone it is
    "a former member" in `lang`, or "" if none is given.

    House AIs are named in `lang`, or else in the language of the `known` member; the name of a doctrine that the
    moderators have hidden is not told.
    """
    if known is not None and known.id == member:
        return known.name
    if is_doctrine(member):
        return _doctrine(site, member, lang or (known.lang if known else "en"))
    row = site.store.get(MEMBER, member)
    if row is not None and not row.value.deleted:
        return row.value.name
    return translator(lang)("lists.gone") if lang else ""


def names_of(
    site: Site, members: set[MemberId], known: Member | None = None, lang: Lang | None = None
) -> dict[MemberId, str]:
    """The names of a few members and doctrines, each read once."""
    return {member: name_of(site, member, known, lang) for member in sorted(members)}


def _doctrine(site: Site, id: MemberId, lang: Lang) -> str:
    if id.startswith(RIVAL):
        t = translator(lang)
        return t(f"rival.{id.rpartition(':')[2]}")
    house = house_name(id)
    if house is not None:
        return translator(lang)(f"doctrine.ai.{house}")
    row = site.store.get(CONTENDER, id)
    if row is not None and row.value.hidden:
        return translator(lang)("doctrine.masked")
    return row.value.name if row else ""
