"""From an API Gateway event (HTTP API, payload 2.0) to a `Visit`."""

import base64
import binascii
import dataclasses
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from engine.errors import Malformed, Problem, Refusal
from engine.platform.members import Lang
from engine.times import Instant
from functions.web import guest, session
from functions.web.visit import Form, Visit, cookie_name
from infra.forms import MOST_BYTES, MOST_FIELDS
from infra.i18n import LANGS
from infra.links import LinkInvalid, read, sign
from infra.site import Site

_FORM: Final = "application/x-www-form-urlencoded"
_FILES: Final = "multipart/form-data"
_JSON: Final = "application/json"


def arrive(site: Site, event: Mapping[str, Any]) -> Visit:
    """The request as the gateway had it, before anything is looked up. Nothing in it can make this fail."""
    context = event["requestContext"]
    headers = {name.lower(): text for name, text in event.get("headers", {}).items()}
    cookies = _cookies(event.get("cookies") or headers.get("cookie", "").split(";"), site.settings.secure)
    query = dict(parse_qsl(event.get("rawQueryString", ""), keep_blank_values=True))
    return Visit(
        site=site,
        method=context["http"]["method"],
        path=event["rawPath"],
        received=Instant(int(context["timeEpoch"])),
        query=query,
        headers=headers,
        cookies=cookies,
        lang=_lang(query.get("lang"), cookies.get("lang"), headers.get("accept-language", "")),
        zone=site.settings.zone,
        theme=cookies.get("theme", "auto") if cookies.get("theme") in ("light", "dark") else "auto",
        client=context["http"].get("sourceIp", ""),
    )


def recognise(visit: Visit) -> Visit:
    """The same visit with who it is, in their language, zone and theme; reads the store as `session.who` says."""
    site = visit.site
    found, member = session.who(site, visit.cookies, visit.path, visit.received)
    if member is None and found is None:
        found, member = guest.who(site, visit.cookies.get(guest.COOKIE, ""), visit.path, visit.received)
    browser = _browser(visit)
    known = dataclasses.replace(visit, session=found, member=member, browser=browser, csrf=_csrf(visit, browser))
    if member is None:
        return known
    kept_here = found is not None and not found.full and visit.cookies.get("lang") in LANGS
    lang = visit.lang if kept_here or visit.query.get("lang") in LANGS else member.lang
    return dataclasses.replace(known, lang=lang, zone=member.zone, theme=member.theme)


def with_form(visit: Visit, event: Mapping[str, Any]) -> Visit:
    """The same visit with what was sent; raises Refusal `too_large`, or Malformed if it can't be read."""
    raw = event.get("body") or ""
    try:
        data = base64.b64decode(raw, validate=True) if event.get("isBase64Encoded") else raw.encode()
        if len(data) > MOST_BYTES:
            raise Refusal("too_large")
        return dataclasses.replace(visit, form=_form(data, visit.headers.get("content-type", "")))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise Malformed(Problem("form_unreadable")) from error


def check_csrf(visit: Visit) -> None:
    """Raise Refusal `page_too_old` unless the request comes from a page that this site gave to this very session."""
    given = visit.headers.get("x-csrf-token") or visit.form.get("csrf")
    if not hmac.compare_digest(given.encode(), visit.csrf.encode()):
        raise Refusal("page_too_old")


def browser_cookie(visit: Visit) -> str:
    """What the cookie of this browser holds."""
    return sign(visit.site.settings.secret, "browser", visit.browser)


def _form(data: bytes, content_type: str) -> Form:
    kind = content_type.partition(";")[0].strip().lower()
    if kind == _FILES:
        from infra.multipart import fields

        return Form(fields(data, content_type))
    text = data.decode()
    if kind == _JSON:
        body = json.loads(text)
        if not isinstance(body, dict):
            raise ValueError("not an object")
        json.dumps(body, ensure_ascii=False).encode()  # half a character can't be kept: UnicodeEncodeError
        return Form(body=body)
    if kind == _FORM or not text:
        return Form(tuple(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)))
    raise ValueError("neither a form nor JSON")


def _cookies(pairs: list[str], secure: bool) -> dict[str, str]:
    split = (pair.strip().partition("=") for pair in pairs)
    prefix = cookie_name("", secure)
    return {name[len(prefix) :]: value for name, sign_, value in split if sign_ and name.startswith(prefix)}


def _lang(asked: str | None, kept: str | None, accepted: str) -> Lang:
    for choice in (asked, kept):
        if choice in LANGS:
            return choice
    weights: dict[str, float] = {}
    for part in accepted.split(",")[:20]:
        name, _, quality = part.strip().partition(";q=")
        try:
            weights.setdefault(name[:2].lower(), float(quality or 1))
        except ValueError:
            continue
    return max(LANGS, key=lambda lang: weights.get(lang, 0))


def _browser(visit: Visit) -> str:
    try:
        return str(read(visit.site.settings.secret, "browser", visit.cookies.get("browser", ""), visit.received))
    except LinkInvalid:
        return visit.site.sources.id()


def _csrf(visit: Visit, browser: str) -> str:
    bound = f"csrf/{browser}/{visit.cookies.get(session.COOKIE, '')}"
    return hmac.new(visit.site.settings.secret, bound.encode(), hashlib.sha256).hexdigest()[:40]
