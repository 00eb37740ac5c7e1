"""What follows the end of a game by its kind: ratings (P16), the Front's leaderboard (P25), the bracket (P20)."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from engine.decisions import Decision
from engine.platform import challenges, daily_front
from engine.platform.doctrines import author_and_slot
from engine.platform.duels.records import Duel, Player
from engine.platform.local_days import day_of, month_of
from engine.platform.members import MemberId
from engine.times import Instant
from functions import tournaments
from functions.acting import act
from functions.fair_play import NOBODY, frozen
from infra.records import (
    CHALLENGE_CHANGE,
    CHALLENGE_MONTH,
    CHALLENGER,
    CONTENDER,
    FRONT_GAME,
    MEETING,
    MEMBER,
    MONTHLY,
    TURN,
)
from infra.site import Site


def settle(site: Site, duel: Duel, fast: frozenset[MemberId] = NOBODY) -> None:
    """Settle what the game's kind asks for, once however often it is called. `fast`: whose orders were superhuman."""
    follow = _BY_KIND.get(duel.kind)
    if follow is not None and duel.stage == "ended":
        follow(site, duel, fast)


def thinking(site: Site, duel: Duel, player: Player) -> int:
    """The time a member took for the sheets sent, in milliseconds: shown on the leaderboard, never ranked (P25)."""
    turns = (row.value for row in site.store.query(TURN, "", duel.id, limit=20).rows)
    sent = ((turn.opened, turn.sheets.get(player.seat)) for turn in turns)
    return sum(max(0, sheet.received - opened) for opened, sheet in sent if sheet is not None and sheet.by == "member")


def _challenge(site: Site, duel: Duel, fast: frozenset[MemberId]) -> None:
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
            _months(site, duel, member, rival),
            findings=_against(site, duel, fast),
        )

    act(site, decide)


def _months(site: Site, duel: Duel, member: MemberId, rival: MemberId) -> challenges.Months:
    month = month_of(day_of(duel.ended or duel.proposed, site.settings.zone))
    author = author_and_slot(rival)
    return challenges.Months(
        month,
        site.store.get(CHALLENGE_MONTH, month, member),
        site.store.get(CHALLENGE_MONTH, month, rival) if author else None,
        _joined(site, member, duel),
        _joined(site, author[0], duel) if author else duel.proposed,
    )


def _joined(site: Site, member: MemberId, duel: Duel) -> Instant:
    row = site.store.get(MEMBER, member)
    return row.value.joined if row else duel.proposed


def _front(site: Site, duel: Duel, fast: frozenset[MemberId]) -> None:
    player = duel.members[0]
    took = thinking(site, duel, player)
    joined = _joined(site, player.member, duel)

    def decide() -> Decision[None]:
        entry = site.store.get(FRONT_GAME, duel.front, player.member)
        monthly = site.store.get(MONTHLY, month_of(duel.front), player.member)
        why = _against(site, duel, fast)
        return daily_front.settle(duel, entry, monthly, joined, took, why[0] if why else "")

    act(site, decide)


def _against(site: Site, duel: Duel, fast: frozenset[MemberId]) -> tuple[Literal["frozen", "superhuman"], ...]:
    """What has come up against counting a game against a doctrine, the weightiest first (P27, P29)."""
    if frozen(site, duel):
        return ("frozen",)
    return ("superhuman",) if fast else ()


_BY_KIND: Final[Mapping[str, Callable[[Site, Duel, frozenset[MemberId]], None]]] = {
    "challenge": _challenge,
    "front": _front,
    "match": tournaments.advance,
}
