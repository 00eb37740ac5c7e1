"""Challenges and practice, from the pages (P22, P23, P14b)."""

import re
from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform import doctrines
from engine.platform.challenges import ChallengeChange, Meeting
from engine.platform.links import Link
from engine.platform.members import MemberId
from engine.times import DAY
from functions.jobs import settle
from functions.worker import run_job
from infra.records import CHALLENGE_CHANGE, CHALLENGER, CONTENDER, DUEL, JOB
from tests.support.browser import Browser
from tests.support.duelling import member, post_json, run_due
from tests.support.site import TestSite, site_in
from tests.support.solo import begin, save


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


@pytest.fixture
def beth(site: TestSite) -> Browser:
    """Another member, whose second doctrine is published."""
    browser = member(site, "Beth")
    save(browser, 2, name="Vixen")
    browser.post("/doctrines/2/publish")
    return browser


def test_one_click_begins_a_practice_game_which_is_never_rated(site: TestSite, anna: Browser) -> None:
    games = [begin(site, anna, "/practice", {"ai": ai, "request": "r"}) for ai in doctrines.HOUSE]
    assert len({game.id for game in games}) == 3
    assert begin(site, anna, "/practice", {"ai": "ram", "request": "r"}).id == games[2].id
    page = games[0].finish()
    assert page["duel"]["kind"] == "practice" and "rated" not in page["duel"] and page["afterwards"] is None
    assert site.site.store.get(CHALLENGER, "anna") is None


def test_practice_needs_no_mail(site: TestSite, anna: Browser) -> None:
    game = begin(site, anna, "/practice", {"ai": "ram"})
    while game.page["duel"]["stage"] != "ended":
        game.miss()
    assert game.page["duel"]["outcome"]["by"] == "silence"
    assert site.post.letters == []


def test_the_house_ais_rules_are_public_and_named_in_both_languages(site: TestSite) -> None:
    for lang, names, word in (
        ("en", ("Sentinel", "Pivot", "Ram"), "If "),
        ("fr", ("Sentinelle", "Pivot", "Bélier"), "Si "),
    ):
        stranger = Browser(lang=lang)
        practice = stranger.get("/practice").seen
        for id, name in zip(doctrines.HOUSE, names, strict=True):
            assert name in practice and word in practice
            assert f"{word}" in stranger.get(f"/challenges/ai:{id}").seen


def test_a_lost_challenge_moves_both_ratings_and_is_in_both_records(
    site: TestSite, anna: Browser, beth: Browser
) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2"})
    assert game.page["duel"]["rated"] is True
    page = game.finish()
    assert page["duel"]["outcome"]["winner"] != page["you"]
    assert (page["afterwards"]["before"], page["afterwards"]["after"]) == (1000, 984)
    public = anna.data("/challenges/beth:2")
    assert (public["rating"], public["won"]) == (1016, 1)
    assert public["history"][0]["result"] == "won" and public["history"][0]["after"] == 1016
    assert anna.data("/challenges/ranking")["rows"][0]["rating"] == 984
    assert anna.data("/challenges")["contenders"][0]["name"] == "Vixen"


def test_settling_twice_or_late_moves_ratings_once(site: TestSite, anna: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "ai:ram"})
    while game.page["duel"]["stage"] != "ended":
        game.send()
    site.sources.move(3 * DAY)
    row = site.site.store.get(JOB, f"settle/{game.id}")
    assert row is not None
    settle.run(site.site, row.value)
    run_job(site.site, row.value.id)
    settle.run(site.site, row.value)
    found = site.site.store.get(CHALLENGER, "anna")
    contender = site.site.store.get(CONTENDER, "ai:ram")
    assert found is not None and (found.value.rating, found.value.lost) == (9_840, 1)
    assert contender is not None and contender.value.rating == 10_160


def test_every_change_is_a_record(site: TestSite, anna: Browser) -> None:
    for request in ("1", "2"):
        begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": request}).finish()
    rows = site.site.store.query(CHALLENGE_CHANGE, "history", "anna", limit=9).rows
    changes: list[ChallengeChange] = [row.value for row in rows]
    assert [change.before for change in changes] == [changes[1].after, 10_000]
    assert all(change.other == "ai:ram" for change in changes)


