"""Fair play: noting what is shown of a game while it runs, and looking at it once it is over (P27)."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from engine.decisions import Add, Decision, Put
from engine.errors import Scalar
from engine.games import registry
from engine.platform import marks
from engine.platform.doctrines import author_and_slot
from engine.platform.duels.records import Duel, Player, Turn
from engine.platform.fair_play import findings as rules
from engine.platform.fair_play import histories
from engine.platform.fair_play.findings import Loads
from engine.platform.fair_play.records import (
    Finding,
    FrontSheets,
    Gain,
    Gains,
    Load,
    Paced,
    Shown,
    minute_of,
)
from engine.platform.local_days import day_of, month_of
from engine.platform.members import MemberId
from engine.platform.ratings.records import COMMON
from engine.times import Instant
from functions import linking
from functions.acting import act
from infra.records import FRONT_SHEETS, GAINS, LOAD, MARK, MEMBER, RATED, SHOWN, TEMPO, TOURNAMENT, TURN
from infra.site import Site
from infra.store import StoreError

MOST_TURNS: Final = 100
MOST_MINUTES: Final = 1_000  # with a load of the page, read at once
NOBODY: Final[frozenset[MemberId]] = frozenset()


@dataclass(frozen=True, slots=True)
class Played:
    """How a game was played: its turns, and when each was first shown to whom."""

    turns: tuple[Turn, ...] = ()
    firsts: tuple[Shown, ...] = ()


def note_load(site: Site, duel: Duel, you: Player | None) -> None:
    """A player loaded the game's page: counted by the minute, and the turn has been shown. Nothing is read for it."""
    if you is None or duel.stage != "playing":
        return
    with suppress(StoreError):
        load = Load(duel.id, you.member, minute_of(site.sources.now()))
        site.store.commit(Decision((Add(load, 1),), None))
    note_shown(site, duel, you)


def note_shown(site: Site, duel: Duel, you: Player | None) -> None:
    """Something of the turn in play was shown to a player who still has to send full orders; the first time counts.

    A later time finds the record there and changes nothing. A store that is busy must not cost anybody their page.
    """
    if you is None or duel.stage != "playing" or you.seat not in duel.awaits or registry.game(duel.game).SPEC.word:
        return
    if you.sheet is not None and you.sheet.full is not None:
        return
    with suppress(StoreError):
        site.store.commit(Decision((Put(Shown(duel.id, duel.turn, you.member, site.sources.now()), 0),), None))


def superhuman(found: Iterable[Finding]) -> frozenset[MemberId]:
    """The members whose orders came faster than a person reads: what that means for the game follows at once."""
    return frozenset(finding.member for finding in found if finding.sign == "superhuman")


def frozen(site: Site, duel: Duel) -> bool:
    """Whether a side's ratings were frozen when the game ended: a freeze since then changes nothing.

    The rating of a member's doctrine is one of the member's.
    """
    authors = (author_and_slot(p.member) for p in duel.players if p.policy is not None)
    sides = (*(p.member for p in duel.members), *(author[0] for author in authors if author))
    rows = (site.store.get(MEMBER, member) for member in sides)
    return duel.ended is not None and any(row.value.frozen_at(duel.ended) for row in rows if row)


def played(site: Site, duel: Duel) -> Played:
    """How a game that is over was played; two queries, none if nobody sent orders or if they are words."""
    if duel.ended is None or all(p.sheets == 0 for p in duel.members) or registry.game(duel.game).SPEC.word:
        return Played()
    turns = site.store.query(TURN, "", duel.id, limit=MOST_TURNS, start=(1,)).rows
    firsts = site.store.query(SHOWN, "", duel.id, limit=2 * MOST_TURNS).rows
    return Played(tuple(row.value for row in turns), tuple(row.value for row in firsts))


def findings_of(site: Site, duel: Duel, how: Played) -> tuple[Finding, ...]:
    """What a game that is over shows by itself, the same whenever it is asked; a query for each member, none if nobody
    played."""
    if duel.ended is None or all(p.sheets == 0 for p in duel.members):
        return ()
    return rules.findings(duel, how.turns, how.firsts, _loads(site, duel))


def enter_marks(site: Site, duel: Duel, found: Iterable[Finding], how: Played) -> None:
    """Put into the moderators' queue what a game shows, by itself and with others; once, however often it is called."""
    if duel.ended is None:
        return
    more = (_paces, _gains, _front, _acquainted, _stopped)
    for finding in (*found, *(finding for look in more for finding in look(site, duel, how))):
        enter(site, finding)


def enter(site: Site, found: Finding) -> None:
    """Put one finding into the queue, once."""
    act(site, lambda: marks.enter(site.store.get(MARK, found.member, found.sign, found.about), found))


