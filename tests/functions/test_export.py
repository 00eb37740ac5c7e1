"""Everything kept about a member is in what they download: every kind of record is looked at (P5)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Add, Change, Decision, Put
from engine.platform.addresses import mailbox_key
from engine.platform.blocks import Block, Report
from engine.platform.challenge_months import ChallengeMonth
from engine.platform.challenges import ChallengeChange, Challenger, Meeting
from engine.platform.daily_front import FrontGame, Monthly
from engine.platform.doctrines import Book, Contender, Slot
from engine.platform.duels.records import (
    Desk,
    Duel,
    DuelId,
    MemberGame,
    NoShow,
    Player,
    Presence,
    Proposals,
    Result,
    Sheet,
    Turn,
)
from engine.platform.elo import Rating
from engine.platform.fair_play.records import Gain, Gains, Load, Paced, Shown, Tempo
from engine.platform.gifts import Gift, Owner, gift_key
from engine.platform.guests import GuestGames
from engine.platform.ledger.records import Balance, Debt, Posting, owed_by, purse
from engine.platform.linking import BrowserUse
from engine.platform.links import Link
from engine.platform.mails import Mail
from engine.platform.marks import Evidence, Mark
from engine.platform.members import Mailbox, MemberId
from engine.platform.moderation.records import Act, ActId, Answer, Concern
from engine.platform.names import Name
from engine.platform.ratings.records import Board, Moved, Rated, RatingChange, Standing
from engine.platform.rivalries import Begun, Opponents, Rivalry
from engine.platform.seasons.records import Honour
from engine.platform.sieges.records import Entry as SiegeEntry
from engine.platform.sieges.records import Player as SiegePlayer
from engine.platform.sieges.records import Post, Siege, SiegeId, SiegeTurn, Voice
from engine.platform.sieges.records import Sheet as SiegeSheet
from engine.platform.tournaments.records import Entry as CupEntry
from engine.platform.tournaments.records import Match, OpenCups, Tournament, TournamentId
from engine.times import DAY, Instant
from functions import exporting
from infra.records import KINDS
from infra.site import install
from infra.store import Kind, Page, Row
from tests.support.browser import Browser
from tests.support.duelling import member
from tests.support.site import NOON, CountingStore, TestSite, site_in

ANNA, BETH = MemberId("anna"), MemberId("beth")
THEIRS = "kept of beth alone"
GAME, CUP, SIEGE = DuelId("g-planted"), TournamentId("t-planted"), SiegeId("s-planted")
SECRET = b"a test's secret"


def at(kind: str) -> Instant:
    """An instant that only this kind's record has: so it is known again in what is downloaded."""
    return Instant(NOON - 1_000_000 - [each.name for each in KINDS].index(kind))


def seen(kind: str) -> str:
    return str(at(kind))


def _key(of: str) -> str:
    make = mailbox_key if of == "mailbox" else gift_key
    return make(SECRET, "anna@example.org")


