"""Putting a proposal on the table, and taking it up."""

from engine.decisions import Decision, Put
from engine.errors import Refusal
from engine.platform.duels import propose, start
from engine.platform.duels.records import OPEN_PROPOSALS, Duel, Presence
from engine.platform.members import MemberId
from functions import lists
from functions.acting import act, duel_row
from functions.doctrine_books import stand_ins
from functions.members import refuse_if_blocked
from functions.pairing import terms
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
        about = terms(site, command.member, command.invited, command.stake)
        return propose.propose(command, there.value if there else None, no_shows, site.sources.now(), about)

    try:
        return act(site, decide)
    except Conflict as conflict:
        if "proposals" in conflict.kinds:
            raise Refusal("too_many_proposals", most=OPEN_PROPOSALS) from conflict
        raise


def accept(site: Site, id: str, member: MemberId, *, here: bool = False) -> Duel:
    """The duel with its other seat taken. Refused as `propose.accept` does, and `blocked`, `barred_other`,
    `no_such_game`.

    Who is `here` is shown the page next: a first turn that opens by it need not be told by mail (P8).
    """
    duel = duel_row(site, id).value
    refuse_if_blocked(site, member, duel.proposer)
    no_shows = lists.no_shows(site, member)
    if duel.stage == "proposed" and duel.proposer != member:
        pace = propose.pace_of(duel.game, duel.pace)
        propose.refuse_if_other_barred(pace, lists.no_shows(site, duel.proposer), site.sources.now())
    seed = site.sources.seed()

    def decide() -> Decision[Duel]:
        row = duel_row(site, id)
        about = terms(site, member, row.value.proposer, row.value.stake)
        begins = stand_ins(site, (member, row.value.proposer))
        now = site.sources.now()
        accepted = propose.accept(row.value, row.version, member, seed, no_shows, now, begins, about)
        if not here or accepted.answer.stage != "playing":
            return accepted
        return Decision((*accepted.changes, Put(Presence(accepted.answer.id, member, now), None)), accepted.answer)

    return act(site, decide)


def ready(site: Site, id: str, member: MemberId) -> Duel:
    """The duel whose ready room a member has come to. Refused as `start.ready` does, and `no_such_game`."""

    def decide() -> Decision[Duel]:
        row = duel_row(site, id)
        about = terms(site, member, row.value.opponent(member))
        begins = stand_ins(site, (p.member for p in row.value.members))
        return start.ready(row.value, row.version, member, site.sources.now(), begins, about)

    return act(site, decide)
