"""One combat, in halves of a unit's strength (F12–F16)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Force:
    """What one side has at a position: units that stay in the open or entrenched, units that arrive, decoys."""

    open: int
    entrenched: int
    arriving: int
    decoys: int

    @property
    def units(self) -> int:
        """All units there."""
        return self.open + self.entrenched + self.arriving

    @property
    def strength(self) -> int:
        """The strength in halves: 2 a unit, 3 where entrenched, decoys nothing (F12)."""
        return 2 * (self.open + self.arriving) + 3 * self.entrenched


@dataclass(frozen=True, slots=True)
class Fight:
    """A combat that was fought: the forces and the units left, by side."""

    at: int
    forces: tuple[Force, Force]
    left: tuple[int, int]

    @property
    def stronger(self) -> int | None:
        """The side of higher strength; None on a tie."""
        a, b = self.forces[0].strength, self.forces[1].strength
        return None if a == b else 0 if a > b else 1

    @property
    def counted(self) -> bool:
        """Whether the stronger side won a combat in the sense of F16."""
        side = self.stronger
        return side is not None and self.forces[1 - side].units > 0


def fight(at: int, a: Force, b: Force) -> Fight:
    """The combat of two forces (F15): the stronger keeps at least one unit, the weaker nothing, equals nothing."""
    own, enemy = a.strength, b.strength
    if own > enemy:
        left = (max(1, a.units - 3 * enemy // 10), 0)
    elif enemy > own:
        left = (0, max(1, b.units - 3 * own // 10))
    else:
        left = (0, 0)
    return Fight(at, (a, b), left)