def of_games() -> dict[str, tuple[Change, str]]:
    """A duel, a tournament and a siege with what a member leaves in them; and in each something of the other's."""
    sheet = Sheet({"predict": "in turn"}, 1, at("turn"), "c", ("r",))
    hers = Sheet({"predict": THEIRS}, 1, at("turn"), "c", ("r",))
    players = (Player(ANNA, "a", offered=77_001), Player(BETH, "b", stand_in={"doctrine": {"name": THEIRS}}))
    duel = Duel(
        GAME, "feinthold", "days1", ANNA, BETH, NOON, players, "ended", "front", front="2026-09-20",
        seed=THEIRS, result=Result("a", "hq"), ended=NOON,
    )  # fmt: skip
    moved = tuple(Moved(who, Board("feinthold"), points, 2) for who, points in ((ANNA, 77_002), (BETH, 77_003)))
    cup = Tournament(CUP, BETH, 4, 0, NOON, (ANNA, BETH), matches=(Match(0, ANNA, BETH, GAME, at("tournament")),))
    shot = SiegeSheet({"target": "in siege"}, "d", at("siege_turn"), 1, ("r",))
    other = SiegeSheet({"target": THEIRS}, "d", at("siege_turn"), 1, ("r",))
    siege = Siege(
        SIEGE, "trebuchet", "Planted", BETH, 2, "days3", "UTC", 0, NOON, NOON, THEIRS,
        (SiegePlayer(ANNA, at("siege"), "p1"), SiegePlayer(BETH, NOON, "p2", sheet=other)),
    )  # fmt: skip
    turn = SiegeTurn(SIEGE, 1, NOON, NOON, "sent", {"p1": shot, "p2": other}, (), {})
    return {
        "duel": (Put(duel, 0), "77001"),
        "turn": (Put(Turn(GAME, 1, NOON, NOON, "sent", {"a": sheet, "b": hers}, (), {}), 0), "in turn"),
        "member_game": (
            Put(MemberGame(ANNA, GAME, "feinthold", "days1", BETH, "ended", at("member_game")), 0),
            seen("member_game"),
        ),
        "desk": (Put(Desk(GAME, "a", {"predict": "drafted"}, notes="my notes"), 0), "my notes"),
        "presence": (Put(Presence(GAME, ANNA, at("presence")), 0), seen("presence")),
        "shown": (Put(Shown(GAME, 1, ANNA, at("shown")), 0), seen("shown")),
        "load": (Add(Load(GAME, ANNA, 77_004), 1), "77004"),
        "rated": (Put(Rated(GAME, NOON, "", moved), 0), "77002"),
        "front_game": (Put(FrontGame("2026-09-20", ANNA, GAME, at("front_game")), 0), seen("front_game")),
        "tournament": (Put(cup, 0), seen("tournament")),
        "cup_entry": (Put(CupEntry(ANNA, CUP, at("cup_entry")), 0), seen("cup_entry")),
        "siege": (Put(siege, 0), seen("siege")),
        "siege_turn": (Put(turn, 0), "in siege"),
        "siege_entry": (Put(SiegeEntry(ANNA, SIEGE, at("siege_entry")), 0), seen("siege_entry")),
        "siege_post": (Put(Post(SIEGE, 1, "0.p1", "p1", "I wrote this", NOON), 0), "I wrote this"),
        "siege_voice": (Put(Voice(SIEGE, "p1", 1, ("reacted",)), 0), "reacted"),
    }


