"""Doctrines in sentences (F27), and as forms made of lists."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.games.feinthold.doctrine.language import (
    ACTIONS,
    CONDITIONS,
    OWNERS,
    PLACES,
    SHARES,
    Parameter,
)
from functions.web.boards.feinthold.sentences import Translator, forces

Clause = Mapping[str, Any]

_COUNTED: Final = ("points", "relays", "positions", "units")
_VOWELS: Final = "aeiouyâàéèêîô"


def rule(t: Translator, written: Mapping[str, Any]) -> str:
    """A rule as one sentence: "If the centre is mine and …, then …"."""
    conditions = [_condition(t, one) for one in written["if"] if one["is"] != "always"]
    actions = [_action(t, one) for one in written["then"]]
    then = actions[0] if len(actions) == 1 else t("doctrine.then", first=actions[0], last=actions[-1])
    if not conditions:
        return t("doctrine.rule.always", then=then)
    whole = conditions[0] + "".join(_joined(t, one) for one in conditions[1:])
    return t("doctrine.rule", conditions=whole, then=then)


def rules(t: Translator, doctrine: Mapping[str, Any]) -> tuple[str, ...]:
    """Every rule of a doctrine as a sentence."""
    return tuple(rule(t, one) for one in doctrine["rules"])


def choices(t: Translator, parameter: Parameter) -> tuple[tuple[str, str], ...]:
    """The list that a parameter is chosen from: each value with its text."""
    _, kind, least, most = parameter
    numbers = tuple((str(n), str(n)) for n in range(least, most + 1))
    if kind == "amount":
        return (*((share, t(f"doctrine.share.{share}")) for share in SHARES), *numbers)
    if kind == "number":
        return numbers
    if kind == "op":
        return ((">=", t("doctrine.op.least")), ("<=", t("doctrine.op.most")))
    return tuple((word, t(f"doctrine.{kind}.{word}")) for word in (PLACES if kind == "place" else OWNERS))


def kinds(t: Translator, head: str) -> tuple[tuple[str, str], ...]:
    """The list of conditions (`is`) or of actions (`do`)."""
    return tuple((kind, t(f"doctrine.{head}.{kind}")) for kind in (CONDITIONS if head == "is" else ACTIONS))


def parameters(head: str, kind: str) -> Sequence[Parameter]:
    """The parameters of a condition or an action, none for an unknown one."""
    return (CONDITIONS if head == "is" else ACTIONS).get(kind, ())


def _condition(t: Translator, one: Clause) -> str:
    kind = one["is"]
    places = _places(t, one["place"]) if "place" in one else {}
    more = "most" if one.get("op") == "<=" else "least"
    if kind == "turn":
        return t("doctrine.if.turn.until" if more == "most" else "doctrine.if.turn.from", turn=one["n"])
    if kind in _COUNTED:
        return t(f"doctrine.if.{kind}.{more}", n=one["n"], **places)
    if kind == "observed":
        return t(f"doctrine.if.observed.{more}", count=one["n"], n=one["within"], **places)
    if kind == "flag":
        return t(f"doctrine.if.flag.{one['owner']}", **places)
    return t("doctrine.if.presence", **places) if kind == "presence" else t("doctrine.if.threat")


def _joined(t: Translator, condition: str) -> str:
    return t("doctrine.and.vowel" if condition[0] in _VOWELS else "doctrine.and", condition=condition)


def _action(t: Translator, one: Clause) -> str:
    kind = one["do"]
    if kind == "reinforce":
        what = forces(t, one.get("units", 0), one.get("decoys", 0))
        return t("doctrine.then.reinforce", what=what, **_places(t, one["place"]))
    if kind == "move":
        ends = {"source": t(f"doctrine.of.{one['from']}"), "to": t(f"doctrine.place.{one['to']}")}
        return t("doctrine.then.move", what=_amount(t, one.get("units", 0), one.get("decoys", 0)), **ends)
    return t(f"doctrine.then.{kind}", **_places(t, one["place"]))


def _amount(t: Translator, units: int | str, decoys: int) -> str:
    if isinstance(units, int):
        return forces(t, units, decoys)
    share = t(f"doctrine.of_units.{units}")
    return t("feinthold.and", first=share, last=t("feinthold.decoys", n=decoys)) if decoys else share


def _places(t: Translator, place: str) -> dict[str, str]:
    return {form: t(f"doctrine.{key}.{place}") for form, key in (("the", "place"), ("of", "of"), ("at", "at"))}
