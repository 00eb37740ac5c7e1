"""Pages for what could not be done, each with its reason and a way on."""

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import Malformed, Problem, Refusal
from functions.web.visit import Response, Visit

STATUS: Final[Mapping[str, int]] = {
    "sign_in_needed": 401,
    "page_too_old": 403,
    "not_yours": 403,
    "not_found": 404,
    "link_unknown": 404,
    "wrong_method": 405,
    "too_large": 413,
    "too_many": 429,
    "too_often": 429,
    "broken": 500,
    "busy": 503,
}


def refused(visit: Visit, refusal: Refusal) -> Response[Any]:
    """The page of a refusal: its sentence, and every problem."""
    return _page(visit, refusal.code, refusal.detail, refusal.problems, STATUS.get(refusal.code, 422))


def malformed(visit: Visit, error: Malformed) -> Response[Any]:
    """The page of input that can't be read, with every problem."""
    return _page(visit, "malformed", {}, error.problems, 400)


def problems(visit: Visit, found: tuple[Problem, ...]) -> tuple[Mapping[str, Any], ...]:
    """Problems with their sentences, for a form that is shown again and for JSON."""
    return tuple(
        {"code": p.code, "at": p.at, "field": p.field, "message": visit.t(f"problem.{p.code}", **p.detail)}
        for p in found
    )


def _page(visit: Visit, code: str, detail: Mapping[str, Any], found: tuple[Problem, ...], status: int) -> Response[Any]:
    error = {"code": code, "message": visit.t(f"refusal.{code}", **detail), "problems": problems(visit, found)}
    answer = visit.page("pages/errors/error.html", {"error": error, "status": status, "back": visit.back}, status)
    if "seconds" in detail:
        answer.headers["Retry-After"] = str(detail["seconds"])
    return answer