def of_the_member() -> dict[str, tuple[Change, str]]:
    doctrine = {"name": "Mine", "rules": ["my rules"]}
    act = Act(ActId("act"), "freeze", ANNA, BETH, "the reason", NOON, concerns=(ANNA,),
              answers=(Answer(ANNA, "my answer", at("act")),))  # fmt: skip
    mark = Mark(ANNA, "regular", "", NOON, (Evidence(GAME, at("mark")),))
    return {
        "proposals": (Add(Proposals(ANNA), -3), '"open_proposals": 3'),
        "open_cups": (Add(OpenCups(ANNA), -4), '"open_tournaments": 4'),
        "no_show": (Put(NoShow(ANNA, at("no_show"), GAME), 0), seen("no_show")),
        "mail": (Put(Mail("m", "turn", ANNA, "sent", at("mail")), 0), seen("mail")),
        "mailbox": (Put(Mailbox(_key("mailbox"), ANNA), 0), _key("mailbox")),
        "gift": (Put(Gift(_key("gift"), (Owner(ANNA),)), 0), _key("gift")),
        "name": (Put(Name("old name", ANNA, at("name")), 0), seen("name")),
        "block": (Put(Block(ANNA, BETH, "Beth", at("block")), 0), seen("block")),
        "report": (Put(Report("member", BETH, ANNA, "my report", at("report")), 0), "my report"),
        "link": (Put(Link(ANNA, BETH, at("link")), 0), seen("link")),
        "balance": (Add(Balance(purse(ANNA)), 4_711), '"credits": 4711'),
        "posting": (Put(Posting(owed_by(ANNA), "c", at("posting"), "void", -5), 0), seen("posting")),
        "debt": (Put(Debt(ANNA, 77_005, 1), 0), "77005"),
        "rivalry": (Put(Rivalry(MemberId("aaron"), ANNA, (Begun(GAME, at("rivalry")),)), 0), seen("rivalry")),
        "opponents": (Add(Opponents(ANNA), 9), '"opponents": 9'),
        "standing": (Put(Standing(ANNA, Board("feinthold"), "2026-09", NOON, Rating(77_006)), 0), "77006"),
        "rating_change": (
            Put(RatingChange(ANNA, Board("relief"), GAME, 0, at("rating_change"), BETH, Rating(1), Rating(2), 2), 0),
            seen("rating_change"),
        ),
        "book": (Put(Book(ANNA, (Slot(1, doctrine),)), 0), "my rules"),
        "contender": (Put(Contender(MemberId("anna:1"), ANNA, "Published", published=True), 0), "Published"),
        "meeting": (Put(Meeting(ANNA, MemberId("ai:ram"), None, (at("meeting"),)), 0), seen("meeting")),
        "guest_games": (Put(GuestGames(ANNA, (at("guest_games"),)), 0), seen("guest_games")),
        "challenger": (Put(Challenger(ANNA, Rating(77_007)), 0), "77007"),
        "challenge_change": (
            Put(
                ChallengeChange(
                    MemberId("anna:3"), GAME, at("challenge_change"), BETH, Rating(1), Rating(2), 2, why="superhuman"
                ),
                0,
            ),
            seen("challenge_change"),
        ),
        "challenge_month": (Put(ChallengeMonth("2026-09", MemberId("anna:2"), NOON, ANNA, Rating(77_008)), 0), "77008"),
        "front_month": (Put(Monthly("2026-09", ANNA, at("front_month"), points=3), 0), seen("front_month")),
        "honour": (Put(Honour(ANNA, "2026-08", "commander"), 0), "commander"),
        "tempo": (Put(Tempo(ANNA, (Paced(GAME, at("tempo"), ()),)), 0), seen("tempo")),
        "gains": (Put(Gains(ANNA, "2026-09", "relief", (Gain(GAME, BETH, 77_009, young=False),)), 0), "77009"),
        "mark": (Put(mark, 0), seen("mark")),
        "browser_use": (Put(BrowserUse("b", ANNA, at("browser_use")), 0), seen("browser_use")),
        "act": (Put(act, 0), "my answer"),
        "concern": (Put(Concern(ANNA, ActId("act"), NOON), 0), "the reason"),
        "member": (Put(Link(ANNA, MemberId("x"), NOON), 0), "anna@example.org"),
        "session": (Put(Link(ANNA, MemberId("y"), NOON), 0), '"epoch": 0'),
    }


