"""Random states of the referee, crowded enough for shots to meet, and shots to go with them."""

from random import Random
from typing import Any

from engine.games.trebuchet.grid import Grid as Field
from engine.games.trebuchet.grid import around, cells, name

BONUSES = ("rock", "stones", "fire", "shield")
DAYS = ("2026-11-30", "2026-12-01", "2026-12-02")


def crowded_request(seed: int) -> dict[str, Any]:
    """A `resolve` request with 2 to 6 players close together, some out, some about to leave; dice come apart."""
    chance = Random(seed)
    grid = Field(chance.randint(6, 9), chance.randint(7, 11))
    players = [f"p{i + 1}" for i in range(chance.randint(2, 6))]
    taken: set[tuple[int, int]] = set()
    units = {player: _unit(chance, grid, taken) for player in players}
    for player in players[2:]:
        if chance.random() < 0.3:
            standing = chance.random() < 0.5
            units[player] |= {"servants": [], "out": True, "standing": standing}
    turn = chance.randint(1, 6)
    state = {
        "columns": grid.columns,
        "rows": grid.rows,
        "turn": turn,
        "players": players,
        "units": units,
        "impacts": [_impact(chance, grid, past, player) for past in range(1, turn) for player in players],
        "shown": [cell for unit in units.values() for cell in unit["servants"] if chance.random() < 0.15],
        "outcome": None,
    }
    shots = [_shot(chance, grid, player, units[player]) for player in players if not units[player]["out"]]
    chance.shuffle(shots)
    kept = [shot for shot in shots if chance.random() < 0.85]
    return {"state": state, "shots": kept}


def _unit(chance: Random, grid: Field, taken: set[tuple[int, int]]) -> dict[str, Any]:
    while True:
        centre = chance.choice(list(cells(grid)))
        ring = [cell for cell in around(centre) if cell not in taken and cell in set(cells(grid))]
        if centre not in taken and ring:
            break
    servants = chance.sample(ring, min(len(ring), chance.randint(1, 3)))
    taken.update((centre, *servants))
    had = chance.sample(BONUSES, chance.randint(0, 4))
    return {
        "trebuchet": name(centre),
        "standing": True,
        "servants": [name(cell) for cell in servants],
        "out": False,
        "points": chance.randint(0, 5),
        "bonuses": [bonus for bonus in had if chance.random() < 0.8],
        "had": had,
        "earned": chance.randint(0, 2),
        "missed": chance.randint(0, 2),
    }


def _impact(chance: Random, grid: Field, turn: int, player: str) -> dict[str, Any]:
    cell = [chance.randint(-2, grid.columns + 3), chance.randint(-2, grid.rows + 3)]
    return {"turn": turn, "player": player, "cell": cell, "bonus": chance.choice([None, *BONUSES[:3]])}


def _shot(chance: Random, grid: Field, player: str, unit: dict[str, Any]) -> dict[str, Any]:
    targets = [name(cell) for cell in cells(grid) if name(cell) != unit["trebuchet"]]
    held = [bonus for bonus in unit["bonuses"] if bonus != "shield"]
    bonus = chance.choice([None, *held])
    return {"player": player, "target": chance.choice(targets), "bonus": bonus, "day": chance.choice(DAYS)}
