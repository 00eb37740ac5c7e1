"""What two members' duel stands on: what they have had with each other, whether it counts, their stakes (P13, P17)."""

from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Change, Kept, Put, was
from engine.errors import Refusal
from engine.platform import rivalries, stakes
from engine.platform.duels.records import Duel
from engine.platform.guests import Visitor, began, played_enough
from engine.platform.members import MemberId
from engine.platform.rated import forecast
from engine.platform.rivalries import Rivalry
from engine.platform.stakes import Staker
from engine.times import Instant


@dataclass(frozen=True, slots=True)
class Terms:
    """What a decision about two members looks at: `why` is what speaks against rating their duel ("linked", "frozen"),
    `staker` the member who acts, if a stake is asked for."""

    rivalry: Kept[Rivalry] | None = None
    why: str = ""
    staker: Staker | None = None
    visitors: tuple[Visitor, ...] = ()  # those of the two who are guests


NO_TERMS: Final = Terms()


def refuse_proposal(
    stake: int, game: str, member: MemberId, invited: MemberId | None, terms: Terms, now: Instant
) -> None:
    """Raises Refusal if the member may not propose a duel with this stake: `frozen`, and those of `stakes`."""
    _refuse_frozen(terms)
    stakes.refuse(stake, game, terms.staker, now)
    if stake and invited is not None:
        stakes.refuse_too_much(stake, terms.rivalry.value if terms.rivalry else None, member, invited, now)


def refuse_acceptance(duel: Duel, member: MemberId, terms: Terms, now: Instant) -> None:
    """Raises Refusal if the member may not accept: `frozen`, and those of `stakes`."""
    _refuse_frozen(terms)
    stakes.refuse(duel.stake, duel.game, terms.staker, now)
    if duel.stake:
        rivalry = terms.rivalry.value if terms.rivalry else None
        stakes.refuse_too_much(duel.stake, rivalry, member, duel.proposer, now)


def reckoned(duel: Duel, terms: Terms, now: Instant) -> Duel:
    """The duel that starts now, with whether it will be rated (P13); one that is not for another reason stays so."""
    if duel.rated is False:
        return duel
    why = forecast(terms.rivalry.value if terms.rivalry else None, terms.why, now) or guests_why(terms.visitors, now)
    return replace(duel, rated=not why, unrated_why=why)


def guests_why(visitors: tuple[Visitor, ...], now: Instant) -> str:
    """ "guest" if a guest has played as many rated games as 24 hours allow (P3), else ""."""
    return "guest" if any(played_enough(visitor, now) for visitor in visitors) else ""


def met(duel: Duel, terms: Terms, now: Instant, begins: bool, staked: bool) -> tuple[Change, ...]:
    """The change of what the two have had with each other: a duel `begins`, both have `staked`, or both."""
    one, other = duel.players
    before = terms.rivalry.value if terms.rivalry else rivalries.between(one.member, other.member)
    after = rivalries.begin(before, duel.id, now) if begins else before
    if staked and duel.stake:
        after = rivalries.stake(after, duel.id, duel.stake, now)
    counted = tuple(began(v, now) for v in terms.visitors) if begins and reckoned(duel, terms, now).rated else ()
    return (Put(after, was(terms.rivalry)), *counted) if after is not before else counted


def _refuse_frozen(terms: Terms) -> None:
    if terms.why == "frozen":
        raise Refusal("frozen")
