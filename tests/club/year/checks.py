"""What must hold: every day a little, at each month's closure and at the end of the year everything (P9, P17, P26)."""

from collections.abc import Iterable
from typing import Final

from engine.platform.daily_front import POINTS
from engine.platform.doctrines import SLOTS, contender_id
from engine.platform.duels.records import Duel
from engine.platform.ledger.records import HOUSE, Balance, escrow, may_be_negative, owed_by, purse
from engine.platform.local_days import Day, Month, begins, ends, following, month_of
from engine.platform.members import Member, MemberId
from engine.platform.seasons.closing import cause
from engine.platform.seasons.records import CHALLENGES, DAYS, MET, PRIZES, Season
from engine.platform.sieges.records import Siege
from engine.platform.tournaments.records import Tournament
from engine.times import DAY, HOUR, Instant
from functions import reconcile
from infra.records import CHALLENGE_MONTH, CONTENDER, DUE_SHARDS, JOB, MONTHLY
from tests.club.invariants import ALL, accounts
from tests.club.months import ZONE, end_of, fit, places
from tests.club.year.club import YearClub
from tests.sim.judge import Broken

LATE: Final = 4 * HOUR  # a job that fails is tried again for two hours
SETTLED: Final = 2 * DAY
UNDER_WAY: Final = ("open", "playing")


def daily(club: YearClub, day: Day) -> None:
    """No job is parked or long overdue, no payout is stopped, the books sum to zero; yesterday had its Front."""
    store = club.world.truth
    _none("parked", store.query(JOB, "parked", limit=9).rows)
    late = Instant(club.now - LATE)
    for shard in range(DUE_SHARDS):
        _none("overdue", store.query(JOB, "due", shard, limit=9, upto=(late,)).rows)
    _none("stopped", [stop for stop in reconcile.stops(club.still).values() if stop])
    balances = accounts(store)
    _none("in debt", [a for a, balance in balances.items() if balance < 0 and not may_be_negative(a)])
    if sum(balances.values()):
        raise Broken(f"the books sum to {sum(balances.values())}")
    front(club, following(day, -1))
    club.acks[:] = club.chronicle.judge.forget(store, club.acks, club.now - SETTLED)
    club.chronicle.judge.story.clear()


def front(club: YearClub, day: Day) -> None:
    """A day that is over has had exactly one Front, for all of the local day, and it is final."""
    made, found = club.chronicle.fronts[day], club.chronicle.days.get(day)
    if made != 1 or found is None or found.final is None:
        raise Broken(f"{made} Fronts on {day}: {found}")
    if (found.opens, found.closes) != (begins(day, ZONE), ends(day, ZONE)):
        raise Broken(f"not the whole of {day}: {found}")


def fully(club: YearClub) -> None:
    """Everything that can be looked at: the invariants, tournaments' fees, the Front's points, acts carried out."""
    for holds in ALL:
        holds(club)
    for id, fees in _fees(club):
        held = club.world.truth.count(Balance(escrow("tournament", id)))
        if held != fees and club.world.truth.get(JOB, f"siege_settle/{id}") is None:
            raise Broken(f"{held} credits in escrow of {id}, not {fees}")
    for month in sorted({month_of(day) for day in club.chronicle.days}):
        for member, results in club.chronicle.results(month).items():
            row = club.world.truth.get(MONTHLY, month, member)
            if row is None or (row.value.points, row.value.days) != (_points(results), len(results)):
                raise Broken(f"{results} in the Fronts for {member} in {month}: {row}")
    _none("not carried out", [act for act in club.chronicle.acts.values() if not act.carried])


def closing(club: YearClub, season: Season) -> None:
    """A month's list, as it is committed, is what the records say at this moment."""
    if len(club.chronicle.seasons[season.month]) != 1:
        raise Broken(f"closed twice: {season.month}")
    expected = places(club.world.truth, club.chronicle.members.values(), season.month)
    if season.places != expected:
        raise Broken(f"{season.month}: {season.places}, not {expected}")
    titles = {title.of: title.member for title in season.titles}
    for of, member in (("front", _fronter(club, season.month)), *_challengers(club, season.month)):
        if titles.get(of) != member:  # type: ignore[call-overload]
            raise Broken(f"{season.month}: {of} is {titles.get(of)}, not {member}")  # type: ignore[call-overload]


