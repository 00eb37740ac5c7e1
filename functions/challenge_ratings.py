"""What a challenge that is over moves of both ratings, and taking that back (P16, P23, P29)."""

from collections.abc import Iterable

from engine.decisions import Change, Decision
from engine.platform import challenges
from engine.platform.challenge_months import Months
from engine.platform.doctrines import author_and_slot
from engine.platform.duels.records import Duel
from engine.platform.fair_play.records import Finding
from engine.platform.members import MemberId
from engine.platform.ratings.moving import Calendar
from functions.acting import act
from functions.duel_ratings import calendar, calendar_now, holders
from functions.fair_play import frozen, superhuman
from infra.records import CHALLENGE_CHANGE, CHALLENGE_MONTH, CHALLENGER, CONTENDER, MEETING
from infra.site import Site


def settle(site: Site, duel: Duel, found: Iterable[Finding]) -> None:
    """Move both ratings, once; orders faster than a person reads (`found`) and frozen ratings count for nothing."""
    member, rival = _sides(duel)
    fast = superhuman(found)

    def decide() -> Decision[None]:
        there = site.store.get(CHALLENGE_CHANGE, member, duel.id)
        return challenges.settle(
            duel,
            site.store.get(MEETING, member, rival),
            site.store.get(CHALLENGER, member),
            site.store.get(CONTENDER, rival),
            there.value if there else None,
            _months(site, member, rival, calendar(site, duel.ended or duel.proposed)),
            findings=("frozen",) if frozen(site, duel) else ("superhuman",) if fast else (),
        )

    act(site, decide)


def is_settled(site: Site, duel: Duel) -> bool:
    """Whether what a challenge that is over moves has been entered, so that it can be taken back; one read."""
    return not duel.rated or site.store.get(CHALLENGE_CHANGE, duel.members[0].member, duel.id) is not None


def take_back(site: Site, duel: Duel) -> tuple[Change, ...]:
    """The changes that undo what a challenge moved, once; to be committed with whatever voids it."""
    return _again(site, duel, back=True)


def give_again(site: Site, duel: Duel) -> tuple[Change, ...]:
    """The changes that undo the voiding."""
    return _again(site, duel, back=False)


def _again(site: Site, duel: Duel, *, back: bool) -> tuple[Change, ...]:
    member, rival = _sides(duel)
    mine, theirs = (site.store.get(CHALLENGE_CHANGE, one, duel.id) for one in (member, rival))
    challenger, contender = site.store.get(CHALLENGER, member), site.store.get(CONTENDER, rival)
    if challenger is None or contender is None:
        return ()
    change = challenges.take_back if back else challenges.give_again
    months = _months(site, member, rival, calendar_now(site, duel.ended or duel.proposed))
    return change(mine, theirs, challenger, contender, months).changes


def _sides(duel: Duel) -> tuple[MemberId, MemberId]:
    return duel.members[0].member, next(p.member for p in duel.players if p.policy is not None)


def _months(site: Site, member: MemberId, rival: MemberId, when: Calendar) -> Months:
    """The months that a change of both ratings concerns: a read each, and one for who each is."""
    author = author_and_slot(rival)
    people = {member: member, **({rival: author[0]} if author else {})}
    known = holders(site, people.values())
    return Months(
        when,
        {(one, m): site.store.get(CHALLENGE_MONTH, m, one) for one in people for m in (when.month, *when.later)},
        {one: known[person] for one, person in people.items()},
    )
