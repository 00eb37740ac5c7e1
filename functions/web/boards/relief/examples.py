"""The pictures of the rules page: each is worked out by the rules themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.games import relief
from engine.games.relief.boards import BOARDS, DEFAULT
from functions.web.boards.relief.board import Board, blank, draw, split
from functions.web.boards.relief.moves import OPENING

FLAT: Final = tuple((0,) * 10 for _ in range(10))
START: Final[Mapping[str, str]] = {
    at: ("r" if at.endswith("1") else "b") + letter for at, letter in OPENING.items()
}  # L1


@dataclass(frozen=True, slots=True)
class Scene:
    """A position of which one piece's moves are shown, between two corners."""

    name: str
    pieces: Mapping[str, str]
    at: str
    corners: tuple[str, str]
    heights: Mapping[str, int]


SCENES: Final = (
    Scene("explorer", {"e5": "rE", "d6": "bS"}, "e5", ("a2", "j8"), {"e6": 3, "f6": 2, "e7": 1, "f5": 1}),
    Scene("vanguard", {"d4": "rV", "e5": "bS", "f5": "bV", "d5": "rE"}, "d4", ("b2", "g7"), {}),
    Scene("sentinel", {"e3": "rS"}, "e3", ("b1", "h7"), {"e4": 1, "e5": 1, "f3": 2, "d4": 1}),
    Scene("attack", {"e4": "rS", "e6": "bV", "f6": "bE", "d6": "rE"}, "e4", ("c3", "g7"), {}),
    Scene("higher", {"d4": "rV", "d6": "bV"}, "d4", ("b3", "f7"), {"d4": 1, "d5": 1}),
    Scene("leaving", {"f9": "rS", "c10": "bE"}, "f9", ("c7", "i10"), {}),
)


def rules() -> Mapping[str, Any]:
    """What the rules page shows beside its text: the opening, a scene for each piece and case, every board."""
    opening = _state(START, {}, BOARDS[DEFAULT])
    return {
        "opening": draw(relief.show(relief.view(opening, "public"))),
        "scenes": {scene.name: _drawn(scene) for scene in SCENES},
        "sums": {scene.name: next(iter(_attacks(scene).values()), None) for scene in SCENES},
        "boards": tuple(_empty(name) for name in BOARDS),
    }


def _drawn(scene: Scene) -> Board:
    moves = [one for one in _moves(scene) if (parts := split(one["move"])) and parts[0] == scene.at]
    ends = {split(one["move"])[1]: one["attack"] for one in moves}  # type: ignore[index]
    marks = {scene.at: "start", **{end: "hit" if attack else "go" for end, attack in ends.items()}}
    return blank(DEFAULT, _heights(scene), scene.pieces, marks, _attacks(scene), scene.corners)


def _attacks(scene: Scene) -> Mapping[str, tuple[int, int]]:
    found = {}
    for one in _moves(scene):
        start, end = split(one["move"]) or ("", "")
        if start == scene.at and one["attack"]:
            found[end] = (one["attack"][0], one["attack"][1])
    return found


def _moves(scene: Scene) -> list[Mapping[str, Any]]:
    state = _state(scene.pieces, scene.heights)
    return list(relief.show(relief.view(state, "red"))["moves"])


def _heights(scene: Scene) -> tuple[tuple[int, ...], ...]:
    return _with(scene.heights, FLAT)


def _with(heights: Mapping[str, int], ground: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(heights.get(f"{'abcdefghij'[column]}{row + 1}", ground[row][column]) for column in range(10))
        for row in range(10)
    )


def _state(
    pieces: Mapping[str, str], heights: Mapping[str, int], ground: tuple[tuple[int, ...], ...] = FLAT
) -> relief.State:
    return relief.load(
        {
            "v": 1,
            "board": DEFAULT,
            "heights": [list(row) for row in _with(heights, ground)],
            "pieces": dict(pieces),
            "to_move": "red",
            "exited": {"red": [], "blue": []},
            "ply": 0,
            "positions": {},
            "outcome": None,
            "last": None,
        }
    )


def _empty(name: str) -> Board:
    return blank(name, BOARDS[name], START, {}, {}, ("a1", "j10"))
