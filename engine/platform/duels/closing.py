"""Closing a turn: resolve it once, open the next, or end the game (P6, P7b, P12)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from engine.decisions import Change, Decision, Drop, Hold, Put
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Outcome, Resolved, Seat, Sent
from engine.games.verify import NotedDice
from engine.platform import notices
from engine.platform.clocks import Ground
from engine.platform.duels.propose import lapse
from engine.platform.duels.receipts import commit_to
from engine.platform.duels.records import GRACE, Duel, NoShow, Player, Result, Sheet, StoredFact, Turn
from engine.platform.duels.start import open_turn, think
from engine.times import SECOND, Instant, later

WAIT_FOR_TICK = 5 * SECOND


def wake(duel: Duel, was: int, ground: Ground) -> Decision[Duel]:
    """What is due for the duel at this moment: a lapse, an empty ready room, a turn to close, or nothing.

    Early, late or repeated wake-ups change nothing that is not due. An outage across the deadline is dealt with
    first (P7b).
    """
    if duel.stage == "proposed":
        return lapse(duel, was, ground.now)
    if duel.stage == "ended" or duel.deadline is None or ground.now < _closes(duel):
        return Decision((), duel)
    live = registry.game(duel.game).SPEC.paces[duel.pace].live
    if ground.adrift(duel.deadline, live):
        # Held: a turn that opens meanwhile has a wake-up of its own, and this one must not take its place.
        again = notices.clock(duel.id, later(ground.now, WAIT_FOR_TICK))
        return Decision((Hold(duel, was), Put(again, None)), duel)
    gap = ground.outage(duel.deadline, live)
    if gap is not None:
        return end(duel, was, Result(None, "outage"), ground.now) if live else _move(duel, was, gap.length, ground.now)
    if duel.stage == "ready":
        return _nobody_came(duel, was, ground.now)
    return _out_of_time(duel, was, ground.now)


def close(duel: Duel, was: int, by: Literal["sent", "deadline"], now: Instant) -> Decision[Duel]:
    """Resolve the turn with the sheets sent; for who sent none the stand-in plays, else nobody (P12, F11)."""
    game = registry.game(duel.game)
    duel = replace(duel, players=tuple(_stood_in(duel, p, now) for p in duel.players))
    sheets = {p.seat: p.sheet for p in duel.players if p.sheet is not None}
    sent: Mapping[Seat, Sent[Any]] = {seat: Sent(game.parse(sheet.orders)) for seat, sheet in sheets.items()}
    dice = NotedDice(SeededDice(bytes.fromhex(duel.seed), duel.turn))
    resolved = game.resolve(game.load(duel.state or {}), sent, dice)
    played = replace(_record(duel, by, resolved, now), rolls=tuple(dice.rolls))
    standing = game.standing(resolved.state)
    after = replace(
        _noted(duel, played),
        state=played.state,
        played=duel.turn,
        players=tuple(_after(duel, p, now) for p in duel.players),
    )
    if standing.outcome is not None:
        ended = end(after, was, _result(after, standing.outcome), now)
        return Decision((Put(played, 0), *ended.changes), ended.answer)
    opened, jobs = open_turn(after, standing.turn, now)
    writes: tuple[Change, ...] = tuple(Put(job, None) for job in jobs)
    return Decision((Put(opened, was), Put(played, 0), *writes), opened)


def end(duel: Duel, was: int, result: Result, now: Instant) -> Decision[Duel]:
    """The duel is over: its clock stops, the result goes out, and a job settles what follows from it."""
    players = tuple(replace(p, sheet=None) for p in duel.players)
    ended = replace(duel, stage="ended", players=players, awaits=(), result=result, ended=now, deadline=None, draw="")
    jobs = (notices.settle(duel.id, now, now), *notices.results(ended, now))
    stopped = [notices.clock(duel.id, now)]
    if registry.game(duel.game).SPEC.paces[duel.pace].absence is not None:
        stopped.append(notices.watch(duel.id, now))
    return Decision((Put(ended, was), *(Drop(job, None) for job in stopped), *(Put(job, None) for job in jobs)), ended)


def awaited(duel: Duel) -> tuple[Player, ...]:
    """The players whose orders the turn in play waits for, whether they have sent some or not."""
    return tuple(p for p in duel.players if p.seat in duel.awaits)


def _closes(duel: Duel) -> Instant:
    """When the deadline's consequence may come: orders on their way have two seconds more (P6)."""
    deadline = duel.deadline or Instant(0)
    return later(deadline, GRACE) if duel.stage == "playing" else deadline


