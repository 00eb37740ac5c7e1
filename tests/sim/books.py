"""Credits and ratings, as they must be in every world (P15-P18)."""

from collections.abc import Iterable

from engine.decisions import Decision, Put
from engine.platform.duels.records import NEVER_BEGUN, Duel
from engine.platform.elo import START
from engine.platform.ledger.records import BOOKS, Balance, Movement, escrow, may_be_negative
from engine.platform.members import MemberId
from engine.platform.ratings.records import EVER
from infra.records import BALANCE, POSTING, RATED, RATING_CHANGE, STANDING
from infra.store import Store
from tests.sim.judge import Broken


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


def settled(store: Store, duels: Iterable[Duel], members: Iterable[MemberId]) -> None:
    """All balances are the sums of their postings, escrows are empty, ratings are what their records make them."""
    total = 0
    for book in range(BOOKS):
        for counter, balance in store.counts(BALANCE, book, limit=1000):
            account = counter.account
            postings = store.query(POSTING, "", account, limit=1000).rows
            if sum(row.value.credits for row in postings) != balance:
                raise Unbalanced(f"{account} has {balance}")
            if balance < 0 and not may_be_negative(account):
                raise Unbalanced(f"{account} owes {-balance}")
            total += balance
    if total:
        raise Unbalanced(f"all together: {total}")
    for duel in duels:
        if store.count(Balance(escrow("duel", duel.id))):
            raise Unbalanced(f"stakes left: {duel.id}")
        begun = duel.result is not None and duel.result.by not in NEVER_BEGUN
        if begun and store.get(RATED, duel.id) is None:
            raise Unbalanced(f"not rated: {duel.id}")
    for member in members:
        _points(store, member)


def _points(store: Store, member: MemberId) -> None:
    changes = [row.value for row in store.query(RATING_CHANGE, "", member, limit=1000).rows]
    for row in store.query(STANDING, "", member, limit=50, start=(EVER,), upto=(EVER,)).rows:
        of_board = [c for c in changes if c.board == row.value.board]
        if row.value.tenths != START + sum(c.after - c.before for c in of_board):
            raise Unbalanced(f"{member} on {row.value.board}")
        if row.value.games != len(of_board):
            raise Unbalanced(f"{member}: a game counted twice on {row.value.board}")