def paid(club: YearClub, months: Iterable[Month]) -> None:
    """Each of these months was closed once, each place paid once and in full, each winner told once (P18, P26)."""
    chronicle, causes = club.chronicle, set[str]()
    if missing := set(months) - set(chronicle.seasons):
        raise Broken(f"not closed: {missing}")
    for month, lists in chronicle.seasons.items():
        [season] = lists
        for place in season.places:
            causes.add(cause(season, place))
            movement = chronicle.paid[cause(season, place)]
            lines = {line.account: line.credits for line in movement.lines}
            owed = lines.get(owed_by(place.member), 0)
            if lines[HOUSE] != -PRIZES[place.place - 1] or lines.get(purse(place.member), 0) + owed != place.credits:
                raise Broken(f"{place} of {month}: {movement}")
        winners = {place.member for place in season.places} | {title.member for title in season.titles}
        for member in winners:
            told = f"mail/season/{month}/{member}" in chronicle.judge.mails | chronicle.lost
            if not told and not chronicle.members[member].deleted:
                raise Broken(f"{member} was not told of {month}")
    if set(chronicle.paid) != causes:
        raise Broken(f"paid besides: {set(chronicle.paid) ^ causes}")


def under_way(club: YearClub) -> list[Duel | Tournament | Siege]:
    """What has begun and has not ended."""
    chronicle = club.chronicle
    duels = [duel for duel in chronicle.judge.duels.values() if duel.stage != "ended"]
    cups = [cup for cup in chronicle.cups.values() if cup.stage in UNDER_WAY]
    sieges = [siege for siege in chronicle.watch.sieges.values() if siege.stage in UNDER_WAY]
    return [*duels, *cups, *sieges]


def nothing_left(club: YearClub) -> None:
    """Everything has ended, and no escrow holds anything."""
    _none("under way", under_way(club))
    held = {account: n for account, n in accounts(club.world.truth).items() if account.startswith("escrow/") and n}
    _none("in escrow", held)


def _fees(club: YearClub) -> list[tuple[str, int]]:
    """What the escrow of each tournament and siege should hold: nothing once it is over."""
    cups, sieges = club.chronicle.cups.values(), club.chronicle.watch.sieges.values()
    held: list[tuple[str, int]] = [(cup.id, cup.fee * len(cup.entrants) * (cup.stage in UNDER_WAY)) for cup in cups]
    for siege in sieges:
        paying = [player for player in siege.players if siege.turn < 1 or player.began]
        held.append((siege.id, siege.fee * len(paying) * (siege.stage in UNDER_WAY)))
    return held


def _fronter(club: YearClub, month: Month) -> MemberId | None:
    those = {member.id: member for member in fit(club.chronicle.members.values(), month)}
    ranked = [
        (-_points(results), -results.count("won"), those[id].joined, id)
        for id, results in club.chronicle.results(month).items()
        if id in those and len(results) >= DAYS
    ]
    return min(ranked)[-1] if ranked else None


def _points(results: Iterable[str]) -> int:
    return sum(POINTS[result] for result in results)


def _challengers(club: YearClub, month: Month) -> list[tuple[str, MemberId | None]]:
    """The commander and the author of the month's best doctrine."""
    members, doctrines = [], []
    for member in fit(club.chronicle.members.values(), month):
        members += _challenged(club, month, member, member.id, CHALLENGES)
        for number in SLOTS:
            row = club.world.truth.get(CONTENDER, contender_id(member.id, number))
            if row is not None and row.value.open_at(end_of(month)):
                doctrines += _challenged(club, month, member, row.value.id, MET)
    return [(of, min(found)[-1] if found else None) for of, found in (("commander", members), ("doctrine", doctrines))]


def _challenged(
    club: YearClub, month: Month, member: Member, subject: MemberId, least: int
) -> list[tuple[int, int, Instant, MemberId]]:
    row = club.world.truth.get(CHALLENGE_MONTH, month, subject)
    if row is None or row.value.games < least:
        return []
    return [(-row.value.rating, -row.value.games, member.joined, member.id)]


def _none(what: str, found: object) -> None:
    if found:
        raise Broken(f"{what}: {str(found)[:2000]}")
