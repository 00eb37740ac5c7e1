"""Sieges as they are read, entered, played and settled."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.ledger.moving import Debts
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import Member, MemberId
from engine.platform.rates import Limit
from engine.platform.sieges import entering, orders, playing, settling, stopping, topic
from engine.platform.sieges.entering import Announce, Entrant
from engine.platform.sieges.records import Post, Siege, SiegeTurn, prelude_id
from engine.times import DAY
from functions import payouts
from functions.acting import act, ground
from functions.limits import spending
from functions.linking import linked
from functions.names import names_of
from infra.records import BLOCK, DEBT, MEMBER, MOVEMENT, SIEGE, SIEGE_ENTRY, SIEGE_POST, SIEGE_TURN, SIEGE_VOICE
from infra.site import Site
from infra.store import Row

Data = dict[str, Any]

ANNOUNCEMENTS: Final = Limit("siege/member", 5, DAY)
SHOWN: Final = 12
MINE: Final = 8


def siege_row(site: Site, id: str) -> Row[Siege]:
    """The siege of this id. Refused: `no_such_siege`."""
    row = site.store.get(SIEGE, id)
    if row is None:
        raise Refusal("no_such_siege")
    return row


def turn_of(site: Site, siege: Siege, turn: int) -> SiegeTurn | None:
    """A turn resolved; one read, none for a turn that is not."""
    row = site.store.get(SIEGE_TURN, siege.id, turn) if turn in siege.resolved else None
    return row.value if row else None


def announce(site: Site, member: Member, command: Announce) -> Siege:
    """Announce a siege, once however often it is asked for; refused as `entering.announce` is, and `too_often`."""
    seed = site.sources.seed()

    def decide() -> Decision[Siege]:
        there = site.store.get(SIEGE, entering.siege_id(command))
        now = site.sources.now()
        counted = () if there else spending(site, now, (ANNOUNCEMENTS, member.id))
        entrant = _entrant(site, member, ())
        return entering.announce(command, entrant, there.value if there else None, seed, counted, now)

    return act(site, decide)


def join(site: Site, member: Member, id: str) -> Siege:
    """Take a seat; refused as `entering.join` is. Two reads for each member who has entered, and a few more."""

    def decide() -> Decision[Siege]:
        row = siege_row(site, id)
        entrant = _entrant(site, member, row.value.members)
        return entering.join(row.value, row.version, entrant, site.sources.now())

    return act(site, decide)


def leave(site: Site, member: MemberId, id: str) -> Siege:
    """Give the seat up before the opening, or leave the running game (T5).

    Refused as `entering.withdraw` or `orders.leave` is, and `payouts_stopped`.
    """

    def decide() -> Decision[Siege]:
        row = siege_row(site, id)
        now = site.sources.now()
        if row.value.stage == "open":
            left = entering.withdraw(row.value, row.version, member, debts(site, (member,)), now)
            return payouts.unless_halted(site, left)
        return orders.leave(row.value, row.version, member, now)

    return act(site, decide)


def send(site: Site, id: str, command: orders.SendOrders) -> orders.Receipt:
    """Send orders; refused as `orders.send` is. At most four reads each time it is tried."""

    def decide() -> Decision[orders.Receipt]:
        row = siege_row(site, id)
        siege = row.value
        player = siege.player(command.member)
        over = command.turn != siege.turn or siege.stage != "playing"
        played = turn_of(site, siege, command.turn) if over else None
        seat = player.seat if player else ""
        prelude = site.store.get(SIEGE_POST, siege.id, siege.turn, prelude_id(seat)) if seat and not over else None
        return orders.send(siege, row.version, played, prelude, command, ground(site))

    return act(site, decide)


def react(site: Site, id: str, command: topic.React) -> Post | None:
    """Post a reaction; refused as `topic.react` is."""

    def decide() -> Decision[Post | None]:
        siege = siege_row(site, id).value
        player = siege.player(command.member)
        voice = site.store.get(SIEGE_VOICE, siege.id, player.seat) if player and player.seat else None
        return topic.react(siege, voice, command, site.sources.now())

    return act(site, decide)


def wake(site: Site, id: str) -> None:
    """Do what the siege is due for."""

    def decide() -> Decision[None]:
        row = site.store.get(SIEGE, id)
        if row is None:
            return Decision((), None)
        return Decision(playing.wake(row.value, row.version, ground(site)).changes, None)

    act(site, decide)


def settle(site: Site, id: str) -> None:
    """Give fees back to who never began; after the end pay the pot and enter it in the members' lists. Each once."""
    siege, now = siege_row(site, id).value, site.sources.now
    cause, absent = settling.absent_cause(siege), settling.absentees(siege)
    if site.store.get(MOVEMENT, cause) is None and absent:
        _pay(site, cause, lambda: settling.give_back(siege, *_accounts(site, absent), now()))
    if siege.ended is None:
        return
    began = tuple(p.member for p in siege.players if p.began)
    cause = entering.payout(siege)
    if began and site.store.get(MOVEMENT, cause) is None:
        _pay(site, cause, lambda: settling.pay(siege, *_accounts(site, began), now()))
    act(site, lambda: Decision(settling.listed(siege), None))


