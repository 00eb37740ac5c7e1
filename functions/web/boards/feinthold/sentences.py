"""Feinthold in sentences: what happened (F13-F19, F23), what was ordered, what is wrong with orders."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from functions.web.boards.feinthold.places import role
from functions.web.boards.feinthold.sheets import read

Translator = Callable[..., str]
Detail = Mapping[str, Any]

_AT_ONE_PLACE: Final = (
    "entrenched",
    "took_neutral",
    "took_enemy",
    "enemy_took_neutral",
    "enemy_took_own",
    "own_neutral",
    "enemy_neutral",
    "prediction_right",
    "prediction_wrong",
)


def tell(t: Translator, side: str, fact: Mapping[str, Any]) -> str:
    """The sentence for a fact (`code`, `detail`) as this side's reader is told it; KeyError for an unknown code."""
    code, detail = fact["code"], fact["detail"]
    if code == "no_orders":
        return t("feinthold.fact.no_orders")
    if code in _AT_ONE_PLACE:
        return t(f"feinthold.fact.{code}", **_place(t, side, detail["at"]))
    return _TELLERS[code](t, side, code, detail)


def orders(t: Translator, side: str, sheet: object) -> tuple[str, ...]:
    """Each order of a sheet as a line of its own; one line saying so if there is none."""
    known = read(sheet)
    lines = [
        t("feinthold.order.reinforce", what=forces(t, p.units, p.decoys), **_place(t, side, p.at))
        for p in known.reinforce
    ]
    for m in known.move:
        ends = {"source": _named(t, side, m.source), "to": _named(t, side, m.to)}
        lines.append(t("feinthold.order.move", what=forces(t, m.units, m.decoys), **ends))
    for code, places in (("entrench", known.entrench), ("scout", known.scout), ("predict", (known.predict,))):
        lines += [t(f"feinthold.order.{code}", **_place(t, side, at)) for at in places if at]
    return tuple(lines) or (t("feinthold.order.none"),)


def problem(t: Translator, side: str, code: str, at: str | None, detail: Detail) -> str:
    """The sentence for a refused order (F10)."""
    places = {k: _named(t, side, str(v)) if k == "to" else v for k, v in detail.items()}
    return t(f"feinthold.problem.{code}", **(places | {"at": _named(t, side, at or "")}))


def outcome(t: Translator, side: str | None, winner: str | None, by: str, names: Mapping[str, str]) -> str:
    """How a game ended, to the side's player, or (None) to anybody else."""
    if winner is None:
        return t(f"feinthold.outcome.draw.{by}")
    if side is None:
        loser = "b" if winner == "a" else "a"
        return t(f"feinthold.outcome.other.{by}", winner=names[winner], loser=names[loser])
    return t(f"feinthold.outcome.{'won' if winner == side else 'lost'}.{by}")


def forces(t: Translator, units: int, decoys: int) -> str:
    """Units and decoys counted out: "2 units and 1 decoy"."""
    parts = [t(f"feinthold.{what}", n=n) for what, n in (("units", units), ("decoys", decoys)) if n]
    return _and(t, parts) or t("feinthold.units", n=0)


def strength(t: Translator, value: float) -> str:
    """A strength with its decimal, as the language writes it: "4.5"."""
    return f"{value:.1f}".replace(".", t("feinthold.decimal_mark"))


def _place(t: Translator, side: str, at: str) -> dict[str, str]:
    """The ways a sentence may name a position: `the`, `at` and its plain `name`."""
    who = role(at, side)
    if not who:
        return {"the": at, "at": at, "name": at}
    return {form: t(f"feinthold.{form}.{who}") for form in ("the", "at", "name")}


def _named(t: Translator, side: str, at: str) -> str:
    who = role(at, side)
    return t(f"feinthold.name.{who}") if who else at


def _and(t: Translator, parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return t("feinthold.and", first=", ".join(parts[:-1]), last=parts[-1])


def _placed(t: Translator, side: str, code: str, detail: Detail) -> str:
    what = forces(t, detail["units"], detail["decoys"])
    return t(f"feinthold.fact.{code}", what=what, **_place(t, side, detail["at"]))


def _moved(t: Translator, side: str, code: str, detail: Detail) -> str:
    what = forces(t, detail["units"], detail["decoys"])
    source, to = t(f"feinthold.from.{role(detail['from'], side)}"), t(f"feinthold.the.{role(detail['to'], side)}")
    return t(f"feinthold.fact.{code}", what=what, source=source, to=to)


def _unmasked(t: Translator, side: str, code: str, detail: Detail) -> str:
    return t(f"feinthold.fact.{code}", n=detail["decoys"], **_place(t, side, detail["at"]))


def _combat(t: Translator, side: str, code: str, detail: Detail) -> str:
    kinds = [(kind, detail[kind]) for kind in ("open", "entrenched", "arrived")]
    army = [t(f"feinthold.combat.{kind}", n=n) for kind, n in kinds if n]
    lost = [
        t(f"feinthold.combat.{kind}", n=n) for kind, n in (("lost", detail["lost"]), ("fallen", detail["decoys"])) if n
    ]
    return t(
        f"feinthold.fact.{code}",
        own=strength(t, detail["own"]),
        enemy=strength(t, detail["enemy"]),
        army=t("feinthold.combat.army", list=_and(t, army)) if army else t("feinthold.combat.decoys_only"),
        losses=_and(t, lost) or t("feinthold.combat.no_loss"),
        **_place(t, side, detail["at"]),
    )


def _scouted(t: Translator, side: str, code: str, detail: Detail) -> str:
    if detail["count"] == 0:
        return t("feinthold.fact.scouted_nothing", **_place(t, side, detail["at"]))
    return t(f"feinthold.fact.{code}", n=detail["count"], **_place(t, side, detail["at"]))


def _income(t: Translator, side: str, code: str, detail: Detail) -> str:
    parts = [t("feinthold.income.base", n=detail["base"])]
    if detail["relays"]:
        parts.append(t("feinthold.income.relays", n=detail["relays"], points=detail["from_relays"]))
    if detail["bonus"]:
        parts.append(t("feinthold.income.bonus", n=detail["bonus"]))
    if len(parts) == 1:
        return t("feinthold.fact.income_alone", total=detail["total"], n=detail["points"])
    return t(f"feinthold.fact.{code}", sum=" + ".join(parts), total=detail["total"], n=detail["points"])


def _end(t: Translator, side: str, code: str, detail: Detail) -> str:
    return outcome(t, side, detail["winner"], detail["by"], {})


_TELLERS: Final[Mapping[str, Callable[[Translator, str, str, Detail], str]]] = {
    "placed": _placed,
    "moved": _moved,
    "own_unmasked": _unmasked,
    "enemy_unmasked": _unmasked,
    "combat_won": _combat,
    "combat_lost": _combat,
    "combat_tied": _combat,
    "scouted": _scouted,
    "income": _income,
    "end": _end,
}
