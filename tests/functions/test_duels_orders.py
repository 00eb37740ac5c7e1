"""Orders over HTTP: taken whole or refused whole, on time, once (P6, P11, F10)."""

import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine.decisions import Json
from engine.platform.duels.records import GRACE, SUBMISSIONS
from engine.times import Instant, later
from functions import tick, worker
from functions.web import game as game_handlers
from infra.faults import Crash, Fault
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member, post_json
from tests.support.jobs import Script, at_once, state, ticked, turns
from tests.support.site import TestSite, site_in

HOLD: Final[Json] = {"predict": "centre"}
MOVE: Final[Json] = {"move": [{"from": "hq_a", "to": "fwd_a", "units": 2}]}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def site(tmp_path: Path, script: Script) -> TestSite:
    return site_in(tmp_path, plan=script)


@pytest.fixture
def game(site: TestSite) -> Iterator[Duelling]:
    yield duel(site, member(site, "Anna"), member(site, "Beth"))


def error(answer: Any) -> Any:
    return answer.json["error"]


class TestRefused:
    @pytest.mark.parametrize(
        ("orders", "code", "field"),
        [
            (7, "bad_shape", ""),
            ({"scout": 7}, "bad_shape", ""),
            ({"move": [{"from": "hq_a", "to": "mars", "units": 1}]}, "bad_position", "move:hq_a:mars"),
            ({"move": [{"from": "hq_a", "to": "fwd_a", "units": -1}]}, "bad_number", "move:hq_a:fwd_a"),
            ({"march": []}, "bad_shape", ""),
        ],
    )
    def test_malformed_ones_say_where(self, game: Duelling, orders: Any, code: str, field: str) -> None:
        answer = game.send("a", orders)
        assert answer.status == 422
        assert error(answer)["code"] == "illegal_orders"
        assert [(p["code"], p["field"]) for p in error(answer)["problems"]] == [(code, field)]
        assert state(game).players[0].sheet is None

    def test_every_illegal_thing_is_told_at_once_and_uses_nothing_up(self, game: Duelling) -> None:
        wrong = {
            "move": [{"from": "hq_a", "to": "centre", "units": 9}],
            "scout": ["hq_a", "hq_b"],
            "entrench": ["hq_a"],
        }
        for _ in range(SUBMISSIONS + 2):
            answer = game.send("a", wrong)
            assert {p["code"] for p in error(answer)["problems"]} >= {
                "not_adjacent",
                "own_position",
                "already_entrenched",
            }
            assert all(p["message"] for p in error(answer)["problems"])
        assert game.send("a", HOLD).json["sheet"]["number"] == 1

    def test_no_orders_at_all_is_malformed_but_an_empty_sheet_is_one(self, game: Duelling) -> None:
        page = game.page("a")
        answer = post_json(game.a, f"{game.path}/orders", {"turn": page["duel"]["turn"], "after": 0})
        assert (answer.status, error(answer)["problems"][0]["code"]) == (400, "missing")
        assert game.send("a", {}).status == 200

    @pytest.mark.parametrize("turn", [0, 2, 9999])
    def test_of_another_turn(self, game: Duelling, turn: int) -> None:
        answer = game.send("a", HOLD, turn=turn)
        assert (answer.status, error(answer)["code"]) == (422, "turn_over")

    @pytest.mark.parametrize("turn", [-1, "one", 1.5, True, None, [], 10**30])
    def test_of_no_turn(self, game: Duelling, turn: Any) -> None:
        answer = post_json(game.a, f"{game.path}/orders", {"turn": turn, "after": 0, "orders": {}})
        assert answer.status == 400 or (turn is None and answer.status == 422)
        assert state(game).players[0].sheet is None

    def test_of_a_past_turn_change_nothing(self, game: Duelling) -> None:
        for seat in ("a", "b"):
            game.send(seat, HOLD)
        before = state(game)
        answer = game.send("a", MOVE, turn=1)
        assert error(answer)["code"] == "turn_over"
        assert "Turn 1 is over" in error(answer)["message"]
        assert state(game) == before

    def test_foreign_ones(self, site: TestSite, game: Duelling) -> None:
        chris = member(site, "Chris")
        body = {"turn": 1, "after": 0, "orders": {}}
        assert post_json(chris, f"{game.path}/orders", body).status == 403
        stranger = Browser()
        stranger.data("/duels")
        assert post_json(stranger, f"{game.path}/orders", body).status == 401
        assert all(player.sheet is None for player in state(game).players)

    def test_without_the_token_of_a_page(self, game: Duelling) -> None:
        game.a.csrf = "guessed"
        answer = post_json(game.a, f"{game.path}/orders", {"turn": 1, "after": 0, "orders": {}})
        assert answer.status == 403
        assert state(game).players[0].sheet is None

    def test_of_a_game_that_is_not_there(self, game: Duelling) -> None:
        assert post_json(game.a, "/games/nothing/orders", {"turn": 1, "after": 0, "orders": {}}).status == 404

    def test_after_the_end(self, game: Duelling) -> None:
        game.send("a", HOLD)
        post_json(game.b, f"{game.path}/abandon", {})
        assert error(game.send("a", HOLD, turn=1))["code"] == "turn_over"


