"""A sign-in mail's link: looking at it changes nothing, its button signs in (P1)."""

from typing import Any

from engine.errors import Problem, Refusal
from engine.platform.addresses import masked
from engine.platform.sign_in import checked
from functions.mail_links import read_sign_in
from functions.web.entering import browser_key, enter, entered, find, over
from functions.web.errors import problems
from functions.web.visit import Response, Visit


def show(visit: Visit, token: str) -> Response[Any]:
    """One button that names the account; in another browser than the one that asked, with a field for the code."""
    return _page(visit, token)


def use(visit: Visit, token: str) -> Response[Any]:
    """Sign in, in this browser."""
    sign_in = _id(visit, token)
    typed = visit.form.get("code") or None
    try:
        outcome = enter(visit, sign_in, typed)
    except Refusal as refusal:
        if refusal.code == "sign_in_elsewhere":
            return _page(visit, token, (Problem("code_needed", field="code"),))
        if not refusal.code.startswith("sign_in_"):
            raise
        return over(visit, refusal)
    if outcome == "wrong_code":
        return _page(visit, token, (Problem("code_wrong", field="code"),))
    return entered(visit, sign_in, outcome)


def _page(visit: Visit, token: str, found: tuple[Problem, ...] = ()) -> Response[Any]:
    browser = browser_key(visit)
    try:
        sign_in = checked(find(visit, _id(visit, token)), visit.site.sources.now()).value
        if sign_in.by not in ("", browser):
            raise Refusal("sign_in_used")
    except Refusal as refusal:
        return over(visit, refusal)
    here = browser in (sign_in.browser, sign_in.by)
    data = {
        "token": token,
        "address": sign_in.address if here else masked(sign_in.address),
        "code_needed": not here,
        "problems": problems(visit, found),
    }
    return visit.page("pages/sign_in/link.html", data, 422 if found else 200)


def _id(visit: Visit, token: str) -> str:
    return read_sign_in(visit.site.settings, token, visit.received) or ""
