"""Replays and downloads (P14, F24): for all once the game is over, from either side's eyes or with everything shown."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import pytest

from engine.decisions import Json
from engine.games import registry
from engine.games.draws import SeededDice
from engine.games.protocol import Sent
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member, post_json
from tests.support.jobs import turns
from tests.support.site import TestSite, site_in

MOVES: Final[tuple[tuple[Json, Json], ...]] = (
    ({"move": [{"from": "hq_a", "to": "fwd_a", "units": 3}]}, {"move": [{"from": "hq_b", "to": "post_b", "units": 2}]}),
    ({"scout": ["post_b"], "predict": "fwd_b"}, {"reinforce": [{"at": "hq_b", "units": 1, "decoys": 1}]}),
)


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    """Two turns, then Beth or Anna leaves."""
    game = duel(site, member(site, "Anna"), member(site, "Beth"))
    for one, other in MOVES:
        assert game.send("a", one).status == 200
        assert game.send("b", other).status == 200
    return game


def over(game: Duelling) -> Duelling:
    assert post_json(game.b, f"{game.path}/abandon", {}).status == 303
    return game


def test_nobody_sees_one_before_the_end(site: TestSite, game: Duelling) -> None:
    for reader in (game.a, game.b, Browser()):
        for page in ("replay", "download"):
            assert reader.get(f"{game.path}/{page}").status == 404


def test_everybody_sees_it_after(game: Duelling) -> None:
    over(game)
    for reader in (game.a, game.b, Browser()):
        assert reader.get(f"{game.path}/replay").status == 200
        assert reader.get(f"{game.path}/download").status == 200


@pytest.mark.parametrize("step", [0, 1, 2])
@pytest.mark.parametrize("eyes", ["a", "b", "all"])
def test_each_step_shows_what_these_eyes_saw_then(game: Duelling, step: int, eyes: str) -> None:
    over(game)
    page = Browser().data(f"{game.path}/replay?step={step}&eyes={eyes}")
    rules = registry.game("feinthold")
    kept = [None, *turns(game)][step]
    facts = kept.facts if kept else ()
    assert [f["code"] for f in page["facts"]] == [
        f.code for f in facts if eyes == "all" or f.known_to is None or eyes in f.known_to
    ]
    if kept:
        assert page["view"] == _plain(rules.show(rules.view(rules.load(kept.state), eyes)))
    shown = {seat for seat, orders in page["orders"].items() if orders is not None}
    assert shown == (set() if step == 0 else {"a", "b"} if eyes == "all" else {eyes})


@pytest.mark.parametrize(
    ("query", "step", "eyes"),
    [
        ("", 0, "all"),
        ("?step=99", 2, "all"),
        ("?step=-1&eyes=c", 0, "all"),
        ("?step=two&eyes=", 0, "all"),
        ("?step=1&eyes=b", 1, "b"),
        ("?step=²", 0, "all"),
    ],
)
def test_odd_addresses_show_something_sensible(game: Duelling, query: str, step: int, eyes: str) -> None:
    over(game)
    page = Browser().data(f"{game.path}/replay{query}")
    assert (page["step"], page["eyes"]) == (step, eyes)


def test_players_begin_with_their_own_eyes(game: Duelling) -> None:
    over(game)
    assert game.b.data(f"{game.path}/replay")["eyes"] == "b"


def test_the_download_replays_to_the_same_states_from_its_orders(game: Duelling) -> None:
    over(game)
    answer = Browser().get(f"{game.path}/download", "application/json")
    assert answer.headers["content-disposition"] == f'attachment; filename="feinthold-{game.id}.json"'
    data = answer.json
    assert hashlib.sha256(bytes.fromhex(data["seed"])).hexdigest() == data["commitment"]
    rules = registry.game("feinthold")
    state = rules.load(data["turns"][0]["state"])
    for turn in data["turns"][1:]:
        sent = {seat: Sent(rules.parse(sheet["orders"])) for seat, sheet in turn["sheets"].items()}
        state = rules.resolve(state, sent, SeededDice(bytes.fromhex(data["seed"]), turn["turn"])).state
        assert _plain(rules.dump(state)) == turn["state"]
    assert [turn["turn"] for turn in data["turns"]] == [0, 1, 2]


def test_the_page_after_the_end_says_how_and_leads_on(game: Duelling) -> None:
    over(game)
    for reader, words in ((game.a, "Your opponent abandoned."), (game.b, "You abandoned."), (Browser(), "abandoned.")):
        page = reader.get(game.path)
        assert words in page.seen
        assert f'href="{game.path}/replay"' in page.text
        assert f'href="{game.path}/download"' in page.text
    assert "rematch" in game.a.data(game.path)["may"]
    assert Browser().data(game.path)["may"] == []


def test_a_duel_that_never_began_has_none(site: TestSite) -> None:
    anna = member(site, "Anna")
    path = post_json(anna, "/duels", {"pace": "days1", "request": "r"}).location
    post_json(anna, f"{path}/withdraw", {})
    assert anna.get(f"{path}/replay").status == 404
    assert "replay" not in anna.get(path).text.partition("<main")[2]


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=dict))
