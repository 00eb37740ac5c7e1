"""Relief once more, written straight from the rules on the referee's JSON: slow, sharing nothing with the engine."""

from collections.abc import Iterator
from typing import Any

State = dict[str, Any]
COLUMNS = "abcdefghij"
STRENGTH = {"E": 1, "V": 2, "S": 3}
MOVEMENT = {"E": 5, "V": 4, "S": 3}


def cell(name: str) -> tuple[int, int]:
    """Column and row, both from 0."""
    return COLUMNS.index(name[0]), int(name[1:]) - 1


def name(column: int, row: int) -> str:
    return f"{COLUMNS[column]}{row + 1}"


def inside(column: int, row: int) -> bool:
    return 0 <= column <= 9 and 0 <= row <= 9


def height(state: State, at: str) -> int:
    column, row = cell(at)
    return int(state["heights"][row][column])


def beside(at: str) -> list[str]:
    column, row = cell(at)
    around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [name(c, r) for c, r in around if inside(c, r)]


def around(at: str) -> list[str]:
    column, row = cell(at)
    near = [(column + c, row + r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0)]
    return [name(c, r) for c, r in near if inside(c, r)]


def paths(state: State, path: list[str], spent: int, movement: int) -> Iterator[tuple[str, int]]:
    """The end and cost of every path on from this one (L3): only its last cell may hold a piece."""
    for end in beside(path[-1]):
        cost = spent + abs(height(state, end) - height(state, path[-1])) + 1
        if end in path or cost > movement:
            continue
        yield end, cost
        if end not in state["pieces"]:
            yield from paths(state, [*path, end], cost, movement)


def springs(at: str) -> list[str]:
    column, row = cell(at)
    diagonal = [(column + c, row + r) for c in (-1, 1) for r in (-1, 1)]
    straight = [(column + 2, row), (column - 2, row), (column, row + 2), (column, row - 2)]
    return [name(c, r) for c, r in diagonal + straight if inside(c, r)]


def attack(state: State, start: str, target: str, costs: set[int]) -> list[int]:
    """Both sums of L7."""
    pieces = state["pieces"]
    side, letter = pieces[start]
    force = STRENGTH[letter]
    if letter == "V" and 4 in costs:
        force += 1
    if height(state, start) > height(state, target):
        force += 1
    if height(state, start) < height(state, target):
        force -= 1
    resistance = STRENGTH[pieces[target][1]]
    for near in around(target):
        if near == start or near not in pieces:
            continue
        if pieces[near][0] == side:
            force += STRENGTH[pieces[near][1]]
        else:
            resistance += 1
    return [force, resistance]


def piece_moves(state: State, start: str) -> Iterator[tuple[str, list[int] | None]]:
    pieces = state["pieces"]
    side, letter = pieces[start]
    goal = 9 if side == "r" else 0
    costs: dict[str, set[int]] = {}
    for end, cost in paths(state, [start], 0, MOVEMENT[letter]):
        costs.setdefault(end, set()).add(cost)
    leaves = cell(start)[1] == goal or any(
        cell(end)[1] == goal and end not in pieces and min(spent) < MOVEMENT[letter] for end, spent in costs.items()
    )
    if letter == "E":
        for end in springs(start):
            costs.setdefault(end, set())
    for end, spent in costs.items():
        if end not in pieces:
            yield start + end, None
        elif pieces[end][0] != side:
            sums = attack(state, start, end, spent)
            if sums[0] >= sums[1]:
                yield start + end, sums
    if leaves:
        yield start + "off", None


def moves(state: State) -> dict[str, list[int] | None]:
    if state["outcome"] is not None:
        return {}
    found: dict[str, list[int] | None] = {}
    for at, piece in state["pieces"].items():
        if piece[0] == state["to_move"][0]:
            found.update(piece_moves(state, at))
    return found or {"pass": None}


def points(state: State, side: str) -> int:
    return sum(STRENGTH[letter] for letter in state["exited"][side])


def position(state: State) -> str:
    return repr((sorted(state["pieces"].items()), state["to_move"], points(state, "red"), points(state, "blue")))


def play(state: State, move: str) -> State:
    """The state after a legal move; `positions` counts by `position`."""
    after: State = {
        **state,
        "pieces": dict(state["pieces"]),
        "exited": {side: list(letters) for side, letters in state["exited"].items()},
        "to_move": "blue" if state["to_move"] == "red" else "red",
        "ply": state["ply"] + 1,
        "positions": state["positions"] or {position(state): 1},
    }
    if move != "pass":
        start = next(at for at in after["pieces"] if move.startswith(at) and move[len(at) :][0] in COLUMNS + "o")
        piece = after["pieces"].pop(start)
        if move.endswith("off"):
            after["exited"][state["to_move"]].append(piece[1])
        else:
            after["pieces"][move[len(start) :]] = piece
    after["positions"] = {**after["positions"], position(after): after["positions"].get(position(after), 0) + 1}
    after["outcome"] = outcome(after)
    return after


def outcome(state: State) -> dict[str, str | None] | None:
    red, blue = points(state, "red"), points(state, "blue")
    out = state["exited"]["red"] + state["exited"]["blue"]
    if out == ["S"]:
        return {"winner": "red" if red else "blue", "by": "sentinel"}
    if len(out) >= 2 and red != blue:
        return ended("points", red, blue)
    left = {side: [piece[1] for piece in state["pieces"].values() if piece[0] == side] for side in "rb"}
    if not left["r"] or not left["b"]:
        best = {side: max([STRENGTH[letter] for letter in left[side]], default=0) for side in "rb"}
        return ended("no_pieces", red + best["r"], blue + best["b"])
    if state["positions"][position(state)] == 3:
        return {"winner": None, "by": "repetition"}
    if state["ply"] == 200:
        if red != blue:
            return ended("move_limit", red, blue)
        rows = {side: [cell(at)[1] for at, piece in state["pieces"].items() if piece[0] == side] for side in "rb"}
        return ended("move_limit", max(rows["r"]), 9 - min(rows["b"]))
    return None


def ended(by: str, red: int, blue: int) -> dict[str, str | None]:
    return {"winner": "red" if red > blue else "blue" if blue > red else None, "by": by}


def perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    legal = moves(state)
    return len(legal) if depth == 1 else sum(perft(play(state, move), depth - 1) for move in legal)
