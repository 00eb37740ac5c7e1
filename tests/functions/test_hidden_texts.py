"""Texts of sieges that moderators hide: from the report to another moderator's judgement (T16, P5b, P29)."""

import re
from functools import partial

import pytest

from engine.platform.sieges.records import Post
from engine.times import DAY, SECOND
from infra.faults import Fault
from infra.records import REPORT, SIEGE_POST
from tests.support.browser import Browser
from tests.support.clubs import act, answered, done, judged, moderator
from tests.support.duelling import member, post_json, run_due
from tests.support.jobs import at_once
from tests.support.moderating import run_with, undone
from tests.support.people import link_in
from tests.support.sieging import Sieging, begun, codes, to_the_end
from tests.support.site import TestSite

REASON = "It names a *real* person."
NOTICE = f"Hidden by the moderators: {REASON}"


@pytest.fixture
def siege(site: TestSite) -> Sieging:
    """Two in the second turn; Anna's shot of the first went with a text, and she said something of its results."""
    siege = begun(site, 2)
    siege.everybody()
    siege.send("p1", siege.thought("p1"), text="Vile prelude")
    siege.send("p2", siege.thought("p2"), text="Gentle prelude")
    posted = post_json(siege.players["p1"], f"{siege.path}/topic", {"text": "Vile reaction", "request": "one"})
    assert posted.status == 303
    siege.run()
    return siege


def posts(siege: Sieging) -> dict[str, Post]:
    """The texts by what they say."""
    rows = siege.site.calm.store.query(SIEGE_POST, "", siege.id, limit=20).rows
    return {row.value.text: row.value for row in rows}


def key(siege: Sieging, text: str) -> str:
    post = posts(siege)[text]
    return f"siege/{siege.id}/{post.turn}/{post.id}"


def page_of(key: str) -> str:
    return f"/moderation/texts/{key.removeprefix('siege/')}"


class TestAsAPersonWould:
    """By the pages' own links and forms, without scripts."""

    def test_reported_hidden_answered_and_shown_again(
        self, site: TestSite, siege: Sieging, mod: Browser, other_mod: Browser
    ) -> None:
        anna, beth = siege.players["p1"], siege.players["p2"]
        page = beth.get(f"{siege.path}/turns/2").text
        form = re.search(r'action="([^"]+/report)"(?:(?!</form>).)*?</form>', page, re.DOTALL)
        assert form
        told = beth.post(form[1], {"reason": "Mean to me"})
        assert "The moderators will look at it" in beth.follow(told).seen

        queue = mod.get("/moderation?of=reports")
        assert "Vile prelude" in queue.seen and "Mean to me" in queue.seen and "Anna" in queue.seen
        fields = _form(queue.text, "hide_text")
        back = mod.follow(mod.post("/moderation/acts", {**fields, "reason": REASON}))
        assert "Text hidden." in back.seen
        run_due(site)
        assert "Mean to me" not in mod.get("/moderation?of=reports").seen  # dealt with

        letter = site.post.last("anna@example.org")
        assert letter.subject == "A text of yours was hidden"
        assert REASON in letter.text and "The Siege" in letter.text
        decision = link_in(letter.text)
        seen = anna.get(decision)
        assert "Vile prelude" in seen.seen and REASON in seen.seen and "Mona" not in seen.text
        assert anna.post(f"{decision}/answer", {"answer": "Nobody is named."}).status == 303

        assert decision in other_mod.get("/moderation?of=answers").text
        assert "Vile prelude" in other_mod.get(decision).seen
        verdict = {"verdict": "undone", "reason": "Nobody is."}
        assert other_mod.post(f"{decision}/judge", verdict).status == 303
        run_due(site)
        assert site.post.last("anna@example.org").subject == "A decision about you was undone"
        assert "Vile prelude" in Browser().get(f"{siege.path}/turns/2").seen

    def test_a_report_without_a_reason_comes_back_with_its_problem(self, siege: Sieging) -> None:
        at = page_of(key(siege, "Vile prelude")).removeprefix("/moderation/texts/").split("/")
        beth = siege.players["p2"]
        beth.get(f"{siege.path}/turns/2")
        path = f"{siege.path}/turns/{at[1]}/{at[2]}/report"
        for reason in ("  ", "x" * 1_001):
            page = beth.post(path, {"reason": reason})
            assert page.status == 422 and "aria-invalid" in page.text and reason in page.text
        assert beth.post(path, {"reason": "x"}, accept="application/json").status == 303

    def test_nobody_reports_their_own(self, siege: Sieging) -> None:
        at = key(siege, "Vile prelude").split("/")
        path = f"{siege.path}/turns/{at[2]}/{at[3]}/report"
        assert codes(post_json(siege.players["p1"], path, {"reason": "x"})) == ["report_self"]


