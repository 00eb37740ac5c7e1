"""Mails about duels: each event once, true when it is sent, in its reader's language and zone (P4, P8)."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Decision, Json, Put
from engine.platform.clocks import PULSE, Gap, Pulse
from engine.platform.duels.records import Duel, DuelId
from engine.platform.members import MAILS, Member, MemberId, Quiet
from engine.platform.sessions import begin, session_id
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant, later
from functions.letters.duel import KINDS, warning_at
from infra.mail import Letter
from infra.records import DUEL, MEMBER
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.people import link_in
from tests.support.site import NOON, TestSite, site_in

SOMETHING: Json = {"predict": "centre"}
OFFER: Json = {"game": "feinthold", "pace": "days1", "opponent": "Beth"}


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def letters(site: TestSite, to: str, notice: str = "") -> list[Letter]:
    """The letters to a member, of one notice if it is named."""
    ours = [letter for letter in site.post.letters if letter.to == f"{to}@example.org"]
    return [letter for letter in ours if letter.reference.endswith(notice)]


def names(game: Duelling) -> tuple[str, str]:
    """The players' mailboxes, by seat."""
    a, b = (browser.cookies["session"].rpartition(" ")[2] for browser in (game.a, game.b))
    return a, b


def begun(site: TestSite, pace: str = "days1", **more: Any) -> Duelling:
    return duel(site, member(site, "Anna", **more), member(site, "Beth", **more), pace)


def state(game: Duelling) -> Duel:
    row = game.site.calm.store.get(DUEL, game.id)
    assert row is not None
    return row.value


def change(site: TestSite, who: str, **fields: Any) -> None:
    """Let a member prefer something else."""
    row = site.calm.store.get(MEMBER, MemberId(who))
    assert row is not None
    site.calm.store.commit(Decision((Put(replace(row.value, **fields), row.version),), None))


def pass_time(site: TestSite, until: int) -> None:
    """Let the clock run to an instant, jobs running as they come due and ticks every minute in between."""
    site.calm.store.commit(Decision((Put(Pulse(PULSE, Instant(until)), None),), None))
    while site.sources.time < until:
        site.sources.time = Instant(min(until, site.sources.time + 10 * MINUTE))
        run_due(site)


