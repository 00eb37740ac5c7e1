"""Members' lists of duels: each a bounded page of an index."""

from typing import Any, Final

from engine.games import registry
from engine.platform.duels.propose import OFFERED
from engine.platform.duels.records import Duel, MemberGame, NoShow
from engine.platform.members import Member, MemberId
from engine.times import DAY
from functions.names import names_of
from infra.records import DUEL, MEMBER_GAME, NO_SHOW
from infra.site import Site

Data = dict[str, Any]

SHOWN: Final = 20


def awaiting(site: Site, member: MemberId, limit: int = SHOWN) -> list[Duel]:
    """The duels that wait for the member, the most urgent first; two queries."""
    found: list[Duel] = []
    for chair in ("first", "second"):
        found.extend(row.value for row in site.store.query(DUEL, chair, member, limit=limit).rows)
    return sorted(found, key=lambda duel: (duel.deadline or duel.proposed, duel.id))[:limit]


def next_awaiting(site: Site, member: Member, after: str) -> Data | None:
    """The most urgent other duel that waits for the member (P14b)."""
    duel = next((d for d in awaiting(site, member.id, 2) if d.id != after), None)
    if duel is None:
        return None
    return duel_line(duel, member.id, names_of(site, _others([duel], member.id), member))


def games(
    site: Site, member: MemberId, state: str, limit: int = SHOWN, after: str = ""
) -> tuple[list[MemberGame], str]:
    """A member's duels in a state, the latest first, and where the next page begins."""
    page = site.store.query(MEMBER_GAME, "lists", member, state, limit=limit, after=after)
    return [row.value for row in page.rows], page.after


def proposals(site: Site, limit: int = SHOWN) -> list[Duel]:
    """The open proposals, the latest first; one query a game."""
    found: list[Duel] = []
    for game in OFFERED:
        found.extend(row.value for row in site.store.query(DUEL, "open", game, limit=limit).rows)
    return sorted(found, key=lambda duel: (-duel.proposed, duel.id))[:limit]


def no_shows(site: Site, member: MemberId) -> tuple[NoShow, ...]:
    """The member's no-shows of the last two days (P10)."""
    since = site.sources.now() - 2 * DAY
    page = site.store.query(NO_SHOW, "", member, limit=50, start=(since,))
    return tuple(row.value for row in page.rows)


def duel_line(duel: Duel, member: MemberId | None, names: dict[MemberId, str]) -> Data:
    """A duel as a line of a list."""
    other = duel.opponent(member) if member else None
    return {
        "id": duel.id,
        "game": duel.game,
        "pace": duel.pace,
        "live": registry.game(duel.game).SPEC.paces[duel.pace].live,
        "stage": duel.stage,
        "turn": duel.turn,
        "deadline": duel.deadline,
        "proposed": duel.proposed,
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
        "result": row.result,
        "by": row.by,
        "opponent": {"id": other, "name": names.get(other, "")} if other else None,
    }


def lines(site: Site, rows: list[MemberGame], known: Member | None) -> list[Data]:
    """Rows of a member's list with the opponents' names."""
    names = names_of(site, {row.opponent for row in rows if row.opponent}, known)
    return [game_line(row, names) for row in rows]


def _others(duels: list[Duel], member: MemberId) -> set[MemberId]:
    return {other for duel in duels if (other := duel.opponent(member))}