def test_orders_faster_than_a_humans_count_for_nothing_and_the_page_says_so(site: TestSite, anna: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "ai:sentinel"})
    while (page := game.page)["duel"]["stage"] != "ended":
        full = {"reinforce": [{"at": f"hq_{page['you']}", "units": 2}]}
        post_json(anna, f"{game.path}/orders", {"turn": page["duel"]["turn"], "after": 0, "orders": full})
    run_due(site)
    assert game.page["duel"]["unrated_why"] == "superhuman"
    assert "faster than a human" in anna.get(game.path).seen
    assert site.site.store.get(CHALLENGER, "anna") is None


def test_the_fourth_in_seven_days_says_before_and_at_its_start_that_it_is_not_rated(
    site: TestSite, anna: Browser
) -> None:
    for request in ("1", "2", "3"):
        assert "will be rated" in anna.get("/challenges/ai:ram").seen
        begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": request}).finish()
    shown = anna.get("/challenges/ai:ram").seen
    assert "will not be rated" in shown and "The next one is rated from" in shown
    game = begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": "4"})
    assert (game.page["duel"]["rated"], game.page["duel"]["unrated_why"]) == (False, "often")
    before = anna.data("/challenges/ranking")["mine"]
    game.finish()
    assert anna.data("/challenges/ranking")["mine"] == before


