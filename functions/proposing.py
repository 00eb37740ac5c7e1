"""Putting a proposal on the table."""

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.duels import propose
from engine.platform.duels.records import OPEN_PROPOSALS, Duel
from functions import lists
from functions.acting import act
from functions.members import refuse_if_blocked
from infra.records import DUEL
from infra.site import Site
from infra.store import Conflict


def make(site: Site, command: propose.Propose) -> Duel:
    """The duel proposed, once however often it is asked for.

    Refused as `propose.propose` does, and `blocked`, `too_many_proposals`.
    """
    if command.invited is not None:
        refuse_if_blocked(site, command.member, command.invited)
    no_shows = lists.no_shows(site, command.member)

    def decide() -> Decision[Duel]:
        there = site.store.get(DUEL, propose.duel_id(command))
        return propose.propose(command, there.value if there else None, no_shows, site.sources.now())

    try:
        return act(site, decide)
    except Conflict as conflict:
        if "proposals" in conflict.kinds:
            raise Refusal("too_many_proposals", most=OPEN_PROPOSALS) from conflict
        raise
