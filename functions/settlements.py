"""What follows the end of a game by its kind: ratings (P16), the Front's leaderboard (P25), the bracket (P20)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.decisions import Decision
from engine.platform import daily_front
from engine.platform.duels.records import Duel, Player
from engine.platform.fair_play.records import Finding
from engine.platform.local_days import month_of
from functions import challenge_ratings, duel_ratings, tournaments
from functions.acting import act
from functions.fair_play import frozen, superhuman
from infra.records import FRONT_GAME, MONTHLY, TURN
from infra.site import Site


def settle(site: Site, duel: Duel, found: Sequence[Finding] = ()) -> None:
    """Settle what the game's kind asks for, once however often it is called. `found`: what the game shows by itself."""
    follow = _BY_KIND.get(duel.kind)
    if follow is not None and duel.stage == "ended":
        follow(site, duel, found)


def thinking(site: Site, duel: Duel, player: Player) -> int:
    """The time a member took for the sheets sent, in milliseconds: shown on the leaderboard, never ranked (P25)."""
    turns = (row.value for row in site.store.query(TURN, "", duel.id, limit=20).rows)
    sent = ((turn.opened, turn.sheets.get(player.seat)) for turn in turns)
    return sum(max(0, sheet.received - opened) for opened, sheet in sent if sheet is not None and sheet.by == "member")


def _front(site: Site, duel: Duel, found: Sequence[Finding]) -> None:
    player = duel.members[0]
    took = thinking(site, duel, player)

    def decide() -> Decision[None]:
        holder = duel_ratings.holders(site, (player.member,))[player.member]
        entry = site.store.get(FRONT_GAME, duel.front, player.member)
        monthly = site.store.get(MONTHLY, month_of(duel.front), player.member)
        return daily_front.settle(duel, entry, monthly, holder, took, _unranked(site, duel, found))

    act(site, decide)


def _unranked(site: Site, duel: Duel, found: Sequence[Finding]) -> daily_front.Why:
    """What has come up against ranking a Front, the weightiest first, "" if nothing (P27, P29).

    A pace too regular for a person keeps a Front off the leaderboard; of other games it is no more than a mark.
    """
    if frozen(site, duel):
        return "frozen"
    signs = {finding.sign for finding in found}
    return "superhuman" if "superhuman" in signs else "regular" if "regular" in signs else ""


def _match(site: Site, duel: Duel, found: Sequence[Finding]) -> None:
    tournaments.advance(site, duel, superhuman(found))


_BY_KIND: Final[Mapping[str, Callable[[Site, Duel, Sequence[Finding]], None]]] = {
    "challenge": challenge_ratings.settle,
    "front": _front,
    "match": _match,
}
