"""What a side sees of the enemy (F21) and what it remembers (F22)."""

from collections.abc import Mapping, Sequence

from engine.games.feinthold.layouts import ALL, HQ, NEIGHBOURS
from engine.games.feinthold.state import PRESENCE, Seen, Seven

UNSEEN = -1


def presence(
    layout: int, side: int, flags: Sequence[int], units: Sequence[Sequence[int]], decoys: Sequence[Sequence[int]]
) -> Seven:
    """By position: 1 if the enemy is seen there, 0 if not, -1 where the side can't see or holds the flag."""
    near = NEIGHBOURS[layout]
    own, theirs, bluffs = units[side], units[1 - side], decoys[1 - side]
    seen = [UNSEEN] * 7
    watched = [*near[HQ[side]]]
    for source in ALL:
        if own[source]:
            watched += near[source]
    for p in watched:
        if flags[p] != side:
            seen[p] = 1 if theirs[p] or bluffs[p] else 0
    return tuple(seen)


def remember(
    before: Sequence[Seen | None], turn: int, side: int, flags: Sequence[int], now: Seven, precise: Mapping[int, Seen]
) -> tuple[Seen | None, ...]:
    """The last observations after a turn: `precise` holds its scout counts and combat strengths, `now` the presences.

    A presence does not replace a count or strength; an absence does. One's own positions keep no presence (F22).
    """
    after = list(before)
    for p, there in enumerate(now):
        old = before[p]
        if there == 0 or (there == 1 and (old is None or old[1] == PRESENCE)):
            after[p] = (turn, PRESENCE, there)
        elif old is not None and old[1] == PRESENCE and flags[p] == side:
            after[p] = None
    for p, seen in precise.items():
        after[p] = seen
    return tuple(after)
