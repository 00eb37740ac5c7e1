"""Proposals: made, accepted, declined, withdrawn, lapsed (P10)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.decisions import Add, Change, Decision, Drop, Json, Put
from engine.errors import Problem, Refusal
from engine.games import registry
from engine.games.protocol import Pace
from engine.platform import notices
from engine.platform.duels.records import (
    OPEN_PROPOSALS,
    PROPOSAL_LASTS,
    READY_LASTS,
    Duel,
    DuelId,
    MemberGame,
    NoShow,
    Proposals,
    Result,
)
from engine.platform.duels.start import NO_STAND_INS, StandIns, begin
from engine.platform.duels.terms import NO_TERMS, Terms, met, reckoned, refuse_acceptance, refuse_proposal
from engine.platform.guests import seat_of
from engine.platform.members import MemberId
from engine.platform.stakes import take
from engine.times import DAY, Instant, later

NO_SHOWS: Final = 3
OFFERED: Final = registry.DUELS
FRIENDS: Final = "friendly"  # why a challenge between friends is not rated (L16)
OF_TOURNAMENTS: Final = "half_day"


@dataclass(frozen=True, slots=True)
class Propose:
    """A member wishes to play, with a `stake` in credits. `request` names the form, so that one sent twice is one
    proposal.

    With `link` the one who accepts is whoever the member sends the page's address to. `options` are the game's, for
    challenges between friends; what they leave out is drawn.
    """

    member: MemberId
    game: str
    pace: str
    invited: MemberId | None
    request: str
    link: bool = False
    options: Json = field(default_factory=dict)
    stake: int = 0


def duel_id(command: Propose) -> DuelId:
    """The id of the duel this proposal makes: the same for the same request."""
    return DuelId(hashlib.sha256(f"{command.member}/{command.request}".encode()).hexdigest()[:16])


def propose(
    command: Propose, there: Duel | None, no_shows: Sequence[NoShow], now: Instant, terms: Terms = NO_TERMS
) -> Decision[Duel]:
    """Put a proposal on the table for a week; it takes one of the member's ten, and the stake (P10, P17).

    `there` is the duel already known under this id; `terms` hold the member's purse if there is a stake. Refused:
    `unknown_game`, `unknown_pace`, `yourself`, `barred`, `no_links`, `unknown_option`, and as `terms.refuse_proposal`
    does.
    """
    if there is not None:
        return Decision((), there)
    pace = pace_of(command.game, command.pace)
    if command.invited == command.member:
        raise Refusal("yourself")
    refuse_if_barred(pace, no_shows, now)
    _refuse_options(command)
    refuse_proposal(command.stake, command.game, command.member, command.invited, terms, now)
    friends = registry.game(command.game).SPEC.friendly and (command.link or command.invited is not None)
    duel = Duel(
        duel_id(command),
        command.game,
        command.pace,
        command.member,
        command.invited,
        now,
        (seat_of(command.member, terms.visitors),),
        options=command.options,
        link=command.link,
        rated=False if friends else None,
        unrated_why=FRIENDS if friends else "",
        stake=command.stake,
    )
    changes: list[Change] = [
        Put(duel, 0),
        *take(duel, command.member, now),
        Put(_row(duel, command.member, command.invited, "proposed", now), None),
        Add(Proposals(command.member), -1, floor=-OPEN_PROPOSALS),
        Put(notices.clock(duel.id, later(now, PROPOSAL_LASTS)), None),
    ]
    if command.invited is not None:
        changes.append(Put(_row(duel, command.invited, command.member, "invited", now), None))
        mail = notices.letter(duel, command.invited, "proposal", now, later(now, PROPOSAL_LASTS))
        changes.append(Put(mail, None))
    return Decision(tuple(changes), duel)


def accept(
    duel: Duel,
    was: int,
    member: MemberId,
    seed: bytes,
    no_shows: Sequence[NoShow],
    now: Instant,
    stand_ins: StandIns = NO_STAND_INS,
    terms: Terms = NO_TERMS,
) -> Decision[Duel]:
    """Take the other seat: a live game opens its ready room, another its first turn with both members' `stand_ins`.

    The stake is taken now (P17); whether the duel is rated is settled when it begins (P13). Refused: `yourself`,
    `not_for_you`, `gone`, `barred`, and as `terms.refuse_acceptance` does.
    """
    if duel.player(member) is not None and duel.stage != "proposed":
        return Decision((), duel)
    if duel.proposer == member:
        raise Refusal("yourself")
    if duel.invited not in (None, member):
        raise Refusal("not_for_you")
    if duel.stage != "proposed" or now > duel.proposed + PROPOSAL_LASTS:
        raise Refusal("gone")
    pace = pace_of(duel.game, duel.pace)
    refuse_if_barred(pace, no_shows, now)
    refuse_acceptance(duel, member, terms, now)
    joined = replace(
        duel,
        players=(*duel.players, seat_of(member, terms.visitors)),
        seed=seed.hex(),
        accepted=now,
        invited=duel.invited or member,
    )
    rows: tuple[Change, ...] = (
        Put(_row(joined, duel.proposer, member, "running", now), None),
        Put(_row(joined, member, duel.proposer, "running", now), None),
        Add(Proposals(duel.proposer), 1),
        *take(joined, member, now),
        *met(joined, terms, now, begins=not pace.live, staked=True),
    )
    if not pace.live:
        begun = begin(reckoned(joined, terms, now), was, now, stand_ins=stand_ins)
        return Decision((*begun.changes, *rows), begun.answer)
    room = replace(joined, stage="ready", opened=now, deadline=later(now, READY_LASTS))
    jobs = (
        notices.clock(room.id, later(now, READY_LASTS)),
        notices.letter(room, room.proposer, "accepted", now, later(now, READY_LASTS)),
    )
    return Decision((Put(room, was), *rows, *(Put(job, None) for job in jobs)), room)


def decline(duel: Duel, was: int, member: MemberId, now: Instant) -> Decision[Duel]:
    """The invited member says no. Refused: `not_for_you`, `gone`."""
    if duel.invited != member:
        raise Refusal("not_for_you")
    return _close(duel, was, "declined", now)


def withdraw(duel: Duel, was: int, member: MemberId, now: Instant) -> Decision[Duel]:
    """The proposer takes the proposal back. Refused: `not_yours`, `gone`."""
    if duel.proposer != member:
        raise Refusal("not_yours")
    return _close(duel, was, "withdrawn", now)


def lapse(duel: Duel, was: int, now: Instant) -> Decision[Duel]:
    """A proposal nobody took within seven days ends; earlier, nothing happens."""
    if duel.stage != "proposed" or now < duel.proposed + PROPOSAL_LASTS:
        return Decision((), duel)
    return _close(duel, was, "lapsed", now)


def barred_until(no_shows: Sequence[NoShow], now: Instant) -> Instant | None:
    """Until when a member plays no live duels: 24 hours from the third no-show within 24 hours (P10)."""
    times = sorted(n.at for n in no_shows)
    ends = [
        Instant(third + DAY) for first, third in zip(times, times[NO_SHOWS - 1 :], strict=False) if third - first <= DAY
    ]
    return max((end for end in ends if end > now), default=None)


def refuse_if_barred(pace: Pace, no_shows: Sequence[NoShow], now: Instant) -> None:
    """Raises `barred` with `until` if the pace is live and the member may not play live now."""
    until = barred_until(no_shows, now) if pace.live else None
    if until is not None:
        raise Refusal("barred", until=until)


def refuse_if_other_barred(pace: Pace, no_shows: Sequence[NoShow], now: Instant) -> None:
    """Raises `barred_other` with `until` if the pace is live and the other of the two may not play live now."""
    until = barred_until(no_shows, now) if pace.live else None
    if until is not None:
        raise Refusal("barred_other", until=until)


def pace_of(game: str, pace: str) -> Pace:
    """How this game is played at this pace. Refused: `unknown_game`, `unknown_pace`."""
    if game not in OFFERED:
        raise Refusal("unknown_game")
    if pace not in paces_of(game):
        raise Refusal("unknown_pace")
    return registry.game(game).SPEC.paces[pace]


def paces_of(game: str) -> tuple[str, ...]:
    """The paces at which duels of a game may be proposed; tournaments have one of their own."""
    return tuple(name for name in registry.game(game).SPEC.paces if name != OF_TOURNAMENTS)


def _refuse_options(command: Propose) -> None:
    spec = registry.game(command.game).SPEC
    if command.link and (command.invited is not None or not spec.friendly):
        raise Refusal("no_links")
    friends = spec.friendly and (command.link or command.invited is not None)
    for name, value in command.options.items():
        if not friends or value not in spec.options.get(name, ()):
            raise Refusal("unknown_option", (Problem("unknown_option", field=name),))


def _close(duel: Duel, was: int, by: str, now: Instant) -> Decision[Duel]:
    if duel.stage == "ended" and duel.result == Result(None, by):
        return Decision((), duel)
    if duel.stage != "proposed":
        raise Refusal("gone")
    closed = replace(duel, stage="ended", ended=now, result=Result(None, by))
    row = _row(duel, duel.proposer, duel.invited, "proposed", now)
    changes: list[Change] = [
        Put(closed, was),
        Add(Proposals(duel.proposer), 1),
        Put(_refused(row, now), None) if by == "declined" else Drop(row, None),
        Drop(notices.clock(duel.id, now), None),
    ]
    if duel.invited is not None:
        changes.append(Drop(_row(duel, duel.invited, None, "invited", now), None))
    if duel.stake:
        changes.append(Put(notices.settle(duel.id, now), None))
    return Decision(tuple(changes), closed)


def _refused(row: MemberGame, now: Instant) -> MemberGame:
    return replace(row, state="ended", at=now, result="none", by="declined")


def _row(
    duel: Duel,
    member: MemberId,
    opponent: MemberId | None,
    state: Literal["proposed", "invited", "running"],
    now: Instant,
) -> MemberGame:
    return MemberGame(member, duel.id, duel.game, duel.pace, opponent, state, now, stake=duel.stake)
