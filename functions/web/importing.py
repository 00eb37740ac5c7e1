"""Games brought from elsewhere, looked at step by step: nothing is kept, the whole game stands in the address."""

import json
from typing import Any, Final
from urllib.parse import urlencode

from engine.errors import Malformed, Problem
from engine.games import notation, registry
from functions.web.errors import problems as sentences
from functions.web.visit import Response, Visit

TEMPLATE: Final = "pages/import.html"
NAMES: Final = 40


def show(visit: Visit) -> Response[Any]:
    """The form: a game's text, or the JSON of a download."""
    return visit.page(TEMPLATE, {"text": "", "problems": ()})


def take(visit: Visit) -> Response[Any]:
    """Read a game and lead to its first step; text that can't be read comes back with what is wrong with it."""
    text = visit.form.get("text")
    try:
        record = _read(text)
        notation.played(record)
    except Malformed as error:
        if visit.wants_json:
            raise
        return visit.page(TEMPLATE, {"text": text, "problems": sentences(visit, error.problems)}, 422)
    return visit.redirect(address(record))


def step(visit: Visit, game: str) -> Response[Any]:
    """A step of the game that the address holds (`?moves=` and the game's options; `?step=`)."""
    spec = notation.playable(game).SPEC
    words = tuple(word for word in visit.query.get("moves", "")[: notation.LONGEST].split(".") if word)
    options = {name: visit.query[name] for name in spec.options if visit.query.get(name)}
    names = {seat: visit.query.get(seat, "")[:NAMES] for seat in spec.seats}
    record = notation.Record(game, options, words, {s.capitalize(): name for s, name in names.items() if name})
    steps = notation.played(record)
    asked = visit.query.get("step", "")
    at = min(int(asked), len(words)) if asked.isascii() and asked.isdigit() and len(asked) < 5 else len(words)
    played = registry.game(game)
    outcome = played.standing(steps[-1].state).outcome
    data = {
        "duel": {"game": game, "words": words, "open": True, "outcome": outcome and _told(outcome)},
        "seats": [{"seat": seat, "name": names[seat]} for seat in spec.seats],
        "you": None,
        "step": at,
        "steps": len(words),
        "view": played.show(played.view(steps[at].state, "all")),
        "facts": [{"code": f.code, "detail": f.detail} for f in steps[at].facts],
        "at": f"{address(record)}&step=",
        "here": f"{visit.site.settings.base_url}{address(record)}&step={at}",
        "text": notation.write(record),
        "now": visit.received,
    }
    return visit.page("pages/game/imported.html", data)


def address(record: notation.Record) -> str:
    """Where this game is looked at."""
    seats = {seat: record.tags[seat.capitalize()] for seat in _seats(record.game) if record.tags.get(seat.capitalize())}
    query = {**record.options, **seats, "moves": ".".join(record.words)}
    return f"/import/{record.game}?{urlencode(query)}"


def _read(text: str) -> notation.Record:
    if not text.strip():
        raise Malformed(Problem("missing", field="text"))
    if text.lstrip().startswith("{"):
        try:
            return notation.read_download(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise Malformed(Problem("unreadable", field="text")) from error
    return notation.read(text)


def _seats(game: str) -> tuple[str, ...]:
    return registry.game(game).SPEC.seats[:2]


def _told(outcome: Any) -> dict[str, Any]:
    return {"winner": outcome.winner, "by": outcome.by}
