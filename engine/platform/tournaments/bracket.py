"""The bracket: who meets whom, and where the winners go (P19, P20)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.platform.elo import Rating
from engine.platform.members import MemberId
from engine.platform.tournaments.records import MATCH_LASTS, Match, Tournament
from engine.times import Instant, later

PAIRS: Final = {4: ((1, 4), (2, 3)), 8: ((1, 8), (4, 5), (3, 6), (2, 7))}


@dataclass(frozen=True, slots=True)
class Strength:
    """What seeds an entrant: the game's duel rating at the start, then the older account."""

    member: MemberId
    tenths: Rating
    joined: Instant


def seeded(strengths: Sequence[Strength]) -> tuple[MemberId, ...]:
    """The entrants from the first seed to the last (P19)."""
    return tuple(s.member for s in sorted(strengths, key=lambda s: (-s.tenths, s.joined, s.member)))


def drawn(seeds: Sequence[MemberId]) -> tuple[Match, ...]:
    """Every match of the bracket: the first round with its pairs, the later ones still empty."""
    first = tuple(
        Match(number, seeds[high - 1], seeds[low - 1]) for number, (high, low) in enumerate(PAIRS[len(seeds)])
    )
    return (*first, *(Match(number) for number in range(len(first), len(seeds) - 1)))


def leads_to(size: int, number: int) -> int | None:
    """The match in which the winner of this one plays next; None after the final."""
    after = (size + number) // 2
    return after if after < size - 1 else None


def feeders(size: int, number: int) -> tuple[int, ...]:
    """The two matches whose winners meet in this one; none for those of the first round."""
    return tuple(n for n in range(size - 1) if leads_to(size, n) == number)


def rounds(tournament: Tournament) -> tuple[tuple[Match, ...], ...]:
    """The matches by round, the first round first."""
    left, width, parted = tournament.matches, tournament.size // 2, []
    while left:
        parted.append(left[:width])
        left, width = left[width:], width // 2
    return tuple(parted)


def decide(tournament: Tournament, number: int, winner: MemberId | None, by: str) -> Tournament:
    """The tournament with this match decided, and whatever follows from it without play.

    A later match is filled once both of its feeders are decided: with one player left that one goes on, with none
    nobody does (P20).
    """
    match = replace(tournament.matches[number], winner=winner, by=by)
    after = _with(tournament, match)
    following = leads_to(tournament.size, number)
    if following is None:
        return after
    before = [after.matches[n] for n in feeders(tournament.size, following)]
    if not all(m.decided for m in before):
        return after
    one, other = (m.winner for m in before)
    filled = replace(after.matches[following], one=one, other=other)
    after = _with(after, filled)
    if one is not None and other is not None:
        return after
    alone = one or other
    return decide(after, following, alone, "walkover" if alone else "nobody")


def to_play(tournament: Tournament) -> tuple[Match, ...]:
    """The matches whose players are known and whose game is still to be made."""
    return tuple(m for m in tournament.matches if m.one and m.other and not m.decided and m.duel is None)


def latest_end(tournament: Tournament, now: Instant) -> Instant:
    """When the bracket ends at the latest: five days for each round still to be played (P20)."""
    left = sum(any(not m.decided for m in matches) for matches in rounds(tournament))
    return later(now, left * MATCH_LASTS)


def _with(tournament: Tournament, match: Match) -> Tournament:
    matches = tuple(match if m.number == match.number else m for m in tournament.matches)
    return replace(tournament, matches=matches)
