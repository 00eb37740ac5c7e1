"""The web function: every page and action. An API Gateway event in, its answer out."""

import functools
import importlib
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from engine.errors import Malformed, Refusal
from functions.web import errors
from functions.web.arrival import arrive, check_csrf, recognise, with_form
from functions.web.outgoing import finish
from functions.web.routes import ROUTES, WITHOUT_CSRF
from functions.web.visit import Visit, in_header, is_local
from infra.log import log
from infra.remembering import remembering
from infra.site import current
from infra.store import Busy, Conflict, Unknown

Handler = Callable[..., Response[Any]]
Event = dict[str, Any]
_NO_PAGE: Final = ("functions.web.app:missing", "functions.web.app:wrong_method")


def handler(event: Event, context: Any) -> dict[str, Any]:
    """Answer one request; writes one line to the log, with no address, name or token in it.

    That nothing is new (204) is said so often that the log does without it.
    """
    started = time.perf_counter()
    resolver = _resolver()
    asked = event["requestContext"]["http"]["method"]
    answer = resolver.resolve(_as_get(event) if asked == "HEAD" else event, context)
    if asked == "HEAD":
        answer["body"] = ""
    spent = round(1000 * (time.perf_counter() - started), 1)
    if answer["statusCode"] != HTTPStatus.NO_CONTENT:
        log("web", method=asked, route=resolver.matched, status=answer["statusCode"], ms=spent)
    return answer


class _Resolver(APIGatewayHttpResolver):
    """The routes, for one thread: Powertools keeps the request on its base class, which threads would share.

    It gets to know those of a part of the site when something there is first asked for: all together take as long as
    twenty pages.
    """

    matched = ""

    def __init__(self) -> None:
        super().__init__()
        self._unknown = {_part(path) for _, path, _ in ROUTES}
        self.not_found(functools.partial(_astray, self))

    def resolve(self, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        self.current_event = APIGatewayProxyEventV2(dict(event))
        self.lambda_context = context
        self.matched = "-"
        self._learn(_part(self.current_event.path))
        try:
            return self._build_response(self._resolve())
        finally:
            self.context.clear()

    def _learn(self, part: str) -> None:
        if part not in self._unknown:
            return
        for method, path, target in ROUTES:
            if _part(path) == part:
                self.route(path, method=method)(_route(self, path, target))
        self._unknown.discard(part)


_threads: Final = threading.local()


def _resolver() -> _Resolver:
    found: _Resolver | None = getattr(_threads, "resolver", None)
    if found is None:
        found = _threads.resolver = _Resolver()
    return found


def _part(path: str) -> str:
    """The first word of an address: no route begins with anything but a word."""
    return path.split("/", 2)[1] if path.startswith("/") else ""


def _route(resolver: _Resolver, path: str, target: str) -> Callable[..., Response[Any]]:
    def call(**args: str) -> Response[Any]:
        resolver.matched = path
        return _answer(resolver.current_event.raw_event, target, args)

    return call


def _answer(event: Event, target: str, args: Mapping[str, str]) -> Response[Any]:
    visit = arrive(remembering(current()), event)
    try:
        if not target.startswith("functions.web.static:"):
            visit = recognise(visit)
        if visit.method == "POST" and target not in WITHOUT_CSRF and target not in _NO_PAGE:
            visit = with_form(visit, event)
            check_csrf(visit)
        answer = _load(target)(visit, **args)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the reader gets a page and the log its place
        answer = _excuse(visit, error)
    return finish(visit, answer)


def _excuse(visit: Visit, error: Exception) -> Response[Any]:
    try:
        return _explain(visit, error)
    except Exception as worse:  # noqa: BLE001 - not even the page of the error can be shown
        log("no page for an error", error=type(error).__name__, worse=type(worse).__name__, at=_places(worse))
        return errors.last_resort()


def _explain(visit: Visit, error: Exception) -> Response[Any]:
    if isinstance(error, Refusal):
        return errors.refused(visit, error)
    if isinstance(error, Malformed):
        return errors.malformed(visit, error)
    if isinstance(error, Conflict | Busy | Unknown):
        log("store", error=type(error).__name__)
        return errors.refused(visit, Refusal("busy"))
    log("broken", error=type(error).__name__, at=_places(error))
    return errors.refused(visit, Refusal("broken"))


def _astray(resolver: _Resolver, _: NotFoundError) -> Response[Any]:
    event = resolver.current_event.raw_event
    allowed = sorted({route.method for route in _matching(resolver, event["rawPath"])})
    answer = _answer(event, _NO_PAGE[1] if allowed else _NO_PAGE[0], {})
    if allowed:
        answer.headers["Allow"] = ", ".join(allowed)
    return answer


def missing(visit: Visit) -> Response[Any]:
    """There is no such page; one with a slash too many at its end is sent on."""
    bare = visit.path.rstrip("/")
    if visit.method == "GET" and bare != visit.path and is_local(bare):
        return Response(308, headers={"Location": in_header(bare)}, body="")
    raise Refusal("not_found")


def wrong_method(visit: Visit) -> Response[Any]:
    """There is one, but not for this method. Who comes back to where a form was sent is led to the form's page."""
    page = visit.path.rpartition("/")[0]
    if visit.method == "GET" and page and not visit.wants_json and is_local(page):
        return visit.redirect(page)
    raise Refusal("wrong_method")


def _matching(resolver: _Resolver, path: str) -> list[Any]:
    return [route for route in resolver._static_routes + resolver._dynamic_routes if route.rule.match(path)]


@functools.cache
def _load(target: str) -> Handler:
    module, _, name = target.partition(":")
    found: Handler = getattr(importlib.import_module(module), name)
    return found


def load_all() -> None:
    """Import what answers at every address: a process that serves for long need let no reader wait for it."""
    for _, _, target in ROUTES:
        _load(target)


def _as_get(event: Event) -> Event:
    context = event["requestContext"]
    return {**event, "requestContext": {**context, "http": {**context["http"], "method": "GET"}}}


def _places(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return " ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames[-6:])
