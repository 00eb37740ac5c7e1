"""Offers of a draw: made, accepted, declined, or let go by playing on."""

from dataclasses import replace
from typing import Final

from engine.decisions import Decision, Put
from engine.errors import Refusal
from engine.games import registry
from engine.platform.duels.closing import end
from engine.platform.duels.records import AGREED, Duel, Player, Result
from engine.platform.members import MemberId
from engine.times import Instant

APART: Final = 10  # turns between two offers of the same player


def can_offer(duel: Duel, player: Player) -> bool:
    """Whether this player may offer a draw now: to a member, once both have moved, and not again and again."""
    return (
        registry.game(duel.game).SPEC.agreed_draw
        and duel.stage == "playing"
        and not duel.draw
        and all(p.policy is None and p.sheets for p in duel.players)
        and duel.turn >= next_offer(player)
    )


def next_offer(player: Player) -> int:
    """The turn from which this player may offer a draw again; 0 if none was offered yet."""
    return player.offered + APART if player.offered else 0


def offer(duel: Duel, was: int, member: MemberId, now: Instant) -> Decision[Duel]:
    """Offer a draw, or accept the one the other offers. Refused: `not_playing`, `game_over`, `no_draw_now`."""
    player = _playing(duel, member)
    if duel.draw == player.seat:
        return Decision((), duel)
    if duel.draw:
        return accept(duel, was, member, now)
    if not can_offer(duel, player):
        raise Refusal("no_draw_now")
    players = tuple(replace(p, offered=duel.turn) if p is player else p for p in duel.players)
    offered = replace(duel, players=players, draw=player.seat)
    return Decision((Put(offered, was),), offered)


def accept(duel: Duel, was: int, member: MemberId, now: Instant) -> Decision[Duel]:
    """Agree to the draw that the other offers. Refused: `not_playing`, `game_over`, `no_offer`."""
    if duel.player(member) is not None and duel.result == Result(None, AGREED):
        return Decision((), duel)
    player = _playing(duel, member)
    if duel.draw in ("", player.seat):
        raise Refusal("no_offer")
    return end(duel, was, Result(None, AGREED), now)


def decline(duel: Duel, was: int, member: MemberId) -> Decision[Duel]:
    """Play on; one's own offer is taken back by it too. Refused: `not_playing`, `game_over`."""
    _playing(duel, member)
    if not duel.draw:
        return Decision((), duel)
    after = replace(duel, draw="")
    return Decision((Put(after, was),), after)


def _playing(duel: Duel, member: MemberId) -> Player:
    player = duel.player(member)
    if player is None:
        raise Refusal("not_playing")
    if duel.stage != "playing":
        raise Refusal("game_over")
    return player
