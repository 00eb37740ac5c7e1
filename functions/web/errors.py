"""Pages for what could not be done, each with its reason and a way on."""

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from functions.web.visit import Response, Visit
from infra.pages import when

STATUS: Final[Mapping[str, int]] = {
    "sign_in_needed": 401,
    "page_too_old": 403,
    "not_yours": 403,
    "not_playing": 403,
    "not_for_you": 403,
    "link_too_narrow": 403,
    "not_found": 404,
    "no_such_game": 404,
    "no_such_decision": 404,
    "no_such_mark": 404,
    "no_such_siege": 404,
    "no_story": 404,
    "no_replay": 404,
    "link_unknown": 404,
    "wrong_method": 405,
    "too_large": 413,
    "too_many": 429,
    "too_often": 429,
    "broken": 500,
    "busy": 503,
}

AGAIN: Final = (429, 500, 503)  # the same page may well be there at the next try


def refused(visit: Visit, refusal: Refusal) -> Response[Any]:
    """The page of a refusal: its sentence, and every problem."""
    return _page(visit, refusal.code, refusal.detail, refusal.problems, _status(refusal.code))


def malformed(visit: Visit, error: Malformed) -> Response[Any]:
    """The page of input that can't be read, with every problem."""
    return _page(visit, "malformed", {}, error.problems, 400)


def last_resort() -> Response[Any]:
    """What is said where even the page of an error can't be shown."""
    return Response(500, "text/plain; charset=utf-8", "Something broke. / Une panne de notre côté.\n")


def problems(visit: Visit, found: tuple[Problem, ...]) -> tuple[Mapping[str, Any], ...]:
    """Problems with their sentences, for a form that is shown again and for JSON."""
    return tuple(
        {"code": p.code, "at": p.at, "field": p.field, "message": sentence(visit, f"problem.{p.code}", p.detail)}
        for p in found
    )


def sentence(visit: Visit, key: str, detail: Mapping[str, Any]) -> str:
    """A sentence with what fills it; `until` is an instant, told in the reader's zone."""
    until = detail.get("until")
    told = {} if until is None else {"until": when(until, visit.t, visit.zone)}
    return visit.t(key, **{**detail, **told})


def _status(code: str) -> int:
    """What is not there is not found; else what `STATUS` says, or that it can't be done."""
    return STATUS.get(code, 404 if code.startswith("no_such_") else 422)


def _page(visit: Visit, code: str, detail: Mapping[str, Any], found: tuple[Problem, ...], status: int) -> Response[Any]:
    error = {"code": code, "message": sentence(visit, f"refusal.{code}", detail), "problems": problems(visit, found)}
    again = visit.method != "GET" or status in AGAIN
    shown = {"error": error, "status": status, "back": visit.back, "again": again}
    answer = visit.page("pages/errors/error.html", shown, status)
    if "seconds" in detail:
        answer.headers["Retry-After"] = str(detail["seconds"])
    return answer
