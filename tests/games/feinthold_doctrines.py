"""Random doctrines for Hypothesis, and short forms of rules for tests."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from engine.games.feinthold.doctrine.language import (
    ACTIONS,
    CONDITIONS,
    OPERATORS,
    OWNERS,
    PLACES,
    SHARES,
    Parameter,
)

ALWAYS = {"is": "always"}


def doctrine(*rules: Mapping[str, Any], name: str = "test") -> dict[str, Any]:
    """A doctrine of these rules."""
    return {"version": 1, "name": name, "rules": list(rules)}


def rule(*actions: Mapping[str, Any], when: Any = ALWAYS) -> dict[str, Any]:
    """A rule with one condition, or with a list of them."""
    return {"if": list(when) if isinstance(when, list) else [when], "then": list(actions)}


def placing(place: str, units: int, decoys: int = 0) -> dict[str, Any]:
    """A reinforcement."""
    return {"do": "reinforce", "place": place, "units": units, "decoys": decoys}


def moving(source: str, to: str, units: int | str, decoys: int = 0) -> dict[str, Any]:
    """A move."""
    return {"do": "move", "from": source, "to": to, "units": units, "decoys": decoys}


def _value(parameter: Parameter) -> st.SearchStrategy[Any]:
    _, kind, least, most = parameter
    numbers = st.integers(least, most)
    words = {"place": PLACES, "op": OPERATORS, "owner": OWNERS}
    if kind in words:
        return st.sampled_from(words[kind])
    return numbers | st.sampled_from(SHARES) if kind == "amount" else numbers


def _clauses(head: str, kinds: Mapping[str, tuple[Parameter, ...]], most: int) -> st.SearchStrategy[list[Any]]:
    clauses: list[st.SearchStrategy[Any]] = [
        st.fixed_dictionaries({head: st.just(kind), **{one[0]: _value(one) for one in parameters}})
        for kind, parameters in kinds.items()
    ]
    return st.lists(st.one_of(clauses), min_size=1, max_size=most)


rules = st.fixed_dictionaries({"if": _clauses("is", CONDITIONS, 3), "then": _clauses("do", ACTIONS, 2)})
doctrines = st.lists(rules, max_size=8).map(lambda some: doctrine(*some))
eager_rules = st.fixed_dictionaries({"if": st.just([ALWAYS]), "then": _clauses("do", ACTIONS, 2)})
eager_doctrines = st.lists(eager_rules, min_size=4, max_size=8).map(lambda some: doctrine(*some))