class TestEvents:
    def test_a_proposal_is_mailed_to_whom_it_is_made_with_its_end(self, site: TestSite) -> None:
        anna, _ = member(site, "Anna"), member(site, "Beth", lang="fr")
        form = {"game": "feinthold", "pace": "days2", "opponent": "beth", "request": "r"}
        post_json(anna, "/duels", form)
        run_due(site)
        (letter,) = letters(site, "beth")
        assert letter.subject == "Anna vous propose un duel"
        assert "avant le lun. 28 sept. 2026 à 16:13 CEST" in letter.text
        assert re.search(r"http://localhost:8000/games/\w+\n", letter.text)
        assert not letters(site, "anna")
        assert "Choisir les messages que vous recevez\u00a0: http://localhost:8000/preferences\n" in letter.text
        assert ">Choisir les messages que vous recevez</a>" in letter.html

    def test_acceptance_is_mailed_to_the_proposer_with_the_ready_rooms_end(self, site: TestSite) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        form = {"game": "feinthold", "pace": "blitz", "opponent": "", "request": "r"}
        path = post_json(anna, "/duels", form).location
        beth.data(path)
        post_json(beth, f"{path}/accept", {})
        run_due(site)
        (letter,) = letters(site, "anna")
        assert letter.subject == "Beth accepts your duel"
        assert "by Mon 21 Sep 2026, 16:43 CEST at the latest" in letter.text
        assert not letters(site, "beth")

    def test_by_correspondence_it_opens_the_first_turn_in_one_mail(self, site: TestSite) -> None:
        begun(site)
        run_due(site)
        assert [letter.subject for letter in letters(site, "anna")] == ["Beth accepts your duel"]
        assert [letter.subject for letter in letters(site, "beth")] == ["Turn 1 against Anna: your orders"]
        for who in ("anna", "beth"):
            assert "/turn/" in link_in(letters(site, who)[0].text)
            assert "Send your orders by Tue 22 Sep 2026, 16:13 CEST" in letters(site, who)[0].text

    def test_each_turn_is_mailed_with_what_the_reader_may_know_of_the_last(self, site: TestSite) -> None:
        game = begun(site)
        run_due(site)
        game.send("a", {"move": [{"from": "hq_a", "to": "fwd_a", "units": 3}]})
        game.send("b", {"move": [{"from": "hq_b", "to": "post_b", "units": 2}]})
        run_due(site)
        a, b = names(game)
        mine, theirs = letters(site, a, "turn")[-1], letters(site, b, "turn")[-1]
        assert "What happened in turn 1" in mine.text
        assert "3 units" in mine.text and "3 units" not in theirs.text
        assert "2 units" in theirs.text and "2 units" not in mine.text
        assert mine.html.count("<li") == mine.text.count("\n- ")

    def test_live_turns_are_not_mailed(self, site: TestSite) -> None:
        begun(site, pace="blitz")
        run_due(site)
        assert [letter.reference.rpartition("/")[2] for letter in site.post.letters] == []

    def test_the_result_goes_to_both_each_from_their_own_side(self, site: TestSite) -> None:
        game = begun(site)
        game.send("a", SOMETHING)
        post_json(game.b, f"{game.path}/abandon", {})
        run_due(site)
        a, b = names(game)
        assert "Your opponent abandoned." in letters(site, a, "result")[0].text
        assert "You abandoned." in letters(site, b, "result")[0].text

    def test_both_are_written_in_their_readers_own_language_and_zone(self, site: TestSite) -> None:
        begun(site)
        change(site, "anna", lang="fr", zone="America/New_York")
        run_due(site)
        letter = letters(site, "anna")[0]
        assert letter.subject == "Beth accepte votre duel"
        assert "Envoyez vos ordres avant le mar. 22 sept. 2026 à 10:13 EDT." in letter.text
        assert '<html lang="fr">' in letter.html

    def test_an_opponent_who_is_gone_is_named_as_one(self, site: TestSite) -> None:
        begun(site)
        change(site, "beth", deleted=True)
        run_due(site)
        assert letters(site, "anna")[0].subject == "a former member accepts your duel"

    def test_every_kind_has_one_click_unsubscribe_in_header_and_text(self, site: TestSite) -> None:
        game = begun(site)
        run_due(site)
        pass_time(site, (state(game).deadline or 0) - 4 * HOUR)
        post_json(game.b, f"{game.path}/abandon", {})
        run_due(site)
        assert {letter.reference.rpartition("/")[2] for letter in site.post.letters} == {
            "accepted", "turn", "warning", "result",
        }  # fmt: skip
        for letter in site.post.letters:
            assert letter.unsubscribe and letter.unsubscribe in letter.text and letter.unsubscribe in letter.html


