"""The order form of a view: what was typed, what may be chosen, and the problems beside each field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.games.trebuchet.grid import BONUSES

CENTRES: Final = 3
AROUND: Final = (8, 1, 2, 7, 0, 3, 6, 5, 4)  # the cells around a trebuchet row by row, 0 its own (T2)
FORMATIONS: Final = ((1, 4, 6), (4, 5, 6), (4, 5, 8), (3, 4, 5))  # the seed's examples; the first is proposed


@dataclass(frozen=True, slots=True)
class Place:
    """One of the cells around the trebuchet: number 0 is the trebuchet's own."""

    number: int
    ticked: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A bonus to fire or to choose; one that is not `held` can be fired only if it is chosen too."""

    bonus: str
    chosen: bool
    held: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a stage. A shot has `target`, `bonuses` held, `earned` with `choices`; a placement the rest.

    `problems` are sentences by field; `typed` is what the map marks.
    """

    placing: bool
    target: str
    bonuses: tuple[Choice, ...]
    earned: int
    choices: tuple[Choice, ...]
    agree_end: bool
    places: tuple[Place, ...]
    centres: tuple[str, ...]
    problems: Mapping[str, tuple[str, ...]]
    typed: Mapping[str, Any]


def fill(view: Mapping[str, Any], typed: object, problems: Iterable[Mapping[str, Any]] = ()) -> Form:
    """The form for what this view may order, as it was typed (a sheet of orders, legal or not)."""
    sheet = typed if isinstance(typed, Mapping) else {}
    placing = view["stage"] != "play"
    if placing and not sheet:
        sheet = view["plans"].get(view["eyes"], {})
    legal = view["legal"] or {"bonus": (), "choose": (), "choices": 0}
    chosen = _texts(sheet.get("choose"))
    numbers = _numbers(sheet.get("formation"))
    centres = _texts(sheet.get("centres"))
    said: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        said[problem["field"]] = (*said.get(problem["field"], ()), problem["message"])
    held = [bonus for bonus in BONUSES if bonus in legal["bonus"] or (bonus in legal["choose"] and bonus != "shield")]
    return Form(
        placing=placing,
        target=str(sheet.get("target") or ""),
        bonuses=tuple(Choice(bonus, sheet.get("bonus") == bonus, bonus in legal["bonus"]) for bonus in held),
        earned=legal["choices"],
        choices=tuple(Choice(bonus, bonus in chosen) for bonus in legal["choose"]),
        agree_end=sheet.get("agree_end") is True,
        places=tuple(Place(number, number in numbers) for number in AROUND),
        centres=(*centres, *[""] * CENTRES)[: max(CENTRES, len(centres))],
        problems=said,
        typed={"formation": numbers, "centres": centres} if placing else {"target": str(sheet.get("target") or "")},
    )


def complete(view: Mapping[str, Any], orders: object) -> object:
    """What the fields of this stage's form say: boxes that nobody ticked are not sent at all."""
    if view["stage"] == "play" or not isinstance(orders, Mapping):
        return orders
    return {"formation": [], "centres": [], **orders}


def _texts(raw: object) -> tuple[str, ...]:
    return tuple(text for text in raw if isinstance(text, str)) if isinstance(raw, list | tuple) else ()


def _numbers(raw: object) -> tuple[int, ...]:
    return tuple(number for number in raw if isinstance(number, int)) if isinstance(raw, list | tuple) else ()
