"""What the map shows, in words: the text equivalent of every mark on it."""

from collections.abc import Mapping
from typing import Any

from engine.games.trebuchet.grid import Grid, inside
from functions.web.boards.trebuchet.map import number
from functions.web.boards.trebuchet.sentences import Names, Translator

Row = tuple[str, str]  # what, and where


def marks(t: Translator, view: Mapping[str, Any], names: Names) -> tuple[Row, ...]:
    """Each kind of mark with its cells: own pieces, losses, revealed servants, the impacts of every turn."""
    rows: list[Row] = []
    for seat, unit in view["units"].items():
        if unit["standing"]:
            servants = ", ".join(unit["servants"])
            told = t("trebuchet.words.unit.cells", cell=unit["trebuchet"], servants=servants or "–")
            rows.append((t("trebuchet.words.unit", name=names[seat]), told))
    for servant, key in ((False, "wrecks"), (True, "dead")):
        lost = [loss for loss in view["losses"] if loss["servant"] is servant]
        cells = "; ".join(
            t("trebuchet.words.lost", cell=loss["cell"], name=names[loss["player"]], turn=loss["turn"]) for loss in lost
        )
        rows.append((t(f"trebuchet.words.{key}"), cells or t("trebuchet.words.none")))
    if view["shown"]:
        rows.append((t("trebuchet.words.shown"), ", ".join(view["shown"])))
    for played in sorted({impact["turn"] for impact in view["impacts"]}, reverse=True):
        rows.append((t("trebuchet.words.impacts", turn=played), _impacts(t, view, names, played)))
    return tuple(rows)


def scores(view: Mapping[str, Any], names: Names) -> tuple[Mapping[str, Any], ...]:
    """Who plays, with the number that names them on the map, points and losses; those still in first, by points."""
    lost = {
        player["seat"]: [loss for loss in view["losses"] if loss["player"] == player["seat"]]
        for player in view["players"]
    }
    rows = [
        {
            "seat": player["seat"],
            "number": number(player["seat"]),
            "name": names[player["seat"]],
            "points": player["points"],
            "out": player["out"],
            "absent": player["absent"],
            "dead": sum(loss["servant"] for loss in lost[player["seat"]]),
            "wreck": any(not loss["servant"] for loss in lost[player["seat"]]),
        }
        for player in view["players"]
    ]
    return tuple(sorted(rows, key=lambda row: (row["absent"], row["out"], -row["points"])))


def _impacts(t: Translator, view: Mapping[str, Any], names: Names, turn: int) -> str:
    grid = Grid(view["columns"], view["rows"])
    told = []
    for impact in (i for i in view["impacts"] if i["turn"] == turn):
        column, row = impact["cell"]
        there = inside(grid, (column, row))
        cell = f"{chr(ord('A') + column - 1)}{row}" if there else t("trebuchet.words.off")
        bonus = f", {t('trebuchet.bonus.' + impact['bonus'])}" if impact["bonus"] else ""
        told.append(f"{cell} ({names[impact['player']]}{bonus})")
    return "; ".join(told)