def stop(site: Site, id: str) -> None:
    """End a siege without honours, as moderators ask for; nothing if it is over. The fees come back by a job (P29)."""

    def decide() -> Decision[Siege]:
        row = siege_row(site, id)
        return stopping.stop(row.value, row.version, site.sources.now())

    act(site, decide)


def dismiss(site: Site, id: str, member: MemberId) -> None:
    """Take a member out whose account is deleted or whose ratings are frozen, once; nobody is told which (P5, P29).

    The seat is given up, in preparation or in the game the unit is removed as in T5. Refused: `payouts_stopped`.
    """

    def decide() -> Decision[Siege]:
        row = siege_row(site, id)
        now = site.sources.now()
        player = row.value.player(member)
        if player is None or row.value.stage in ("ended", "cancelled"):
            return Decision((), row.value)
        if row.value.stage == "open":
            left = entering.withdraw(row.value, row.version, member, debts(site, (member,)), now)
            return payouts.unless_halted(site, left)
        return playing.depart(row.value, row.version, player, "removed", now)

    act(site, decide)


def under_way(site: Site, member: MemberId, limit: int = MINE) -> list[Siege]:
    """The member's sieges not yet over, those that wait for the member first; one query and a read for each."""
    rows = site.store.query(SIEGE_ENTRY, "lists", member, "under way", limit=limit).rows
    found = [row.value for entry in rows if (row := site.store.get(SIEGE, entry.value.siege))]
    return sorted(found, key=lambda s: (not _waits(s, member), s.deadline or s.opens, s.id))


def finished(site: Site, member: MemberId, limit: int = SHOWN, after: str = "") -> tuple[list[Siege], str]:
    """The member's sieges that are over, the latest first, and where the next ones begin."""
    page = site.store.query(SIEGE_ENTRY, "lists", member, "over", limit=limit, after=after)
    return [row.value for entry in page.rows if (row := site.store.get(SIEGE, entry.value.siege))], page.after


def listed(site: Site, group: str, after: str = "", limit: int = SHOWN) -> tuple[list[Siege], str]:
    """The sieges "open" (the next to open first), "playing" or "over" (the latest first), and where the next begin."""
    page = site.store.query(SIEGE, group, limit=limit, after=after)
    return [row.value for row in page.rows], page.after


def line(siege: Siege, member: MemberId | None) -> Data:
    """A siege as a line of a list; nothing in it tells who has sent orders."""
    return {
        "id": siege.id,
        "game": siege.game,
        "name": siege.name,
        "stage": siege.stage,
        "turn": siege.turn,
        "seats": siege.seats,
        "players": len(siege.players),
        "left": len(siege.awaits),
        "fee": siege.fee,
        "pace": siege.pace,
        "opens": siege.opens,
        "opened": siege.opened,
        "deadline": siege.deadline,
        "ended": siege.ended,
        "stopped": stopping.stopped(siege),
        "entered": siege.player(member) is not None,
        "yours": member is not None and _waits(siege, member),
    }


def seat_names(site: Site, siege: Siege, known: Member | None = None) -> dict[str, str]:
    """The names of the players by seat, a read for each; before the opening by number of entry."""
    names = names_of(site, set(siege.members), known)
    return {p.seat or str(n): names[p.member] for n, p in enumerate(siege.players, 1)}


def debts(site: Site, members: Iterable[MemberId]) -> Debts:
    """What members owe the house, one read each: needed to credit them."""
    return {member: site.store.get(DEBT, member) for member in members}


def _waits(siege: Siege, member: MemberId) -> bool:
    player = siege.player(member)
    return player is not None and siege.waits_for(player)


def _entrant(site: Site, member: Member, others: Iterable[MemberId]) -> Entrant:
    blocked = tuple(
        other for other in others if site.store.get(BLOCK, member.id, other) or site.store.get(BLOCK, other, member.id)
    )
    balance = site.store.count(Balance(purse(member.id)))
    return Entrant(member.id, balance, member.frozen is not None, linked(site, member.id), blocked)


def _accounts(site: Site, members: Iterable[MemberId]) -> tuple[Debts, frozenset[MemberId]]:
    """What members owe, and who of them has no account any more."""
    owners = tuple(members)
    there = {member: site.store.get(MEMBER, member) for member in owners}
    gone = frozenset(member for member, row in there.items() if row is None or row.value.deleted)
    return debts(site, owners), gone


def _pay(site: Site, cause: str, pay: Callable[[], Decision[None]]) -> None:
    def decide() -> Decision[None]:
        paid: Decision[None] = Decision((), None) if site.store.get(MOVEMENT, cause) else pay()
        return paid

    act(site, decide)
