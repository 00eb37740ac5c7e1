"""A turn resolved a second time, straight from the text of the rules and on the referee's JSON alone."""

import copy
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
Where = tuple[int, int]
COMPASS = {1: (0, -1), 2: (1, -1), 3: (1, 0), 4: (1, 1), 5: (0, 1), 6: (-1, 1), 7: (-1, 0), 8: (-1, -1)}


def resolve(request: Json) -> Json:
    """The answer to a `resolve` request, T5 to T14."""
    state, dice = copy.deepcopy(request["state"]), iter(request["dice"])
    units: dict[str, Json] = state["units"]
    start = copy.deepcopy(units)
    shots = _ordered(request["shots"], state["players"], dice)
    first: dict[Where, tuple[int, str]] = {}  # the cell of each piece hit: which shot, whose
    blasts: list[set[Where]] = []
    report: Json = {"impacts": [], "killed": [], "destroyed": [], "eliminated": []}
    for number, shot in enumerate(shots):
        impact = _impact(shot, dice)
        bonus = shot["bonus"]
        if bonus:
            units[shot["player"]]["bonuses"].remove(bonus)
        report["impacts"].append({"player": shot["player"], "cell": list(impact), "bonus": bonus})
        blasts.append(blast(impact, bonus))
        for cell in _struck(start, impact, bonus, dice):
            first.setdefault(cell, (number, shot["player"]))
    before = [blast(tuple(old["cell"]), old["bonus"]) for old in state["impacts"]]
    saved = _shields(state, start, first, blasts, before, dice)
    _count(units, start, first, saved, report)
    _out(units, start, first, saved, report)
    shooters = {shot["player"] for shot in shots}
    for name, unit in sorted(units.items(), key=lambda item: _where(item[1]["trebuchet"])):
        if not unit["out"]:
            unit["missed"] = 0 if name in shooters else unit["missed"] + 1
            if unit["missed"] == 3:
                unit.update(out=True, standing=False, servants=[])
                report["eliminated"].append({"player": name, "by": None})
    everyone = {cell for unit in units.values() for cell in unit["servants"]}
    state["shown"] = [cell for cell in state["shown"] if cell in everyone]
    state["impacts"] += [{"turn": state["turn"], **impact} for impact in report["impacts"]]
    alive = [name for name in state["players"] if not units[name]["out"]]
    if len(alive) < 2:
        best = max(unit["points"] for unit in units.values())
        winners = [name for name in state["players"] if units[name]["points"] == best]
        state["outcome"] = {"survivor": alive[0] if alive else None, "points": winners}
    else:
        state["turn"] += 1
    return {"state": state, "report": report}


def _ordered(shots: list[Json], players: list[str], dice: Iterator[int]) -> list[Json]:
    result = []
    for day in sorted({shot["day"] for shot in shots}):
        group = [shot for player in players for shot in shots if shot["player"] == player and shot["day"] == day]
        for i in range(len(group) - 1, 0, -1):
            j = next(dice) - 1
            group[i], group[j] = group[j], group[i]
        result += group
    return result


def _impact(shot: Json, dice: Iterator[int]) -> Where:
    column, row = _where(shot["target"])
    if next(dice) <= 2:
        return column, row
    (across, down), far = COMPASS[next(dice)], next(dice)
    return column + far * across, row + far * down


def blast(impact: Any, bonus: str | None) -> set[Where]:
    offsets = {"rock": (-2, -1, 0, 1, 2), "stones": (-2, 0, 2)}.get(bonus or "", (-1, 0, 1))
    return {(impact[0] + x, impact[1] + y) for x in offsets for y in offsets}


