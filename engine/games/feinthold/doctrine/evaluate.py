"""From a view and a doctrine to a legal sheet, with what each rule did (F28)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.games.feinthold.doctrine.language import Clause, Doctrine, Rule, Word
from engine.games.feinthold.doctrine.plan import Done, Plan, position
from engine.games.feinthold.layouts import HQ, NEIGHBOURS, NEUTRAL
from engine.games.feinthold.sheet import Sheet
from engine.games.feinthold.state import COMBAT, PRESENCE, relays_held
from engine.games.feinthold.views import SideView


@dataclass(frozen=True, slots=True)
class Trace:
    """What a rule did: whether it was true, its actions done (trimmed ones included), trimmed and skipped."""

    true: bool
    acted: int = 0
    trimmed: int = 0
    skipped: int = 0


def evaluate(view: SideView, doctrine: Doctrine) -> tuple[Sheet, tuple[Trace, ...]]:
    """The sheet the doctrine gives on this view, and each rule's trace."""
    plan = Plan(view)
    traces = tuple(_apply(view, plan, rule) for rule in doctrine.rules)
    return plan.sheet, traces


def notes(traces: tuple[Trace, ...]) -> tuple[Mapping[str, bool | int], ...]:
    """The traces as JSON, one object a rule, counted from 1."""
    return tuple(
        {"rule": i, "true": one.true, "acted": one.acted, "trimmed": one.trimmed, "skipped": one.skipped}
        for i, one in enumerate(traces, start=1)
    )


def holds(view: SideView, condition: Clause) -> bool:
    """Whether a condition holds on the view as the turn opened."""
    return _CONDITIONS[condition.kind](view, condition.words)


def _apply(view: SideView, plan: Plan, rule: Rule) -> Trace:
    if not all(holds(view, condition) for condition in rule.conditions):
        return Trace(true=False)
    done = [_act(plan, action) for action in rule.actions]
    trimmed, skipped = done.count(Done.TRIMMED), done.count(Done.SKIPPED)
    return Trace(true=True, acted=len(done) - skipped, trimmed=trimmed, skipped=skipped)


def _act(plan: Plan, action: Clause) -> Done:
    words = action.words
    at = plan.place(words[0])
    if action.kind == "reinforce":
        return plan.reinforce(at, int(words[1]), int(words[2]))
    if action.kind == "move":
        return plan.move(at, plan.place(words[1]), words[2], int(words[3]))
    if action.kind == "entrench":
        return plan.entrench(at)
    return plan.scout(at) if action.kind == "scout" else plan.predict(at)


def _compare(value: float, op: Word, n: Word) -> bool:
    return value >= int(n) if op == ">=" else value <= int(n)


def _place(view: SideView, word: Word) -> int:
    return position(view, word, view.units)


def _flag(view: SideView, words: tuple[Word, ...]) -> bool:
    flag = view.flags[_place(view, words[0])]
    owner = "neutral" if flag == NEUTRAL else "mine" if flag == view.side else "theirs"
    return owner == words[1]


def _observed(view: SideView, words: tuple[Word, ...]) -> bool:
    place, op, n, within = words
    seen = view.last[_place(view, place)]
    if seen is None or seen[1] == PRESENCE or view.turn - seen[0] > int(within):
        return False
    return _compare(seen[2] / 2 if seen[1] == COMBAT else seen[2], op, n)


def _threat(view: SideView, words: tuple[Word, ...]) -> bool:
    return any(view.presence[p] == 1 for p in NEIGHBOURS[view.layout][HQ[view.side]])


_CONDITIONS: Final[Mapping[str, Callable[[SideView, tuple[Word, ...]], bool]]] = {
    "always": lambda view, words: True,
    "turn": lambda view, words: _compare(view.turn, *words),
    "points": lambda view, words: _compare(view.points, *words),
    "relays": lambda view, words: _compare(relays_held(view.flags, view.side), *words),
    "positions": lambda view, words: _compare(view.flags.count(view.side), *words),
    "units": lambda view, words: _compare(view.units[_place(view, words[0])], *words[1:]),
    "flag": _flag,
    "presence": lambda view, words: view.presence[_place(view, words[0])] == 1,
    "observed": _observed,
    "threat": _threat,
}
