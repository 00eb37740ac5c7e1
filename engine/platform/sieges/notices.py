"""Jobs about sieges: one clock for each, one mail for each event and reader (P7, P8)."""

from engine.decisions import Job
from engine.platform.members import MemberId
from engine.platform.sieges.records import Player, Siege, SiegeId
from engine.times import DAY, Instant, later


def clock(siege: SiegeId, due: Instant) -> Job:
    """The one wake-up of a siege: its opening, or the deadline of its turn. A later one replaces it."""
    return Job(f"siege/{siege}", due, "siege", {"siege": siege}, queue="clocks")


def settle(siege: SiegeId, now: Instant) -> Job:
    """What follows the draw, the end or a cancellation: fees, the pot, the members' lists."""
    return Job(f"siege_settle/{siege}", now, "siege_settle", {"siege": siege})


def letter(siege: Siege, to: MemberId, notice: str, due: Instant, until: Instant) -> Job:
    """A mail about the siege as it stands, to one member; it is not sent after `until`."""
    about = {"notice": notice, "siege": siege.id, "turn": siege.turn, "to": to}
    return Job(f"mail/{siege.id}/{siege.turn}/{to}/{notice}", due, "mail", about, until=until)


def moved(siege: Siege, to: MemberId, was: Instant, deadline: Instant, now: Instant) -> Job:
    """A mail that says from when to when a deadline moved (P7b, P8)."""
    about = {
        "notice": "siege_moved",
        "siege": siege.id,
        "turn": siege.turn,
        "to": to,
        "was": was,
        "deadline": deadline,
    }
    return Job(f"mail/{siege.id}/{siege.turn}/{to}/moved{siege.wakes}", now, "mail", about, until=deadline)


def opened(siege: Siege, player: Player, now: Instant) -> Job:
    """The mail that a turn waits for the player's orders: the first, another try at setting up, or any later one."""
    notice = "siege_turn" if siege.turn > 0 else "siege_prepare" if not siege.resolved else "siege_again"
    return letter(siege, player.member, notice, now, siege.deadline or now)


def told(siege: Siege, to: MemberId, notice: str, now: Instant) -> Job:
    """A mail about something that is over: worth reading for a week."""
    return letter(siege, to, notice, now, later(now, 7 * DAY))
