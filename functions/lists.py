"""Members' lists of duels: each a bounded page of an index."""

from collections.abc import Iterable
from typing import Any, Final

from engine.games import registry
from engine.platform.duels.propose import OFFERED
from engine.platform.duels.records import PROPOSAL_LASTS, Duel, MemberGame, NoShow
from engine.platform.members import Member, MemberId
from engine.times import DAY, later
from functions import sieges
from functions.names import names_of
from infra.records import DUEL, MEMBER_GAME, NO_SHOW, watched
from infra.site import Site
from infra.store import down

Data = dict[str, Any]

SHOWN: Final = 20
CHAIRS: Final = ("first", "second")


def running(site: Site, member: MemberId, limit: int = SHOWN, after: str = "") -> tuple[list[Duel], str]:
    """The member's duels under way and where the next ones begin; two queries.

    Those that wait for the member come first, then the others, each group by its deadlines.
    """
    start = _place(after)
    found: list[Duel] = []
    for chair in CHAIRS:
        rows = site.store.query(DUEL, chair, member, limit=limit + 2, start=start).rows
        found.extend(row.value for row in rows)
    found.sort(key=lambda duel: _order(duel, member))
    rest = [duel for duel in found if start is None or _order(duel, member) > start]
    more = _written(_order(rest[limit - 1], member)) if len(rest) > limit else ""
    return rest[:limit], more


def awaiting(site: Site, member: MemberId, limit: int = SHOWN) -> list[Duel]:
    """The duels that wait for the member, the most urgent first; two queries."""
    found: list[Duel] = []
    for chair in CHAIRS:
        found.extend(row.value for row in site.store.query(DUEL, chair, member, limit=limit, upto=(0,)).rows)
    return sorted(found, key=lambda duel: _order(duel, member))[:limit]


def waits_for(duel: Duel, member: MemberId) -> bool:
    """Whether the duel stands still until this member does something."""
    player = duel.player(member)
    return player is not None and duel.waits_for(player)


def next_awaiting(site: Site, member: Member, after: str) -> Data | None:
    """The most urgent other duel that waits for the member, or else a siege that does (P14b)."""
    duel = next((d for d in awaiting(site, member.id, 2) if d.id != after), None)
    if duel is None:
        found = () if member.guest else sieges.under_way(site, member.id)
        lines = (sieges.line(siege, member.id) for siege in found if siege.id != after)
        return next((line for line in lines if line["yours"]), None)
    return duel_line(duel, member.id, names_of(site, opponents([duel], member.id), member))


def games(
    site: Site, member: MemberId, state: str, limit: int = SHOWN, after: str = ""
) -> tuple[list[MemberGame], str]:
    """A member's duels in a state, the latest first, and where the next page begins."""
    page = site.store.query(MEMBER_GAME, "lists", member, state, limit=limit, after=after)
    return [row.value for row in page.rows], page.after


def proposals(site: Site, limit: int = SHOWN, after: str = "") -> tuple[list[Duel], str]:
    """The open proposals, the latest first, and where the next ones begin; one query a game."""
    place = _moment(after)
    start = (down(place[0]), place[1]) if place else None
    found: list[Duel] = []
    for game in OFFERED:
        rows = site.store.query(DUEL, "open", game, limit=limit + 2, start=start).rows
        found.extend(row.value for row in rows)
    found.sort(key=lambda duel: (-duel.proposed, duel.id))
    rest = [d for d in found if place is None or (-d.proposed, d.id) > (-place[0], place[1])]
    more = f"{rest[limit - 1].proposed}.{rest[limit - 1].id}" if len(rest) > limit else ""
    return rest[:limit], more


def under_way(site: Site, game: str, limit: int) -> list[Duel]:
    """Games of this kind that anybody may watch, the latest begun first; one query."""
    return [row.value for row in site.store.query(DUEL, "open", watched(game), limit=limit).rows]


def no_shows(site: Site, member: MemberId) -> tuple[NoShow, ...]:
    """The member's no-shows of the last two days (P10)."""
    since = site.sources.now() - 2 * DAY
    page = site.store.query(NO_SHOW, "", member, limit=50, start=(since,))
    return tuple(row.value for row in page.rows)


def duel_line(duel: Duel, member: MemberId | None, names: dict[MemberId, str]) -> Data:
    """A duel as a line of a list."""
    other = duel.opponent(member) if member else None
    spec = registry.game(duel.game).SPEC
    return {
        "id": duel.id,
        "game": duel.game,
        "pace": duel.pace,
        "live": spec.paces[duel.pace].live,
        "stage": duel.stage,
        "turn": duel.turn,
        "opened": duel.opened,
        "deadline": duel.deadline,
        "proposed": duel.proposed,
        "lapses": later(duel.proposed, PROPOSAL_LASTS),
        "yours": member is not None and waits_for(duel, member),
        "kind": duel.kind,
        "stake": duel.stake,
        "proposer": {"id": duel.proposer, "name": names.get(duel.proposer, "")},
        "opponent": {"id": other, "name": names.get(other, "")} if other else None,
    }


def game_line(row: MemberGame, names: dict[MemberId, str]) -> Data:
    """One of a member's duels as a line of a list."""
    other = row.opponent
    return {
        "id": row.duel,
        "game": row.game,
        "pace": row.pace,
        "state": row.state,
        "at": row.at,
        "lapses": later(row.at, PROPOSAL_LASTS) if row.state in ("proposed", "invited") else None,
        "result": row.result,
        "by": row.by,
        "kind": row.kind,
        "stake": row.stake,
        "opponent": {"id": other, "name": names.get(other, "")} if other else None,
    }


def lines(site: Site, rows: Iterable[MemberGame], known: Member | None) -> list[Data]:
    """Rows of a member's list with the opponents' names."""
    rows = tuple(rows)
    names = names_of(site, {row.opponent for row in rows if row.opponent}, known)
    return [game_line(row, names) for row in rows]


def opponents(duels: Iterable[Duel], member: MemberId) -> set[MemberId]:
    """Whom the member plays in these duels."""
    return {other for duel in duels if (other := duel.opponent(member))}


def _order(duel: Duel, member: MemberId) -> tuple[int, int, str]:
    """As the index orders a member's duels under way."""
    return (0 if waits_for(duel, member) else 1, duel.deadline or duel.proposed, duel.id)


def _written(order: tuple[int, int, str]) -> str:
    return ".".join(map(str, order))


def _place(after: str) -> tuple[int, int, str] | None:
    """The place among a member's games that a page's `after` names; None (the beginning) for anything else."""
    group, _, rest = after.partition(".")
    moment = _moment(rest)
    return (int(group), *moment) if moment and group in ("0", "1") else None


def _moment(after: str) -> tuple[int, str] | None:
    """The instant and the duel that it names; None for anything else."""
    at, _, duel = after.partition(".")
    return (int(at), duel) if at.isascii() and at.isdigit() and len(at) < 16 and duel.isalnum() else None
