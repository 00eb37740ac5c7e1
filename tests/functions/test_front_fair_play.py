"""What keeps a Front off its leaderboard: pace, links, freezes, moderators; told to its member in both languages."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from engine.platform import notices
from engine.platform.duels.records import DuelId
from engine.platform.local_days import month_of
from engine.platform.members import Lang
from engine.times import SECOND
from functions import fronts
from functions.jobs import settle
from infra.records import CHALLENGE_CHANGE, FRONT_GAME, MONTHLY
from tests.support.browser import Browser
from tests.support.clubs import done, full, marks, moderator
from tests.support.duelling import member, run_due
from tests.support.site import TestSite, site_in
from tests.support.solo import SoloGame, begin

HUMAN = (11 * SECOND, 24 * SECOND, 17 * SECOND, 38 * SECOND, 21 * SECOND)
MACHINE = (20 * SECOND, 20_400, 19_700)
FAST = (900, 1_700, 2_500)
REASONS = {
    "en": ("orders at the regular pace of a machine", "orders faster than a human’s", "stopped by the moderators"),
    "fr": ("ordres au rythme régulier d’une machine", "ordres plus rapides que ceux d’un humain", "arrêtée"),
}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def front(site: TestSite, name: str, lang: Lang = "en") -> SoloGame:
    return begin(site, member(site, name, lang), "/front", {"day": fronts.today(site.site, site.sources.now())})


def play(game: SoloGame, paces: Sequence[int], turns: int = 8) -> Any:
    """Full sheets for so many turns, each so long (ms) after it was shown; then the rest without orders."""
    for turn, pace in zip(range(8), cycle(paces), strict=False):
        page = game.page
        if page["duel"]["stage"] == "ended":
            break
        sheet = full(page["you"]) if turn < turns else {}
        sent = game.send(sheet, pace if turn < turns else 30 * SECOND)
        assert sent.status == 200, sent.text
    run_due(game.site)
    return game.browser.data("/front")["mine"]


@pytest.mark.parametrize(("paces", "why"), [(HUMAN, ""), (MACHINE, "regular"), (FAST, "superhuman")])
def test_a_machines_pace_is_not_ranked_a_persons_is(site: TestSite, paces: Sequence[int], why: str) -> None:
    game = front(site, "Anna")
    mine = play(game, paces)
    assert game.page["duel"]["turn"] >= 5
    assert (mine["why"], mine["ranked"]) == (why, not why)
    assert len(game.browser.data("/front")["rows"]) == (not why)
    monthly = site.site.store.get(MONTHLY, month_of(game.page["duel"]["front"]), "anna")
    assert (monthly is None) is bool(why)
    assert marks(site, "anna") == ({why, "pooled"} if why == "superhuman" else {why} if why else set())


def test_four_full_sheets_say_nothing_of_a_pace(site: TestSite) -> None:
    mine = play(front(site, "Anna"), MACHINE, turns=4)
    assert mine["ranked"] is True


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_its_member_reads_why_on_both_pages(site: TestSite, lang: Lang) -> None:
    for n, (name, paces) in enumerate((("Anna", MACHINE), ("Beth", FAST))):
        game = front(site, name, lang)
        play(game, paces)
        for path in ("/front", game.path):
            assert REASONS[lang][n] in game.browser.get(path).seen


def test_others_read_that_it_is_not_ranked_and_nothing_of_why(site: TestSite) -> None:
    game = front(site, "Anna")
    play(game, MACHINE)
    for stranger in (member(site, "Beth"), Browser()):
        page = stranger.get(game.path)
        assert "Not ranked." in page.seen and "regular" not in page.text
        assert stranger.data(game.path)["afterwards"] == {"ranked": False, "why": ""}


def test_a_stopped_front_says_so_and_leaves_no_second_start(site: TestSite) -> None:
    game = front(site, "Anna")
    game.send(full(game.page["you"]))
    done(site, moderator(site, "Mona"), "stop", game.id)
    page = game.browser.data("/front")
    assert (page["mine"]["why"], page["start"], page["rows"]) == ("stopped", False, [])
    for path in ("/front", game.path):
        assert REASONS["en"][2] in game.browser.get(path).seen


@pytest.mark.parametrize("frozen_first", [True, False])
def test_frozen_ratings_are_not_ranked(site: TestSite, frozen_first: bool) -> None:
    mod, anna = moderator(site, "Mona"), member(site, "Anna")
    day = fronts.today(site.site, site.sources.now())
    if frozen_first:
        done(site, mod, "freeze", "anna")
        assert "will not be ranked" in anna.get("/front").seen
    game = begin(site, anna, "/front", {"day": day})
    game.send(full(game.page["you"]))
    if not frozen_first:
        done(site, mod, "freeze", "anna")
    mine = play(game, HUMAN)
    assert (mine["why"], mine["ranked"]) == ("frozen", False)


def test_settling_late_or_again_finds_the_same(site: TestSite) -> None:
    game = front(site, "Anna")
    play(game, MACHINE)
    day = fronts.today(site.site, site.sources.now())
    before = site.site.store.get(FRONT_GAME, day, "anna")
    site.sources.move(40 * SECOND)
    settle.run(site.site, notices.settle(DuelId(game.id), site.sources.now()))
    after = site.site.store.get(FRONT_GAME, day, "anna")
    assert before is not None and after is not None and before.value == after.value


def test_a_regular_pace_is_a_mark_and_no_more_in_a_challenge(site: TestSite) -> None:
    game = begin(site, member(site, "Anna"), "/challenges", {"doctrine": "ai:sentinel", "request": "1"})
    while (page := game.page)["duel"]["stage"] != "ended":
        assert game.send(full(page["you"])).status == 200
    run_due(site)
    row = site.site.store.get(CHALLENGE_CHANGE, "anna", game.id)
    assert row is not None and row.value.why == ""
    assert marks(site, "anna") == {"regular"}
