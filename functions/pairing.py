"""What two members' duel stands on, as the store has it (P13, P17)."""

from engine.platform.duels.records import Duel
from engine.platform.duels.terms import Terms, guests_why
from engine.platform.guests import Visitor
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import MemberId
from engine.platform.rated import forecast
from engine.platform.rivalries import Opponents, Rivalry, between
from engine.platform.stakes import Staker
from engine.times import Instant
from functions.linking import linked
from infra.records import GUEST_GAMES, MEMBER, RIVALRY
from infra.site import Site
from infra.store import Row


def terms(site: Site, member: MemberId, other: MemberId | None, stake: int = 0) -> Terms:
    """What a decision of `member` about a duel with `other` (None: whoever accepts) looks at; five reads at most, and
    two more for a stake."""
    found = rivalry(site, member, other) if other else None
    visitors = tuple(
        Visitor(one, site.store.get(GUEST_GAMES, one)) for one in (member, other) if one and _guest(site, one)
    )
    return Terms(found, against(site, member, other), staker(site, member) if stake else None, visitors)


def rivalry(site: Site, one: MemberId, other: MemberId) -> Row[Rivalry] | None:
    """What the two have had with each other; one read."""
    pair = between(one, other)
    return site.store.get(RIVALRY, pair.one, pair.other)


def against(site: Site, member: MemberId, other: MemberId | None) -> str:
    """What speaks against rating a duel of the two: "frozen" ratings, "linked" accounts, or nothing (P13)."""
    if any(_frozen(site, one) for one in (member, other) if one):
        return "frozen"
    return "linked" if other and other in linked(site, member) else ""


def staker(site: Site, member: MemberId) -> Staker:
    """What a member who would stake brings; two reads besides the member's own record."""
    row = site.store.get(MEMBER, member)
    joined = row.value.joined if row else site.sources.now()
    return Staker(member, balance(site, member), joined, site.store.count(Opponents(member)))


def balance(site: Site, member: MemberId) -> int:
    """The credits in a member's purse; one read."""
    return site.store.count(Balance(purse(member)))


def will_be_rated(site: Site, duel: Duel, member: MemberId | None, now: Instant) -> tuple[bool | None, str]:
    """Whether a duel not yet begun will be rated, and why not; None as long as nobody can tell, as nobody has asked.

    Told to `member`, as if they accepted it, or of the two who are to play it (P13).
    """
    if duel.rated is False or duel.kind not in ("duel", "match"):
        return duel.rated, duel.unrated_why
    other = duel.opponent(duel.proposer) or (member if member != duel.proposer else None)
    if other is None:
        return None, ""
    found = rivalry(site, duel.proposer, other)
    why = forecast(found.value if found else None, against(site, duel.proposer, other), now)
    visitors = tuple(
        Visitor(one, site.store.get(GUEST_GAMES, one)) for one in (duel.proposer, other) if _guest(site, one)
    )
    why = why or guests_why(visitors, now)
    return not why, why


def _guest(site: Site, member: MemberId) -> bool:
    row = site.store.get(MEMBER, member)
    return row is not None and row.value.guest


def _frozen(site: Site, member: MemberId) -> bool:
    row = site.store.get(MEMBER, member)
    return row is not None and row.value.frozen is not None
