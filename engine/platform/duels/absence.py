"""Players who leave a live game without a word (L14)."""

from collections.abc import Mapping
from typing import Final

from engine.decisions import Decision, Put
from engine.games import registry
from engine.platform import notices
from engine.platform.clocks import Ground
from engine.platform.duels.closing import WAIT_FOR_TICK, end
from engine.platform.duels.records import GRACE, Duel, Player, Result
from engine.platform.members import MemberId
from engine.times import SECOND, Instant, later

Seen = Mapping[MemberId, Instant]

NOTED_EVERY: Final = 2 * SECOND  # requests closer to each other than this are one sign of life
WARNED_AT: Final = 50  # per cent of the absence that loses the game


def watch(duel: Duel, was: int, seen: Seen, ground: Ground) -> Decision[Duel]:
    """End a live game that a player has left; else say when to look again. `seen`: each player's last request.

    Who has been away longest loses; if nobody has sent orders yet the game is cancelled (P12). An outage counts as
    presence: nobody could be heard in it (P7b).
    """
    limit = registry.game(duel.game).SPEC.paces[duel.pace].absence
    if duel.stage != "playing" or limit is None:
        return Decision((), duel)
    first = min(duel.members, key=lambda p: _heard(duel, p, seen, ground))
    due = later(_heard(duel, first, seen, ground), limit)
    if ground.now < later(due, GRACE):
        return Decision((Put(notices.watch(duel.id, later(due, GRACE)), None),), duel)
    if ground.adrift(due, live=True):
        return Decision((Put(notices.watch(duel.id, later(ground.now, WAIT_FOR_TICK)), None),), duel)
    if all(p.sheets == 0 for p in duel.members):
        return end(duel, was, Result(None, "silence"), ground.now)
    winner = next((p.seat for p in duel.players if p is not first), None)
    return end(duel, was, Result(winner, "absence"), ground.now)


def missing_since(duel: Duel, player: Player, seen: Seen, now: Instant) -> Instant | None:
    """When the player was last heard of, if that is long enough ago for a warning (45 of the 90 s of L14)."""
    limit = registry.game(duel.game).SPEC.paces[duel.pace].absence
    if duel.stage != "playing" or limit is None or player.policy is not None:
        return None
    heard = max(seen.get(player.member, Instant(0)), duel.begun or Instant(0))
    return heard if now - heard >= limit * WARNED_AT // 100 else None


def _heard(duel: Duel, player: Player, seen: Seen, ground: Ground) -> Instant:
    """The player's last sign of life: a request, the game's beginning, or the end of an outage since."""
    heard = max(seen.get(player.member, Instant(0)), duel.begun or Instant(0))
    gaps = ground.pulse.gaps if ground.pulse else ()
    ends = [gap.end for gap in gaps if gap.length > ground.rhythm.live and gap.end > heard]
    return max([heard, *ends])
