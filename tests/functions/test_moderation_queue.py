"""The moderators' queue: marks, reports, parked jobs; names that are hidden (P29)."""

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from engine.decisions import Decision, Job, Put
from engine.platform.blocks import Report
from engine.platform.duels.records import DuelId
from engine.platform.fair_play.records import Finding
from engine.platform.members import MemberId
from engine.times import later
from functions import fair_play
from functions.worker import TRIES
from infra.records import JOB, MARK, REPORT
from tests.support.browser import Browser
from tests.support.clubs import (
    account,
    act,
    done,
    member,
    won,
)
from tests.support.duelling import Duelling, run_due
from tests.support.jobs import jobs
from tests.support.moderating import undone
from tests.support.site import TestSite


class TestTheQueue:
    def test_marks_are_dismissed_and_come_back_with_new_evidence(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna")
        now = site.sources.now()
        found = Finding("loads", MemberId("anna"), DuelId("g1"), now, detail={"n": 77})
        fair_play.enter(site.site, found)
        page = mod.get("/moderation")
        assert "Anna" in page.seen and "77 loads" in page.seen
        done(site, mod, "dismiss", "anna/loads/")
        fair_play.enter(site.site, found)
        assert mod.data("/moderation")["lines"] == []
        fair_play.enter(site.site, Finding("loads", MemberId("anna"), DuelId("g2"), now, detail={"n": 61}))
        assert mod.data("/moderation")["lines"][0]["count"] == 2
        assert site.post.letters == []  # nobody is told of marks

    def test_it_is_paged(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna")
        for n in range(45):
            at = later(site.sources.now(), n)
            fair_play.enter(site.site, Finding("network", MemberId("anna"), DuelId("g"), at, f"m{n:02}"))
        seen, after = list[str](), ""
        for _ in range(3):
            reads = site.store.reads
            page: Any = mod.data(f"/moderation?after={after}")
            assert site.store.reads - reads <= 31
            seen += [line["id"] for line in page["lines"]]
            after = page["after"]
        assert len(set(seen)) == 45 and not after

    def test_tabs_tell_how_much_waits(self, site: TestSite, mod: Browser) -> None:
        assert "No marks wait" in mod.get("/moderation").seen
        for n in range(32):
            name = f"Zz{n:02}q"
            member(site, name)
            report = Report("member", name.lower(), MemberId("x"), "Rude.", later(site.sources.now(), n))
            site.calm.store.commit(Decision((Put(report, 0),), None))
        fair_play.enter(
            site.site, Finding("loads", MemberId("zz00q"), DuelId("g"), site.sources.now(), detail={"n": 77})
        )
        tabs = {tab["name"]: tab["waiting"] for tab in mod.data("/moderation")["lists"]}
        assert tabs == {"marks": 1, "reports": 31, "answers": 0, "jobs": 0, "log": 0}
        assert "Reports 30+" in mod.get("/moderation").seen
        assert "No answers wait" in mod.get("/moderation?of=answers").seen

    def test_an_act_leads_back_to_the_very_page_and_says_what_was_done(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna")
        for n in range(25):
            at = later(site.sources.now(), n)
            fair_play.enter(site.site, Finding("network", MemberId("anna"), DuelId("g"), at, f"m{n:02}"))
        after = mod.data("/moderation")["after"]
        page = mod.get(f"/moderation?{urlencode({'after': after})}")
        back = html.unescape(re.findall(r'name="back" value="([^"]+)"', page.text)[0])
        form = {"what": "dismiss", "about": "anna/network/m24", "reason": "A household.", "request": "r", "back": back}
        answer = mod.post("/moderation/acts", form)
        assert answer.location.startswith(back)
        there = mod.follow(answer)
        assert "Mark dismissed." in there.seen and "See the decision" in there.seen
        assert mod.get(f"{back}&done=nothing").status == 200

    @pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/games/x", ""])
    def test_it_leads_nowhere_else(self, site: TestSite, mod: Browser, back: str) -> None:
        member(site, "Anna")
        mod.get("/moderation")
        form = {"what": "freeze", "about": "anna", "reason": "Seen.", "request": "r", "back": back}
        assert mod.post("/moderation/acts", form).location.startswith("/decisions/")

    def test_a_refused_form_comes_back_whole_and_says_what_it_does(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna"), member(site, "Beth")
        mod.get("/moderation/members/anna")
        form = {"what": "link", "about": "anna", "name": "Nobody here", "reason": "Same <browser>.", "request": "r",
                "back": "/moderation/members/anna"}  # fmt: skip
        page = mod.post("/moderation/acts", form)
        assert page.status == 422 and "Link to another account" in page.seen and "may answer once" in page.seen
        assert 'value="Nobody here"' in page.text and "Same &lt;browser&gt;." in page.text
        assert page.text.count('href="/moderation/members/anna"') == 2
        assert mod.post("/moderation/acts", {**form, "name": "Beth"}).location.startswith(
            "/moderation/members/anna?done="
        )

    def test_of_much_evidence_the_latest_is_shown_and_the_rest_folded(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna")
        for n in range(12):
            found = Finding(
                "loads", MemberId("anna"), DuelId(f"g{n}"), later(site.sources.now(), n), detail={"n": 70 + n}
            )
            fair_play.enter(site.site, found)
        page = mod.get("/moderation")
        assert "9 more games" in page.seen
        assert page.text.index("81 loads") < page.text.index("9 more games") < page.text.index("70 loads")

    def test_reports_are_closed(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna"), member(site, "Beth")
        report = Report("member", "anna", MemberId("beth"), "Rude.", site.sources.now())
        site.calm.store.commit(Decision((Put(report, 0),), None))
        assert "Rude." in mod.get("/moderation?of=reports").seen
        done(site, mod, "dismiss_report", "member/anna/beth")
        assert "Rude." not in mod.get("/moderation?of=reports").seen
        row = site.calm.store.get(REPORT, "member", "anna", "beth")
        assert row is not None and not row.value.open

    def test_a_parked_job_is_tried_again(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        won(game)
        job = Job(f"settle/{game.id}", site.sources.now(), "settle", {"duel": game.id}, tries=TRIES, parked=True)
        site.calm.store.commit(Decision((Put(job, None),), None))
        assert job.id in mod.get("/moderation?of=jobs").text
        done(site, mod, "unpark", job.id)
        run_due(site)
        assert site.calm.store.get(JOB, job.id) is None and jobs(site, "settle") == []

    def test_hostile_words_are_only_words(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna")
        assert act(mod, "freeze", "anna", reason="<script>alert(1)</script>").status == 303
        run_due(site)
        assert "<script>alert" not in mod.get("/moderation/members/anna").text
        anna = Browser(cookies={"session": "cookie of anna"})
        assert "<script>alert" not in anna.get(anna.data("/decisions") and "/decisions").text


class TestNames:
    def test_a_name_is_hidden_and_given_back(self, site: TestSite, mod: Browser, other_mod: Browser) -> None:
        anna = member(site, "Annabad")
        id = done(site, mod, "hide_name", "annabad")
        assert account(site, "annabad").name.startswith("Member ")
        undone(site, id, anna, other_mod)
        assert account(site, "annabad").name == "Annabad"

    def test_a_better_name_chosen_since_stays(self, site: TestSite, mod: Browser, other_mod: Browser) -> None:
        anna = member(site, "Annabad")
        id = done(site, mod, "hide_name", "annabad")
        anna.get("/preferences")
        assert anna.post("/preferences", {"name": "Annagood"}).status == 303
        undone(site, id, anna, other_mod)
        assert account(site, "annabad").name == "Annagood"


def test_marks_kept(site: TestSite) -> None:
    """A mark keeps the latest evidence, and counts all of it."""
    for n in range(20):
        fair_play.enter(site.site, Finding("loads", MemberId("anna"), DuelId(f"g{n}"), site.sources.now()))
    row = site.calm.store.get(MARK, "anna", "loads", "")
    assert row is not None and (len(row.value.evidence), len(row.value.known)) == (12, 20)
