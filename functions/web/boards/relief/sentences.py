"""Relief in sentences: what stands where, what happened, how it ended (L7-L13)."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

from functions.web.boards.relief.board import OTHER, Cell, split

Translator = Callable[..., str]
Detail = Mapping[str, Any]

LETTERS: Final = "SVE"


def against(t: Translator, sums: tuple[int, int]) -> str:
    """Both sums of an attack, as the seed prints them: "4 against 3"."""
    return t("relief.against", attack=sums[0], defence=sums[1])


def describe(t: Translator, cell: Cell) -> str:
    """A cell in words: "e5, height 2, red Vanguard"."""
    where = t("relief.cell", at=cell.at, height=cell.height)
    return where if cell.piece is None else t("relief.cell.with", cell=where, piece=_piece(t, cell.piece.letter, cell))


def army(t: Translator, view: Mapping[str, Any], side: str) -> str:
    """Where a side's pieces stand, by kind: "Sentinels e1, f1; Vanguards d4; no Explorer"."""
    kinds = []
    for letter in LETTERS:
        cells = [at for at, code in view["pieces"].items() if code == side[0] + letter]
        if cells:
            kinds.append(t(f"relief.army.{letter}", cells=", ".join(sorted(cells, key=_place)), n=len(cells)))
    return functools.reduce(
        lambda first, rest: t("relief.army.list", first=first, rest=rest), kinds or [t("relief.army.none")]
    )


def situation(t: Translator, view: Mapping[str, Any]) -> tuple[str, ...]:
    """The position in words: each side with its points, its pieces out and those on the board."""
    return tuple(
        t(
            "relief.situation",
            side=t(f"relief.side.{side}"),
            points=t("relief.points", n=view["points"][side]),
            army=army(t, view, side),
        )
        for side in ("red", "blue")
    )


def move(t: Translator, word: str) -> str:
    """A move as text: "c1 → c4", "d10 leaves the board", "pass"."""
    parts = split(word)
    if parts is None:
        return t("relief.move.pass")
    start, end = parts
    return t("relief.move.off", start=start) if end == "off" else t("relief.move.to", start=start, end=end)


def tell(t: Translator, side: str, fact: Mapping[str, Any]) -> str:
    """The sentence for a fact (`code`, `detail`); KeyError for an unknown code. All readers are told the same."""
    code, detail = fact["code"], fact["detail"]
    if code == "ended":
        return outcome(t, None, detail["winner"], detail["by"], {})
    return _TELLERS[code](t, detail)


def orders(t: Translator, side: str, sheet: object) -> tuple[str, ...]:
    """The one move of a sheet, as a line."""
    word = sheet.get("move") if isinstance(sheet, Mapping) else None
    return (move(t, str(word)),) if word else ()


def problem(t: Translator, side: str, code: str, at: str | None, detail: Detail) -> str:
    """The sentence for a refused move."""
    return t(f"relief.problem.{code}", **{"at": at or "", "move": "", **detail})


def outcome(t: Translator, side: str | None, winner: str | None, by: str, names: Mapping[str, str]) -> str:
    """How the game ended, to the player of a side or (None) to anybody else (L9-L13)."""
    if winner is None:
        return t(f"relief.outcome.draw.{by}")
    if side is None:
        named = {who: names.get(who) or t(f"relief.side.{who}") for who in OTHER}
        return t(f"relief.outcome.other.{by}", winner=named[winner], loser=named[OTHER[winner]])
    return t(f"relief.outcome.{'won' if side == winner else 'lost'}.{by}")


def _moved(t: Translator, detail: Detail) -> str:
    return t(f"relief.fact.moved.{detail['side']}", piece=_name(t, detail), start=detail["from"], end=detail["to"])


def _captured(t: Translator, detail: Detail) -> str:
    return t(
        f"relief.fact.captured.{detail['side']}",
        piece=_name(t, detail),
        start=detail["from"],
        end=detail["to"],
        victim=t(f"relief.the.{detail['victim']}"),
        sums=against(t, (detail["attack"], detail["defence"])),
    )


def _left(t: Translator, detail: Detail) -> str:
    points = t("relief.points", n=detail["points"])
    return t(f"relief.fact.left.{detail['side']}", piece=_name(t, detail), start=detail["from"], points=points)


def _passed(t: Translator, detail: Detail) -> str:
    return t(f"relief.fact.passed.{detail['side']}")


def _name(t: Translator, detail: Detail) -> str:
    return t(f"relief.the.{detail['piece']}")


def _piece(t: Translator, letter: str, cell: Cell) -> str:
    assert cell.piece is not None
    return t(f"relief.piece.{cell.piece.side}.{letter}")


def _place(at: str) -> tuple[int, str]:
    return int(at[1:]), at


_TELLERS: Final[Mapping[str, Callable[[Translator, Detail], str]]] = {
    "moved": _moved,
    "captured": _captured,
    "left": _left,
    "passed": _passed,
}
