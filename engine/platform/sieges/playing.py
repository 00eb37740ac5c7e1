"""From the opening to the end: turns resolved once, by the last orders in or at the deadline (P6, P7b, T5, T14)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from engine.decisions import Change, Decision, Drop, Hold, Put
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Fact, Outcome, Resolved, Seat, Sent, Standing
from engine.games.verify import NotedDice
from engine.platform.clocks import Ground
from engine.platform.duels.records import StoredFact
from engine.platform.sieges import notices
from engine.platform.sieges.entering import cancel
from engine.platform.sieges.records import GRACE, Player, Result, Siege, SiegeTurn, Stage
from engine.times import SECOND, Instant, later

WAIT_FOR_TICK: Final = 5 * SECOND
By = Literal["sent", "deadline"]


def wake(siege: Siege, was: int, ground: Ground) -> Decision[Siege]:
    """What is due for the siege at this moment: its opening, a turn to close, or nothing.

    Early, late or repeated wake-ups change nothing that is not due. An outage across the deadline is dealt with first
    (P7b).
    """
    due = _due(siege)
    if due is None or ground.now < (later(due, GRACE) if siege.stage == "playing" else due):
        return Decision((), siege)
    if ground.adrift(due, live=False):
        # Held: a turn that opens meanwhile has a wake-up of its own, and this one must not take its place.
        again = notices.clock(siege.id, later(ground.now, WAIT_FOR_TICK))
        return Decision((Hold(siege, was), Put(again, None)), siege)
    gap = ground.outage(due, live=False)
    if gap is not None:
        return _move(siege, was, due, gap.length, ground.now)
    return begin(siege, was, ground.now) if siege.stage == "open" else close(siege, was, "deadline", ground.now)


def begin(siege: Siege, was: int, now: Instant) -> Decision[Siege]:
    """Entering is over: the game is set up for who has come, and their first orders are asked for.

    With fewer than the game needs it is cancelled.
    """
    game = registry.game(siege.game)
    if len(siege.players) < game.SPEC.fewest:
        return cancel(siege, was, now)
    players = tuple(replace(p, seat=seat) for p, seat in zip(siege.players, game.SPEC.seats, strict=False))
    state = game.start({}, len(players), SeededDice(bytes.fromhex(siege.seed), 0))
    seated = replace(siege, stage="playing", players=players, state=game.dump(state), started=now)
    return _open(seated, was, game.standing(state), (), now)


def complete(siege: Siege) -> bool:
    """Whether every awaited player has sent orders, with the text if one was announced (T5)."""
    return all(p.sheet is not None and not p.sheet.follow for p in siege.players if p.seat in siege.awaits)


def close(siege: Siege, was: int, by: By, now: Instant) -> Decision[Siege]:
    """Resolve the turn with the orders sent; then the next one opens, or the siege has ended."""
    game = registry.game(siege.game)
    sheets = {p.seat: p.sheet for p in siege.players if p.sheet is not None and p.seat in siege.awaits}
    sent: Mapping[Seat, Sent[Any]] = {seat: Sent(game.parse(s.orders), s.day) for seat, s in sheets.items()}
    dice = NotedDice(SeededDice(bytes.fromhex(siege.seed), siege.turn))
    resolved = game.resolve(game.load(siege.state or {}), sent, dice)
    state = game.dump(resolved.state)
    facts = (*siege.news, *(_stored(fact) for fact in resolved.facts))
    played = SiegeTurn(siege.id, siege.turn, siege.opened or now, now, by, sheets, facts, state, tuple(dice.rolls))
    after = replace(
        siege,
        state=state,
        players=tuple(_played(siege, p) for p in siege.players),
        resolved=(*siege.resolved, siege.turn),
        news=(),
    )
    return _onward(siege, after, was, game.standing(resolved.state), (Put(played, 0),), now)


def depart(siege: Siege, was: int, player: Player, why: str, now: Instant) -> Decision[Siege]:
    """Take a player out of the running game (T5): of their own will, or as `why` says; nothing if they are out.

    If the turn waited for nobody else it is resolved.
    """
    if siege.stage != "playing" or siege.out(player):
        return Decision((), siege)
    game = registry.game(siege.game)
    retired: Resolved[Any] = game.retire(game.load(siege.state or {}), player.seat, why)
    standing = game.standing(retired.state)
    gone = replace(player, left=now, sheet=None)
    after = replace(
        siege,
        state=game.dump(retired.state),
        players=tuple(gone if p is player else p for p in siege.players),
        awaits=standing.awaits,
        news=(*siege.news, *(_stored(fact) for fact in retired.facts)),
    )
    if standing.outcome is not None:
        return end(after, was, standing.outcome, (), now)
    if complete(after):
        return close(after, was, "sent", now)
    return Decision((Put(after, was),), after)


def end(siege: Siege, was: int, outcome: Outcome, changes: tuple[Change, ...], now: Instant) -> Decision[Siege]:
    """The siege is over: its clock stops, everybody is told, and a job settles what follows from it.

    One that nobody began, as too few prepared, is cancelled.
    """
    players = tuple(replace(p, sheet=None) for p in siege.players)
    stage: Stage = "ended" if any(p.began for p in players) else "cancelled"
    result = Result(outcome.by, outcome.honours)
    ended = replace(siege, stage=stage, players=players, awaits=(), deadline=None, ended=now, result=result)
    jobs = [notices.settle(siege.id, now)]
    told = players if stage == "cancelled" else [p for p in players if p.began]
    jobs += [notices.told(ended, p.member, _told(ended, p), now) for p in told]
    stopped = Drop(notices.clock(siege.id, now), None)
    return Decision((Put(ended, was), *changes, stopped, *(Put(job, None) for job in jobs)), ended)


def _due(siege: Siege) -> Instant | None:
    return siege.opens if siege.stage == "open" else siege.deadline if siege.stage == "playing" else None


def _onward(
    before: Siege, after: Siege, was: int, standing: Standing, changes: tuple[Change, ...], now: Instant
) -> Decision[Siege]:
    if standing.outcome is not None:
        return end(after, was, standing.outcome, changes, now)
    out = [p for p in after.players if p.seat in before.awaits and p.seat not in standing.awaits]
    letters = tuple(Put(notices.told(after, p.member, "siege_out", now), None) for p in out)
    return _open(after, was, standing, (*changes, *letters), now)


def _open(siege: Siege, was: int, standing: Standing, changes: tuple[Change, ...], now: Instant) -> Decision[Siege]:
    """The next turn: its deadline, its mails, and who has begun once the game proper has."""
    spec = registry.game(siege.game).SPEC
    span = spec.spans.get(standing.stage, spec.paces[siege.pace].turn)
    begins = standing.turn > 0 and siege.turn < 1
    players = tuple(
        replace(p, sheet=None, began=p.began or (begins and p.seat in standing.awaits)) for p in siege.players
    )
    opened = replace(
        siege,
        players=players,
        turn=standing.turn,
        awaits=standing.awaits,
        opened=now,
        deadline=later(now, span),
    )
    jobs = [notices.clock(siege.id, later(now, span + GRACE))]
    jobs += [notices.opened(opened, p, now) for p in players if p.seat in standing.awaits]
    if siege.resolved and siege.turn < 1 and any(p.seat not in standing.awaits for p in players):
        jobs.append(notices.settle(siege.id, now))  # who did not prepare has the fee back
    return Decision((Put(opened, was), *changes, *(Put(job, None) for job in jobs)), opened)


def _move(siege: Siege, was: int, due: Instant, by: int, now: Instant) -> Decision[Siege]:
    new = later(due, by)
    wakes = siege.wakes + 1
    if siege.stage == "open":
        moved = replace(siege, opens=new, wakes=wakes)
        told = moved.players
    else:
        moved = replace(siege, deadline=new, wakes=wakes)
        told = tuple(p for p in moved.players if p.seat in moved.awaits)
    jobs = [notices.clock(siege.id, later(new, GRACE if siege.stage == "playing" else 0))]
    jobs += [notices.moved(moved, p.member, due, new, now) for p in told]
    return Decision((Put(moved, was), *(Put(job, None) for job in jobs)), moved)


def _played(siege: Siege, player: Player) -> Player:
    shot = player.sheet is not None and player.seat in siege.awaits and not siege.setting_up
    return replace(player, shots=player.shots + shot)


def _told(siege: Siege, player: Player) -> str:
    """Which letter tells a player how it ended."""
    if siege.result is None or siege.stage == "cancelled":
        return "siege_cancelled"
    if any(player.seat in seats for seats in siege.result.honours.values()):
        return "siege_won"
    return "siege_over"


def _stored(fact: Fact) -> StoredFact:
    return StoredFact(fact.code, fact.detail, fact.known_to)
