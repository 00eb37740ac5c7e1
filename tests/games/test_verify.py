"""The dice of a finished game follow from its seed, and the checker says which do not (T17)."""

import hashlib
import hmac
import io
import json
import subprocess
import sys
from typing import Any

import pytest

from engine.errors import Malformed
from engine.games import trebuchet
from engine.games.draws import SeededDice
from engine.games.protocol import Sent
from engine.games.verify import Difference, NotedDice, main, verify

SEED = bytes(range(32))


def finished() -> dict[str, Any]:
    """The download of a Trébuchets game of four players at random."""
    state = trebuchet.start({}, 4, SeededDice(SEED, 0))
    turns = []
    while not (standing := trebuchet.standing(state)).outcome:
        dice = NotedDice(SeededDice(SEED, standing.turn))
        sent = {
            seat: Sent(
                trebuchet.think(trebuchet.view(state, seat), {}, SeededDice(seat.encode(), standing.turn)).orders
            )
            for seat in standing.awaits
        }
        state = trebuchet.resolve(state, sent, dice).state
        turns.append({"turn": standing.turn, "rolls": [list(roll) for roll in dice.rolls], "orders": {}})
    return {"game": "trebuchet", "seed": SEED.hex(), "commitment": hashlib.sha256(SEED).hexdigest(), "turns": turns}


def by_the_letter(turn: int, k: int, sides: int) -> int:
    i = 0
    while True:
        digest = hmac.new(SEED, f"{turn}/{k}/{sides}/{i}".encode("ascii"), hashlib.sha256).digest()
        x = int.from_bytes(digest[:8], "big")
        if x < sides * (2**64 // sides):
            return x % sides + 1
        i += 1


def test_every_roll_of_a_game_is_the_seeds() -> None:
    download = finished()
    verdict = verify(download)
    assert verdict.honest
    assert verdict.rolls == sum(len(turn["rolls"]) for turn in download["turns"]) > 50
    for turn in download["turns"]:
        for k, (sides, value) in enumerate(turn["rolls"]):
            assert value == by_the_letter(turn["turn"], k + 1, sides)


def test_a_number_that_would_make_some_values_likelier_is_drawn_again() -> None:
    sides = 2**63 + 1  # nearly every other number is thrown away
    dice = SeededDice(SEED, 4)
    assert [dice.roll(sides) for _ in range(20)] == [by_the_letter(4, k, sides) for k in range(1, 21)]


def test_names_each_roll_that_differs() -> None:
    download = finished()
    rolls = download["turns"][2]["rolls"]
    sides, drawn = rolls[1]
    rolls[1] = [sides, drawn % sides + 1]
    verdict = verify(download)
    assert verdict.differences == (Difference(2, 2, sides, drawn % sides + 1, drawn),)
    assert not verdict.honest


def test_another_seed_than_the_one_committed_to_is_found() -> None:
    assert not verify(finished() | {"commitment": "0" * 64}).committed


def test_setting_up_in_two_steps_is_turn_0() -> None:
    rolls = [[3, by_the_letter(0, k, 3)] for k in (1, 2)]
    download = {"seed": SEED.hex(), "commitment": hashlib.sha256(SEED).hexdigest()}
    assert verify(download | {"turns": [{"turn": 0, "rolls": []}, {"turn": -1, "rolls": rolls}]}).honest


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "00"},
        {"seed": "x" * 64},
        {"seed": None},
        {"turns": None},
        {"turns": [1]},
        {"turns": [{"turn": 1}]},
        {"turns": [{"turn": "1", "rolls": []}]},
        {"turns": [{"turn": 1, "rolls": [[6]]}]},
        {"turns": [{"turn": 1, "rolls": [[0, 1]]}]},
        {"turns": [{"turn": 1, "rolls": [[6, True]]}]},
    ],
)
def test_refuses_what_is_no_download(change: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        verify(finished() | change)


def test_says_what_it_found() -> None:
    download = finished()
    assert _told(json.dumps(download))[0] == 0
    download["turns"][1]["rolls"][0] = [6, 9]
    status, text = _told(json.dumps(download | {"commitment": ""}))
    assert status == 1
    assert "turn 1, roll 1 (d6): the game says 9, the seed gives " in text
    assert "SHA-256 differs" in text
    assert ", 1 differ." in text
    assert _told("nonsense") == (2, "This is not JSON in UTF-8.\n")
    assert _told("[]") == (2, "This is no download of a finished game: see download.\n")


def test_runs_alone() -> None:
    command = [sys.executable, "-m", "engine.games.verify"]
    done = subprocess.run(command, input=json.dumps(finished()), capture_output=True, text=True, check=True)
    assert done.stdout.endswith("0 differ.\n")


def _told(text: str) -> tuple[int, str]:
    answers = io.StringIO()
    return main(io.BytesIO(text.encode()), answers), answers.getvalue()
