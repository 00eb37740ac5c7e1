"""Deletion and return by the same mailbox: what was decided about the old account holds for the new one (P17, P29)."""

from pathlib import Path

import pytest

from engine.decisions import Decision, Put
from engine.platform.gifts import gift_key
from engine.platform.links import Link
from engine.platform.members import Member, MemberId
from engine.times import DAY, MINUTE
from functions import fronts
from functions.linking import linked
from infra.records import DUEL, FRONT_GAME, GIFT, LINK, MEMBER, RATED
from tests.support.browser import Browser
from tests.support.clubs import account, answered, credits, done, judged, moderator
from tests.support.duelling import duel, member, post_json, run_due
from tests.support.leaving import ask_to_leave, fresh, leave, settled
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in
from tests.support.solo import begin

ADDRESS, AGAIN = "Zoe+games@example.org", "zoe@example.org"
YEAR = 365 * DAY


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def mod(site: TestSite) -> Browser:
    return moderator(site, "Mona")


@pytest.fixture
def zoe(site: TestSite) -> str:
    return sign_up(Browser(), site, ADDRESS, "Zoe")


def back(site: TestSite, name: str = "Zora", address: str = AGAIN) -> tuple[Browser, str]:
    """Somebody becomes a member by the mailbox; the browser and the id."""
    browser = Browser()
    return browser, sign_up(browser, site, address, name)


def link(site: TestSite, one: str, other: str) -> None:
    now = site.sources.now()
    links = [Link(MemberId(a), MemberId(b), now, "moderators") for a, b in ((one, other), (other, one))]
    site.calm.store.commit(Decision(tuple(Put(each, 0) for each in links), None))


def of(site: TestSite, id: str) -> Member:
    return account(site, id)


