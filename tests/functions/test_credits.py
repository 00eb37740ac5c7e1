"""Credits on the site: gifts, statements, stakes, and the books gone through every night (P17, P17c, P18)."""

from pathlib import Path
from typing import Any

import pytest

from engine.decisions import Add, Decision, Drop, Put
from engine.platform.gifts import give
from engine.platform.ledger.records import HOUSE, Balance, Posting, purse
from engine.platform.members import MemberId
from engine.times import DAY, HOUR
from functions import duel_ratings, duel_stakes, reconcile
from functions.acting import act, duel_row
from functions.jobs.settle import settle
from functions.worker import run_job
from infra.records import DEBT, HALT, JOB, POSTING, RATED
from tests.support import clubs
from tests.support.browser import Answer, Browser
from tests.support.credits import balance, staker
from tests.support.duelling import Duelling, member, post_json, run_due
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def offer(who: Browser, stake: object, opponent: str = "", request: str = "r") -> Answer:
    form = {"game": "feinthold", "pace": "days1", "opponent": opponent, "request": request, "stake": str(stake)}
    return post_json(who, "/duels", form)


def staked(site: TestSite, one: Browser, other: Browser, stake: int, request: str = "r") -> Duelling:
    path = offer(one, stake, request=request).location
    other.data(path)
    assert post_json(other, f"{path}/accept", {}).status == 303
    seats = {one.data(path)["you"]: one, other.data(path)["you"]: other}
    return Duelling(site, path.rpartition("/")[2], seats["a"], seats["b"])


def lost_by(game: Duelling, loser: Browser) -> None:
    assert game.send("a", {}).status == 200
    loser.data(game.path)
    assert loser.post(f"{game.path}/abandon").status == 303
    run_due(game.site)


class TestGifts:
    def test_signing_up_gives_a_hundred_credits(self, site: TestSite) -> None:
        ida = Browser()
        id = sign_up(ida, site, "ida@example.org", "Ida")
        assert balance(site, id) == 100
        page = ida.data("/statement")
        assert (page["balance"], [line["why"] for line in page["lines"]]) == (100, ["gift"])
        assert "A gift of welcome" in ida.get("/statement").seen

    def test_farming_one_mailbox_gives_them_once(self, site: TestSite) -> None:
        ids = []
        for n, address in enumerate(("ida@example.org", "ida+1@example.org", "IDA+2@Example.org", "ida+3@example.org")):
            ids.append(sign_up(Browser(client=f"192.0.2.{n}"), site, address, f"Ida no {n}"))
        assert [balance(site, id) for id in ids] == [100, 0, 0, 0]
        assert balance(site, "house") == -100

    def test_new_accounts_can_stake_nothing_for_a_week(self, site: TestSite) -> None:
        ida = Browser()
        sign_up(ida, site, "ida@example.org", "Ida")
        ida.data("/duels")
        assert offer(ida, 5).json["error"]["code"] == "stake_young"
        site.sources.move(7 * DAY)
        assert offer(ida, 5).json["error"]["code"] == "stake_new"
        assert offer(ida, 0).status == 303


class TestStatements:
    def test_are_for_their_owner_alone(self, site: TestSite) -> None:
        anna = staker(site, "Anna")
        assert anna.get("/statement").status == 200
        assert Browser().get("/statement").status == 401
        assert "100" not in member(site, "Beth").get("/statement").seen

    def test_go_on_page_by_page_in_few_reads(self, site: TestSite) -> None:
        anna = staker(site, "Anna")
        for n in range(30):
            path = offer(anna, 1, request=f"r{n}").location
            anna.data(path)
            anna.post(f"{path}/withdraw")
            run_due(site)
            site.sources.move(HOUR)
        seen, path, reads = [], "/statement", site.store.reads
        for _ in range(10):
            page = anna.data(path)
            seen += page["lines"]
            if not page["after"]:
                break
            path = f"/statement?after={page['after']}"
        pages = 4
        assert len(seen) == 61
        assert sum(line["credits"] for line in seen) == page["balance"] == 100
        assert site.store.reads - reads <= pages * 8


