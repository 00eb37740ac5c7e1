"""The editor's form: rules as lists, whatever was typed, and what its buttons make of them. Nothing here judges."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.errors import Malformed, Problem
from engine.games.feinthold.doctrine.language import MOST_ACTIONS, MOST_CONDITIONS, MOST_RULES, VERSION, Parameter
from engine.games.feinthold.doctrine.wire import parse
from functions.web.boards.feinthold.doctrines import choices, kinds, parameters
from functions.web.boards.feinthold.doctrines import rule as told
from infra.i18n import Translator

Json = dict[str, Any]

HEADS: Final = {"if": "is", "then": "do"}
MOST: Final = {"if": MOST_CONDITIONS, "then": MOST_ACTIONS}
NEW: Final[Mapping[str, Json]] = {"if": {"is": "always"}, "then": {"do": "reinforce", "units": 1}}
FRESH: Final[Json] = {"n": 1, "units": 1}  # 0 would say nothing; where they miss in what was typed they are 0 (F27)
FIRST: Final[Mapping[str, Any]] = {"place": "my_hq", "from": "my_hq", "to": "centre", "op": ">=", "owner": "mine"}
_NUMBERS: Final = ("n", "units", "decoys", "within")
_CUT: Final = 60  # characters of what was typed into a list by other means


def typed(raw: object) -> Json:
    """A doctrine as it was sent by form or JSON, numbers read: for validation to judge, or for the form again."""
    doctrine: Json = dict(raw) if isinstance(raw, Mapping) else {}
    if isinstance(doctrine.get("rules"), list):
        doctrine["rules"] = [_typed_rule(one) for one in doctrine["rules"]]
    doctrine["version"] = _number(doctrine.get("version", VERSION))
    doctrine.setdefault("name", "")
    doctrine.setdefault("rules", [])
    return doctrine


def blank() -> Json:
    """A doctrine to begin with: one rule that reinforces the HQ."""
    return {"version": VERSION, "name": "", "rules": [new_rule()]}


def new_rule() -> Json:
    """A rule to begin with."""
    return {"if": [_complete("if", NEW["if"])], "then": [_complete("then", NEW["then"])]}


def pressed(doctrine: Json, do: str) -> Json:
    """The doctrine after one of the editor's buttons: `add`, `up.2`, `down.2`, `copy.2`, `delete.2`, `add_if.2`,
    `add_then.2`, `cut_if.2.1`, `cut_then.2.1`, `show`. Rules and their parts count from 0; what can't be done is not.
    """
    verb, *numbers = do.split(".")
    at = [int(n) for n in numbers if n.isascii() and n.isdigit() and len(n) < 3]
    rules = [_completed(one) for one in _rules(doctrine)]
    change = _VERBS.get(verb)
    if change is not None and len(at) == len(numbers) and (not at or at[0] < len(rules)):
        change(rules, at)
    return {**doctrine, "rules": rules}


def form(t: Translator, doctrine: Json, problems: Sequence[Problem]) -> Json:
    """What the editor's template fills its lists from; each list with the problem that stands next to it."""
    said = {p.field: t(f"doctrine.problem.{p.code}", **p.detail) for p in problems}
    rules = [
        {
            "number": number,
            "field": f"rules.{number}",
            "problem": said.get(f"rules.{number}", ""),
            "sentence": _sentence(t, rule),
            "parts": {part: _part(t, rule, part, f"rules.{number}.{part}", said) for part in HEADS},
        }
        for number, rule in enumerate(_rules(doctrine))
    ]
    return {
        "name": str(doctrine.get("name", ""))[:200],
        "version": doctrine.get("version", VERSION),
        "name_problem": said.get("name", ""),
        "rules_problem": said.get("rules", ""),
        "rules": rules,
        "full": len(rules) >= MOST_RULES,
    }


def templates(t: Translator) -> list[Json]:
    """The lists of every condition and action, for scripts to put in place when another one is chosen."""
    return [
        {"part": part, "kind": kind, "clause": _clause(t, part, _complete(part, {**FRESH, head: kind}), "", {})}
        for part, head in HEADS.items()
        for kind, _ in kinds(t, head)
    ]


def summary(t: Translator, problems: Sequence[Problem]) -> list[Json]:
    """Every problem as a line that names its place and leads to its list."""
    return [{"code": p.code, "field": p.field, "at": None, "message": _placed(t, p)} for p in problems]


def _placed(t: Translator, problem: Problem) -> str:
    sentence = t(f"doctrine.problem.{problem.code}", **problem.detail)
    steps = problem.field.split(".")
    if len(steps) < 2 or not steps[1].isdigit():
        return sentence
    rule = int(steps[1]) + 1
    if len(steps) > 3 and steps[3].isdigit() and steps[2] in HEADS:
        return t(f"doctrine.where.{HEADS[steps[2]]}", rule=rule, number=int(steps[3]) + 1, problem=sentence)
    return t("doctrine.where.some", rule=rule, problem=sentence)