def _struck(start: dict[str, Json], impact: Where, bonus: str | None, dice: Iterator[int]) -> list[Where]:
    servants = {_where(cell) for unit in start.values() for cell in unit["servants"]}
    machines = {_where(unit["trebuchet"]) for unit in start.values() if unit["standing"]}
    if bonus == "stones":
        return sorted(servants & blast(impact, "stones"))
    inner = blast(impact, None)
    sure = (servants & inner) | (machines & {impact})
    doubtful: set[Where] = set()
    if bonus == "rock":
        doubtful = servants & (blast(impact, "rock") - inner)
    if bonus == "fire":
        doubtful = machines & (inner - {impact})
    for cell in sorted(doubtful, key=lambda cell: (cell[1], cell[0])):
        if next(dice) >= 4:
            sure.add(cell)
    return sorted(sure)


def _shields(
    state: Json,
    start: dict[str, Json],
    first: dict[Where, tuple[int, str]],
    blasts: list[set[Where]],
    before: list[set[Where]],
    dice: Iterator[int],
) -> set[Where]:
    units = state["units"]
    occupied = {_where(cell) for unit in start.values() for cell in unit["servants"]}
    occupied |= {_where(unit["trebuchet"]) for unit in start.values() if unit["standing"]}
    saved: set[Where] = set()
    for name in state["players"]:
        unit, middle = units[name], _where(units[name]["trebuchet"])
        hit = [cell for cell in unit["servants"] if _where(cell) in first]
        if "shield" not in unit["bonuses"] or not hit or middle in first:
            continue
        unit["bonuses"].remove("shield")
        ring = [(middle[0] + COMPASS[i][0], middle[1] + COMPASS[i][1]) for i in range(1, 9)]
        ring = [cell for cell in ring if 1 <= cell[0] <= state["columns"] and 1 <= cell[1] <= state["rows"]]
        ring = [cell for cell in ring if cell not in occupied and not any(cell in blast for blast in blasts)]
        if not ring:
            continue
        hit.sort(key=lambda cell: (_where(cell)[1], _where(cell)[0]))
        lucky = hit[next(dice) - 1] if len(hit) > 1 else hit[0]
        fresh = [cell for cell in ring if not any(cell in blast for blast in before)]
        choice = fresh or ring
        there = choice[next(dice) - 1] if len(choice) > 1 else choice[0]
        occupied.add(there)
        saved.add(_where(lucky))
        unit["servants"][unit["servants"].index(lucky)] = _named(there)
        if not fresh:
            state["shown"].append(_named(there))
    return saved


def _count(
    units: dict[str, Json],
    start: dict[str, Json],
    first: dict[Where, tuple[int, str]],
    saved: set[Where],
    report: Json,
) -> None:
    for cell, (_, shooter) in sorted(first.items(), key=lambda item: (item[1][0], item[0])):
        for name in start:
            entry = {"player": name, "cell": _named(cell), "by": shooter}
            won = 0
            if start[name]["standing"] and _named(cell) == start[name]["trebuchet"]:
                units[name]["standing"] = False
                report["destroyed"].append(entry)
                won = 3
            if _named(cell) in start[name]["servants"] and cell not in saved:
                units[name]["servants"].remove(_named(cell))
                report["killed"].append(entry)
                won = 1
            if name != shooter:
                units[shooter]["points"] += won


def _out(
    units: dict[str, Json],
    start: dict[str, Json],
    first: dict[Where, tuple[int, str]],
    saved: set[Where],
    report: Json,
) -> None:
    falls = []
    for name, unit in units.items():
        if unit["out"] or (unit["standing"] and unit["servants"]):
            continue
        ways = [] if unit["standing"] else [first[_where(unit["trebuchet"])]]
        if not unit["servants"]:
            ways.append(max(first[_where(cell)] for cell in start[name]["servants"]))
        falls.append((min(ways), _where(unit["trebuchet"]), name))
    for (_, shooter), _, name in sorted(falls):
        units[name].update(out=True, servants=[])
        report["eliminated"].append({"player": name, "by": shooter})
        units[shooter]["earned"] += shooter != name


def _where(cell: str) -> Where:
    return ord(cell[0]) - 64, int(cell[1:])


def _named(cell: Where) -> str:
    return f"{chr(64 + cell[0])}{cell[1]}"