def _move(duel: Duel, was: int, by: int, now: Instant) -> Decision[Duel]:
    before = duel.deadline or now
    moved = replace(duel, deadline=later(before, by), wakes=duel.wakes + 1)
    jobs = [notices.clock(duel.id, later(before, by + GRACE))]
    jobs.extend(notices.moved(moved, p.member, before, now) for p in moved.members if moved.mailed)
    return Decision((Put(moved, was), *(Put(job, None) for job in jobs)), moved)


def _nobody_came(duel: Duel, was: int, now: Instant) -> Decision[Duel]:
    missing = tuple(Put(NoShow(p.member, duel.deadline or now, duel.id), None) for p in duel.members if p.ready is None)
    ended = end(duel, was, Result(None, "no_show"), now)
    return Decision((*ended.changes, *missing), ended.answer)


def _out_of_time(duel: Duel, was: int, now: Instant) -> Decision[Duel]:
    spec = registry.game(duel.game).SPEC
    if spec.missed == "pass":
        return close(duel, was, "deadline", now)
    idle = [p.sheets == 0 for p in duel.members]
    if all(idle) or (any(idle) and not spec.paces[duel.pace].live):  # P12, L15
        return end(duel, was, Result(None, "silence"), now)
    late = [p.seat for p in awaited(duel) if p.sheet is None]
    winner = next((p.seat for p in duel.players if p.seat not in late), None)
    return end(duel, was, Result(winner, "time"), now)


def _stood_in(duel: Duel, player: Player, now: Instant) -> Player:
    if player not in awaited(duel) or player.sheet is not None or player.stand_in is None:
        return player
    thought = think(duel, player, player.stand_in, duel.turn)
    orders = registry.game(duel.game).write(thought.orders)
    bound = commit_to(duel.seed, duel.turn, player.seat, 0, orders)
    return replace(player, sheet=Sheet(orders, 0, now, bound, (), "stand_in", thought.notes))


def _record(duel: Duel, by: Literal["sent", "deadline"], resolved: Resolved[Any], now: Instant) -> Turn:
    sheets = {p.seat: p.sheet for p in duel.players if p.sheet is not None}
    facts = tuple(StoredFact(f.code, f.detail, f.known_to) for f in resolved.facts)
    state = registry.game(duel.game).dump(resolved.state)
    return Turn(duel.id, duel.turn, duel.opened or now, now, by, sheets, facts, state)


def _noted(duel: Duel, played: Turn) -> Duel:
    """The duel with what its page tells without another read, in games that hide nothing."""
    spec = registry.game(duel.game).SPEC
    if spec.secret:
        return duel
    words = tuple(str(s.orders[spec.word]) for s in played.sheets.values()) if spec.word else ()
    offer = "" if duel.draw and duel.draw not in duel.awaits else duel.draw  # moving on declines the other's offer
    return replace(duel, words=duel.words + words, news=played.facts, draw=offer)


def _after(duel: Duel, player: Player, now: Instant) -> Player:
    if player not in awaited(duel):
        return player
    sent = player.sheet is not None and player.sheet.by == "member"
    arrived = player.sheet.received if player.sheet else now
    left = None if player.left is None else max(0, player.left - max(0, arrived - (duel.opened or arrived)))
    return replace(
        player, sheets=player.sheets + sent, missed=player.missed + (not sent and player.policy is None), left=left
    )


def _result(duel: Duel, outcome: Outcome) -> Result:
    """The game's own outcome; a game in which nobody sent any orders is cancelled instead (P12)."""
    if all(p.sheets == 0 for p in duel.members):
        return Result(None, "silence")
    return Result(outcome.winner, outcome.by)