class TestWhereItIsRead:
    def hide_both(self, siege: Sieging, mod: Browser) -> None:
        for text in ("Vile prelude", "Vile reaction"):
            assert act(mod, "hide_text", key(siege, text), reason=REASON).status == 303
        run_due(siege.site)

    def test_topic_results_story_and_files_say_why(self, siege: Sieging, mod: Browser) -> None:
        self.hide_both(siege, mod)
        turn, reacted = f"{siege.path}/turns/2", f"{siege.path}/turns/{posts(siege)['Vile reaction'].turn}"
        to_the_end(siege)
        story = (f"{siege.path}/story", f"{siege.path}/story/download")
        for path in (turn, reacted, *story):
            for accept in ("text/html", "application/json"):
                answer = Browser().get(path, accept)
                assert answer.status == 200 and "Vile" not in answer.text, path
            assert NOTICE in Browser().get(path).seen, path
        assert Browser().get(story[1]).text.count(f"> {NOTICE}") == 2
        assert "Gentle prelude" in Browser().get(story[1]).text
        assert "Vile" not in Browser().get(f"{siege.path}/download").text

    def test_quoting_it_quotes_the_reason(self, siege: Sieging, mod: Browser) -> None:
        self.hide_both(siege, mod)
        post = posts(siege)["Vile reaction"]
        page = siege.players["p2"].get(f"{siege.path}/turns/{post.turn}?quote={post.id}")
        assert "Vile" not in page.text and f"> {NOTICE}" in page.seen

    def test_a_reason_of_several_lines_stays_one_quotation(self, siege: Sieging, mod: Browser) -> None:
        act(mod, "hide_text", key(siege, "Vile prelude"), reason="One.\n# Two.")
        run_due(siege.site)
        to_the_end(siege)
        assert "> Hidden by the moderators: One.\n> # Two." in Browser().get(f"{siege.path}/story/download").text

    def test_a_hidden_text_can_not_be_reported(self, siege: Sieging, mod: Browser) -> None:
        self.hide_both(siege, mod)
        post = posts(siege)["Vile prelude"]
        path = f"{siege.path}/turns/{post.turn}/{post.id}/report"
        assert post_json(siege.players["p2"], path, {"reason": "x"}).status == 404


class TestSecrecy:
    """A moderator sees no secret text, nor whether there is one (T16, P29, P30)."""

    def secret(self, siege: Sieging) -> str:
        assert siege.send("p1", siege.thought("p1"), text="Still secret").status == 200
        return key(siege, "Still secret")

    def test_not_before_its_turn_is_resolved(self, siege: Sieging, mod: Browser) -> None:
        secret = self.secret(siege)
        absent = secret.replace("0.p1", "0.p2")
        for path in ("/moderation?of=reports", f"/moderation/sieges/{siege.id}", siege.path):
            assert "Still secret" not in mod.get(path).text
        assert mod.get(page_of(secret)).status == mod.get(page_of(absent)).status == 404
        answers = [act(mod, "hide_text", about) for about in (secret, absent)]
        assert {(a.status, a.text.replace("p2", "p1")) for a in answers} == {(404, answers[0].text)}
        siege.send("p2", siege.thought("p2"))
        assert "Still secret" in mod.get(page_of(secret)).seen
        assert act(mod, "hide_text", secret).status == 303

    def test_nor_can_it_be_reported(self, siege: Sieging) -> None:
        secret = self.secret(siege).split("/")
        path = f"{siege.path}/turns/{secret[2]}/{secret[3]}/report"
        assert post_json(siege.players["p2"], path, {"reason": "x"}).status == 404


