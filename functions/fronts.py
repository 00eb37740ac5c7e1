"""Daily Fronts as they are kept: a missing day is made when it is first asked for, the same as ever (P24)."""

from dataclasses import replace

from engine.decisions import Decision
from engine.platform import daily_front
from engine.platform.daily_front import Front, Monthly
from engine.platform.duels.records import Duel
from engine.platform.local_days import Day, Month, day_of, following, last_of
from engine.platform.members import MemberId
from engine.times import Instant
from functions.acting import act
from infra.records import FRONT, MONTHLY
from infra.site import Site
from infra.store import Row


def today(site: Site, at: Instant) -> Day:
    """The local date of the site at an instant."""
    return day_of(at, site.settings.zone)


def front_of(site: Site, day: Day) -> Front:
    """The day's game, made now if nobody has yet. Its secrets are the caller's to keep."""
    row = site.store.get(FRONT, day)
    return row.value if row else make(site, day)


def make(site: Site, day: Day) -> Front:
    """Make a day's game, once however often it is asked for."""
    made = daily_front.front(site.settings.secret, day, site.settings.zone)

    def decide() -> Decision[Front]:
        row = site.store.get(FRONT, day)
        return daily_front.make(row.value if row else None, made)

    return act(site, decide)


def make_ready(site: Site) -> None:
    """Have today's and tomorrow's games there: any number of times, at any time."""
    day = today(site, site.sources.now())
    for each in (day, following(day)):
        if site.store.get(FRONT, each) is None:
            make(site, each)


def disguised(duel: Duel) -> Duel:
    """A sealed game as strangers may hear of it: who plays and how it ended, but not on which side of which map (P24).

    The member stands first, as if on side a.
    """
    players = sorted(duel.players, key=lambda player: player.policy is not None)
    sides = {player.seat: side for player, side in zip(players, "ab", strict=True)}
    result = duel.result
    if result is not None and result.winner is not None:
        result = replace(result, winner=sides[result.winner])
    return replace(
        duel,
        players=tuple(replace(player, seat=sides[player.seat]) for player in players),
        awaits=tuple(sorted(sides[seat] for seat in duel.awaits)),
        result=result,
        state=None,
        options={},
    )


def sealed(site: Site, duel: Duel) -> bool:
    """Whether nobody may yet see more of a Front's game than its player did: until its day is final; one read."""
    if not duel.front:
        return False
    row = site.store.get(FRONT, duel.front)
    return row is None or row.value.final is None


def is_final(site: Site, month: Month) -> bool:
    """Whether the last Front of a month is final, and with it the month's points (P25); one read."""
    row = site.store.get(FRONT, last_of(month))
    return row is not None and row.value.final is not None


def points_of(site: Site, month: Month, member: MemberId) -> Row[Monthly] | None:
    """A member's points of a month as they may still change; None once they are final: a removal then leaves them as
    they were, so that a late closure gives the places of a timely one (P26). Two reads."""
    return None if is_final(site, month) else site.store.get(MONTHLY, month, member)
