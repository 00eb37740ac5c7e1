"""What holds after every step, whatever happened."""

from engine.platform.elo import START
from engine.platform.ledger.records import BOOKS, Account, Balance, escrow, may_be_negative
from engine.platform.members import MemberId
from engine.platform.ratings.records import EVER
from engine.platform.stakes import payout
from functions.reconcile import audit
from infra.records import BALANCE, DEBT, MOVEMENT, POSTING, RATING_CHANGE, RIVALRY, STANDING
from tests.club.club import EVERYBODY, Club


def books_balance(club: Club) -> None:
    """Postings sum to zero, every balance is the sum of its own, and only the house's may be below zero (P17)."""
    total = 0
    for account, balance in accounts(club).items():
        seen, _ = audit(club.site.calm, account, club.now)
        assert seen.total == balance, account
        assert balance >= 0 or may_be_negative(account), (account, balance)
        total += seen.total
    assert total == 0


def movements_are_whole(club: Club) -> None:
    """Every posting is a line of its movement, and each movement sums to zero (P17)."""
    for account in accounts(club):
        for row in club.calm.query(POSTING, "", account, limit=1000).rows:
            movement = club.calm.get(MOVEMENT, row.value.cause)
            assert movement is not None, row.value
            assert sum(line.credits for line in movement.value.lines) == 0
            assert {line.account: line.credits for line in movement.value.lines}[account] == row.value.credits


def escrows_of_ended_duels_are_empty(club: Club) -> None:
    """Whatever has ended has paid, or a job is there that will (P18)."""
    waiting = {job.id for job in club.jobs()}
    for duel in club.known("ended"):
        held = club.calm.count(Balance(escrow("duel", duel.id)))
        if f"settle/{duel.id}" not in waiting:
            assert held == 0, duel
        if club.calm.get(MOVEMENT, payout(duel)) is not None:
            assert held == 0, duel


def escrows_of_others_hold_their_stakes(club: Club) -> None:
    """What is under way holds the stakes of those who play."""
    for duel in club.known():
        if duel.stage != "ended":
            held = club.calm.count(Balance(escrow("duel", duel.id)))
            assert held == duel.stake * len(duel.players), duel


def stakes_under_way_are_remembered(club: Club) -> None:
    """What two members could still win of each other counts the stakes of their duels until those are paid (P17)."""
    for duel in club.known():
        if duel.stake and len(duel.players) == 2:
            one, other = sorted(p.member for p in duel.players)
            row = club.calm.get(RIVALRY, one, other)
            mine = [s for s in row.value.staked if s.duel == duel.id] if row else []
            if club.calm.get(MOVEMENT, payout(duel)) is None:
                assert [s.at for s in mine] == [None], duel
            else:
                assert all(s.at for s in mine), duel


def debts_are_what_the_books_say(club: Club) -> None:
    """A debt's record and its account agree (P17c)."""
    for member in EVERYBODY:
        row = club.calm.get(DEBT, member)
        owed = row.value.owed if row else 0
        assert owed >= 0
        assert club.calm.count(Balance(Account(f"debt/{member}"))) == -owed


def ratings_are_the_sum_of_their_records(club: Club) -> None:
    """And the points of a game are lost by one side and won by the other (P15, P16)."""
    boards: dict[str, int] = {}
    for member in EVERYBODY:
        moved = moves_of(club, member)
        for row in club.calm.query(STANDING, "", member, limit=50, start=(EVER,), upto=(EVER,)).rows:
            standing = row.value
            assert standing.tenths == START + moved.get(standing.board, 0), standing
            boards[standing.board] = boards.get(standing.board, 0) + standing.tenths - START
    assert not any(boards.values())


def accounts(club: Club) -> dict[Account, int]:
    """Every account with its balance."""
    found = [club.calm.counts(BALANCE, book, limit=1000) for book in range(BOOKS)]
    return {counter.account: balance for page in found for counter, balance in page}


def moves_of(club: Club, member: MemberId) -> dict[str, int]:
    """What all changes of a member's ratings come to, by board."""
    total: dict[str, int] = {}
    for row in club.calm.query(RATING_CHANGE, "", member, limit=1000).rows:
        change = row.value
        total[change.board] = total.get(change.board, 0) + change.after - change.before
    return total


ALL = (
    books_balance,
    movements_are_whole,
    escrows_of_ended_duels_are_empty,
    escrows_of_others_hold_their_stakes,
    stakes_under_way_are_remembered,
    debts_are_what_the_books_say,
    ratings_are_the_sum_of_their_records,
)