def _sentence(t: Translator, rule: Json) -> str:
    """The rule in a sentence, "" as long as it is none."""
    try:
        parse({"version": VERSION, "name": "-", "rules": [rule]})
    except Malformed:
        return ""
    return told(t, rule)


def _part(t: Translator, rule: Json, part: str, field: str, said: Mapping[str, str]) -> Json:
    clauses = _clauses(rule, part)
    return {
        "field": field,
        "problem": said.get(field, ""),
        "full": len(clauses) >= MOST[part],
        "clauses": [_clause(t, part, one, f"{field}.{i}", said) for i, one in enumerate(clauses)],
    }


def _clause(t: Translator, part: str, one: Json, field: str, said: Mapping[str, str]) -> Json:
    head = HEADS[part]
    kind = str(one.get(head, ""))[:_CUT]
    lists = [_list(t, parameter, one, field, said) for parameter in parameters(head, kind)]
    return {
        "field": field,
        "problem": said.get(field, ""),
        "kind": {
            "key": head,
            "field": f"{field}.{head}",
            "chosen": kind,
            "choices": kinds(t, head),
            "problem": said.get(f"{field}.{head}", ""),
        },
        "lists": lists,
    }


def _list(t: Translator, parameter: Parameter, one: Json, field: str, said: Mapping[str, str]) -> Json:
    key = parameter[0]
    return {
        "key": key,
        "field": f"{field}.{key}",
        "chosen": str(one.get(key, ""))[:_CUT],
        "choices": choices(t, parameter),
        "problem": said.get(f"{field}.{key}", ""),
    }


def _rules(doctrine: Json) -> list[Json]:
    raw = doctrine.get("rules")
    return [dict(one) if isinstance(one, Mapping) else {} for one in raw] if isinstance(raw, list) else []


def _clauses(rule: Json, part: str) -> list[Json]:
    raw = rule.get(part)
    return [dict(one) for one in raw if isinstance(one, Mapping)] if isinstance(raw, list) else []


def _completed(rule: Json) -> Json:
    return {part: [_complete(part, one) for one in _clauses(rule, part)] for part in HEADS}


def _complete(part: str, one: Mapping[str, Any]) -> Json:
    """The clause with all the parameters of its kind and no others; those not chosen yet begin with the first."""
    head = HEADS[part]
    kind = str(one.get(head, ""))
    return {head: kind, **{p[0]: one.get(p[0], FIRST.get(p[0], p[2])) for p in parameters(head, kind)}}


def _typed_rule(raw: object) -> object:
    if not isinstance(raw, Mapping):
        return raw
    return {**raw, **{part: [_numbered(one) for one in raw[part]] for part in HEADS if isinstance(raw.get(part), list)}}


def _numbered(one: object) -> object:
    if not isinstance(one, Mapping):
        return one
    return {key: _number(value) if key in _NUMBERS else value for key, value in one.items()}


def _number(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4 else value


def _add(rules: list[Json], at: list[int]) -> None:
    if len(rules) < MOST_RULES:
        rules.append(new_rule())


def _up(rules: list[Json], at: list[int]) -> None:
    if at and at[0] > 0:
        rules.insert(at[0] - 1, rules.pop(at[0]))


def _down(rules: list[Json], at: list[int]) -> None:
    if at and at[0] < len(rules) - 1:
        rules.insert(at[0] + 1, rules.pop(at[0]))


def _copy(rules: list[Json], at: list[int]) -> None:
    if at and len(rules) < MOST_RULES:
        rules.insert(at[0] + 1, _completed(rules[at[0]]))


def _delete(rules: list[Json], at: list[int]) -> None:
    if at:
        del rules[at[0]]


def _add_part(part: str) -> Callable[[list[Json], list[int]], None]:
    def add(rules: list[Json], at: list[int]) -> None:
        if at and len(rules[at[0]][part]) < MOST[part]:
            rules[at[0]][part].append(_complete(part, NEW[part]))

    return add


def _cut_part(part: str) -> Callable[[list[Json], list[int]], None]:
    def cut(rules: list[Json], at: list[int]) -> None:
        if len(at) > 1 and at[1] < len(rules[at[0]][part]) > 1:
            del rules[at[0]][part][at[1]]

    return cut


_VERBS: Final[Mapping[str, Callable[[list[Json], list[int]], None]]] = {
    "add": _add,
    "up": _up,
    "down": _down,
    "copy": _copy,
    "delete": _delete,
    "add_if": _add_part("if"),
    "add_then": _add_part("then"),
    "cut_if": _cut_part("if"),
    "cut_then": _cut_part("then"),
}
EDITING: Final = (*_VERBS, "show")
