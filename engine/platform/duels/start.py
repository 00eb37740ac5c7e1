"""The ready room and the first turn (P10)."""

import hmac
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from engine.decisions import Change, Decision, Job, Json, Put
from engine.errors import Refusal
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Seat, Thought
from engine.games.verify import NotedDice
from engine.platform import notices
from engine.platform.duels.receipts import commit_to
from engine.platform.duels.records import GRACE, Duel, Player, Sheet, Turn
from engine.platform.duels.terms import NO_TERMS, Terms, met, reckoned
from engine.platform.members import MemberId
from engine.times import Instant, later

SEATS = 2


StandIns = Mapping[MemberId, Json]
NO_STAND_INS: Final[StandIns] = MappingProxyType({})


def ready(
    duel: Duel,
    was: int,
    member: MemberId,
    now: Instant,
    stand_ins: StandIns = NO_STAND_INS,
    terms: Terms = NO_TERMS,
) -> Decision[Duel]:
    """The member is here; once both are, the game begins, rated or not (P13). Refused: `not_playing`, `gone`."""
    player = duel.player(member)
    if player is None:
        raise Refusal("not_playing")
    if duel.stage == "playing" or (duel.stage == "ready" and player.ready is not None):
        return Decision((), duel)
    if duel.stage != "ready" or duel.deadline is None or now > duel.deadline:
        raise Refusal("gone")
    here = replace(duel, players=tuple(replace(p, ready=now) if p is player else p for p in duel.players))
    if all(p.ready is not None for p in here.players):
        begun = begin(reckoned(here, terms, now), was, now, stand_ins=stand_ins)
        return Decision((*begun.changes, *met(here, terms, now, begins=True, staked=False)), begun.answer)
    return Decision((Put(here, was),), here)


def begin(
    duel: Duel, was: int, now: Instant, seat: Seat | None = None, stand_ins: StandIns = NO_STAND_INS
) -> Decision[Duel]:
    """Set up the game and open its first turn.

    The draws of turn 0 (T17): the game's own (Feinthold: the layout), then a d2 for the proposer's seat unless `seat`
    names it. `stand_ins` are the members' default doctrines as policies: the game keeps them as they are now (P12).
    """
    game = registry.game(duel.game)
    dice = NotedDice(SeededDice(bytes.fromhex(duel.seed), 0))
    state = game.start(duel.options, SEATS, dice)
    first, second = game.SPEC.seats[:SEATS]
    proposer, other = duel.players
    ahead = dice.roll(2) == 1 if seat is None else seat == first
    pair = (proposer, other) if ahead else (other, proposer)
    total = game.SPEC.paces[duel.pace].total
    players = tuple(
        replace(p, seat=s, left=total, stand_in=stand_ins.get(p.member, p.stand_in))
        for p, s in zip(pair, (first, second), strict=True)
    )
    dumped = game.dump(state)
    seated = replace(duel, players=players, state=dumped, stage="playing", begun=now)
    opened, jobs = open_turn(seated, game.standing(state).turn, now)
    absence = game.SPEC.paces[duel.pace].absence
    if absence is not None:
        jobs = (*jobs, notices.watch(duel.id, later(now, absence + GRACE)))
    start = Turn(duel.id, 0, now, now, "start", {}, (), dumped, tuple(dice.rolls))
    writes: tuple[Change, ...] = tuple(Put(job, None) for job in jobs)
    return Decision((Put(opened, was), Put(start, 0), *writes), opened)


def open_turn(duel: Duel, turn: int, now: Instant) -> tuple[Duel, tuple[Job, ...]]:
    """The duel with its next turn open, and what is due for it: its deadline, and mails unless the game is live."""
    game = registry.game(duel.game)
    pace = game.SPEC.paces[duel.pace]
    awaits = game.standing(game.load(duel.state or {})).awaits
    rests = [p.left for p in duel.players if p.seat in awaits and p.left is not None]
    span = min(rests) if rests else (pace.first or pace.turn) if turn == 1 else pace.turn
    players = tuple(replace(p, sheet=_ai_sheet(duel, p, turn, now) if p.seat in awaits else None) for p in duel.players)
    opened = replace(duel, players=players, turn=turn, awaits=awaits, opened=now, deadline=later(now, span))
    jobs = [notices.clock(duel.id, later(now, span + GRACE))]
    if game.SPEC.thinks_later and any(p.policy is not None and p.seat in awaits for p in players):
        jobs.append(notices.think(opened, now))
    if not pace.live and duel.mailed:
        jobs.extend(_turn_mail(opened, p, now) for p in opened.members if p.seat in awaits)
    return opened, tuple(jobs)


def think(duel: Duel, player: Player, policy: Json, turn: int) -> Thought[Any]:
    """What a policy orders for a player, from the player's view and draws of its own (T17)."""
    game = registry.game(duel.game)
    view = game.view(game.load(duel.state or {}), player.seat)
    seed = hmac.digest(bytes.fromhex(duel.seed), f"think/{turn}/{player.seat}".encode("ascii"), "sha256")
    return game.think(view, policy, SeededDice(seed, turn))


def _ai_sheet(duel: Duel, player: Player, turn: int, now: Instant) -> Sheet | None:
    """An AI's orders are made and committed to when the turn opens (P11), unless it takes its time over them."""
    if player.policy is None or registry.game(duel.game).SPEC.thinks_later:
        return None
    thought = think(duel, player, player.policy, turn)
    orders = registry.game(duel.game).write(thought.orders)
    return Sheet(orders, 1, now, commit_to(duel.seed, turn, player.seat, 1, orders), (), "ai", thought.notes)


def _turn_mail(duel: Duel, player: Player, now: Instant) -> Job:
    first = duel.turn == 1 and player.member == duel.proposer and duel.kind == "duel"
    return notices.letter(duel, player.member, "accepted" if first else "turn", now, duel.deadline or now)
