"""Relief's replay, its downloads, and the import that reads them back."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.games import notation, relief
from engine.games.conduct import conduct
from engine.games.draws import SeededDice
from engine.games.notation import Record
from functions.tick import tick
from tests.functions.test_relief_play import move
from tests.support.browser import Browser
from tests.support.duelling import Duelling, duel, member
from tests.support.site import site_in

TEXT = '[Game "relief"]\n[Board "spurs"]\n[Red "Ann"]\n\n1. c1c2 c10c9\n2. h1h2\n'


@pytest.fixture
def game(tmp_path: Path) -> Duelling:
    """Five moves, then blue resigns."""
    site = site_in(tmp_path)
    tick(site.site)
    found = duel(site, member(site, "Anna"), member(site, "Beth"), game="relief")
    for n in range(5):
        move(found, found.seats[n % 2])
    return found


def test_a_running_game_is_stepped_through_by_anybody_without_its_seed(game: Duelling) -> None:
    stranger = Browser()
    page = stranger.data(f"{game.path}/replay?step=2")
    assert page["step"] == 2 and page["steps"] == 5 and page["duel"]["seed"] is None
    assert page["view"]["ply"] == 2
    assert stranger.get(f"{game.path}/download").status == 404


def test_every_step_has_an_address(game: Duelling) -> None:
    game.act("blue", "abandon")
    for step in range(6):
        answer = Browser().get(f"{game.path}/replay?step={step}")
        assert f"{step} / 5" in answer.seen and f"/replay?step={step}" in answer.text
    assert Browser().data(f"{game.path}/replay?step=99")["step"] == 5
    assert Browser().data(f"{game.path}/replay?step=x")["step"] == 0


@pytest.mark.parametrize("kind", ["text", "json"])
def test_a_download_is_read_back(game: Duelling, kind: str) -> None:
    game.act("blue", "abandon")
    words = game.page("red")["duel"]["words"]
    board = game.page("red")["view"]["board"]
    reader = Browser()
    answer = reader.get(f"{game.path}/download?as={kind}", "*/*")
    assert answer.status == 200 and "attachment" in answer.headers["content-disposition"]
    reader.get("/import")
    taken = reader.post("/import", {"text": answer.text})
    assert taken.status == 303, taken.seen
    page = reader.data(taken.location)
    assert page["duel"]["words"] == words and page["view"]["board"] == board and page["step"] == 5
    assert page["view"] == {**game.page("red")["view"], "seat": "all", "moves": page["view"]["moves"]}
    shown = reader.get(taken.location + "&step=3")
    assert shown.status == 200 and "3 / 5" in shown.seen


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing"),
        ("hello", "no_game"),
        ('[Game "chess"] e4', "no_game"),
        ('[Game "feinthold"]', "no_notation"),
        ('[Game "relief"]\n[Board "nowhere"]', "unreadable"),
        ('[Game "relief"] 1. c1c9', "bad_word"),
        ('[Game "relief"]\n1. c1c2 c1c3', "bad_word"),
        ('[Game "relief"] ' + "x" * 50, "unreadable"),
        ("{", "unreadable"),
        ("{}", "unreadable"),
        ('{"game": "relief", "turns": [1]}', "unreadable"),
        ('{"game": "relief", "turns": [{"state": {"board": "classic"}}, {"sheets": {"red": {}}}]}', "unreadable"),
        ("x" * 50_000, "too_long"),
    ],
)
def test_what_is_no_game_is_said_to_be_none(game: Duelling, text: str, code: str) -> None:
    reader = Browser()
    reader.get("/import")
    answer = reader.post("/import", {"text": text}, "application/json")
    assert answer.status == 400 and answer.json["error"]["problems"][0]["code"] == code
    assert reader.post("/import", {"text": text}).status == 422


def test_an_address_that_holds_no_game_is_refused(game: Duelling) -> None:
    for query in ("moves=c1c9", "moves=zz", "board=x&moves=c1c2"):
        assert Browser().get(f"/import/relief?{query}").status == 400
    assert Browser().get("/import/feinthold?moves=x").status == 400


def test_names_and_board_are_kept_in_the_address(game: Duelling) -> None:
    reader = Browser()
    reader.get("/import")
    taken = reader.post("/import", {"text": TEXT})
    assert urlsplit(taken.location).query == "board=spurs&Red=Ann&moves=c1c2.c10c9.h1h2".replace("Red", "red")
    assert "Ann against Blue" in reader.get(taken.location).seen


@pytest.mark.parametrize("name", ["Computer, level 1", "100 % Ann", "%d & %s", "Zoé?#"])
def test_any_name_may_stand_in_the_address(game: Duelling, name: str) -> None:
    reader = Browser()
    reader.get("/import")
    taken = reader.post("/import", {"text": TEXT.replace("Ann", name)})
    answer = reader.get(taken.location + "&step=1")
    assert answer.status == 200 and f"{name} against Blue" in answer.seen


@settings(max_examples=15, deadline=None)
@given(seed=st.binary(min_size=1, max_size=4))
def test_what_is_written_is_read_and_played_alike(seed: bytes) -> None:
    start = relief.start({"board": "cross"}, 2, SeededDice(seed, 0))
    policy = {"policy": "random"}
    steps = conduct(relief, start, {"red": policy, "blue": policy}, seed)
    words = tuple(str(relief.write(next(iter(step.thoughts.values())).orders)["move"]) for step in steps)
    record = Record("relief", {"board": "cross"}, words, {"Red": 'A "b"'})
    again = notation.read(notation.write(record))
    assert again.words == words and again.options == {"board": "cross"}
    last = notation.played(again)[-1].state
    assert json.dumps(relief.dump(last)) == json.dumps(relief.dump(steps[-1].after))


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=80) | st.from_regex(r'\[Game "relief"\]( [a-j0-9]{2,6}){0,4}', fullmatch=True))
def test_any_text_is_read_or_malformed(text: str) -> None:
    try:
        notation.played(notation.read(text))
    except Malformed as error:
        assert error.problems


def test_the_data_of_a_step_is_json(game: Duelling) -> None:
    page: Any = Browser().data("/import/relief?board=classic&moves=c1c2")
    assert page["duel"]["words"] == ["c1c2"] and page["text"].startswith('[Game "relief"]')
