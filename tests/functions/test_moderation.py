"""Moderation: acts with a reason, their effects, and the answers to them (P29)."""

from engine.times import DAY
from infra.records import ACT
from tests.support.browser import Browser
from tests.support.clubs import (
    account,
    act,
    answered,
    credits,
    done,
    in_escrow,
    judged,
    member,
    moderator,
    name_of,
    play,
    staked,
    state,
    unrated,
    won,
)
from tests.support.duelling import Duelling, post_json, run_due
from tests.support.moderating import undone
from tests.support.site import TestSite

REASON = "Seen by three members."


class TestWhoSeesWhat:
    PAGES = ("/moderation", "/moderation?of=log", "/moderation/members/anna", "/moderation/games/{game}")

    def test_members_and_strangers_find_no_such_page(self, game: Duelling) -> None:
        for page in self.PAGES:
            for browser in (game.a, Browser()):
                assert browser.get(page.format(game=game.id)).status == 404

    def test_they_can_not_act(self, site: TestSite, game: Duelling) -> None:
        body = {"what": "stop", "about": game.id, "reason": REASON, "request": "r"}
        assert post_json(game.a, "/moderation/acts", body).status == 404
        assert state(game).stage == "playing"

    def test_moderators_do(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        for page in self.PAGES:
            assert mod.get(page.format(game=game.id)).status == 200
            assert mod.get(page.format(game=game.id), "application/json").status == 200

    def test_an_admin_of_the_settings_appoints_moderators(self, site: TestSite) -> None:
        from dataclasses import replace

        from infra.site import install

        admins = replace(site.site.settings, admins=("Adam@Example.org",))
        install(replace(site.site, settings=admins))
        adam, eve = member(site, "Adam"), member(site, "Eve")
        assert eve.get("/moderation").status == 404
        assert act(adam, "appoint", "eve").status == 303
        run_due(site)
        assert eve.get("/moderation").status == 200
        assert act(eve, "dismiss_moderator", "eve", request="x").status == 404
        assert act(adam, "dismiss_moderator", "eve", request="y").status == 303
        run_due(site)
        assert eve.get("/moderation").status == 404


class TestActing:
    def test_a_reason_is_asked_for(self, game: Duelling, mod: Browser) -> None:
        answer = act(mod, "stop", game.id, reason="  ")
        assert answer.status == 400 and answer.json["error"]["problems"][0]["code"] == "reason_missing"
        form = {"what": "stop", "about": game.id, "reason": "", "request": "r"}
        page = mod.post("/moderation/acts", form)
        assert page.status == 422 and "reason" in page.seen.lower()
        assert state(game).stage == "playing"

    def test_sent_twice_it_is_one_act(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        first, second = act(mod, "stop", game.id), act(mod, "stop", game.id)
        assert first.location == second.location
        run_due(site)
        assert act(mod, "stop", game.id).location == first.location
        assert len(site.calm.store.query(ACT, "log", limit=9).rows) == 1

    def test_those_concerned_are_mailed_once_in_their_language(self, site: TestSite, mod: Browser) -> None:
        game = staked(site, member(site, "Anna"), member(site, "Beth", lang="fr"), 5)
        done(site, mod, "stop", game.id)
        run_due(site)
        told = [(x.to, x.subject) for x in site.post.letters if x.reference.endswith("/act")]
        assert sorted(told) == [
            ("anna@example.org", "A game of yours was stopped"),
            ("beth@example.org", "Une de vos parties a été arrêtée"),
        ]
        assert all("Seen." in x.text for x in site.post.letters if x.reference.endswith("/act"))

    def test_not_on_ones_own_games(self, site: TestSite) -> None:
        mona = moderator(site, "Mona")
        game = staked(site, member(site, "Anna"), mona, 0)
        assert act(mona, "stop", game.id).json["error"]["code"] == "own_matter"
        assert act(mona, "freeze", "mona").json["error"]["code"] == "own_matter"

    def test_not_on_opponents_of_the_last_thirty_days(self, site: TestSite) -> None:
        mona, anna, beth = moderator(site, "Mona"), member(site, "Anna"), member(site, "Beth")
        game = staked(site, anna, mona, 0)
        assert act(mona, "freeze", "anna").json["error"]["code"] == "own_matter"
        won(game)
        theirs = staked(site, anna, beth, 0)
        assert act(mona, "stop", theirs.id).json["error"]["code"] == "own_matter"
        site.sources.move(30 * DAY + 1)
        assert act(mona, "freeze", "anna").status == 303

    def test_not_on_whom_one_still_plays_however_long_that_has_lasted(self, site: TestSite) -> None:
        mona = moderator(site, "Mona")
        game = staked(site, mona, member(site, "Anna"), 0)
        site.sources.move(40 * DAY)
        assert state(game).stage == "playing"
        assert act(mona, "freeze", "anna").json["error"]["code"] == "own_matter"

    def test_what_is_not_there_is_refused(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        for what, about, other, code in (
            ("stop", "nothing", "", "no_such_game"),
            ("void", game.id, "", "nothing_to_void"),
            ("remove_front", game.id, "", "not_ranked"),
            ("freeze", "nobody", "", "no_such_member"),
            ("unfreeze", "anna", "", "not_frozen"),
            ("link", "anna", "anna", "link_self"),
            ("unlink", "anna", "beth", "not_linked"),
            ("dismiss", "anna/loads/", "", "no_such_mark"),
            ("dismiss", "anna", "", "no_such_mark"),
            ("unpark", "clock/x", "", "no_such_job"),
            ("hide_doctrine", "ai:ram", "", "no_such_doctrine"),
            ("burn", "anna", "", "not_found"),
        ):
            assert act(mod, what, about, other).json["error"]["code"] == code, what


class TestStopping:
    def test_the_duel_ends_without_result_and_stakes_go_back(
        self, site: TestSite, game: Duelling, mod: Browser
    ) -> None:
        play(game, 1, {"a": 40_000, "b": 50_000})
        done(site, mod, "stop", game.id)
        assert (state(game).stage, credits(site, "anna"), credits(site, "beth"), in_escrow(site, game)) == (
            "ended",
            100,
            100,
            0,
        )
        assert unrated(site, game) == "cancelled"
        assert "stopped" in game.a.get(game.path).seen

    def test_a_proposal_is_taken_off_the_table(self, site: TestSite, mod: Browser) -> None:
        anna = member(site, "Anna")
        body = {"game": "feinthold", "pace": "days1", "opponent": "", "stake": "30", "request": "r"}
        path = post_json(anna, "/duels", body).location
        done(site, mod, "stop", path.rpartition("/")[2])
        assert credits(site, "anna") == 100
        assert anna.data(path)["duel"]["stage"] == "ended"

    def test_undoing_it_takes_nothing_up_again(
        self, site: TestSite, game: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "stop", game.id)
        undone(site, id, game.a, other_mod)
        assert state(game).stage == "ended" and credits(site, "anna") == 100
        assert game.a.data(f"/decisions/{id}")["decision"]["state"] == "undone"


class TestAnswering:
    def test_each_of_those_concerned_answers_once(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        id = done(site, mod, "stop", game.id)
        assert answered(game.a, id).status == 303
        assert answered(game.a, id, "And another thing.").status == 422
        assert answered(game.b, id, "I agree.").status == 303
        assert [a["text"] for a in mod.data(f"/decisions/{id}")["answers"]] == ["It was not so.", "I agree."]
        assert [a["text"] for a in game.b.data(f"/decisions/{id}")["answers"]] == ["I agree."]

    def test_an_empty_answer_is_none(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        id = done(site, mod, "stop", game.id)
        assert answered(game.a, id, " ").status == 422
        assert answered(game.a, id, "x" * 2_001).status == 422
        assert game.a.data(f"/decisions/{id}")["may_answer"]

    def test_the_log_is_public_to_those_concerned_only(self, site: TestSite, game: Duelling, mod: Browser) -> None:
        id = done(site, mod, "stop", game.id)
        page = game.a.get(f"/decisions/{id}")
        assert page.status == 200 and "Mona" not in page.text and "mona" not in page.text
        assert id in game.a.get("/decisions").text
        chris = member(site, "Chris")
        assert chris.get(f"/decisions/{id}").status == 404
        assert answered(chris, id).status in (404, 422)
        assert Browser().get(f"/decisions/{id}").status == 401

    def test_another_moderator_judges_and_those_concerned_are_told(
        self, site: TestSite, game: Duelling, mod: Browser, other_mod: Browser
    ) -> None:
        id = done(site, mod, "freeze", "anna")
        anna = game.a if name_of(game.a) == "anna" else game.b
        assert judged(other_mod, id, "upheld").status == 422  # nobody has answered yet
        answered(anna, id)
        assert id in other_mod.get("/moderation?of=answers").text
        assert judged(mod, id, "undone").status == 422  # who decided does not judge
        assert account(site, "anna").frozen is not None
        assert judged(other_mod, id, "upheld").status == 303
        assert judged(other_mod, id, "upheld").status == 303  # sent twice
        run_due(site)
        letter = site.post.last("anna@example.org")
        assert letter.subject == "A decision about you was upheld" and "Looked at again." in letter.text
        assert account(site, "anna").frozen is not None
        assert id not in other_mod.get("/moderation?of=answers").text

    def test_who_is_concerned_does_not_judge(self, site: TestSite, mod: Browser) -> None:
        nils = moderator(site, "Nils")
        game = staked(site, member(site, "Anna"), nils, 0)
        id = done(site, mod, "stop", game.id)
        anna = game.a if name_of(game.a) == "anna" else game.b
        answered(anna, id)
        assert judged(nils, id, "undone").status == 422

    def test_who_wants_no_such_mail_gets_none(self, site: TestSite, mod: Browser) -> None:
        member(site, "Anna", muted=("moderation",))
        done(site, mod, "freeze", "anna")
        run_due(site)
        assert [x for x in site.post.letters if x.to == "anna@example.org"] == []