class TestStakes:
    def test_are_taken_on_both_sides_and_won(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        game = staked(site, anna, beth, 30)
        assert (balance(site, "anna"), balance(site, "beth"), balance(site, f"escrow/duel/{game.id}")) == (70, 70, 60)
        lost_by(game, beth)
        assert (balance(site, "anna"), balance(site, "beth"), balance(site, f"escrow/duel/{game.id}")) == (130, 70, 0)
        page = beth.data(game.path)
        assert (page["stakes"]["winner"], page["stakes"]["paid"], page["duel"]["rated"]) == ("anna", True, True)
        assert "Anna takes both stakes: 60 credits." in beth.get(game.path).seen
        assert "You have lost your stake of 30 credits." in site.post.last("beth@example.org").text

    def test_one_cannot_afford_is_refused_with_the_balance(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        path = offer(anna, 80).location
        assert balance(site, path.replace("/games/", "escrow/duel/")) == 80
        refused = offer(anna, 30, request="s").json["error"]
        assert (refused["code"], "you have 20" in refused["message"]) == ("credits_short", True)
        form = {"game": "feinthold", "pace": "feinthold/days1", "opponent": "", "request": "s", "stake": "30"}
        again = anna.post("/duels", form)
        assert (again.status, 'value="30"' in again.text, "you have 20" in again.seen) == (422, True, True)
        beth_offer = offer(beth, 50).location
        beth.data(path)
        assert "you have 50" in post_json(beth, f"{path}/accept", {}).json["error"]["message"]
        assert balance(site, beth_offer.replace("/games/", "escrow/duel/")) == 50

    @pytest.mark.parametrize("typed", ["101", "-5", "x", "1.5"])
    def test_that_are_none_are_told_beside_their_field(self, site: TestSite, typed: str) -> None:
        anna = staker(site, "Anna")
        problem = offer(anna, typed).json["error"]["problems"][0]
        assert (problem["field"], problem["code"]) == ("stake", "stake_unreadable")

    @pytest.mark.parametrize("how", ["withdraw", "decline", "lapse"])
    def test_of_proposals_never_accepted_come_back(self, site: TestSite, how: str) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        path = offer(anna, 40, "Beth").location
        who = beth if how == "decline" else anna
        who.data(path)
        if how == "lapse":
            site.sources.move(8 * DAY)
        else:
            assert who.post(f"{path}/{how}").status == 303
        run_due(site)
        assert balance(site, "anna") == 100

    def test_of_the_silent_come_back(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        game = staked(site, anna, beth, 40)
        for _ in range(9):
            site.sources.move(DAY + HOUR)
            run_due(site)
        assert anna.data(game.path)["duel"]["unrated_why"] == "cancelled"
        assert (balance(site, "anna"), balance(site, "beth")) == (100, 100)

    def test_parallel_duels_cannot_win_more_than_a_hundred_of_one_member(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        for name in ("anna", "beth"):
            site.calm.store.commit(Decision((Add(Balance(purse(MemberId(name))), 100),), None))
        staked(site, anna, beth, 60)
        path = offer(anna, 41, request="s").location
        beth.data(path)
        assert post_json(beth, f"{path}/accept", {}).json["error"]["code"] == "stake_won"
        assert "You can still win 40 credits from each other" in beth.get(path).seen
        assert offer(anna, 41, "Beth", "t").json["error"]["code"] == "stake_won"

    def test_are_told_to_no_stranger_while_the_game_runs(self, site: TestSite) -> None:
        anna, beth, chris = staker(site, "Anna"), staker(site, "Beth"), staker(site, "Chris")
        game = staked(site, anna, beth, 40)
        page = chris.data(game.path)
        assert page["stakes"] is None
        assert not {"rated", "unrated_why"} & set(page["duel"])
        assert "moved" not in page["duel"]


class TestSettling:
    def test_any_number_of_times_pays_once(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        game = staked(site, anna, beth, 30)
        lost_by(game, anna)
        before = (balance(site, "beth"), site.calm.store.get(RATED, game.id))
        for _ in range(5):
            settle(site.site, game.id)
        assert (balance(site, "beth"), site.calm.store.get(RATED, game.id)) == before

    def test_waits_with_the_stakes_while_payouts_are_stopped(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        game = staked(site, anna, beth, 30)
        reconcile.stop(site.site, "balance")
        lost_by(game, anna)
        assert balance(site, "beth") == 70
        assert beth.data(game.path)["duel"]["moved"]
        assert "about to be paid" in beth.get(game.path).seen
        reconcile.let_go_on(site.site)
        site.sources.move(HOUR)
        run_due(site)
        assert balance(site, "beth") == 130

    def test_payback_after_a_voided_duel_whose_winner_has_spent_the_stake(self, site: TestSite) -> None:
        anna, beth, chris = staker(site, "Anna"), staker(site, "Beth"), staker(site, "Chris")
        game = staked(site, anna, beth, 50)
        lost_by(game, anna)
        offers = [offer(beth, stake, request=f"s{stake}").location for stake in (100, 45)]
        assert balance(site, "beth") == 5
        void(site, game.id)
        assert (balance(site, "beth"), balance(site, "anna"), balance(site, "debt/beth")) == (0, 100, -45)
        page = beth.data("/statement")
        assert page["owed"] == 45
        assert "You owe the house 45 credits" in beth.get("/statement").seen
        assert anna.data(game.path)["duel"]["unrated_why"] == "voided"
        void(site, game.id)
        assert balance(site, "anna") == 100
        site.sources.move(HOUR)
        beth.data(offers[1])
        beth.post(f"{offers[1]}/withdraw")
        run_due(site)
        assert (balance(site, "beth"), balance(site, "debt/beth")) == (0, 0)
        line = beth.data("/statement")["lines"][0]
        assert (line["why"], line["credits"], line["kept"]) == ("returned", 0, 45)
        chris.data(offers[0])
        beth.data(offers[0])
        beth.post(f"{offers[0]}/withdraw")
        run_due(site)
        assert balance(site, "beth") == 100
        row = site.calm.store.get(DEBT, "beth")
        assert row is not None and row.value.owed == 0


def void(site: TestSite, id: str) -> None:
    """What voiding a duel does to its ratings and stakes."""

    def decide() -> Decision[None]:
        row = site.site.store.get(RATED, id)
        number = row.value.number // 2 if row else 0
        money = duel_stakes.take_back(site.site, duel_row(site.site, id).value, number)
        return Decision((*duel_ratings.take_back(site.site, id), *money), None)

    act(site.site, decide)
    run_due(site)


class TestBooks:
    def night(self, site: TestSite) -> list[Any]:
        reconcile.begin(site.site)
        run_due(site)
        run_due(site)
        run_due(site)
        return [row.value for row in site.calm.store.query(JOB, "parked", limit=9).rows]

    def test_in_order_stop_nothing(self, site: TestSite) -> None:
        anna, beth = staker(site, "Anna"), staker(site, "Beth")
        lost_by(staked(site, anna, beth, 20), anna)
        site.sources.move(DAY)
        assert self.night(site) == []
        assert site.calm.store.get(HALT, 0) is None

    def test_a_balance_that_is_not_the_sum_of_its_postings_stops_payouts(self, site: TestSite, capsys: Any) -> None:
        staker(site, "Anna")
        site.calm.store.commit(Decision((Add(Balance(purse(MemberId("anna"))), 1),), None))
        (found,) = self.night(site)
        assert (found.about["account"], found.about["is"], found.about["should_be"]) == ("member/anna", 101, 100)
        assert "the books do not balance" in capsys.readouterr().out
        assert all(site.calm.store.get(HALT, part) for part in range(8))

    @pytest.mark.parametrize("wrong", [0, 3])
    def test_an_account_of_many_postings_is_read_in_several_runs(
        self, site: TestSite, wrong: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The house's: it has one for each member, at least."""
        now = site.sources.now()
        for n in range(23):
            site.calm.store.commit(Decision(give(None, f"gift of {n}", MemberId(f"m{n}"), now), None))
        site.calm.store.commit(Decision((Add(Balance(HOUSE), wrong),), None))
        site.sources.move(HOUR)
        monkeypatch.setattr(reconcile, "PAGE", 2)
        monkeypatch.setattr(reconcile, "PAGES", 4)
        reconcile.begin(site.site)
        reads, runs = 0, 0
        while job := site.calm.store.get(JOB, "reconcile"):
            site.store.reads = 0
            run_job(site.site, job.value.id)
            reads, runs = max(reads, site.store.reads), runs + 1
        assert runs > 8 + 23 // 8 and reads < 20
        found = [row.value for row in site.calm.store.query(JOB, "parked", limit=9).rows]
        assert [(job.about["account"], job.about["is"] - job.about["should_be"]) for job in found] == (
            [("house", 3)] if wrong else []
        )

    def test_a_posting_without_its_movement_stops_them_too(self, site: TestSite) -> None:
        staker(site, "Anna")
        now = site.sources.now()
        stray = Posting(purse(MemberId("anna")), "stray", now, "gift", 7)
        site.calm.store.commit(Decision((Put(stray, 0), Add(Balance(stray.account), 7)), None))
        site.sources.move(HOUR)
        (found,) = self.night(site)
        assert (found.about["wrong"], found.about["is"]) == ("total", 7)

    def test_a_lost_posting_is_found(self, site: TestSite) -> None:
        staker(site, "Anna")
        row = site.calm.store.get(POSTING, "member/anna", "gift/anna")
        assert row
        site.calm.store.commit(Decision((Drop(row.value, None),), None))
        (found,) = self.night(site)
        assert (found.about["wrong"], found.about["should_be"]) == ("balance", 0)

    def test_payouts_go_on_once_a_moderator_has_the_books_gone_through_again_and_they_are_right(
        self, site: TestSite
    ) -> None:
        staker(site, "Anna")
        mona = clubs.moderator(site, "Mona")
        wrong = Add(Balance(purse(MemberId("anna"))), 1)
        site.calm.store.commit(Decision((wrong,), None))
        (found,) = self.night(site)
        assert "member/anna holds 101 credits, but its postings sum to 100" in mona.get("/moderation?of=jobs").seen
        self.again(site, mona, found.id, "one")
        assert site.calm.store.get(HALT, 0) and [row.id for row in self.night(site)] == [found.id]
        site.calm.store.commit(Decision((Add(wrong.counter, -1),), None))
        self.again(site, mona, found.id, "two")
        assert self.night(site) == []
        assert not any(site.calm.store.get(HALT, part) for part in range(8))

    def test_the_next_nights_walk_alone_lets_nothing_go_on(self, site: TestSite) -> None:
        reconcile.stop(site.site, "balance")
        assert self.night(site) == []
        assert site.calm.store.get(HALT, 0)

    def again(self, site: TestSite, mona: Any, job: str, request: str) -> None:
        assert clubs.act(mona, "unpark", job, request=request).status == 303
        for _ in range(3):
            run_due(site)
