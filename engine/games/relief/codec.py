"""States as JSON and back, every field checked: what `load` and the referee read."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.decisions import Json
from engine.errors import Malformed, Problem
from engine.games.protocol import Outcome
from engine.games.relief.boards import Heights
from engine.games.relief.cells import NAMES, NUMBERS, SIZE, move_name, named_move
from engine.games.relief.pieces import GONE, LETTERS, SIDES, SLOTS, letter_of, paired
from engine.games.relief.state import ENDS, State

KEYS: Final = frozenset(("board", "heights", "pieces", "to_move", "exited", "ply", "positions", "outcome"))
BOARD_NAME: Final = re.compile(r"[\w .-]{1,40}")
HIGHEST: Final = 3
MOST: Final = 1_000_000_000  # moves played or times met that are still read: a longer number may not be written again


def written(state: State) -> dict[str, Any]:
    """The referee's `S` of a state."""
    return {
        "board": state.board,
        "heights": [list(row) for row in state.heights],
        "pieces": pieces_json(state.where),
        "to_move": state.to_move,
        "exited": {side: list(letters) for side, letters in zip(SIDES, state.exited, strict=True)},
        "ply": state.ply,
        "positions": dict(state.positions),
        "outcome": state.outcome and {"winner": state.outcome.winner, "by": state.outcome.by},
    }


def pieces_json(where: tuple[int, ...]) -> dict[str, str]:
    """The pieces by cell name, as `rE` … `bS`."""
    return {NAMES[cell]: "rb"[slot // 6] + letter_of(slot) for slot, cell in enumerate(where) if cell != GONE}


def read(raw: object) -> State:
    """The state that `S` describes, on any heights (L2: 0–3); Malformed names every problem and its field."""
    if not isinstance(raw, Mapping) or raw.keys() != KEYS:
        raise Malformed(Problem("bad_state", field="state"))
    problems: list[Problem] = []
    heights = _heights(raw["heights"], problems)
    where = _pieces(raw["pieces"], problems)
    exited = _exited(raw["exited"], problems)
    if not problems and any(_too_many(where, exited)):
        problems.append(Problem("too_many_pieces", field="pieces"))
    positions = _positions(raw["positions"], problems)
    outcome = _outcome(raw["outcome"], problems)
    board, to_move, ply = raw["board"], raw["to_move"], raw["ply"]
    _need(isinstance(board, str) and bool(BOARD_NAME.fullmatch(board)), "board", problems)
    _need(to_move in SIDES if isinstance(to_move, str) else False, "to_move", problems)
    _need(_whole(ply) and 0 <= ply <= MOST, "ply", problems)
    if problems:
        raise Malformed(*problems)
    return State(board, heights, paired(where), to_move, exited, ply, positions, outcome)


def dumped(state: State) -> Json:
    """The whole state as JSON, versioned: `S` with the last move."""
    return {"v": 1, **written(state), "last": None if state.last is None else move_name(state.last)}


def loaded(raw: Json) -> State:
    """The state that `dumped` wrote; raises Malformed."""
    if not isinstance(raw, Mapping) or raw.get("v") != 1:
        raise Malformed(Problem("bad_version", field="v"))
    text = raw.get("last")
    last = named_move(text) if isinstance(text, str) else None
    if text is not None and last is None:
        raise Malformed(Problem("bad_last", field="last"))
    return replace(read({key: value for key, value in raw.items() if key not in ("v", "last")}), last=last)


def _need(condition: bool, field: str, problems: list[Problem]) -> None:
    if not condition:
        problems.append(Problem(f"bad_{field}", field=field))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _heights(raw: object, problems: list[Problem]) -> Heights:
    good = (
        isinstance(raw, list)
        and len(raw) == SIZE
        and all(isinstance(row, list) and len(row) == SIZE for row in raw)
        and all(_whole(height) and 0 <= height <= HIGHEST for row in raw for height in row)
    )
    _need(good, "heights", problems)
    return tuple(tuple(row) for row in raw) if good and isinstance(raw, list) else ()


def _pieces(raw: object, problems: list[Problem]) -> list[int]:
    where = [GONE] * SLOTS
    if not isinstance(raw, Mapping) or not all(_is_piece(cell, piece) for cell, piece in raw.items()):
        problems.append(Problem("bad_pieces", field="pieces"))
        return where
    for cell in sorted(raw, key=NUMBERS.__getitem__):
        slot = "rb".index(raw[cell][0]) * 6 + LETTERS.index(raw[cell][1]) * 2
        if where[slot] != GONE:
            slot += 1
        if where[slot] != GONE:
            problems.append(Problem("too_many_pieces", at=cell, field="pieces"))
        where[slot] = NUMBERS[cell]
    return where


def _is_piece(cell: object, piece: object) -> bool:
    return (
        isinstance(cell, str)
        and cell in NUMBERS
        and isinstance(piece, str)
        and len(piece) == 2
        and piece[0] in "rb"
        and piece[1] in LETTERS
    )


def _exited(raw: object, problems: list[Problem]) -> tuple[str, str]:
    if not isinstance(raw, Mapping) or raw.keys() != set(SIDES) or not all(_is_letters(raw[side]) for side in SIDES):
        problems.append(Problem("bad_exited", field="exited"))
        return "", ""
    return "".join(raw["red"]), "".join(raw["blue"])


def _is_letters(raw: object) -> bool:
    return isinstance(raw, list) and all(isinstance(one, str) and len(one) == 1 and one in LETTERS for one in raw)


def _too_many(where: list[int], exited: tuple[str, str]) -> list[bool]:
    """For each kind of each side, whether more than two are on the board or out."""
    on_board = [sum(cell != GONE for cell in where[slot : slot + 2]) for slot in range(0, SLOTS, 2)]
    return [on_board[kind] + exited[kind // 3].count(LETTERS[kind % 3]) > 2 for kind in range(6)]


def _positions(raw: object, problems: list[Problem]) -> dict[str, int]:
    good = isinstance(raw, Mapping) and all(
        isinstance(key, str) and _whole(n) and 0 < n <= MOST for key, n in raw.items()
    )
    _need(good, "positions", problems)
    return dict(raw) if good and isinstance(raw, Mapping) else {}


def _outcome(raw: object, problems: list[Problem]) -> Outcome | None:
    if raw is None:
        return None
    good = (
        isinstance(raw, Mapping)
        and raw.keys() == {"winner", "by"}
        and raw["winner"] in (None, *SIDES)
        and raw["by"] in ENDS.values()
    )
    _need(good, "outcome", problems)
    return Outcome(raw["winner"], raw["by"]) if good and isinstance(raw, Mapping) else None
