"""Finding members by name, and whether two of them may meet."""

from engine.errors import Problem, Refusal
from engine.platform.members import Member, MemberId
from infra.folding import forms
from infra.records import BLOCK, MEMBER, NAME
from infra.site import Site


def member_named(site: Site, name: str) -> Member:
    """The member who bears this name now, however it is typed; at most three reads. Refused: `no_such_member`."""
    for form in forms(name.strip()[:200]):
        row = site.store.get(NAME, form)
        if row is not None and row.value.freed is None:
            found = site.store.get(MEMBER, row.value.member)
            if found is not None and not found.value.deleted:
                return found.value
    raise Refusal("no_such_member", (Problem("no_such_member", field="opponent"),))


def refuse_if_blocked(site: Site, one: MemberId, other: MemberId) -> None:
    """Two reads. Refused: `blocked`, if either has blocked the other (P5b); it does not say which."""
    if site.store.get(BLOCK, one, other) or site.store.get(BLOCK, other, one):
        raise Refusal("blocked")
