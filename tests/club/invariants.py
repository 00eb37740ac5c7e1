"""What holds after every step, whatever happened."""

from collections.abc import Iterable
from typing import Final, Protocol

from engine.platform.doctrines import HOUSE, SLOTS, contender_id, house_id
from engine.platform.duels.records import NEVER_BEGUN, Duel
from engine.platform.elo import START
from engine.platform.ledger.records import BOOKS, Account, Balance, escrow, may_be_negative
from engine.platform.members import MemberId
from engine.platform.ratings.records import EVER, RatingChange
from engine.platform.stakes import payout
from functions.reconcile import audit
from infra.records import (
    BALANCE,
    CHALLENGE_CHANGE,
    CHALLENGER,
    CONTENDER,
    DEBT,
    JOB,
    MOVEMENT,
    POSTING,
    RATED,
    RATING_CHANGE,
    RIVALRY,
    STANDING,
)
from infra.site import Site
from infra.store import Store

PAGE: Final = 1000


class Kept(Protocol):
    """What is looked at: a few members, a world, a year of the club."""

    @property
    def still(self) -> Site:
        """The site, on a store without faults."""
        ...

    @property
    def members(self) -> Iterable[MemberId]:
        """Everybody who ever was one."""
        ...

    def known(self, stage: str = "") -> list[Duel]:
        """The duels that there are, or those in a stage."""
        ...


def books_balance(club: Kept) -> None:
    """Postings sum to zero, every balance is the sum of its own, and only the house's may be below zero (P17)."""
    total = 0
    for account, balance in accounts(club.still.store).items():
        seen, _ = audit(club.still, account, club.still.sources.now())
        assert seen.total == balance, account
        assert balance >= 0 or may_be_negative(account), (account, balance)
        total += seen.total
    assert total == 0


def movements_are_whole(club: Kept) -> None:
    """Every posting is a line of its movement, and each movement sums to zero (P17)."""
    store = club.still.store
    for account in accounts(store):
        after = ""
        while True:
            page = store.query(POSTING, "", account, limit=PAGE, after=after)
            for row in page.rows:
                movement = store.get(MOVEMENT, row.value.cause)
                assert movement is not None, row.value
                assert sum(line.credits for line in movement.value.lines) == 0
                assert {line.account: line.credits for line in movement.value.lines}[account] == row.value.credits
            after = page.after
            if not after:
                break


def escrows_of_ended_duels_are_empty(club: Kept) -> None:
    """Whatever has ended has paid, or a job is there that will (P18)."""
    store = club.still.store
    for duel in club.known("ended"):
        held = store.count(Balance(escrow("duel", duel.id)))
        if not _settles(club, duel):
            assert held == 0, duel
        if store.get(MOVEMENT, payout(duel)) is not None:
            assert held == 0, duel


def escrows_of_others_hold_their_stakes(club: Kept) -> None:
    """What is under way holds the stakes of those who play."""
    for duel in club.known():
        if duel.stage != "ended":
            held = club.still.store.count(Balance(escrow("duel", duel.id)))
            assert held == duel.stake * len(duel.players), duel


def ended_duels_are_settled(club: Kept) -> None:
    """Whether a duel that had begun counted is entered, or a job is there that will (P13)."""
    for duel in club.known("ended"):
        begun = duel.result is not None and duel.result.by not in NEVER_BEGUN
        if duel.kind in ("duel", "match") and begun and club.still.store.get(RATED, duel.id) is None:
            assert _settles(club, duel), duel


def stakes_under_way_are_remembered(club: Kept) -> None:
    """What two members could still win of each other counts the stakes of their duels until those are paid (P17)."""
    store = club.still.store
    for duel in club.known():
        if duel.stake and len(duel.players) == 2:
            one, other = sorted(p.member for p in duel.players)
            row = store.get(RIVALRY, one, other)
            mine = [s for s in row.value.staked if s.duel == duel.id] if row else []
            if store.get(MOVEMENT, payout(duel)) is None:
                assert [s.at for s in mine] == [None], duel
            else:
                assert all(s.at for s in mine), duel


def debts_are_what_the_books_say(club: Kept) -> None:
    """A debt's record and its account agree (P17c)."""
    store = club.still.store
    for member in club.members:
        row = store.get(DEBT, member)
        owed = row.value.owed if row else 0
        assert owed >= 0
        assert store.count(Balance(Account(f"debt/{member}"))) == -owed


def ratings_are_the_sum_of_their_records(club: Kept) -> None:
    """And the points of a game are lost by one side and won by the other (P15, P16)."""
    boards: dict[str, int] = {}
    for member in club.members:
        changes = changes_of(club.still.store, member)
        for row in club.still.store.query(STANDING, "", member, limit=PAGE, start=(EVER,), upto=(EVER,)).rows:
            standing = row.value
            mine = [change for change in changes if change.board == standing.board]
            moved = sum(change.after - change.before for change in mine)
            assert standing.tenths == START + moved, standing
            assert standing.games == sum(-1 if change.number % 2 else 1 for change in mine), standing
            boards[standing.board] = boards.get(standing.board, 0) + moved
    assert not any(boards.values()), boards


def challenge_ratings_are_the_sum_of_their_records(club: Kept) -> None:
    """The same of challenges: what members and doctrines have had of each other (P16, P23)."""
    total = 0
    for member in club.members:
        row = club.still.store.get(CHALLENGER, member)
        total += _challenged(club.still.store, member, row.value.rating if row else START)
    authored = [contender_id(member, number) for member in club.members for number in SLOTS]
    for contender in (*map(house_id, HOUSE), *authored):
        it = club.still.store.get(CONTENDER, contender)
        total += _challenged(club.still.store, contender, it.value.rating if it else START)
    assert total == 0


def accounts(store: Store) -> dict[Account, int]:
    """Every account with its balance."""
    found: dict[Account, int] = {}
    for book in range(BOOKS):
        last = ""
        while True:
            page = store.counts(BALANCE, book, limit=PAGE, start=(last,) if last else None)
            found.update((counter.account, balance) for counter, balance in page)
            if len(page) < PAGE:
                break
            last = page[-1][0].account
    return found


def changes_of(store: Store, member: MemberId) -> list[RatingChange]:
    """All changes of a member's ratings."""
    page = store.query(RATING_CHANGE, "", member, limit=10 * PAGE)
    assert not page.after, member
    return [row.value for row in page.rows]


def _challenged(store: Store, subject: MemberId, rating: int) -> int:
    """What a subject's challenges have moved: its rating stands as far from the start."""
    page = store.query(CHALLENGE_CHANGE, "", subject, limit=10 * PAGE)
    assert not page.after, subject
    moved = sum(row.value.after - row.value.before for row in page.rows if not row.value.voided)
    assert rating == START + moved, subject
    return moved


def _settles(club: Kept, duel: Duel) -> bool:
    """Whether a job is still to settle what follows from a duel's end."""
    return club.still.store.get(JOB, f"settle/{duel.id}") is not None


ALL: Final = (
    books_balance,
    movements_are_whole,
    escrows_of_ended_duels_are_empty,
    escrows_of_others_hold_their_stakes,
    ended_duels_are_settled,
    stakes_under_way_are_remembered,
    debts_are_what_the_books_say,
    ratings_are_the_sum_of_their_records,
    challenge_ratings_are_the_sum_of_their_records,
)
