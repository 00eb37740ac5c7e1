"""Trébuchets in sentences: what happened shot by shot, what was ordered, what is wrong with orders (T15, T17)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Translator = Callable[..., str]
Detail = Mapping[str, Any]
Names = Mapping[str, str]

_OF_A_SHOT: Final = ("shot", "aim", "roll", "killed", "destroyed")
_WORTH_A_MAIL: Final = (
    *("absent", "asked_again", "begun"),
    *("killed", "destroyed", "revealed", "eliminated", "removed", "left", "agreed", "ended", "honour"),
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot told: its number, who fired it, and what became of it, each in a sentence; `dice` are how it fell."""

    number: int
    seat: str
    title: str
    lines: tuple[str, ...]
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """A turn told: what was before the shots, the shots in their order, and what came of them."""

    before: tuple[str, ...]
    shots: tuple[Shot, ...]
    after: tuple[str, ...]


def account(t: Translator, facts: Iterable[Mapping[str, Any]], names: Names, ending: bool = True) -> Account:
    """The account of a turn from the facts that its reader may know; without `ending` the game's end is told apart."""
    told = tuple(fact for fact in facts if ending or fact["code"] not in ("ended", "honour"))
    numbers = sorted({fact["detail"]["number"] for fact in told if fact["code"] == "shot"})
    shots = tuple(_shot(t, number, told, names) for number in numbers)
    others = [fact for fact in told if fact["code"] not in _OF_A_SHOT]
    ahead = ("chosen", "left", "absent", "asked_again", "agreed")
    before = tuple(tell(t, fact, names) for fact in others if fact["code"] in ahead)
    after = tuple(tell(t, fact, names) for fact in others if fact["code"] not in ahead)
    return Account(before, shots, after)


def tell(t: Translator, fact: Mapping[str, Any], names: Names) -> str:
    """The sentence for a fact (`code`, `detail`); KeyError for an unknown code."""
    return _TELLERS[fact["code"]](t, fact["detail"], names)


def headline(t: Translator, facts: Iterable[Mapping[str, Any]], names: Names) -> tuple[str, ...]:
    """The public results of a turn in a few sentences, for a mail: who lost what, who is out, who has won.

    Of the setting up: who did not prepare, and whether the units stand.
    """
    lines = tuple(tell(t, fact, names) for fact in facts if fact["code"] in _WORTH_A_MAIL)
    return lines or (t("trebuchet.nothing_hit"),)


def orders(t: Translator, sheet: Mapping[str, Any]) -> tuple[str, ...]:
    """Each part of a player's orders as a line of its own."""
    if "formation" in sheet:
        numbers = "-".join(str(number) for number in sheet["formation"])
        return (
            t("trebuchet.order.formation", numbers=numbers),
            t("trebuchet.order.centres", cells=", ".join(sheet["centres"])),
        )
    lines = [t("trebuchet.order.target", cell=sheet["target"])]
    if sheet.get("bonus"):
        lines.append(t("trebuchet.order.bonus", bonus=t(f"trebuchet.bonus.{sheet['bonus']}")))
    lines += [t("trebuchet.order.choose", bonus=t(f"trebuchet.bonus.{bonus}")) for bonus in sheet.get("choose", ())]
    if sheet.get("agree_end"):
        lines.append(t("trebuchet.order.agree_end"))
    return tuple(lines)


def problem(t: Translator, code: str, at: str | None, field: str, detail: Detail) -> str:
    """The sentence for a refused order."""
    told = {**detail, "at": at or "", "bonus": t(f"trebuchet.bonus.{detail['bonus']}") if "bonus" in detail else ""}
    if code == "bad_cell" and at:
        return t("trebuchet.problem.bad_cell.named", **told)
    specific = f"trebuchet.problem.{code}.{field}"
    return t(specific if specific in _BY_FIELD else f"trebuchet.problem.{code}", **told)


def outcome(t: Translator, by: str, honours: Mapping[str, tuple[str, ...]], names: Names) -> tuple[str, ...]:
    """How a game ended, in sentences: its end, then its honours (T14)."""
    lines = [t(f"trebuchet.ended.{by}")]
    for honour, seats in honours.items():
        lines.append(_honour(t, honour, [names[seat] for seat in seats]))
    return tuple(lines)


def dice(t: Translator, detail: Detail) -> str:
    """The dice of a scatter: "scatter 4, direction 3 (E), 2 cells"."""
    if not detail["direction"]:
        return t("trebuchet.dice.hit", scatter=detail["scatter"])
    way = t(f"trebuchet.direction.{detail['direction']}")
    return t("trebuchet.dice.scatter", scatter=detail["scatter"], way=way, n=detail["distance"])


_BY_FIELD: Final = frozenset(
    (
        "trebuchet.problem.duplicate.formation",
        "trebuchet.problem.duplicate.centres",
        "trebuchet.problem.duplicate.choose",
        "trebuchet.problem.not_three.formation",
        "trebuchet.problem.not_three.centres",
        "trebuchet.problem.bad_cell.target",
        "trebuchet.problem.bad_cell.centres",
    )
)


