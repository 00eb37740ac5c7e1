"""The page after asking for a link: look at your mail, or type its code here (P1)."""

from typing import Any

from engine.errors import Problem, Refusal
from functions.web.entering import browser_key, enter, entered, find, over
from functions.web.errors import problems
from functions.web.visit import Response, Visit


def show(visit: Visit) -> Response[Any]:
    """Where the mail went, and a field for its code; only for the browser that asked."""
    return _page(visit, visit.query.get("for", ""))


def use(visit: Visit) -> Response[Any]:
    """Sign in by the code that was typed."""
    sign_in = visit.form.get("for")
    try:
        outcome = enter(visit, sign_in, visit.form.get("code"))
    except Refusal as refusal:
        if not refusal.code.startswith("sign_in_"):
            raise
        return over(visit, refusal)
    if outcome == "wrong_code":
        return _page(visit, sign_in, (Problem("code_wrong", field="code"),))
    return entered(visit, sign_in, outcome)


def _page(visit: Visit, sign_in: str, found: tuple[Problem, ...] = ()) -> Response[Any]:
    kept = find(visit, sign_in)
    if kept is None or kept.value.browser != browser_key(visit) or visit.site.sources.now() >= kept.value.expires:
        return over(visit, Refusal("sign_in_expired"))
    data = {
        "sign_in": sign_in,
        "address": kept.value.address,
        "expires": kept.value.expires,
        "problems": problems(visit, found),
    }
    return visit.page("pages/sign_in/code.html", data, 422 if found else 200)