class TestWanted:
    @pytest.mark.parametrize("kind", ["proposal", "turn", "result"])
    def test_muted_kinds_are_not_sent(self, site: TestSite, kind: str) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth", muted=(kind,))
        game = duel(site, anna, beth, opponent="Beth")
        run_due(site)
        post_json(game.a, f"{game.path}/abandon", {})
        run_due(site)
        assert letters(site, "beth", kind) == []
        assert letters(site, "anna")

    def test_an_accepted_proposal_is_told_to_who_wants_either_of_what_it_is(self, site: TestSite) -> None:
        begun(site)
        change(site, "anna", muted=("accepted",))
        run_due(site)
        assert len(letters(site, "anna", "accepted")) == 1

    def test_a_paused_address_gets_nothing(self, site: TestSite) -> None:
        begun(site, bounced="bounce")
        run_due(site)
        assert site.post.letters == []

    def test_nobody_on_the_page_is_told_of_the_turn_but_warned_all_the_same(self, site: TestSite) -> None:
        game = begun(site)
        a, b = names(game)
        run_due(site)
        game.send("a", SOMETHING)
        game.a.get(f"{game.path}/version?beat")
        game.send("b", SOMETHING)
        run_due(site)
        assert [r.reference.split("/")[2] for r in letters(site, a, "/turn")] in ([], ["1"])
        assert letters(site, b, "/2/" + b + "/turn")
        pass_time(site, (state(game).deadline or 0) - 3 * HOUR)
        assert letters(site, a, f"/2/{a}/warning")

    @pytest.mark.parametrize("again", [False, True])
    def test_who_accepts_is_on_the_page_when_the_first_turn_opens(self, site: TestSite, again: bool) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        path = post_json(anna, "/duels", {**OFFER, "request": "r"}).location
        beth.get(path)
        if again:
            beth.post(f"{path}/accept")
            beth.post(f"{path}/abandon")
            post_json(anna, f"{path}/rematch", {})
            run_due(site)
            site.sources.move(HOUR)
            site.post.letters.clear()
        path = beth.post(f"{path}/rematch" if again else f"{path}/accept").location
        run_due(site)
        assert [m.subject for m in site.post.letters if not m.reference.endswith("/proposal")] == [
            "Beth accepts your duel"
        ]
        deadline = beth.data(path)["duel"]["deadline"]
        pass_time(site, deadline - 3 * HOUR)
        assert letters(site, "beth", "/1/beth/warning")

    def test_a_page_left_a_while_ago_is_no_excuse(self, site: TestSite) -> None:
        game = begun(site)
        a, _ = names(game)
        game.send("a", SOMETHING)
        game.a.get(f"{game.path}/version?beat")
        site.sources.move(2 * MINUTE)
        game.send("b", SOMETHING)
        run_due(site)
        assert letters(site, a, f"/2/{a}/turn")