def forget_gain(site: Site, duel: Duel) -> None:
    """A duel was voided: it is no part of any month's gain."""
    for player in duel.members:
        if duel.ended is None:
            continue
        key = (player.member, _month(site, duel.ended), duel.game)

        def decide(key: tuple[str, str, str] = key) -> Decision[None]:
            return Decision(histories.forget(site.store.get(GAINS, *key), duel.id), None)

        act(site, decide)


def _paces(site: Site, duel: Duel, how: Played) -> list[Finding]:
    """The pace of each member's last ten games together."""
    if registry.game(duel.game).SPEC.word or duel.ended is None or all(p.sheets == 0 for p in duel.members):
        return []
    seen = {(first.turn, first.member): first.at for first in how.firsts}
    found = []
    for player in duel.members:
        paced = Paced(duel.id, duel.ended, rules.delays(duel, how.turns, seen, player))
        found.append(act(site, lambda p=paced, m=player.member: histories.pool(site.store.get(TEMPO, m), m, p)))  # type: ignore[misc]
    return [finding for finding in found if finding is not None]


def _gains(site: Site, duel: Duel, how: Played) -> list[Finding]:
    """Where a rated duel's winner has the month's points from."""
    rated = site.store.get(RATED, duel.id)
    if rated is None or rated.value.undone or duel.ended is None or len(duel.members) < 2:
        return []
    month, found = _month(site, duel.ended), list[Finding]()
    for moved in rated.value.moved:
        other = duel.opponent(moved.member)
        if moved.board == COMMON or other is None:
            continue
        empty = Gains(moved.member, month, moved.board)
        entered = Gain(duel.id, other, moved.points, _young(site, other, duel.ended))
        found += _entered(site, empty, entered, duel.ended)
    return found


def _entered(site: Site, empty: Gains, entered: Gain, at: Instant) -> tuple[Finding, ...]:
    def decide() -> Decision[tuple[Finding, ...]]:
        return histories.gain(site.store.get(GAINS, empty.member, empty.month, empty.board), empty, entered, at)

    return act(site, decide)


def _front(site: Site, duel: Duel, how: Played) -> list[Finding]:
    """Whether a Front's sheets equal those of another account; both are marked."""
    if duel.kind != "front" or duel.ended is None:
        return []
    player = duel.members[0]
    digest = rules.digest(how.turns, player)
    if digest is None:
        return []
    mine = FrontSheets(duel.front, digest, player.member, duel.id)
    act(site, lambda: Decision((Put(mine, None),), None))
    rows = site.store.query(FRONT_SHEETS, "", duel.front, limit=20, start=(digest,), upto=(digest,)).rows
    others = [row.value for row in rows if row.value.member != player.member]
    found = []
    for other in others:
        for one, two in ((mine, other), (other, mine)):
            detail = {"day": duel.front, "theirs": two.game}
            found.append(Finding("same_front", one.member, one.game, duel.ended, two.member, detail))
    return found


def _acquainted(site: Site, duel: Duel, how: Played) -> list[Finding]:
    """Two members who are linked, or have signed in from one network: no more than a mark (P28)."""
    if len(duel.members) < 2 or duel.ended is None:
        return []
    one, other = (p.member for p in duel.members)
    if linking.are_linked(site, one, other):
        return [Finding("linked", one, duel.id, duel.ended, other)]
    if linking.share_network(site, one, other):
        return [Finding("network", one, duel.id, duel.ended, other)]
    return []


def _stopped(site: Site, duel: Duel, how: Played) -> list[Finding]:
    """A tournament match that was stopped waits for a moderator to name who goes on (P21)."""
    if duel.kind != "match" or duel.ended is None or duel.result is None or duel.result.by != "stopped":
        return []
    cup = site.store.get(TOURNAMENT, duel.cup)
    if cup is None or cup.value.matches[duel.cup_match].decided:
        return []
    return [match_waits(duel, late=False, at=duel.ended)]


def match_waits(duel: Duel, *, late: bool, at: Instant) -> Finding:
    """A match for the moderators to decide: it was stopped, or has gone on for over five days (P20)."""
    detail: dict[str, Scalar] = {"tournament": duel.cup, "match": duel.cup_match, "late": late}
    first = min(p.member for p in duel.players)
    return Finding("match", first, duel.id, at, f"{duel.cup}/{duel.cup_match}", detail)


def _loads(site: Site, duel: Duel) -> Loads:
    counted: list[tuple[MemberId, int, int]] = []
    for player in duel.members:
        rows = site.store.counts(LOAD, duel.id, limit=MOST_MINUTES, start=(player.member,), upto=(player.member,))
        counted += [(load.member, load.minute, n) for load, n in rows]
    return rules.by_minute(counted)


def _young(site: Site, member: MemberId, at: Instant) -> bool:
    row = site.store.get(MEMBER, member)
    return row is not None and histories.is_young(row.value.joined, at)


def _month(site: Site, at: Instant) -> str:
    return month_of(day_of(at, site.settings.zone))