class TestWhoMayAct:
    def test_not_on_games_of_the_own_last_thirty_days(self, site: TestSite) -> None:
        siege = begun(site, 2)
        nina = moderator(site, "Nina")
        both = begun_with(site, siege, nina)
        post_json(both.players["p1"], f"{both.path}/topic", {"text": "Of a colleague", "request": "x"})
        assert codes(act(nina, "hide_text", key(both, "Of a colleague"))) == ["own_matter"]

    def test_neither_members_nor_strangers(self, siege: Sieging) -> None:
        at = key(siege, "Vile prelude")
        assert act(siege.players["p2"], "hide_text", at).status == 404
        assert siege.players["p2"].get(page_of(at)).status == 404
        assert Browser().get(page_of(at)).status == 404

    @pytest.mark.parametrize("about", ["", "siege", "siege/x/1/0.p1", "siege/{id}/x/0.p1", "siege/{id}/1", "text/1"])
    def test_what_is_not_there(self, siege: Sieging, mod: Browser, about: str) -> None:
        assert codes(act(mod, "hide_text", about.format(id=siege.id))) == ["no_such_text"]


class TestTwiceAndInAnyOrder:
    def test_hidden_twice_by_two_is_hidden_once_and_the_first_reason_holds(
        self, site: TestSite, siege: Sieging, mod: Browser, other_mod: Browser
    ) -> None:
        at = key(siege, "Vile prelude")
        at_once([partial(act, one, "hide_text", at, reason=REASON) for one in (mod, other_mod)])
        run_due(site)
        assert posts(siege)["Vile prelude"].hidden == REASON
        assert codes(act(mod, "hide_text", at, request="again")) == ["no_such_text"]

    def test_undoing_one_act_leaves_what_a_later_one_hid(
        self, site: TestSite, siege: Sieging, mod: Browser, other_mod: Browser
    ) -> None:
        at, anna = key(siege, "Vile prelude"), siege.players["p1"]
        first = done(site, mod, "hide_text", at)
        undone(site, first, anna, other_mod)
        assert not posts(siege)["Vile prelude"].hidden
        assert act(mod, "hide_text", at, request="again").status == 303
        run_due(site)
        assert judged(other_mod, first, "undone").status == 303  # sent once more
        run_due(site)
        assert posts(siege)["Vile prelude"].hidden == "Seen."
        assert answered(anna, first, "Again").status == 422

    @pytest.mark.parametrize("fault", [Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.LOST_ANSWER])
    @pytest.mark.parametrize("at", range(4))
    def test_a_crash_between_any_two_commits_costs_nothing(
        self, site: TestSite, siege: Sieging, mod: Browser, fault: Fault, at: int
    ) -> None:
        run_due(site)
        text = key(siege, "Vile prelude")
        turn, post = text.split("/")[2:]
        for name in ("Carl", "Dina"):
            said = post_json(member(site, name), f"{siege.path}/turns/{turn}/{post}/report", {"reason": name})
            assert said.status == 303
        assert act(mod, "hide_text", text).status == 303
        run_with(site, [*([None] * at), fault])
        site.sources.move(DAY)
        run_due(site)
        assert posts(siege)["Vile prelude"].hidden == "Seen."
        assert site.calm.store.query(REPORT, "open", limit=9).rows == ()
        letters = [x.to for x in site.post.letters if x.subject == "A text of yours was hidden"]
        assert letters in (["anna@example.org"], [])  # none if the process ended while it was being sent

    def test_it_stays_hidden_when_its_author_has_left_the_siege(
        self, site: TestSite, siege: Sieging, mod: Browser
    ) -> None:
        at = key(siege, "Vile prelude")
        assert post_json(siege.players["p1"], f"{siege.path}/leave", {}).status == 303
        done(site, mod, "hide_text", at)
        siege.pass_time(9 * DAY + 3 * SECOND)
        assert "Vile prelude" not in Browser().get(f"{siege.path}/turns/2").text


def begun_with(site: TestSite, other: Sieging, browser: Browser) -> Sieging:
    """A siege in its first turn in which this browser's member plays too."""
    anna = other.players["p1"]
    form = {"name": "Another", "seats": 3, "pace": "days3", "fee": 0, "opens": site.sources.now() + DAY, "request": "s"}
    path = post_json(anna, "/sieges", form).location
    assert post_json(browser, f"{path}/join", {}).status == 303
    siege = Sieging(site, path.rpartition("/")[2], {"p1": anna, "p2": browser})
    siege.pass_time(DAY)
    while siege.state.turn < 1:
        siege.everybody()
    return siege


def _form(page: str, what: str) -> dict[str, str]:
    """The hidden fields of a page's form for an act."""
    forms = re.findall(r"<form[^>]*action=\"/moderation/acts\".*?</form>", page, re.DOTALL)
    found = next(form for form in forms if f'name="what" value="{what}"' in form)
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', found))