class TestAFreeze:
    def test_goes_on_and_there_is_no_second_gift(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        settled(site)
        browser, new = back(site)
        assert new != zoe and credits(site, new) == 0
        assert of(site, new).frozen is not None and of(site, new).frozen_at(site.sources.now())
        refused = post_json(browser, "/duels", {"game": "feinthold", "pace": "days1", "opponent": "", "request": "1"})
        assert refused.json["error"]["code"] == "frozen" and refused.status != 303
        assert "will not be ranked" in browser.get("/front").seen

    @pytest.mark.parametrize(("days", "frozen"), [(364, True), (365, False)])
    def test_is_remembered_for_twelve_months(
        self, site: TestSite, mod: Browser, zoe: str, days: int, frozen: bool
    ) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        site.sources.move(days * DAY)
        _, new = back(site)
        assert (of(site, new).frozen is not None) is frozen
        assert credits(site, new) == (0 if frozen else 100)

    def test_goes_on_however_often_one_leaves(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        last = zoe
        for name in ("Zora", "Zita", "Zula"):
            leave(site, last)
            settled(site)
            site.sources.move(300 * DAY)
            _, last = back(site, name)
            assert of(site, last).frozen is not None, name

    def test_asked_for_before_the_account_went_it_counts(self, site: TestSite, mod: Browser, zoe: str) -> None:
        """The act was taken; its effect comes after the deletion."""
        mod.data("/moderation")
        body = {"what": "freeze", "about": zoe, "other": "", "reason": "Seen.", "request": "1"}
        assert post_json(mod, "/moderation/acts", body).status == 303
        ask_to_leave(site, zoe)
        run_due(site)
        _, new = back(site)
        assert of(site, new).frozen is not None

    def test_undone_before_it_does_not_go_on(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        done(site, mod, "unfreeze", zoe)
        leave(site, zoe)
        _, new = back(site)
        assert of(site, new).frozen is None

    def test_is_told_with_the_reason_and_may_be_answered_and_undone(
        self, site: TestSite, mod: Browser, zoe: str
    ) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        browser, new = back(site)
        run_due(site)
        assert "what held for it goes on" in site.post.last(AGAIN).text
        lines = browser.data("/decisions")["decisions"]
        assert {line["what"] for line in lines} == {"freeze", "link"}
        id = next(line["id"] for line in lines if line["what"] == "freeze")
        assert "deleted less than twelve months ago" in browser.get(f"/decisions/{id}").seen
        assert answered(browser, id, "I am somebody else at this company.").status == 303
        assert judged(mod, id, "undone").status == 303
        run_due(site)
        assert of(site, new).frozen is None
        assert not of(site, new).frozen_at(site.sources.now())

    def test_holds_for_a_guest_who_signs_up(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        browser = Browser(client="192.0.2.7")
        browser.data("/play/relief")
        made = post_json(browser, "/play/relief", {"level": "level1", "seat": "red", "board": "classic"})
        row = site.calm.store.get(DUEL, made.location.rpartition("/")[2])
        new = sign_up(browser, site, AGAIN, "Zora")
        assert row is not None and row.value.members[0].member == new
        assert of(site, new).frozen is not None and not of(site, new).guest

    def test_of_another_mailbox_is_nobodys_business(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        _, new = back(site, "Yann", "yann@example.org")
        assert of(site, new).frozen is None and credits(site, new) == 100


class TestLinks:
    def test_who_was_linked_is_linked_again_over_the_old_account(self, site: TestSite, zoe: str) -> None:
        beth = member(site, "Beth")
        link(site, zoe, "beth")
        leave(site, zoe)
        browser, new = back(site)
        assert {"beth", zoe} <= linked(site.site, MemberId(new)) and new in linked(site.site, MemberId("beth"))
        game = duel(site, browser, beth)
        for seat in game.seats:
            assert game.send(seat, {}).status == 200
        assert game.act("a", "abandon").status == 303
        run_due(site)
        row = site.calm.store.get(RATED, game.id)
        assert row is not None and row.value.why == "linked"

    def test_one_ranked_front_a_day_through_deletion_and_return(self, site: TestSite, zoe: str) -> None:
        """Even for who left in peace: the day's map is no secret to them any more."""
        today = {"day": fronts.today(site.site, site.sources.now())}
        browser = fresh(site, zoe)
        browser.get("/front")
        begin(site, browser, "/front", today).send()
        leave(site, zoe)
        browser, new = back(site)
        begin(site, browser, "/front", today)
        row = site.calm.store.get(FRONT_GAME, today["day"], new)
        assert row is not None and row.value.why == "linked"

    def test_both_left_and_came_back_they_are_still_linked(self, site: TestSite, zoe: str) -> None:
        yann = sign_up(Browser(), site, "yann@example.org", "Yann")
        link(site, zoe, yann)
        leave(site, zoe)
        leave(site, yann)
        _, one = back(site)
        run_due(site)
        _, other = back(site, "Yvo", "yann@example.org")
        assert other in linked(site.site, MemberId(one))

    def test_a_link_that_moderators_ended_stays_ended(self, site: TestSite, mod: Browser, zoe: str) -> None:
        member(site, "Beth")
        link(site, zoe, "beth")
        done(site, mod, "unlink", zoe, "beth")
        leave(site, zoe)
        _, new = back(site)
        assert linked(site.site, MemberId(new)) == frozenset()
        assert site.calm.store.query(LINK, "", new, limit=9).rows == ()

    def test_who_left_in_peace_comes_back_as_anybody(self, site: TestSite, zoe: str) -> None:
        leave(site, zoe)
        browser, new = back(site)
        assert linked(site.site, MemberId(new)) == frozenset() and of(site, new).frozen is None
        assert browser.data("/decisions")["decisions"] == []

    def test_moderators_see_why(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        _, new = back(site)
        assert "to a deleted account of the same mailbox" in mod.get(f"/moderation/members/{new}").seen


class TestTheMailbox:
    def test_is_forgotten_by_the_store_a_year_after_its_last_account(self, site: TestSite, zoe: str) -> None:
        assert GIFT.expires is not None
        (kept,) = (site.calm.store.get(GIFT, key) for key in [_key(site)])
        assert kept is not None and GIFT.expires(kept.value) is None
        leave(site, zoe)
        freed = site.calm.store.get(GIFT, _key(site))
        assert freed is not None
        expires = GIFT.expires(freed.value)
        assert expires is not None and expires * 1000 >= site.sources.now() + YEAR

    def test_two_who_sign_up_by_it_at_once_get_one_gift(self, site: TestSite) -> None:
        ids = [sign_up(Browser(), site, f"zoe+{n}@example.org", f"Zoe {n * 'z'}") for n in range(3)]
        assert sorted(credits(site, id) for id in ids) == [0, 0, 100]
        kept = site.calm.store.get(GIFT, _key(site))
        assert kept is not None and [a.member for a in kept.value.owners] == ids

    def test_signing_up_twice_by_one_form_is_once(self, site: TestSite, mod: Browser, zoe: str) -> None:
        done(site, mod, "freeze", zoe)
        leave(site, zoe)
        browser, new = back(site)
        site.sources.move(MINUTE)
        kept = site.calm.store.get(GIFT, _key(site))
        assert kept is not None and [a.member for a in kept.value.owners] == [zoe, new]
        assert site.calm.store.get(MEMBER, new) is not None and browser.get("/preferences").status == 200


def _key(site: TestSite) -> str:
    return gift_key(site.site.settings.secret, AGAIN)
