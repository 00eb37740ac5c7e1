"""Relief in words, against golden files: sentences, positions, moves (L7-L13)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games import relief
from engine.games.conduct import conduct
from engine.games.draws import SeededDice
from engine.platform.members import Lang
from functions.web.boards import relief as board
from infra.i18n import translator

GOLDEN: Final = Path(__file__).parent / "golden"
ENDS: Final = ("sentinel", "points", "no_pieces", "move_limit")
DRAWS: Final = ("repetition", "no_pieces", "move_limit")
WORDS: Final = ("c1c2", "d10c10", "d10off", "pass", "j10j9")


def told(lang: Lang) -> str:
    """Every sentence there is, one a line."""
    t = translator(lang)
    lines = [board.tell(t, "red", fact) for fact in facts()]
    lines += [board.outcome(t, "red", winner, by, {}) for by in ENDS for winner in ("red", "blue")]
    names = {"red": "Ada", "blue": "Bob"}
    lines += [board.outcome(t, None, winner, by, names) for by in ENDS for winner in ("red", "blue")]
    lines += [board.outcome(t, "blue", None, by, names) for by in DRAWS]
    lines += [board.move(t, word) for word in WORDS]
    lines += [
        board.problem(t, "red", code, "c1", {"move": "c1c9"}) for code in ("illegal_move", "bad_move", "bad_shape")
    ]
    view = shown(relief.start({"board": "classic"}, 2, SeededDice(b"", 0)))
    lines += board.situation(t, view)
    lines += [board.describe(t, cell) for cell in board.draw(view).rows[9]]
    lines += [board.against(t, (4, 3)), board.army(t, {"pieces": {}}, "red")]
    return "\n".join(lines) + "\n"


def facts() -> tuple[Mapping[str, Any], ...]:
    """One fact of each kind and side."""
    both = ("red", "blue")
    moved = [
        {"code": "moved", "detail": {"side": s, "piece": p, "from": "c1", "to": "c4"}} for s in both for p in "EVS"
    ]
    took = {"piece": "S", "from": "d4", "to": "e5", "victim": "V", "attack": 4, "defence": 3}
    captured = [{"code": "captured", "detail": {"side": s, **took}} for s in both]
    left = [
        {"code": "left", "detail": {"side": s, "piece": "E", "from": "f9", "points": n}} for s in both for n in (1, 3)
    ]
    passed = [{"code": "passed", "detail": {"side": s}} for s in both]
    ended = [{"code": "ended", "detail": {"winner": "red", "by": "points", "red": 3, "blue": 1}}]
    return (*moved, *captured, *left, *passed, *ended)


def shown(state: relief.State) -> Mapping[str, Any]:
    return relief.show(relief.view(state, "red"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_sentences_are_as_they_were_read_and_found_good(lang: Lang) -> None:
    assert told(lang) == (GOLDEN / lang / "relief.txt").read_text("utf-8")


@pytest.mark.parametrize("board_name", ["classic", "cross"])
def test_a_whole_game_is_told_listed_and_drawn(board_name: str) -> None:
    t = translator("fr")
    start = relief.start({"board": board_name}, 2, SeededDice(b"g", 0))
    steps = conduct(relief, start, {"red": {"policy": "random"}, "blue": {"policy": "random"}}, b"game")
    words = []
    for step in steps:
        for fact in step.facts:
            assert board.tell(t, "red", {"code": fact.code, "detail": fact.detail})
        words.append(str(relief.write(next(iter(step.thoughts.values())).orders)["move"]))
        listed = [one for pair in board.listed(words) for one in pair if one]
        pieces = relief.show(relief.view(step.after, "all"))["pieces"]
        assert listed[-1].end in (*pieces, "off", "") and listed[-1].number == len(words)
        assert listed[-1].captured == any(fact.code == "captured" for fact in step.facts)
    for bottom in ("red", "blue"):
        drawn = board.draw(relief.show(relief.view(steps[-1].after, "all")), bottom)
        assert sum(len(row) for row in drawn.rows) == 100 and drawn.bottom == bottom


def test_every_legal_move_is_offered_once_in_its_piece_group() -> None:
    state = relief.start({"board": "spurs"}, 2, SeededDice(b"", 0))
    view = shown(state)
    offered = [choice.word for group in board.choices(view) for choice in group.choices]
    assert sorted(offered) == sorted(one["move"] for one in view["moves"])


def test_the_rules_figures_are_those_of_the_rules() -> None:
    found = board.rules()
    assert (
        found["sums"]["attack"] == (4, 3) and found["sums"]["higher"] == (3, 2) and found["sums"]["vanguard"] == (4, 4)
    )
    assert len(found["boards"]) == 6
