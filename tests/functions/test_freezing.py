"""Frozen ratings: no more duels nor ratings that move; what is under way ends as the rules say (P21, P29)."""

from dataclasses import replace
from typing import Any

import pytest

from engine.decisions import Decision, Job, Put
from engine.platform.duels.records import Result
from engine.platform.ledger.records import Balance, escrow
from engine.platform.local_days import month_of
from engine.times import MINUTE
from functions.jobs import overdue
from infra.records import CHALLENGER, CONTENDER, DUEL, FRONT_GAME, MEMBER, MONTHLY
from tests.support.browser import Browser
from tests.support.clubs import (
    account,
    act,
    credits,
    done,
    member,
    name_of,
    play,
    rating,
    staked,
    state,
    unrated,
)
from tests.support.duelling import post_json, run_due
from tests.support.jobs import jobs
from tests.support.moderating import cup, match_game, matches, undone
from tests.support.site import TestSite
from tests.support.solo import begin, save


def wait(site: TestSite, minutes: int = 11) -> None:
    """Let jobs that look again do so."""
    run_due(site)
    site.sources.move(minutes * MINUTE)
    run_due(site)


class TestDuels:
    def test_proposals_are_withdrawn_and_duels_end_without_result(self, site: TestSite, mod: Browser) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        game = staked(site, anna, beth, 20)
        body = {"game": "feinthold", "pace": "days1", "opponent": "", "stake": "30", "request": "p"}
        mine = post_json(anna, "/duels", body).location
        theirs = post_json(beth, "/duels", {**body, "stake": "10", "opponent": "Anna", "request": "q"}).location
        done(site, mod, "freeze", "anna")
        run_due(site)
        ends = [anna.data(p)["duel"]["outcome"]["by"] for p in (mine, theirs)]
        assert ends == ["withdrawn", "declined"]
        assert state(game).result == Result(None, "stopped")
        assert credits(site, "anna") == credits(site, "beth") == 100
        assert rating(site, "anna") == rating(site, "beth") == 10_000

    def test_nothing_begins_any_more(self, site: TestSite, mod: Browser) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        open_one = post_json(beth, "/duels", {"game": "feinthold", "pace": "days1", "opponent": "", "request": "q"})
        done(site, mod, "freeze", "anna")
        body = {"game": "feinthold", "pace": "days1", "opponent": "", "request": "p"}
        for answer in (
            post_json(anna, "/duels", body),
            post_json(anna, f"{open_one.location}/accept", {}),
            post_json(anna, "/tournaments", {"size": 4, "fee": 0, "request": "r"}),
        ):
            assert (answer.status, answer.json["error"]["code"]) == (422, "frozen")
        assert act(mod, "unfreeze", "anna").status == 303
        run_due(site)
        assert post_json(anna, "/duels", body).status == 303

    def test_many_things_are_ended_twenty_at_a_time(self, site: TestSite, mod: Browser) -> None:
        anna = member(site, "Anna")
        games = []
        for n in range(23):
            other = member(site, f"Other{n}x")
            games.append(staked(site, anna, other, 0))
            site.sources.move(1)
        done(site, mod, "freeze", "anna")
        wait(site)
        assert {state(game).stage for game in games} == {"ended"}
        assert jobs(site, "freeze") == []

    def test_what_began_in_the_very_moment_is_ended_by_the_second_round(self, site: TestSite, mod: Browser) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        done(site, mod, "freeze", "anna")
        row = site.calm.store.get(MEMBER, "anna")
        assert row is not None
        site.calm.store.commit(Decision((Put(replace(row.value, frozen=None), row.version),), None))
        game = staked(site, anna, beth, 10)
        site.calm.store.commit(Decision((Put(row.value, None),), None))
        wait(site)
        assert state(game).stage == "ended" and credits(site, "anna") == 100


