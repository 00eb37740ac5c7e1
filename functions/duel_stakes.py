"""What becomes of a duel's stakes, and of what two members have had with each other (P17)."""

from dataclasses import replace

from engine.decisions import Add, Change, Job, Put
from engine.platform import notices, rivalries, stakes
from engine.platform.duels.records import Duel
from engine.platform.guests import is_guest
from engine.platform.ledger.moving import Debts
from engine.platform.ledger.records import part
from engine.platform.members import MemberId
from engine.platform.rivalries import Opponents
from engine.platform.stakes import Reversal, Shares
from engine.times import HOUR, Instant, later
from functions import fair_play
from functions.fair_play import NOBODY
from functions.pairing import balance, rivalry
from infra.records import DEBT, HALT, MOVEMENT
from infra.site import Site

KINDS = ("duel", "match")


def settle(site: Site, duel: Duel, fast: frozenset[MemberId] = NOBODY) -> tuple[Change, ...]:
    """The changes that pay the stakes, once, and enter the duel in what its two players have had with each other.

    While payouts are stopped the stakes stay in escrow, and the job comes again in an hour. `fast`: whose orders came
    faster than a person reads (P17b).
    """
    if duel.kind not in KINDS or duel.ended is None or duel.result is None:
        return ()
    parts = stakes.shares(duel, fast)
    paid = _pay(site, duel, parts)
    if len(duel.members) < 2:
        return paid
    one, other = (p.member for p in duel.members)
    row = rivalry(site, one, other)
    before = row.value if row else rivalries.between(one, other)
    after = before
    if paid and not _put_off(paid):
        after = rivalries.settle(after, duel.id, stakes.winner(duel, parts), duel.ended)
    met = duel.result.counts and not before.finished and not is_guest(duel)
    after = replace(after, finished=before.finished or met)
    if after == before:
        return paid
    counted = tuple(Add(Opponents(member), 1) for member in (one, other)) if met else ()
    return (*paid, Put(after, row.version if row else 0), *counted)


def paid_out(site: Site, duel: Duel) -> Shares | None:
    """Who got how much of a duel's stakes, None as long as they are in escrow; one read."""
    row = site.store.get(MOVEMENT, stakes.payout(duel)) if duel.stake else None
    return stakes.paid(row.value) if row else None


def put_off(site: Site, duel: Duel) -> bool:
    """Whether the stakes of a duel that is over are still in escrow; one read."""
    return bool(duel.stake) and site.store.get(MOVEMENT, stakes.payout(duel)) is None


def fate(site: Site, duel: Duel, member: MemberId) -> str:
    """What a member is told of the stakes of a duel: "won", "lost", "returned", "" while it runs or without any."""
    if not duel.stake or duel.stage != "ended":
        return ""
    won = stakes.winner(duel, paid_out(site, duel) or stakes.shares(duel, _fast(site, duel)))
    return "returned" if won is None else "won" if won == member else "lost"


def take_back(site: Site, duel: Duel, number: int) -> tuple[Change, ...]:
    """The changes that return both stakes of a duel that was won, for its `number`th voiding; none if it was done.

    To be committed with whatever voids the duel. The debt left is collected by the job that is among them (P17c).
    """
    parts = paid_out(site, duel)
    found = stakes.void(duel, parts, 0, None, number) if parts else None
    return _reverse(site, found) if found else ()


def give_again(site: Site, duel: Duel, number: int) -> tuple[Change, ...]:
    """The changes that undo the `number`th voiding of a duel: the winner has both stakes again."""
    parts = paid_out(site, duel)
    found = stakes.pay_again(duel, parts, 0, None, number) if parts else None
    return _reverse(site, found) if found else ()


def debts(site: Site, *members: MemberId) -> Debts:
    """What these members owe; one read each. Whoever credits a member must know."""
    return {member: site.store.get(DEBT, member) for member in members}


def halted(site: Site, cause: str) -> bool:
    """Whether payouts are stopped; one read."""
    return site.store.get(HALT, part(cause)) is not None


def _fast(site: Site, duel: Duel) -> frozenset[MemberId]:
    return fair_play.superhuman(fair_play.findings_of(site, duel, fair_play.played(site, duel)))


def _pay(site: Site, duel: Duel, parts: Shares) -> tuple[Change, ...]:
    if not duel.stake or site.store.get(MOVEMENT, stakes.payout(duel)) is not None:
        return ()
    now = site.sources.now()
    if halted(site, stakes.payout(duel)):
        return (Put(notices.settle(duel.id, later(now, HOUR)), None),)
    return stakes.pay(duel, parts, debts(site, *parts), now)


def _put_off(changes: tuple[Change, ...]) -> bool:
    return any(isinstance(change, Put) and isinstance(change.value, Job) for change in changes)


def _reverse(site: Site, reversal: Reversal) -> tuple[Change, ...]:
    if site.store.get(MOVEMENT, reversal.cause) is not None:
        return ()
    now = site.sources.now()
    owes = debts(site, reversal.of)[reversal.of]
    known = replace(reversal, balance=balance(site, reversal.of), owes=owes)
    changes = stakes.reverse(known, debts(site, reversal.to), now)
    return (*changes, *_forget_won(site, reversal), _collecting(reversal.of, now))


def _forget_won(site: Site, reversal: Reversal) -> tuple[Change, ...]:
    """The pair's stakes without this one: what was voided is not won; with it again, if the voiding is undone."""
    row = rivalry(site, reversal.of, reversal.to)
    if row is None or reversal.duel.ended is None:
        return ()
    after = rivalries.settle(row.value, reversal.duel.id, None, reversal.duel.ended)
    if reversal.why == "unvoid":
        staked = rivalries.stake(after, reversal.duel.id, reversal.credits, site.sources.now())
        after = rivalries.settle(staked, reversal.duel.id, reversal.to, reversal.duel.ended)
    return (Put(after, row.version),) if after != row.value else ()


def _collecting(of: MemberId, now: Instant) -> Put:
    return Put(Job(f"collect/{of}", now, "collect", {"member": of}), None)