class TestWarnings:
    def test_one_when_a_fifth_of_the_turn_is_left_and_no_orders_are_in(self, site: TestSite) -> None:
        game = begun(site)
        a, b = names(game)
        run_due(site)
        game.send("a", SOMETHING)
        opened, deadline = state(game).opened or 0, state(game).deadline or 0
        pass_time(site, opened + DAY * 4 // 5 - MINUTE)
        assert letters(site, b, "warning") == []
        pass_time(site, deadline - SECOND)
        (letter,) = letters(site, b, "warning")
        assert letter.subject.startswith("Turn 1 against ")
        assert letters(site, a, "warning") == []

    def test_it_comes_before_the_quiet_hours_it_would_fall_into(self) -> None:
        night = Quiet(22 * 60, 7 * 60)
        early = later(NOON, -14 * HOUR)  # 02:13:20 in Paris: the warning is due at 21:25
        assert warning_at(_turn(early), _member(night)) == early + DAY * 4 // 5
        opened = later(early, 2 * HOUR)  # now it would be due at 23:25
        before_ten = later(early, 19 * HOUR + 46 * MINUTE - 20 * SECOND)  # 21:59
        assert warning_at(_turn(opened), _member(night)) == before_ten

    def test_if_the_turn_opened_within_them_it_comes_at_its_own_time(self) -> None:
        always = Quiet(1, 0)
        assert warning_at(_turn(NOON, 2 * HOUR), _member(always)) == NOON + 2 * HOUR * 4 // 5

    def test_too_late_for_that_it_comes_at_once(self, site: TestSite) -> None:
        begun(site)  # opened 16:13, the warning due 11:25 the next day
        change(site, "anna", quiet=Quiet(16 * 60 + 20, 12 * 60))
        site.sources.move(3 * HOUR)  # the mail server was slow: it is 19:13
        run_due(site)
        assert len(letters(site, "anna", "warning")) == 1


class TestMoments:
    def test_no_mail_for_a_turn_already_played(self, site: TestSite) -> None:
        game = begun(site)
        site.post.down = True
        run_due(site)
        game.send("a", SOMETHING)
        game.send("b", SOMETHING)
        site.post.down = False
        pass_time(site, site.sources.time + HOUR)
        turns = {tuple(letter.reference.split("/")[2:]) for letter in site.post.letters}
        assert {turn for turn, _, _ in turns} == {"2"}

    def test_no_proposal_is_told_of_once_it_was_withdrawn(self, site: TestSite) -> None:
        anna, _ = member(site, "Anna"), member(site, "Beth")
        path = post_json(anna, "/duels", {"pace": "days1", "opponent": "Beth", "request": "r"}).location
        post_json(anna, f"{path}/withdraw", {})
        run_due(site)
        assert site.post.letters == []

    def test_an_outage_moves_the_deadline_and_says_from_when_to_when(self, site: TestSite) -> None:
        game = begun(site)
        run_due(site)
        game.send("a", SOMETHING)
        deadline = state(game).deadline or Instant(0)
        gap = Gap(later(deadline, -10 * MINUTE), later(deadline, 2 * HOUR))
        site.sources.time = later(deadline, 2 * HOUR + MINUTE)
        site.calm.store.commit(Decision((Put(Pulse(PULSE, site.sources.time, (gap,)), None),), None))
        run_due(site)
        assert state(game).deadline == deadline + 2 * HOUR + 10 * MINUTE
        for who in names(game):
            (letter,) = [found for found in letters(site, who) if "moved" in found.reference]
            assert "It was Tue 22 Sep 2026, 16:13 CEST; it is now Tue 22 Sep 2026, 18:23 CEST." in letter.text

    def test_a_deadline_spans_24_hours_across_both_changes_of_the_clocks(self, site: TestSite) -> None:
        autumn, spring = (
            Instant(1_792_850_400_000),
            Instant(1_806_159_600_000),
        )  # 24 Oct 2026, 16:00; 27 Mar 2027, 16:00
        anna, beth = member(site, "Anna"), member(site, "Beth")
        told = []
        for number, opened in enumerate((autumn, spring)):
            site.sources.time = opened
            fresh_cookies(site, anna, beth)
            path = post_json(anna, "/duels", {"pace": "days1", "opponent": "Beth", "request": f"r{number}"}).location
            beth.data(path)
            post_json(beth, f"{path}/accept", {})
            run_due(site)
            told.append(re.findall(r"by (\w+ \d+ \w+ \d+, [\d:]+ \w+)\.", letters(site, "anna", "accepted")[-1].text))
        assert told == [["Sun 25 Oct 2026, 15:00 CET"], ["Sun 28 Mar 2027, 17:00 CEST"]]


def fresh_cookies(site: TestSite, *browsers: Browser) -> None:
    """Sessions last 180 days: sign these members in again."""
    for browser in browsers:
        cookie = browser.cookies["session"]
        row = site.calm.store.get(MEMBER, MemberId(cookie.rpartition(" ")[2]))
        assert row is not None
        session = begin(row.value, session_id(cookie), site.sources.now())
        site.calm.store.commit(Decision((Put(session, None),), None))
        browser.data("/duels")


def _turn(opened: Instant, span: int = DAY) -> Duel:
    proposed = Duel(DuelId("d"), "feinthold", "days1", MemberId("a"), None, opened, ())
    return replace(proposed, stage="playing", opened=opened, deadline=later(opened, span))


def _member(quiet: Quiet) -> Member:
    return Member(MemberId("a"), "Anna", "a@example.org", "en", "Europe/Paris", Instant(0), quiet=quiet)


def test_kinds_of_mails_are_all_known() -> None:
    assert {kind for kinds in KINDS.values() for kind in kinds} <= set(MAILS)
