"""Everything that is kept about a member, section by section, each a bounded page of an index (P5)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.platform.addresses import mailbox_key
from engine.platform.doctrines import SLOTS, contender_id
from engine.platform.duels.records import Proposals
from engine.platform.gifts import gift_key
from engine.platform.ledger.records import Balance, owed_by, purse
from engine.platform.members import Member, MemberId
from engine.platform.rivalries import Opponents
from engine.platform.tournaments.records import OpenCups
from functions import exported_games
from infra import codec
from infra.records import (
    ACT,
    BLOCK,
    BOOK,
    BROWSER_USE,
    CHALLENGE_CHANGE,
    CHALLENGE_MONTH,
    CHALLENGER,
    CONCERN,
    CONTENDER,
    CUP_ENTRY,
    DEBT,
    GAINS,
    GIFT,
    GUEST_GAMES,
    HONOUR,
    LINK,
    MAIL,
    MAILBOX,
    MARK,
    MEETING,
    MEMBER_GAME,
    MONTHLY,
    NAME,
    NO_SHOW,
    POSTING,
    RATING_CHANGE,
    REPORT,
    RIVALRY,
    SESSION,
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
GAMES: Final = 10  # each is read with what the member keeps in it

# What is not in it, and why: every other kind of record is.
LEFT_OUT: Final[Mapping[str, str]] = {
    "job": "what is still to be done, made of other records, and gone once it is done",
    "pulse": "when the site was awake",
    "sign_in": "a link that anybody may ask for, for any address: of no account, and forgotten within a day",
    "rate": "how often something was done of late, under a hash, and forgotten when its window ends",
    "movement": "both sides of what was moved: the member's own is among the postings",
    "halt": "whether payouts are stopped",
    "band": "how many have a rating",
    "season": "a public list: the member's own places and titles are honours",
    "front": "a day's game, the same for all",
    "front_tally": "how many have a place",
    "front_sheets": "a fingerprint of a Front's orders, which are with the game",
    "forfeit": "which matches a freeze made lost: the matches are with the tournament, the freeze is a decision",
}


def profile(site: Site, member: Member) -> Data:
    """What is kept of the member in single records; some twenty reads."""
    single: Mapping[str, tuple[Kind[Any], str]] = {
        "doctrines": (BOOK, member.id),
        "challenge_rating": (CHALLENGER, member.id),
        "pace": (TEMPO, member.id),
        "debt": (DEBT, member.id),
        "as_guest": (GUEST_GAMES, member.id),
        "mailbox": (MAILBOX, mailbox_key(site.settings.secret, member.address)),
        "gift": (GIFT, gift_key(site.settings.secret, member.address)),
    }
    found: Data = {
        "member": codec.dump(member),
        "credits": site.store.count(Balance(purse(member.id))),
        "open_proposals": -site.store.count(Proposals(member.id)),
        "open_tournaments": -site.store.count(OpenCups(member.id)),
        "opponents": site.store.count(Opponents(member.id)),
    }
    for name, (kind, key) in single.items():
        row = site.store.get(kind, key)
        found[name] = codec.dump(row.value) if row else None
    public = (site.store.get(CONTENDER, contender_id(member.id, number)) for number in SLOTS)
    found["published"] = [codec.dump(row.value) for row in public if row]
    return found


def section(site: Site, name: str, member: MemberId, after: str) -> Rows:
    """One page of a section, and where the next one begins ("" after the last); KeyError for no section."""
    return SECTIONS[name](site, member, after)


def _plain(kind: Kind[Any], index: str = "", before: str = "", of: str = "") -> Section:
    """The records of one part of an index: that of the member's id between `before` and `of`."""

    def read(site: Site, member: MemberId, after: str) -> Rows:
        page = site.store.query(kind, index, f"{before}{member}{of}", limit=PAGE, after=after)
        return [codec.dump(row.value) for row in page.rows], page.after

    return read


