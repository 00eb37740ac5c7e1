"""Doctrines as JSON (the spec's D), in and out."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.errors import Malformed, Problem
from engine.games.feinthold.doctrine.language import (
    ACTIONS,
    CONDITIONS,
    LONGEST_NAME,
    MOST_ACTIONS,
    MOST_CONDITIONS,
    MOST_RULES,
    OPERATORS,
    OWNERS,
    PLACES,
    SHARES,
    VERSION,
    Clause,
    Doctrine,
    Parameter,
    Rule,
    Word,
)

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {"op": OPERATORS, "owner": OWNERS, "place": PLACES, "amount": SHARES}
_MAY_MISS: Final = ("units", "decoys")


def parse(raw: object) -> Doctrine:
    """A doctrine from JSON; Malformed with every problem, each with its path (`rules.0.if.1.n`) as its field.

    Codes: `bad_shape`, `newer_version`, `bad_name`, `too_many_rules`, `bad_clauses` (too few or too many conditions or
    actions; `most` in the detail), `bad_word`, `bad_number` (`least`, `most`).
    """
    problems: list[Problem] = []
    if not isinstance(raw, dict):
        raise Malformed(Problem("bad_shape"))
    version = raw.get("version")
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        raise Malformed(Problem("newer_version" if newer else "bad_shape", field="version"))
    problems += [Problem("bad_shape", field=_text(key)) for key in raw if key not in ("version", "name", "rules")]
    name = _name(raw.get("name"), problems)
    rules = _rules(raw.get("rules"), problems)
    if problems:
        raise Malformed(*problems)
    return Doctrine(name, rules)


def write(doctrine: Doctrine) -> Mapping[str, Any]:
    """A doctrine as JSON."""
    rules = [
        {
            "if": [_clause("is", one, CONDITIONS) for one in rule.conditions],
            "then": [_clause("do", one, ACTIONS) for one in rule.actions],
        }
        for rule in doctrine.rules
    ]
    return {"version": VERSION, "name": doctrine.name, "rules": rules}


def _clause(head: str, clause: Clause, kinds: Mapping[str, tuple[Parameter, ...]]) -> Mapping[str, Any]:
    words = {
        key: PLACES[word] if kind == "place" and isinstance(word, int) else word
        for (key, kind, _, _), word in zip(kinds[clause.kind], clause.words, strict=True)
    }
    return {head: clause.kind, **words}


def _name(raw: object, problems: list[Problem]) -> str:
    name = raw.strip() if isinstance(raw, str) else ""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        problems.append(Problem("bad_name", field="name", detail={"most": LONGEST_NAME}))
    return name


def _rules(raw: object, problems: list[Problem]) -> tuple[Rule, ...]:
    if not isinstance(raw, list):
        problems.append(Problem("bad_shape", field="rules"))
        return ()
    if len(raw) > MOST_RULES:
        problems.append(Problem("too_many_rules", field="rules", detail={"most": MOST_RULES}))
        return ()
    return tuple(_rule(one, f"rules.{i}", problems) for i, one in enumerate(raw))


def _rule(raw: object, path: str, problems: list[Problem]) -> Rule:
    if not isinstance(raw, dict) or set(raw) != {"if", "then"}:
        problems.append(Problem("bad_shape", field=path))
        return Rule((), ())
    return Rule(
        _clauses(raw["if"], "is", CONDITIONS, MOST_CONDITIONS, f"{path}.if", problems),
        _clauses(raw["then"], "do", ACTIONS, MOST_ACTIONS, f"{path}.then", problems),
    )


def _clauses(
    raw: object,
    head: str,
    kinds: Mapping[str, tuple[Parameter, ...]],
    most: int,
    path: str,
    problems: list[Problem],
) -> tuple[Clause, ...]:
    if not isinstance(raw, list) or not 0 < len(raw) <= most:
        problems.append(Problem("bad_clauses", field=path, detail={"most": most}))
        return ()
    return tuple(_read_clause(one, head, kinds, f"{path}.{i}", problems) for i, one in enumerate(raw))


def _read_clause(
    raw: object, head: str, kinds: Mapping[str, tuple[Parameter, ...]], path: str, problems: list[Problem]
) -> Clause:
    if not isinstance(raw, dict):
        problems.append(Problem("bad_shape", field=path))
        return Clause("")
    kind = raw.get(head)
    if not isinstance(kind, str) or kind not in kinds:
        problems.append(Problem("bad_word", field=f"{path}.{head}"))
        return Clause("")
    known = [head, *(key for key, *_ in kinds[kind])]
    problems += [Problem("bad_shape", field=f"{path}.{_text(key)}") for key in raw if key not in known]
    return Clause(kind, tuple(_word(raw, parameter, path, problems) for parameter in kinds[kind]))


def _word(raw: Mapping[str, object], parameter: Parameter, path: str, problems: list[Problem]) -> Word:
    key, kind, least, most = parameter
    value = raw.get(key, 0 if key in _MAY_MISS else None)
    words: Sequence[str] = _LISTS.get(kind, ())
    if isinstance(value, str) and value in words:
        return words.index(value) if kind == "place" else value
    if kind not in ("number", "amount") or isinstance(value, str):
        problems.append(Problem("bad_word", field=f"{path}.{key}"))
    elif type(value) is not int or not least <= value <= most:
        problems.append(Problem("bad_number", field=f"{path}.{key}", detail={"least": least, "most": most}))
    else:
        return value
    return 0


def _text(key: str) -> str:
    return key[:LONGEST_NAME]
