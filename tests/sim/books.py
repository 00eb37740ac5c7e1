"""Credits and ratings, as they must be in every world (P15-P18)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.decisions import Decision, Put
from engine.platform.duels.records import Duel
from engine.platform.ledger.records import Movement
from engine.platform.members import MemberId
from infra.site import Site
from tests.club.invariants import ALL
from tests.sim.judge import Broken
from tests.sim.world import World


class Unbalanced(Broken):
    """Credits or points that came from nowhere, or went there."""


class Books:
    """Watches every movement of credits."""

    def __init__(self) -> None:
        self.causes: set[str] = set()

    def saw(self, decision: Decision[object]) -> None:
        """A decision was committed: no cause moves credits twice, and no movement makes any."""
        for movement in (c.value for c in decision.changes if isinstance(c, Put) and isinstance(c.value, Movement)):
            if movement.cause in self.causes:
                raise Unbalanced(f"twice: {movement.cause}")
            self.causes.add(movement.cause)
            if sum(line.credits for line in movement.lines):
                raise Unbalanced(f"not whole: {movement}")


@dataclass(frozen=True, slots=True)
class Scene:
    """A world at its end, as the invariants look at it."""

    still: Site
    members: tuple[MemberId, ...]
    duels: tuple[Duel, ...]

    def known(self, stage: str = "") -> list[Duel]:
        """The duels that there are, or those in a stage."""
        return [duel for duel in self.duels if stage in ("", duel.stage)]


def settled(world: World, duels: Iterable[Duel], members: Iterable[str]) -> None:
    """All balances are the sums of their postings, escrows are empty, ratings are what their records make them."""
    still = replace(world.site, store=world.truth)
    scene = Scene(still, tuple(map(MemberId, members)), tuple(duels))
    for holds in ALL:
        holds(scene)
