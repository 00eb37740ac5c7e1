"""What must hold after every step, whatever went wrong."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.platform.duels.records import GRACE, Duel, Player, Sheet, Turn
from engine.times import MINUTE, Instant
from infra.mail import Letter
from infra.records import DUE_SHARDS, DUEL, JOB, MEMBER_GAME
from infra.store import Store
from tests.sim.people import Ack

SLOWEST: Final = 10 * MINUTE  # to close a turn, with wake-ups lost and workers crashing
TURN_MAILS: Final = ("turn", "warning", "accepted")


class Broken(AssertionError):
    """A promise of the site that was not kept."""


class Judge:
    """Watches the commits and the mails of a world, and looks at what is left at its end.

    `duels` and `turns` are those not yet forgotten.
    """

    def __init__(self) -> None:
        self.duels: dict[str, Duel] = {}
        self.turns: dict[tuple[str, int], Turn] = {}
        self.mails: set[str] = set()
        self.story: list[str] = []
        self._forgotten: set[str] = set()

    def saw(self, decision: Decision[Any]) -> None:
        """A decision was committed."""
        values = [change.value for change in decision.changes if isinstance(change, Put)]
        for turn in (value for value in values if isinstance(value, Turn)):
            self._turn(turn)
        for duel in (value for value in values if isinstance(value, Duel)):
            self._duel(duel)

    def mail(self, letter: Letter) -> None:
        """A letter is on its way: none twice, none for a duel's turn that is over."""
        if letter.reference in self.mails:
            raise Broken(f"sent twice: {letter.reference}")
        self.mails.add(letter.reference)
        self.story.append(f"mail {letter.reference}: {letter.subject}")
        name = letter.reference.split("/")
        if name[-1] not in TURN_MAILS or name[1] not in self.duels:
            if name[1] in self._forgotten and name[-1] in TURN_MAILS:
                raise Broken(f"stale: {letter.reference}, long over")
            return
        _, duel_id, turn, to, _ = name
        duel = self.duels[duel_id]
        player = next((p for p in duel.players if p.member == to), None)
        if duel.turn != int(turn) or player is None or not duel.waits_for(player):
            raise Broken(f"stale: {letter.reference} in {duel.stage}, turn {duel.turn}")

    def at_the_end(self, store: Store, acks: Iterable[Ack]) -> None:
        """Every game has ended, its orders are in it, its lists tell so, and nothing is left to do."""
        known = tuple(acks)
        for duel_id in self.duels:
            self._over(store, duel_id)
        for ack in known:
            self._kept(ack)
        left = [row.value for shard in range(DUE_SHARDS) for row in store.query(JOB, "due", shard, limit=9).rows]
        parked = [row.value for row in store.query(JOB, "parked", limit=9).rows]
        if left or parked:
            raise Broken(f"jobs left: {left}, parked: {parked}")

    def forget(self, store: Store, acks: Iterable[Ack], before: int) -> list[Ack]:
        """Look at the duels that ended before an instant as at the end, and think of them no more.

        The acknowledged orders that are still to be looked at.
        """
        over = {duel.id for duel in self.duels.values() if duel.ended is not None and duel.ended < before}
        left = []
        for ack in acks:
            if ack.duel in over:
                self._kept(ack)
            else:
                left.append(ack)
        for duel_id in over:
            self._over(store, duel_id)
            for number in range(self.duels.pop(duel_id).played + 1):
                self.turns.pop((duel_id, number), None)
        self._forgotten |= over
        return left

    def _over(self, store: Store, duel_id: str) -> None:
        row = store.get(DUEL, duel_id)
        if row is None or row.value.stage != "ended":
            raise Broken(f"never ended: {row.value if row else duel_id}")
        self._lists(store, row.value)

    def _turn(self, turn: Turn) -> None:
        key = (turn.duel, turn.number)
        if key in self.turns:
            raise Broken(f"resolved twice: {key}")
        self.turns[key] = turn
        before = self.duels.get(turn.duel)
        self.story.append(f"turn {turn.duel} {turn.number} closed by {turn.by} with {sorted(turn.sheets)}")
        if turn.number == 0 or before is None or before.deadline is None:
            return
        if before.played != turn.number - 1:
            raise Broken(f"out of order: {key} after {before.played}")
        if turn.by == "deadline" and turn.closed < before.deadline + GRACE:
            raise Broken(f"closed too early: {key}")
        for player in before.players:
            _in_turn(player, turn)

    def _duel(self, duel: Duel) -> None:
        if duel.id in self._forgotten:
            return
        before = self.duels.get(duel.id)
        if before is not None and before.stage == "ended" and replace(duel, voided=before.voided) != before:
            raise Broken(f"changed after its end: {duel.id}")
        if before is None or before.stage != duel.stage:
            self.story.append(f"duel {duel.id} {duel.pace} {duel.stage} {duel.result or ''}")
        self.duels[duel.id] = duel

    def _kept(self, ack: Ack) -> None:
        """An acknowledged order is in its turn, or a later one of the same member is."""
        turn = self.turns.get((ack.duel, ack.turn))
        if turn is None:
            duel = self.duels[ack.duel]
            if duel.turn != ack.turn or duel.played >= ack.turn:
                raise Broken(f"no turn for {ack}")
            return
        seat = next(p.seat for p in self.duels[ack.duel].players if p.member == ack.member)
        sheet: Sheet | None = turn.sheets.get(seat)
        if sheet is None or sheet.number < ack.number:
            raise Broken(f"lost: {ack}")
        if sheet.number == ack.number and sheet.commitment != ack.commitment:
            raise Broken(f"another sheet than acknowledged: {ack}")

    def _lists(self, store: Store, duel: Duel) -> None:
        for player in duel.members:
            row = store.get(MEMBER_GAME, player.member, duel.id)
            if duel.accepted is not None and (row is None or row.value.state != "ended"):
                raise Broken(f"not settled: {duel.id} for {player.member}")
            if duel.accepted is None and row is not None and row.value.state != "ended":
                raise Broken(f"still listed: {duel.id} for {player.member}")


def _in_turn(player: Player, turn: Turn) -> None:
    """What a player had sent is what was played, or something sent later."""
    sheet = turn.sheets.get(player.seat)
    if player.sheet is not None and (sheet is None or sheet.number < player.sheet.number):
        raise Broken(f"left out: {player.member} in {turn.duel} {turn.number}")


def too_slow(turn: Turn, deadline: Instant) -> bool:
    """Whether a turn was closed long after its deadline."""
    return turn.by == "deadline" and turn.closed - deadline > SLOWEST