def _shot(t: Translator, number: int, facts: Iterable[Mapping[str, Any]], names: Names) -> Shot:
    mine = [fact for fact in facts if fact["detail"].get("number") == number and fact["code"] in _OF_A_SHOT]
    fell = next(fact["detail"] for fact in mine if fact["code"] == "shot")
    lines = tuple(tell(t, fact, names) for fact in mine if fact["code"] in ("killed", "destroyed"))
    rolled = tuple(tell(t, fact, names) for fact in mine if fact["code"] in ("aim", "roll"))
    return Shot(number, fell["seat"], _fell(t, fell, names), lines or (t("trebuchet.fact.no_hit"),), rolled)


def _fell(t: Translator, detail: Detail, names: Names) -> str:
    what = t(f"trebuchet.shot.{detail['bonus'] or 'plain'}")
    name = names[detail["seat"]]
    if detail["cell"]:
        return t("trebuchet.fact.shot", name=name, what=what, cell=detail["cell"])
    return t("trebuchet.fact.shot_off", name=name, what=what)


def _killed(t: Translator, detail: Detail, names: Names) -> str:
    return _lost(t, "killed", detail, names)


def _destroyed(t: Translator, detail: Detail, names: Names) -> str:
    return _lost(t, "destroyed", detail, names)


def _lost(t: Translator, code: str, detail: Detail, names: Names) -> str:
    own = detail["by"] == detail["seat"]
    key = f"trebuchet.fact.{code}{'.own' if own else ''}"
    said = t(key, name=names[detail["seat"]], by=names[detail["by"]], cell=detail["cell"], n=detail["points"])
    return said + (t("trebuchet.fact.on_roll", roll=detail["roll"]) if detail["roll"] else "")


def _aim(t: Translator, detail: Detail, names: Names) -> str:
    return t("trebuchet.fact.aim", target=detail["target"], dice=dice(t, detail))


def _roll(t: Translator, detail: Detail, names: Names) -> str:
    key = f"trebuchet.fact.roll.{'servant' if detail['servant'] else 'trebuchet'}"
    return t(key, name=names[detail["seat"]], cell=detail["cell"], roll=detail["roll"])


def _placed(t: Translator, detail: Detail, names: Names) -> str:
    key = "trebuchet.fact.placed" if detail["number"] else "trebuchet.fact.placed.free"
    return t(key, name=names[detail["seat"]], cell=detail["cell"], number=detail["number"])


def _left(t: Translator, detail: Detail, names: Names) -> str:
    key = "trebuchet.fact.left" if detail["why"] == "left" else "trebuchet.fact.left.removed"
    return t(key, name=names[detail["seat"]])


def _eliminated(t: Translator, detail: Detail, names: Names) -> str:
    own = detail["by"] == detail["seat"]
    key = f"trebuchet.fact.eliminated{'.own' if own else ''}"
    return t(key, name=names[detail["seat"]], by=names[detail["by"]])


def _ended(t: Translator, detail: Detail, names: Names) -> str:
    return t(f"trebuchet.ended.{detail['by']}")


def _honoured(t: Translator, detail: Detail, names: Names) -> str:
    return _honour(t, detail["honour"], [names[detail["seat"]]] if detail["seat"] else [])


def _honour(t: Translator, honour: str, winners: list[str]) -> str:
    if not winners:
        return t(f"trebuchet.honour.{honour}.nobody")
    return t(f"trebuchet.honour.{honour}", n=len(winners), names=_and(t, winners))


def _and(t: Translator, parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return t("trebuchet.and", first=", ".join(parts[:-1]), last=parts[-1])


def _simple(code: str) -> Callable[[Translator, Detail, Names], str]:
    def said(t: Translator, detail: Detail, names: Names) -> str:
        own = {key: value for key, value in detail.items() if key != "seat"}
        if "bonus" in own:
            own["bonus"] = t(f"trebuchet.bonus.{own['bonus']}")
        if "seat" in detail:
            own["name"] = names[detail["seat"]]
        return t(f"trebuchet.fact.{code}", **own)

    return said


def _won(t: Translator, detail: Detail, names: Names) -> str:
    return t("trebuchet.fact.points", name=names[detail["seat"]], n=detail["won"], total=detail["total"])


def _missed(t: Translator, detail: Detail, names: Names) -> str:
    return t("trebuchet.fact.missed", name=names[detail["seat"]], n=detail["turns"])


def _begun(t: Translator, detail: Detail, names: Names) -> str:
    return t("trebuchet.fact.begun", n=detail["players"])


def _shield(t: Translator, detail: Detail, names: Names) -> str:
    return t("trebuchet.fact.shield", name=names[detail["seat"]], source=detail["from"], to=detail["to"])


_TELLERS: Final[Mapping[str, Callable[[Translator, Detail, Names], str]]] = {
    "shot": _fell,
    "aim": _aim,
    "roll": _roll,
    "killed": _killed,
    "destroyed": _destroyed,
    "placed": _placed,
    "begun": _begun,
    "left": _left,
    "shield": _shield,
    "eliminated": _eliminated,
    "missed": _missed,
    "points": _won,
    "ended": _ended,
    "honour": _honoured,
    **{
        code: _simple(code)
        for code in ("absent", "asked_again", "chosen", "shield_lost", "revealed", "removed", "agreed", "end_offered")
    },
}
