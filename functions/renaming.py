"""A member's name taken down by the moderators, and given back (P4, P29)."""

import hashlib
from dataclasses import replace
from typing import Final

from engine.decisions import Change, Decision, Put
from engine.errors import Refusal
from engine.platform.members import Member, MemberId
from engine.platform.names import free, take
from functions.acting import act
from infra.folding import forms
from infra.records import MEMBER, NAME
from infra.site import Site
from infra.store import Row

PLAIN: Final = {"en": "Member", "fr": "Membre"}


def plain(member: Member) -> str:
    """A name that says nothing, the same for the same account."""
    return f"{PLAIN[member.lang]} {hashlib.sha256(member.id.encode()).hexdigest()[:8]}"


def hide(site: Site, member: MemberId, name: str) -> None:
    """Put a plain name in place of `name`, if the member still bears it: it is kept back, and not theirs to take."""

    def decide() -> Decision[None]:
        row = site.store.get(MEMBER, member)
        if row is None or row.value.deleted or row.value.name != name:
            return Decision((), None)
        return Decision(_changes(site, row, plain(row.value), hides=True), None)

    act(site, decide)


def restore(site: Site, member: MemberId, name: str) -> None:
    """Give the name back, unless the member has chosen another since."""

    def decide() -> Decision[None]:
        row = site.store.get(MEMBER, member)
        if row is None or row.value.deleted or row.value.name != plain(row.value):
            return Decision((), None)
        try:
            return Decision(_changes(site, row, name, hides=False), None)
        except Refusal:
            return Decision((), None)

    act(site, decide)


def _changes(site: Site, row: Row[Member], name: str, *, hides: bool) -> tuple[Change, ...]:
    member, now = row.value, site.sources.now()
    old, new = forms(member.name), forms(name)
    held = {form: site.store.get(NAME, form) for form in {*old, *new}}
    taken = take(member.id, name, new, held, now, given_back=True)
    freed = free(member.id, set(old) - set(new), held, now, hidden=hides)
    return (Put(replace(member, name=name), row.version), *taken, *freed)