def test_one_challenge_at_a_time_against_a_doctrine(site: TestSite, anna: Browser, beth: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2", "request": "1"})
    assert begin(site, anna, "/challenges", {"doctrine": "beth:2", "request": "1"}).id == game.id
    second = post_json(anna, "/challenges", {"doctrine": "beth:2", "request": "2"})
    assert second.status == 422 and second.json["error"]["code"] == "challenge_running"
    assert game.id in anna.get("/challenges").text
    assert begin(site, anna, "/challenges", {"doctrine": "ai:ram"}).id != game.id
    game.finish()
    begin(site, anna, "/challenges", {"doctrine": "beth:2", "request": "2"})


def test_the_list_knows_every_challenge_under_way_however_many_doctrines_one_has_met(
    site: TestSite, anna: Browser
) -> None:
    zoe = member(site, "Zoe")
    save(zoe, 1, name="Vixen")
    zoe.post("/doctrines/1/publish")
    game = begin(site, anna, "/challenges", {"doctrine": "zoe:1"})
    met = tuple(Put(Meeting(MemberId("anna"), MemberId(f"m{n:03}:1")), 0) for n in range(60))
    site.site.store.commit(Decision(met, None))
    site.store.reads = 0
    (line,) = anna.data("/challenges")["contenders"]
    assert line["running"] == game.id
    assert site.store.reads <= 40


@pytest.mark.parametrize("doctrine", ["beth:1", "beth:4", "nobody:1", "beth", "ai:me", "", "ai:ram/../x"])
def test_what_is_not_open_can_not_be_challenged(anna: Browser, beth: Browser, doctrine: str) -> None:
    assert post_json(anna, "/challenges", {"doctrine": doctrine}).json["error"]["code"] == "no_such_doctrine"


def test_ones_own_doctrine_can_not_be_challenged(beth: Browser) -> None:
    assert post_json(beth, "/challenges", {"doctrine": "beth:2"}).json["error"]["code"] == "own_doctrine"


def test_a_doctrine_unpublished_hidden_or_deleted_plays_its_games_to_the_end(
    site: TestSite, anna: Browser, beth: Browser
) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2"})
    beth.post("/doctrines/2/delete")
    closed = post_json(anna, "/challenges", {"doctrine": "beth:2", "request": "2"})
    assert closed.json["error"]["code"] == "no_such_doctrine"
    assert game.finish()["afterwards"]["after"] == 984


def test_a_hidden_doctrine_is_on_no_list_and_its_name_is_not_told(site: TestSite, anna: Browser, beth: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2"})
    row = site.site.store.get(CONTENDER, "beth:2")
    assert row is not None
    site.site.store.commit(doctrines.hide(row, True, site.sources.now(), site.site.settings.zone))
    for path in ("/challenges", "/challenges/beth:2", game.path):
        assert "Vixen" not in anna.get(path).text
    assert "hidden by the moderators" in beth.get("/doctrines").seen
    assert post_json(anna, "/challenges", {"doctrine": "beth:2"}).json["error"]["code"] == "no_such_doctrine"


def test_linked_accounts_challenges_are_never_rated(site: TestSite, anna: Browser, beth: Browser) -> None:
    one, other = MemberId("anna"), MemberId("beth")
    now = site.sources.now()
    site.site.store.commit(Decision((Put(Link(one, other, now), 0), Put(Link(other, one, now), 0)), None))
    assert "linked" in anna.get("/challenges/beth:2").seen
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2"})
    assert game.page["duel"]["unrated_why"] == "linked"
    game.finish()
    assert site.site.store.get(CHALLENGER, "anna") is None


def test_the_members_rules_reach_nobody_else(site: TestSite, anna: Browser, beth: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "beth:2"})
    game.send()
    word = re.compile(r"most_threatened|their_forward|all_but_one|trimmed|policy")
    paths = ["/challenges", "/challenges/beth:2", game.path, "/members/beth", "/doctrines"]
    for accept in ("text/html", "application/json"):
        assert not [path for path in paths if word.search(anna.get(path, accept).text)]
    game.finish()
    for path in (game.path, f"{game.path}/replay?step=2&eyes=all", f"{game.path}/download"):
        assert not word.search(anna.get(path, "application/json").text)


def test_turn_mails_of_a_challenge_come_when_a_turn_was_missed_only(site: TestSite, anna: Browser) -> None:
    game = begin(site, anna, "/challenges", {"doctrine": "ai:ram"})
    run_due(site)
    for _ in range(2):
        game.send()
        run_due(site)
    assert site.post.letters == []
    game.miss()
    assert [letter.to for letter in site.post.letters if "/turn" in letter.reference] == ["anna@example.org"]


def test_a_name_can_be_reported(site: TestSite, anna: Browser, beth: Browser) -> None:
    anna.get("/challenges/beth:2")
    assert anna.post("/challenges/beth:2/report", {"reason": ""}).status == 422
    done = anna.post("/challenges/beth:2/report", {"reason": "Rude"})
    assert "look at it" in anna.follow(done).seen
    assert post_json(beth, "/challenges/beth:2/report", {"reason": "x"}).json["error"]["code"] == "report_self"


def test_strangers_can_look_and_are_asked_to_sign_in(site: TestSite, beth: Browser) -> None:
    stranger = Browser()
    assert "Vixen" in stranger.get("/challenges").seen
    assert stranger.get("/challenges/beth:2").status == 200
    assert post_json(stranger, "/challenges", {"doctrine": "beth:2"}).status in (401, 403)


def test_ais_have_names_wherever_they_are_opponents(site: TestSite) -> None:
    chloe = member(site, "Chloé", "fr")
    game = begin(site, chloe, "/practice", {"ai": "ram"})
    assert "Bélier" in chloe.get("/").seen and "Bélier" in chloe.get(game.path).seen
    game.finish()
    row = site.site.store.get(DUEL, game.id)
    assert row is not None
    for path in ("/history", f"/members/{row.value.proposer}/history"):
        assert "Bélier" in chloe.get(path).seen


@pytest.mark.parametrize(
    ("path", "body"), [("/practice", {"ai": "ram"}), ("/challenges", {"doctrine": "beth:2"}), ("/front", {})]
)
def test_no_duel_is_proposed_to_a_doctrine_by_asking_for_a_rematch(
    site: TestSite, anna: Browser, beth: Browser, path: str, body: dict[str, str]
) -> None:
    game = begin(site, anna, path, body)
    game.finish()
    assert post_json(anna, f"{game.path}/rematch", {}).status == 404
    assert anna.data("/duels")["mine"] == []