PLANTED = {**of_games(), **of_the_member()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> TestSite:
    site = site_in(tmp_path_factory.mktemp("export"))
    member(site, "Anna")
    for change, _ in PLANTED.values():
        site.calm.store.commit(Decision((change,), None))
    return site


@pytest.fixture
def anna(site: TestSite) -> Browser:
    install(site.site)
    return Browser(cookies={"session": "cookie of anna"})


@pytest.fixture(scope="module")
def whole(site: TestSite) -> dict[str, Any]:
    install(site.site)
    return everything(Browser(cookies={"session": "cookie of anna"}))


def pages(browser: Browser, path: str) -> Iterator[Any]:
    while path:
        page = browser.get(path, "application/json").json
        yield from page["rows"]
        path = (page["next"] or "").removeprefix("http://localhost:8000")


def everything(browser: Browser) -> dict[str, Any]:
    profile = browser.get("/account/export", "application/json").json
    return {"profile": profile} | {
        name: list(pages(browser, address.removeprefix("http://localhost:8000")))
        for name, address in profile["sections"].items()
    }


def test_every_kind_of_record_is_in_it_or_left_out_with_a_reason() -> None:
    kinds = {kind.name for kind in KINDS}
    assert set(PLANTED) | set(exporting.LEFT_OUT) == kinds
    assert not set(PLANTED) & set(exporting.LEFT_OUT)
    assert all(len(reason.split()) >= 4 for reason in exporting.LEFT_OUT.values())


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_what_is_kept_of_the_member_comes_out(kind: str, whole: dict[str, Any]) -> None:
    assert PLANTED[kind][1] in json.dumps(whole)


def test_nothing_of_the_others_comes_with_it(whole: dict[str, Any]) -> None:
    text = json.dumps(whole)
    assert THEIRS not in text and "77003" not in text and "cookie" not in text


def test_nothing_left_out_is_read(site: TestSite, anna: Browser) -> None:
    """What the list says is left out is, so that it can not go stale."""
    seen: set[str] = set()
    store = site.store

    class Noting(CountingStore):
        def get(self, kind: Kind[Any], *key: str | int) -> Row[Any] | None:
            seen.add(kind.name)
            return super().get(kind, *key)

        def query(self, kind: Kind[Any], *args: Any, **more: Any) -> Page[Any]:
            seen.add(kind.name)
            return super().query(kind, *args, **more)

    object.__setattr__(site.site, "store", Noting(store))
    try:
        everything(anna)
    finally:
        object.__setattr__(site.site, "store", store)
    assert not seen & set(exporting.LEFT_OUT)


def test_long_lists_come_whole_page_by_page(tmp_path: Path) -> None:
    site = site_in(tmp_path)
    anna = member(site, "Anna")
    rows: list[Any] = [SiegeEntry(ANNA, SiegeId(f"s{n}"), NOON) for n in range(3)]
    for n in range(3):
        players = (SiegePlayer(ANNA, NOON, "p1"), SiegePlayer(BETH, NOON, "p2"))
        rows.append(Siege(SiegeId(f"s{n}"), "trebuchet", "S", BETH, 2, "days3", "UTC", 0, NOON, NOON, "", players))
        for turn in range(25 * (n != 1)):
            rows += [
                Post(SiegeId(f"s{n}"), turn, f"0.p{who}", f"p{who}", f"{n} {turn} by {who}", NOON) for who in (1, 2)
            ]
    rows += [ChallengeChange(MemberId(f"anna:{n % 3 + 1}"), DuelId(f"g{n}"), NOON, BETH, Rating(1), Rating(2), 2)
             for n in range(320)]  # fmt: skip
    rows += [MemberGame(ANNA, DuelId(f"g{n}"), "relief", "days1", BETH, "ended", Instant(NOON - n)) for n in range(35)]
    for first in range(0, len(rows), 90):
        site.calm.store.commit(Decision(tuple(Put(row, 0) for row in rows[first : first + 90]), None))
    texts = [post["text"] for post in pages(anna, "/account/export/texts")]
    assert texts == [f"{n} {turn} by 1" for n in (0, 2) for turn in range(25)]
    assert len({row["game"] for row in pages(anna, "/account/export/challenged")}) == 320
    assert [row["duel"] for row in pages(anna, "/account/export/ended")] == [f"g{n}" for n in range(35)]


@pytest.mark.parametrize("place", ["x", "9.", "-1.", "3.abc", "99999999999999.x", "%00", "é.é"])
def test_a_place_made_up_is_no_trouble(anna: Browser, place: str) -> None:
    for name in exporting.SECTIONS:
        assert anna.get(f"/account/export/{name}?after={place}", "application/json").status == 200


def test_every_page_is_bounded(site: TestSite, anna: Browser) -> None:
    for name in exporting.SECTIONS:
        before = site.store.reads
        anna.get(f"/account/export/{name}", "application/json")
        assert site.store.reads - before <= 12, name
    rows = [MemberGame(ANNA, DuelId(f"r{n}"), "feinthold", "days1", BETH, "running", NOON) for n in range(30)]
    players = (Player(ANNA, "a"), Player(BETH, "b"))
    games = [Duel(row.duel, "feinthold", "days1", ANNA, BETH, NOON, players, "playing") for row in rows]
    site.calm.store.commit(Decision(tuple(Put(row, 0) for row in (*rows, *games)), None))
    before = site.store.reads
    page = anna.get("/account/export/running", "application/json").json
    assert len(page["rows"]) == exporting.GAMES and page["next"]
    assert site.store.reads - before <= 8 * exporting.GAMES + 6


def test_sessions_tell_when_and_not_how_a_browser_proves_it(site: TestSite, anna: Browser) -> None:
    rows = list(pages(anna, "/account/export/sessions"))
    assert rows and all(row["id"] == "" and row["expires"] > NOON + DAY for row in rows)
