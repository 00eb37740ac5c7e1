"""Tournaments as they are read, entered and brought forward."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from engine.decisions import Change, Decision, Hold, Put
from engine.errors import Refusal
from engine.platform import rivalries
from engine.platform.duels import closing
from engine.platform.duels.records import Duel, Result
from engine.platform.duels.terms import Terms
from engine.platform.elo import START
from engine.platform.ledger.moving import Debts
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import ActId, Forfeit
from engine.platform.ratings.records import EVER, Board
from engine.platform.tournaments import bracket, entering, playing
from engine.platform.tournaments.bracket import Strength
from engine.platform.tournaments.entering import Create, Entrant
from engine.platform.tournaments.playing import Making
from engine.platform.tournaments.records import GAME, Match, OpenCups, Tournament
from engine.times import Instant
from functions import payouts
from functions.acting import act
from functions.doctrine_books import stand_ins
from functions.linking import are_linked, linked
from infra.records import DEBT, DUEL, MEMBER, RIVALRY, STANDING, TOURNAMENT
from infra.site import Site
from infra.store import Row


def tournament_row(site: Site, id: str) -> Row[Tournament]:
    """The tournament of this id. Refused: `no_such_tournament`."""
    row = site.store.get(TOURNAMENT, id)
    if row is None:
        raise Refusal("no_such_tournament")
    return row


def create(site: Site, member: Member, command: Create) -> Tournament:
    """Open a tournament, once however often it is asked for; refused as `entering.create` is."""

    def decide() -> Decision[Tournament]:
        there = site.store.get(TOURNAMENT, entering.tournament_id(command))
        entrant = replace(_entrant(site, member), opened=-site.store.count(OpenCups(member.id)))
        return entering.create(command, entrant, there.value if there else None, site.sources.now())

    return act(site, decide)


def join(site: Site, member: Member, id: str) -> Tournament:
    """Enter; refused as `entering.join` is."""

    def decide() -> Decision[Tournament]:
        row = tournament_row(site, id)
        return entering.join(row.value, row.version, _entrant(site, member), site.sources.now())

    return act(site, decide)


def leave(site: Site, member: MemberId, id: str) -> Tournament:
    """Give the place up; refused as `entering.leave` is, and `payouts_stopped`."""
    return act(site, lambda: payouts.unless_halted(site, _left(site, member, id)))


def dismiss(site: Site, id: str, member: MemberId) -> None:
    """Take a member out whose account is deleted or whose ratings are frozen, if it has not begun, once (P5, P29).

    Refused: `payouts_stopped`.
    """

    def decide() -> Decision[Tournament]:
        there = tournament_row(site, id).value
        if there.stage != "open" or there.full:
            return Decision((), there)
        return payouts.unless_halted(site, _left(site, member, id))

    act(site, decide)


def bring_forward(site: Site, id: str) -> None:
    """Whatever a tournament waits for: its lapse, its start, the games of matches whose players are known."""

    def begin() -> Decision[Tournament]:
        row = tournament_row(site, id)
        now = site.sources.now()
        if row.value.full:
            return playing.start(row.value, row.version, _strengths(site, row.value.entrants), now)
        return entering.lapse(row.value, row.version, debts(site, row.value.entrants), now)

    if tournament_row(site, id).value.stage == "open":
        act(site, begin)
    for match in bracket.to_play(tournament_row(site, id).value):
        _make(site, id, match)
    for match in tournament_row(site, id).value.matches:
        if match.duel is not None and not match.decided:
            _forfeit(site, match)


def advance(site: Site, duel: Duel, fast: Collection[MemberId] = ()) -> None:
    """Judge a match whose game is over, once (P21); one that was stopped waits for a moderator to name who goes on.

    Who was frozen when it ended has lost it, whatever has come since; a freeze after the end changes nothing.
    `fast`: whose orders came faster than a person reads.
    """
    if duel.result is not None and duel.result.by == "stopped":
        return
    there = {p.member: site.store.get(MEMBER, p.member) for p in duel.members}
    gone = {member for member, row in there.items() if _is_gone(row)}
    ended = duel.ended or site.sources.now()
    frozen = {member for member, row in there.items() if row is not None and row.value.frozen_at(ended)}

    def decide() -> Decision[Tournament]:
        row = tournament_row(site, duel.cup)
        verdict = playing.judged(duel, row.value, frozen - gone, fast, gone)
        owed = debts(site, row.value.entrants)
        return playing.advance(row.value, row.version, duel.cup_match, verdict, owed, site.sources.now())

    act(site, decide)


def forfeit(site: Site, row: Row[Duel], now: Instant) -> Decision[Any]:
    """The end of a match of somebody who is frozen or gone; nothing if it is over, or nobody is (P5, P21).

    With both it has no result. What a freeze has made somebody lose is noted with its act, as long as it holds.
    """
    rows = {p.member: site.store.get(MEMBER, p.member) for p in row.value.members}
    gone = {member for member, there in rows.items() if _is_frozen(there)}
    if row.value.stage == "ended" or not gone:
        return Decision((), None)
    there = [p.seat for p in row.value.members if p.member not in gone]
    result = Result(there[0], "forfeit") if there else Result(None, "cancelled")
    ended = closing.end(row.value, row.version, result, now)
    changes = list[Change](ended.changes)
    for one in (rows[member] for member in gone):
        if one is not None and one.value.frozen_by:
            changes.append(Hold(one.value, one.version))
            if there:
                changes.append(Put(Forfeit(ActId(one.value.frozen_by), row.value.id), None))
    return Decision(tuple(changes), None)


def _forfeit(site: Site, match: Match) -> None:
    """A match of somebody who is frozen or gone is lost by forfeit as soon as it is made (P5, P21)."""
    if not any(_frozen(site, member) for member in (match.one, match.other) if member is not None):
        return

    def decide() -> Decision[Any]:
        row = site.store.get(DUEL, match.duel or "")
        return forfeit(site, row, site.sources.now()) if row else Decision((), None)

    act(site, decide)


def debts(site: Site, members: Iterable[MemberId]) -> Debts:
    """What members owe the house, one read each: needed to credit them."""
    return {member: site.store.get(DEBT, member) for member in members}


def _left(site: Site, member: MemberId, id: str) -> Decision[Tournament]:
    row = tournament_row(site, id)
    return entering.leave(row.value, row.version, member, debts(site, (member,)), site.sources.now())


def _make(site: Site, id: str, match: Match) -> None:
    seed = site.sources.seed()
    pair = tuple(member for member in (match.one, match.other) if member is not None)

    def decide() -> Decision[Tournament]:
        row = tournament_row(site, id)
        between = rivalries.between(*pair)
        terms = Terms(site.store.get(RIVALRY, between.one, between.other), _unrated(site, pair))
        making = Making(seed, terms, stand_ins(site, pair))
        return playing.make(row.value, row.version, match.number, making, site.sources.now())

    act(site, decide)


def _unrated(site: Site, pair: Iterable[MemberId]) -> str:
    """Why a match of the two moves no rating: frozen, or linked since they entered (P13, P28)."""
    one, other = pair
    if any(_frozen(site, member) for member in (one, other)):
        return "frozen"
    return "linked" if are_linked(site, one, other) else ""


def _frozen(site: Site, member: MemberId) -> bool:
    return _is_frozen(site.store.get(MEMBER, member))


def _is_frozen(row: Row[Member] | None) -> bool:
    return _is_gone(row) or (row is not None and row.value.frozen is not None)


def _is_gone(row: Row[Member] | None) -> bool:
    return row is None or row.value.deleted


def _entrant(site: Site, member: Member) -> Entrant:
    balance = site.store.count(Balance(purse(member.id)))
    return Entrant(member.id, balance, member.frozen is not None, linked(site, member.id))


def _strengths(site: Site, members: Iterable[MemberId]) -> list[Strength]:
    strengths = []
    for member in members:
        standing = site.store.get(STANDING, member, EVER, Board(GAME))
        row = site.store.get(MEMBER, member)
        joined = row.value.joined if row else site.sources.now()
        strengths.append(Strength(member, standing.value.tenths if standing else START, joined))
    return strengths