class TestOnTime:
    def test_what_arrived_by_the_deadline_counts_however_late_it_is_handled(
        self, site: TestSite, game: Duelling, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deadline = state(game).deadline or Instant(0)
        tick.tick(site.site)
        ticked(site, deadline)
        slow = game_handlers._submit

        def late(*args: Any) -> Any:
            site.sources.time = later(deadline, GRACE - 1)
            return slow(*args)

        monkeypatch.setattr(game_handlers, "_submit", late)
        assert game.send("a", HOLD).status == 200
        worker.run_job(site.site, f"clock/{game.id}")
        assert turns(game) == []
        ticked(site, deadline + GRACE)
        worker.run_job(site.site, f"clock/{game.id}")
        assert list(turns(game)[0].sheets) == ["a"]

    def test_what_arrives_later_is_refused_and_wakes_the_turn(self, site: TestSite, game: Duelling) -> None:
        deadline = state(game).deadline or 0
        tick.tick(site.site)
        ticked(site, deadline + 1)
        site.queue.jobs.clear()
        answer = game.send("a", HOLD)
        assert (answer.status, error(answer)["code"]) == (422, "closed")
        assert f"clock/{game.id}" in [job.id for job in site.queue.jobs]


class TestOnce:
    def test_two_tabs_the_later_sheet_stands(self, game: Duelling) -> None:
        assert game.send("a", HOLD, after=0).json["sheet"]["number"] == 1
        assert game.send("a", MOVE, after=0).json["sheet"]["number"] == 2
        receipt = game.page("a")["receipt"]
        assert receipt["orders"]["move"][0]["to"] == "fwd_a"
        assert receipt["left"] == SUBMISSIONS - 2

    def test_the_same_form_sent_again_is_the_same_submission(self, game: Duelling) -> None:
        answers = [game.send("a", HOLD, after=0) for _ in range(7)]
        assert {answer.json["sheet"]["number"] for answer in answers} == {1}
        assert len({answer.json["sheet"]["commitment"] for answer in answers}) == 1

    def test_however_long_a_request_is_named_nobodys_duel_grows_by_it(self, game: Duelling) -> None:
        """The duel is one record: filled up by one player it could not take the other's orders, nor be closed."""
        name = "".join(f"{number:x}" for number in range(30_000))
        body = {"turn": 1, "after": 0, "orders": HOLD, "request": name}
        for _ in range(2):
            assert post_json(game.a, f"{game.path}/orders", body).json["sheet"]["number"] == 1
        sheet = next(player.sheet for player in state(game).players if player.seat == "a")
        assert sheet is not None and max(map(len, sheet.requests)) <= 64
        assert post_json(game.a, f"{game.path}/orders", {**body, "request": f"{name}."}).json["sheet"]["number"] == 2

    def test_sent_again_after_it_closed_the_turn_it_is_still_known(self, game: Duelling) -> None:
        game.send("a", HOLD)
        first = game.send("b", HOLD, turn=1, after=0)
        again = game.send("b", HOLD, turn=1, after=0)
        assert first.json["closed"] and again.json["closed"]
        assert first.json["sheet"] == again.json["sheet"]
        assert len(turns(game)) == 1

    def test_a_sixth_submission_is_refused_and_the_fifth_stands(self, game: Duelling) -> None:
        for number in range(SUBMISSIONS):
            orders = {"predict": ("centre", "fwd_a", "fwd_b", "post_a", "post_b")[number]}
            assert game.send("a", orders).status == 200
        assert error(game.send("a", {}))["code"] == "too_many_submissions"
        page = game.page("a")
        assert page["receipt"]["orders"]["predict"] == "post_b"
        assert "orders" not in page["may"]

    def test_they_can_be_changed_until_the_opponent_has_sent(self, game: Duelling) -> None:
        game.send("a", HOLD)
        assert game.send("a", MOVE).status == 200
        game.send("b", HOLD)
        assert turns(game)[0].sheets["a"].number == 2
        assert error(game.send("a", {"predict": "fwd_b"}, turn=1))["code"] == "turn_over"

    @pytest.mark.parametrize("round", range(6))
    def test_two_last_submissions_at_once_resolve_once_and_both_count(self, tmp_path: Path, round: int) -> None:
        site = site_in(tmp_path)
        game = duel(site, member(site, "Anna"), member(site, "Beth"))
        bodies = {seat: {"turn": 1, "after": 0, "orders": {"predict": "centre"}} for seat in ("a", "b")}
        answers: dict[str, Any] = {}

        def send(seat: str) -> None:
            answers[seat] = post_json(getattr(game, seat), f"{game.path}/orders", bodies[seat])

        at_once([lambda: send("a"), lambda: send("b")])
        assert {answer.status for answer in answers.values()} == {200}
        assert sorted(answer.json["closed"] for answer in answers.values()) == [False, True]
        (turn,) = turns(game)
        assert sorted(turn.sheets) == ["a", "b"]
        assert state(game).turn == 2

    def test_a_submission_and_the_wake_up_at_once_close_the_turn_once(self, tmp_path: Path) -> None:
        site = site_in(tmp_path)
        game = duel(site, member(site, "Anna"), member(site, "Beth"))
        game.send("a", HOLD)
        tick.tick(site.site)
        deadline = state(game).deadline or 0
        ticked(site, deadline)
        body = {"turn": 1, "after": 0, "orders": HOLD}
        site.sources.time = Instant(deadline + GRACE)
        acts = [
            lambda: worker.run_job(site.site, f"clock/{game.id}"),
            lambda: post_json(game.b, f"{game.path}/orders", body),
            lambda: worker.run_job(site.site, f"clock/{game.id}"),
        ]
        at_once(acts)
        assert len(turns(game)) == 1

    @pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.STALE])
    @pytest.mark.parametrize("seat", ["a", "b"])
    def test_whatever_befalls_the_commit_what_was_acknowledged_is_kept_once(
        self, game: Duelling, script: Script, fault: Fault, seat: str
    ) -> None:
        """`a` sends first, `b` closes the turn; the browser tries again if no answer came."""
        if seat == "b":
            game.send("a", HOLD)
        script.faults = [fault]
        try:
            answer = game.send(seat, MOVE if seat == "a" else HOLD)
        except Crash:
            answer = game.send(seat, MOVE if seat == "a" else HOLD, turn=1, after=0)
        assert answer.status == 200
        assert answer.json["sheet"]["number"] == 1
        assert len(turns(game)) == (1 if seat == "b" else 0)

    def test_a_store_that_stays_busy_is_told_and_nothing_is_half_done(self, game: Duelling, script: Script) -> None:
        page = game.page("a")
        script.faults = [Fault.BUSY] * 8
        body = {"turn": page["duel"]["turn"], "after": 0, "orders": HOLD}
        answer = post_json(game.a, f"{game.path}/orders", body)
        assert (answer.status, error(answer)["code"]) == (503, "busy")
        assert state(game).players[0].sheet is None


def test_a_turn_that_was_missed_plays_without_orders(site: TestSite, game: Duelling) -> None:
    game.send("a", MOVE)
    tick.tick(site.site)
    ticked(site, (state(game).deadline or 0) + GRACE)
    worker.run_job(site.site, f"clock/{game.id}")
    (turn,) = turns(game)
    assert (turn.by, list(turn.sheets)) == ("deadline", ["a"])
    assert game.page("b")["seats"][1]["missed"] == 1
    assert game.page("a")["seats"][1]["missed"] == 0


def test_the_receipt_can_be_checked_when_the_seed_is_shown(site: TestSite, game: Duelling) -> None:
    given = game.send("a", MOVE).json["sheet"]
    assert game.page("b")["seats"][0]["commitment"] == given["commitment"]
    game.send("b", HOLD)
    post_json(game.b, f"{game.path}/abandon", {})
    seed = bytes.fromhex(game.page("a")["duel"]["seed"])
    key = hmac.digest(seed, b"receipt/1/a/1", "sha256")
    text = json.dumps(given["orders"], sort_keys=True, separators=(",", ":"))
    assert hmac.new(key, text.encode(), "sha256").hexdigest() == given["commitment"]
