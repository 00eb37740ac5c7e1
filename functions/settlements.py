"""What follows the end of a game by its kind: ratings (P16), the Front's leaderboard (P25), the bracket (P20)."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.decisions import Decision
from engine.platform import challenges, daily_front
from engine.platform.duels.records import Duel, Player
from engine.platform.local_days import month_of
from functions import tournaments
from functions.acting import act
from infra.records import CHALLENGE_CHANGE, CHALLENGER, CONTENDER, FRONT_GAME, MEETING, MEMBER, MONTHLY, TURN
from infra.site import Site


def settle(site: Site, duel: Duel) -> None:
    """Settle what the game's kind asks for, once however often it is called."""
    follow = _BY_KIND.get(duel.kind)
    if follow is not None and duel.stage == "ended":
        follow(site, duel)


def thinking(site: Site, duel: Duel, player: Player) -> int:
    """The time a member took for the sheets sent, in milliseconds: shown on the leaderboard, never ranked (P25)."""
    turns = (row.value for row in site.store.query(TURN, "", duel.id, limit=20).rows)
    sent = ((turn.opened, turn.sheets.get(player.seat)) for turn in turns)
    return sum(max(0, sheet.received - opened) for opened, sheet in sent if sheet is not None and sheet.by == "member")


def _challenge(site: Site, duel: Duel) -> None:
    member = duel.members[0].member
    rival = next(p.member for p in duel.players if p.policy is not None)

    def decide() -> Decision[None]:
        there = site.store.get(CHALLENGE_CHANGE, member, duel.id)
        return challenges.settle(
            duel,
            site.store.get(MEETING, member, rival),
            site.store.get(CHALLENGER, member),
            site.store.get(CONTENDER, rival),
            there.value if there else None,
        )

    act(site, decide)


def _front(site: Site, duel: Duel) -> None:
    player = duel.members[0]
    took = thinking(site, duel, player)
    member = site.store.get(MEMBER, player.member)
    joined = member.value.joined if member else duel.proposed

    def decide() -> Decision[None]:
        entry = site.store.get(FRONT_GAME, duel.front, player.member)
        monthly = site.store.get(MONTHLY, month_of(duel.front), player.member)
        return daily_front.settle(duel, entry, monthly, joined, took)

    act(site, decide)


_BY_KIND: Final[Mapping[str, Callable[[Site, Duel], None]]] = {
    "challenge": _challenge,
    "front": _front,
    "match": tournaments.advance,
}