class TestTournaments:
    @pytest.fixture
    def people(self, site: TestSite) -> list[Browser]:
        return [member(site, name) for name in ("Anna", "Beth", "Chris", "Dora")]

    def test_one_not_yet_begun_is_left_with_the_fee_back(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people[:3])
        done(site, mod, "freeze", "anna")
        run_due(site)
        assert credits(site, "anna") == 100
        assert [e["name"] for e in people[1].data(path)["entrants"]] == ["Beth", "Chris"]

    def test_matches_are_forfeited_and_move_the_common_elo_alone(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        game = match_game(site, people, path, 0)
        frozen = name_of(game.a)
        other = name_of(game.b)
        done(site, mod, "freeze", frozen)
        run_due(site)
        assert matches(people[0], path)[0]["by"] == "frozen"
        assert (rating(site, frozen, "common"), rating(site, other, "common")) == (9_840, 10_160)
        assert rating(site, frozen) == rating(site, other) == 10_000

    def test_a_forfeit_to_who_sent_faster_than_a_person_moves_nothing(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        game = match_game(site, people, path, 0)
        play(game, 5, {"a": 1_000, "b": 20_000})
        fast, frozen = name_of(game.a), name_of(game.b)
        done(site, mod, "freeze", frozen)
        run_due(site)
        assert unrated(site, game) == "fair_play"
        assert rating(site, fast, "common") == rating(site, frozen, "common") == 10_000

    def test_the_next_match_is_forfeited_as_soon_as_it_is_made(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        first = match_game(site, people, path, 0)
        for seat in ("a", "b"):
            assert first.send(seat, {}).status == 200
        assert first.act("a", "abandon").status == 303
        run_due(site)
        finalist = name_of(first.b)
        done(site, mod, "freeze", finalist)
        second = match_game(site, people, path, 1)
        for seat in ("a", "b"):
            assert second.send(seat, {}).status == 200
        assert second.act("a", "abandon").status == 303
        wait(site)
        page = people[0].data(path)
        assert page["tournament"]["stage"] == "ended"
        assert page["champion"]["id"] == name_of(second.b)
        assert credits(site, name_of(second.b)) == 160
        assert site.calm.store.count(Balance(escrow("tournament", path.rpartition("/")[2]))) == 0

    def test_undoing_the_freeze_gives_the_points_back(
        self, site: TestSite, people: list[Browser], mod: Browser, other_mod: Browser
    ) -> None:
        path = cup(site, people)
        game = match_game(site, people, path, 0)
        frozen = name_of(game.a)
        id = done(site, mod, "freeze", frozen)
        run_due(site)
        undone(site, id, game.a, other_mod)
        assert account(site, frozen).frozen is None
        assert rating(site, frozen, "common") == rating(site, name_of(game.b), "common") == 10_000

    def test_a_stopped_match_waits_for_a_moderator_who_names_who_goes_on(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        id = path.rpartition("/")[2]
        game = match_game(site, people, path, 0)
        page = f"/moderation/tournaments/{id}/0"
        assert mod.data(page)["may"] == []
        assert act(mod, "decide_match", id, f"0/{name_of(game.a)}").json["error"]["code"] == "match_goes_on"
        done(site, mod, "stop", game.id)
        run_due(site)
        assert not matches(people[0], path)[0]["by"]
        assert [line["sign"] for line in mod.data("/moderation")["lines"]] == ["match"]
        assert mod.get(page).status == 200
        (mark,) = mod.data("/moderation")["lines"]
        assert act(mod, "dismiss", mark["id"]).json["error"]["code"] == "match_waits"
        assert act(mod, "decide_match", id, "0/mona", request="x").status == 404
        done(site, mod, "decide_match", id, f"0/{name_of(game.a)}")
        first = matches(people[0], path)[0]
        assert first["by"] == "moderators"
        assert [side["id"] for side in first["sides"] if side["won"]] == [name_of(game.a)]
        assert mod.data("/moderation")["lines"] == []
        assert rating(site, name_of(game.a)) == 10_000

    def test_a_match_beyond_five_days_comes_to_the_moderators(
        self, site: TestSite, people: list[Browser], mod: Browser
    ) -> None:
        path = cup(site, people)
        id = path.rpartition("/")[2]
        game = match_game(site, people, path, 0)
        wait(site, 10)
        site.sources.move(5 * 24 * 60 * MINUTE + MINUTE)
        overdue.run(site.site, Job("x", site.sources.now(), "overdue", {"tournament": id, "match": 0}))
        assert "match" in [line["sign"] for line in mod.data("/moderation")["lines"]]
        done(site, mod, "decide_match", id, "0/")
        run_due(site)
        assert matches(people[0], path)[0]["by"] == "nobody"
        assert state(game).stage == "ended"


class TestGamesAgainstDoctrines:
    def test_a_running_challenge_moves_nothing_even_if_lost(self, site: TestSite, mod: Browser) -> None:
        anna = member(site, "Anna")
        game = begin(site, anna, "/challenges", {"doctrine": "ai:ram", "request": "r"})
        assert game.send().status == 200
        done(site, mod, "freeze", "anna")
        assert post_json(anna, f"{game.path}/abandon", {}).status == 303
        run_due(site)
        assert site.calm.store.get(CHALLENGER, "anna") is None

    def test_a_hidden_doctrine_can_not_be_challenged_until_it_is_shown_again(
        self, site: TestSite, mod: Browser, other_mod: Browser
    ) -> None:
        anna, beth = member(site, "Anna"), member(site, "Beth")
        save(anna, 1)
        assert post_json(anna, "/doctrines/1/publish", {}).status == 303
        id = done(site, mod, "hide_doctrine", "anna:1")
        row = site.calm.store.get(CONTENDER, "anna:1")
        assert row is not None and row.value.hidden
        assert post_json(beth, "/challenges", {"doctrine": "anna:1", "request": "r"}).status != 303
        undone(site, id, anna, other_mod)
        assert post_json(beth, "/challenges", {"doctrine": "anna:1", "request": "s"}).status == 303

    def test_a_front_is_removed_with_its_points_and_put_back(
        self, site: TestSite, mod: Browser, other_mod: Browser
    ) -> None:
        anna = member(site, "Anna")
        anna.data("/front")
        game = begin(site, anna, "/front", {})
        game.finish()
        day = state_of(site, game.id).front
        points = _points(site, day)
        assert _ranked(site, day)
        id = done(site, mod, "remove_front", game.id)
        assert not _ranked(site, day) and _points(site, day) == (0, 0)
        undone(site, id, anna, other_mod)
        assert _ranked(site, day) and _points(site, day) == points


def state_of(site: TestSite, id: str) -> Any:
    row = site.calm.store.get(DUEL, id)
    assert row is not None
    return row.value


def _ranked(site: TestSite, day: str) -> bool:
    row = site.calm.store.get(FRONT_GAME, day, "anna")
    return row is not None and row.value.ranked


def _points(site: TestSite, day: str) -> tuple[int, int]:
    row = site.calm.store.get(MONTHLY, month_of(day), "anna")
    return (row.value.points, row.value.days) if row else (0, 0)