def _chain(*sections: Section) -> Section:
    """Several sections as one, page after page."""

    def read(site: Site, member: MemberId, after: str) -> Rows:
        number, _, here = after.partition(".")
        at = int(number) if number.isascii() and number.isdigit() and int(number) < len(sections) else 0
        rows, further = sections[at](site, member, here)
        if further:
            return rows, f"{at}.{further}"
        return rows, f"{at + 1}." if at + 1 < len(sections) else ""

    return read


def _games(state: str) -> Section:
    def read(site: Site, member: MemberId, after: str) -> Rows:
        page = site.store.query(MEMBER_GAME, "lists", member, state, limit=GAMES, after=after)
        return [exported_games.game(site, row.value) for row in page.rows], page.after

    return read


def _cups(site: Site, member: MemberId, after: str) -> Rows:
    page = site.store.query(CUP_ENTRY, "latest", member, limit=GAMES, after=after)
    return [exported_games.cup(site, row.value) for row in page.rows], page.after


def _sieges(site: Site, member: MemberId, after: str) -> Rows:
    page = site.store.query(SIEGE_ENTRY, "", member, limit=GAMES, after=after)
    return [exported_games.siege(site, row.value) for row in page.rows], page.after


def _texts(site: Site, member: MemberId, after: str) -> Rows:
    """Texts siege by siege: a page's end tells which siege comes, and where to go on in it."""
    length, _, rest = after.partition(".")
    size = int(length) if length.isascii() and length.isdigit() else 0
    entered, further = rest[:size], rest[size:]
    page = site.store.query(SIEGE_ENTRY, "", member, limit=1, after=entered)
    if not page.rows:
        return [], ""
    rows, more = exported_games.texts(site, page.rows[0].value, further)
    if more:
        return rows, f"{len(entered)}.{entered}{more}"
    return rows, f"{len(page.after)}.{page.after}" if page.after else ""


def _sessions(site: Site, member: MemberId, after: str) -> Rows:
    """When the member signed in where, without what a browser proves it by."""
    page = site.store.query(SESSION, "member", member, limit=PAGE, after=after)
    return [{**codec.dump(row.value), "id": ""} for row in page.rows], page.after


def _acts(site: Site, member: MemberId, after: str) -> Rows:
    """Acts that concern the member, without who took them."""
    page = site.store.query(CONCERN, "latest", member, limit=PAGE // 5, after=after)
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


def _each_doctrine(kind: Kind[Any], index: str = "") -> Section:
    return _chain(*(_plain(kind, index, of=contender_id(MemberId(""), number)) for number in SLOTS))


SECTIONS: Final[Mapping[str, Section]] = {
    "proposed": _games("proposed"),
    "invited": _games("invited"),
    "running": _games("running"),
    "ended": _games("ended"),
    "no_shows": _plain(NO_SHOW),
    "tournaments": _cups,
    "sieges": _sieges,
    "texts": _texts,
    "credits": _plain(POSTING, "statement", purse(MemberId(""))),
    "debts": _plain(POSTING, "statement", owed_by(MemberId(""))),
    "standings": _plain(STANDING),
    "ratings": _plain(RATING_CHANGE),
    "challenges": _plain(CHALLENGE_CHANGE),
    "challenged": _each_doctrine(CHALLENGE_CHANGE),
    "challenge_months": _chain(_plain(CHALLENGE_MONTH, "subject"), _each_doctrine(CHALLENGE_MONTH, "subject")),
    "meetings": _plain(MEETING),
    "fronts": _plain(MONTHLY, "member"),
    "honours": _plain(HONOUR),
    "opponents": _chain(_plain(RIVALRY), _plain(RIVALRY, "other")),
    "blocks": _plain(BLOCK),
    "reports": _plain(REPORT, "mine"),
    "names": _plain(NAME, "member"),
    "sign_ins": _plain(BROWSER_USE, "member"),
    "sessions": _sessions,
    "mails": _plain(MAIL, "to"),
    "links": _plain(LINK),
    "marks": _plain(MARK),
    "gains": _plain(GAINS),
    "decisions": _acts,
}
