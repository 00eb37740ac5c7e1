"""How a siege ends, and what its pages cost (T14, T17, P21b)."""

from pathlib import Path

import pytest

from engine.games.verify import verify
from engine.platform.ledger.records import escrow
from engine.times import DAY, SECOND
from functions import reconcile
from functions.worker import run_job
from infra.records import JOB
from tests.support.browser import Browser
from tests.support.duelling import post_json
from tests.support.sieging import begun, credits, give, opened, to_the_end, told
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


class TestTheEnd:
    def test_the_pot_is_halved_between_the_honours(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth", "chris")
        siege = begun(site, 3, fee=25)
        to_the_end(siege)
        assert credits(site, escrow("tournament", siege.id)) == 0
        purses = [credits(site, f"member/{name}") for name in ("anna", "beth", "chris")]
        assert sum(purses) == 90
        assert siege.state.result is not None
        if siege.state.result.honours["survivor"] and len(siege.state.result.honours["points"]) == 1:
            assert sorted(p for p in purses if p > 5) in ([42, 43], [80])
        letters = told(siege, "siege_won") + told(siege, "siege_over")
        assert sorted(letters) == ["anna", "beth", "chris"]

    def test_not_one_shot_gives_the_fees_back(self, site: TestSite) -> None:
        give(site, 30, "anna", "beth")
        siege = begun(site, 2, fee=25)
        for _ in range(3):
            siege.pass_time(3 * DAY + 3 * SECOND)
        assert siege.state.stage == "ended"
        assert (credits(site, "member/anna"), credits(site, "member/beth")) == (30, 30)

    def test_a_pot_paid_late_leaves_books_in_order_that_are_gone_through_just_then(
        self, site: TestSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give(site, 30, "anna", "beth", "chris")
        siege = begun(site, 3, fee=25)
        reconcile.stop(site.calm, "test")
        to_the_end(siege)
        site.sources.move(DAY)
        monkeypatch.setattr(reconcile, "AT_ONCE", 1)
        reconcile.begin(site.calm)
        pot = escrow("tournament", siege.id)
        while (row := site.calm.store.get(JOB, "reconcile")) and row.value.about["after"] not in (pot, "member/anna"):
            run_job(site.calm, "reconcile")
        assert row is not None and credits(site, pot) == 75
        reconcile.let_go_on(site.calm)
        siege.run()
        assert credits(site, pot) == 0 and not any(reconcile.stops(site.calm).values())

    def test_all_survivors_may_agree_to_end_it(self, site: TestSite) -> None:
        siege = begun(site, 3)
        for seat in siege.state.awaits:
            siege.send(seat, {**siege.thought(seat), "agree_end": True})
        siege.run()
        assert siege.state.result is not None and siege.state.result.by == "agreement"
        assert "agreed to end" in Browser().get(siege.path).seen

    def test_everything_is_shown_and_every_roll_can_be_recomputed(self, site: TestSite) -> None:
        siege = begun(site, 3)
        commitment = siege.page("p1")["siege"]["commitment"]
        assert siege.page("p1")["siege"]["seed"] is None
        assert Browser().get(f"{siege.path}/download").status == 404
        assert Browser().get(f"{siege.path}/story").status == 404
        to_the_end(siege)
        download = Browser().data(f"{siege.path}/download")
        assert download["commitment"] == commitment
        verdict = verify(download)
        assert verdict.honest and verdict.rolls > 0
        assert "recomputed" in Browser().get(f"{siege.path}/dice").seen
        assert set(Browser().data(siege.path)["view"]["units"]) == {"p1", "p2", "p3"}

    def test_the_story_is_a_book_and_a_file(self, site: TestSite) -> None:
        siege = begun(site, 3)
        siege.everybody(text="Once upon a *time*")
        post_json(siege.players["p1"], f"{siege.path}/topic", {"text": "Hear, hear", "request": "one"})
        to_the_end(siege)
        book = Browser().get(f"{siege.path}/story")
        assert "<em>time</em>" in book.text and "Hear, hear" in book.seen
        file = Browser().get(f"{siege.path}/story/download")
        assert file.headers["content-type"].startswith("text/markdown")
        assert file.text.startswith("# The Siege") and "Once upon a *time*" in file.text

    def test_the_story_and_the_download_are_in_the_order_of_play_though_places_were_asked_for_again(
        self, site: TestSite
    ) -> None:
        siege = opened(site, 2)
        for _ in range(2):
            for seat in siege.state.awaits:
                siege.send(seat, {"formation": [1, 2, 3], "centres": ["D4", "D5", "E5"]})
        siege.run()
        to_the_end(siege)
        for text in (Browser().get(f"{siege.path}/story").seen, Browser().get(f"{siege.path}/story/download").text):
            assert 0 < text.index("free of overlaps") < text.index("2 units stand on the field") < text.index("Turn 1")
        assert [turn["turn"] for turn in Browser().data(f"{siege.path}/download")["turns"]][:3] == [0, -1, 1]

    def test_a_download_can_be_passed_on_without_ones_token(self, site: TestSite) -> None:
        siege = begun(site, 2)
        to_the_end(siege)
        mine = siege.players["p1"].get(f"{siege.path}/download", "application/json").text
        assert mine == Browser().get(f"{siege.path}/download", "application/json").text

    def test_nothing_is_left_to_do(self, site: TestSite) -> None:
        siege = begun(site, 2)
        to_the_end(siege)
        siege.pass_time(30 * DAY)
        left = [r.value for s in range(4) for r in site.calm.store.query(JOB, "due", s, limit=9).rows]
        assert left == []


class TestCosts:
    def test_pages_take_few_reads_whatever_has_happened(self, site: TestSite) -> None:
        siege = begun(site, 12)
        for _ in range(3):
            siege.everybody(text="x" * 500)
        anna = siege.players["p1"]
        most = {"": 22, "/version?beat": 5, "/turns/1": 18, "/turns/3": 18, "/dice": 16}
        for path, reads in most.items():
            before = site.store.reads
            assert anna.get(siege.path + path).status == 200
            assert site.store.reads - before <= reads, (path, site.store.reads - before)
        before = site.store.reads
        anna.get("/sieges")
        assert site.store.reads - before <= 8

    def test_an_order_is_one_transaction_on_the_siege_its_text_its_turn_and_jobs(self, site: TestSite) -> None:
        siege = begun(site, 2)
        before, written = site.store.commits, len(site.store.written)
        siege.send("p1", siege.thought("p1"), text="A text")
        assert site.store.commits == before + 1
        assert sorted(site.store.written[written:]) == ["siege", "siege_post"]
        written = len(site.store.written)
        siege.send("p2", siege.thought("p2"))
        assert site.store.commits == before + 2
        assert set(site.store.written[written:]) == {"siege", "siege_turn", "job"}
