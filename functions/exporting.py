"""Everything that is kept about a member, section by section, each a bounded page of an index (P5)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.platform.doctrines import SLOTS, contender_id
from engine.platform.duels.records import Duel
from engine.platform.ledger.records import Balance, purse
from engine.platform.members import Member, MemberId
from infra import codec
from infra.records import (
    ACT,
    BLOCK,
    BOOK,
    BROWSER_USE,
    CHALLENGE_CHANGE,
    CHALLENGER,
    CONCERN,
    CONTENDER,
    CUP_ENTRY,
    DEBT,
    DESK,
    DUEL,
    FRONT_GAME,
    GAINS,
    LINK,
    MARK,
    MEETING,
    MEMBER_GAME,
    NO_SHOW,
    POSTING,
    RATING_CHANGE,
    REPORT,
    SIEGE_ENTRY,
    STANDING,
    TEMPO,
)
from infra.site import Site
from infra.store import Kind

Data = dict[str, Any]
Rows = tuple[list[Data], str]  # and where the next page begins
Section = Callable[[Site, MemberId, str], Rows]

PAGE: Final = 100
GAMES: Final = 20  # each is read with what the member keeps in it


def profile(site: Site, member: Member) -> Data:
    """What is kept of the member in single records; eight reads."""
    single: Mapping[str, tuple[Kind[Any], str]] = {
        "doctrines": (BOOK, member.id),
        "challenge_rating": (CHALLENGER, member.id),
        "pace": (TEMPO, member.id),
        "debt": (DEBT, member.id),
    }
    found: Data = {"member": codec.dump(member), "credits": site.store.count(Balance(purse(member.id)))}
    for name, (kind, key) in single.items():
        row = site.store.get(kind, key)
        found[name] = codec.dump(row.value) if row else None
    public = (site.store.get(CONTENDER, contender_id(member.id, number)) for number in SLOTS)
    found["published"] = [codec.dump(row.value) for row in public if row]
    return found


def section(site: Site, name: str, member: MemberId, after: str) -> Rows:
    """One page of a section, and where the next one begins ("" after the last); KeyError for no section."""
    return SECTIONS[name](site, member, after)


def _plain(kind: Kind[Any], index: str = "", before: str = "") -> Section:
    def read(site: Site, member: MemberId, after: str) -> Rows:
        page = site.store.query(kind, index, f"{before}{member}", limit=PAGE, after=after)
        return [codec.dump(row.value) for row in page.rows], page.after

    return read


def _games(state: str) -> Section:
    def read(site: Site, member: MemberId, after: str) -> Rows:
        page = site.store.query(MEMBER_GAME, "lists", member, state, limit=GAMES, after=after)
        return [_game(site, codec.dump(row.value), member) for row in page.rows], page.after

    return read


def _game(site: Site, line: Data, member: MemberId) -> Data:
    """A game with the member's own notes, draft and orders; what is hidden from them is not theirs to have (P30)."""
    row = site.store.get(DUEL, line["duel"])
    player = row.value.player(member) if row else None
    desk = site.store.get(DESK, line["duel"], player.seat) if player and player.seat else None
    sheet = player.sheet if player else None
    return {
        **line,
        "notes": desk.value.notes if desk else "",
        "draft": desk.value.draft if desk else None,
        "orders": dict(sheet.orders) if sheet else None,
        "front": _front(site, row.value, member) if row and row.value.front else None,
        "download": f"/games/{line['duel']}/download" if line["state"] == "ended" else None,
    }


def _front(site: Site, duel: Duel, member: MemberId) -> Data | None:
    entry = site.store.get(FRONT_GAME, duel.front, member)
    return codec.dump(entry.value) if entry and entry.value.game == duel.id else None


def _acts(site: Site, member: MemberId, after: str) -> Rows:
    """Acts that concern the member, without who took them."""
    page = site.store.query(CONCERN, "latest", member, limit=GAMES, after=after)
    acts = [row.value for each in page.rows if (row := site.store.get(ACT, each.value.act))]
    return [
        {
            "what": act.what,
            "about": act.about,
            "reason": act.reason,
            "at": act.at,
            "state": act.state,
            "verdict": act.verdict,
            "answers": [codec.dump(answer) for answer in act.answers if answer.member == member],
        }
        for act in acts
    ], page.after


SECTIONS: Final[Mapping[str, Section]] = {
    "proposed": _games("proposed"),
    "invited": _games("invited"),
    "running": _games("running"),
    "ended": _games("ended"),
    "no_shows": _plain(NO_SHOW),
    "tournaments": _plain(CUP_ENTRY, "latest"),
    "sieges": _plain(SIEGE_ENTRY),
    "credits": _plain(POSTING, "statement", "member/"),
    "standings": _plain(STANDING),
    "ratings": _plain(RATING_CHANGE),
    "challenges": _plain(CHALLENGE_CHANGE, "history"),
    "meetings": _plain(MEETING),
    "blocks": _plain(BLOCK),
    "reports": _plain(REPORT, "mine"),
    "sign_ins": _plain(BROWSER_USE, "member"),
    "links": _plain(LINK),
    "marks": _plain(MARK),
    "gains": _plain(GAINS),
    "decisions": _acts,
}
