"""One request: what was asked, by whom, and the answers that can be given."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from aws_lambda_powertools.event_handler import Response as Response
from aws_lambda_powertools.shared.cookies import Cookie, SameSite

from engine.errors import Refusal
from engine.platform.members import Lang, Member
from engine.platform.moderation.acting import moderates
from engine.platform.sessions import Session, may
from engine.times import Instant
from infra.forms import decode
from infra.i18n import Translator, translator
from infra.site import Site

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
YEAR: Final = 365 * 86_400


@dataclass(frozen=True)
class Form:
    """What was sent: the fields of a form, or a JSON body. Fields that are not there read as blank."""

    fields: tuple[tuple[str, str], ...] = ()
    body: Mapping[str, Any] | None = None

    def get(self, name: str, default: str = "") -> str:
        """The field's text as typed (the last one, if there are several)."""
        found = self.all(name)
        return found[-1] if found else default

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field, in order."""
        if self.body is None:
            return tuple(text for field_name, text in self.fields if field_name == name)
        value = self.body.get(name)
        values = value if isinstance(value, list) else [] if value is None else [value]
        return tuple(_text(item) for item in values)

    @cached_property
    def json(self) -> Mapping[str, Any]:
        """The JSON body, or the one that the fields' names write (`infra.forms`); raises Malformed."""
        return decode(self.fields) if self.body is None else self.body

    @cached_property
    def typed(self) -> Mapping[str, str]:
        """The fields as they were typed, to fill the form again."""
        return dict(self.fields) if self.body is None else {name: self.get(name) for name in self.body}


@dataclass(frozen=True, slots=True)
class Face:
    """What templates may know of the request, as `visit`."""

    lang: Lang
    path: str
    here: str  # where to come back to: the page with its query, or the page that a form was sent from
    theme: str
    csrf: str
    now: Instant
    member: str | None
    name: str | None
    limited: bool
    stale: str | None  # the duel whose turn mail's link has just ended in this browser (P2)
    speed: float
    guest: bool = False  # plays without an account (P3)
    moderates: bool = False  # (P29)


@dataclass(frozen=True)
class Visit:
    """A request. `received` is when the gateway had it; `browser` names the browser, signed in or not."""

    site: Site
    method: str
    path: str
    received: Instant
    query: Mapping[str, str] = field(default_factory=dict)
    form: Form = field(default_factory=Form)
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    lang: Lang = "en"
    zone: str = "UTC"
    theme: str = "auto"
    member: Member | None = None
    session: Session | None = None
    browser: str = ""
    csrf: str = ""
    client: str = ""

    @cached_property
    def wants_json(self) -> bool:
        """Whether the answer is to be JSON rather than a page."""
        accept = self.headers.get("accept", "")
        return "application/json" in accept and "text/html" not in accept

    @cached_property
    def back(self) -> str:
        """The path to return to: of this page, or of the page that a form was sent from."""
        if self.method == "GET":
            return self.path if is_local(self.path) else "/"
        base = self.site.settings.base_url
        referer = self.headers.get("referer", "")
        path = urlsplit(referer).path if referer.startswith(f"{base}/") else "/"
        return path if is_local(path) else "/"

    @cached_property
    def here(self) -> str:
        """The address to come back to: like `back`, with the query that this page was asked with."""
        query = {name: text for name, text in self.query.items() if name != "lang"}
        return f"{self.back}?{urlencode(query)}" if query and self.method == "GET" else self.back

    @cached_property
    def t(self) -> Translator:
        """The texts in the reader's language."""
        return translator(self.lang)

    def page(self, template: str, data: Mapping[str, Any], status: int = 200) -> Response[Any]:
        """The data as a page, or as JSON to who asks for it: one code path, the same permissions."""
        if self.wants_json:
            return self.json(data, status)
        html = self.site.pages.render(template, self.lang, self.zone, {"page": data, "visit": self.face})
        return Response(status, HTML, html)

    def json(self, data: Mapping[str, Any], status: int = 200) -> Response[Any]:
        """The data as JSON, with the token that a later POST needs."""
        return Response(status, JSON, encode({**data, "csrf": self.csrf}))

    def file(self, data: Mapping[str, Any], name: str) -> Response[Any]:
        """The data as a JSON file to keep and to pass on: without the visit's token."""
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return Response(200, JSON, encode(data), headers=headers)

    def redirect(self, path: str) -> Response[Any]:
        """See this page next, by GET (303). `path` is one of this site."""
        if not is_local(path):
            raise ValueError(f"not a path of this site: {path!r}")
        return Response(303, headers={"Location": in_header(path)}, body="")

    def versioned(self, data: Mapping[str, Any]) -> Response[Any]:
        """For live refresh: 204 while the data are those that the browser has, else 200; the ETag hashes the data."""
        tag = etag(data)
        if tag in self.headers.get("if-none-match", ""):
            return Response(204, headers={"ETag": tag}, body="")
        return Response(200, JSON, encode({"version": tag.strip('"')}), headers={"ETag": tag})

    def need_member(self) -> Member:
        """Who is signed in; raises Refusal `sign_in_needed`, shown with a way to sign in and come back here."""
        if self.member is None:
            raise Refusal("sign_in_needed")
        return self.member

    @cached_property
    def moderates(self) -> bool:
        """Whether a moderator asks, by a full session (P29)."""
        member = self.member
        return member is not None and may(self.session, "report") and moderates(member, self.site.settings.admins)

    @cached_property
    def face(self) -> Face:
        """What templates may know."""
        member = self.member
        return Face(
            lang=self.lang,
            path=self.path,
            here=self.here,
            theme=self.theme,
            csrf=self.csrf,
            now=self.received,
            member=member.id if member else None,
            name=member.name if member else None,
            speed=self.site.settings.speed,
            guest=member is not None and member.guest,
            moderates=self.moderates,
            limited=self.session is not None and not self.session.full,
            stale=self.session.game if self.session and member is None else None,
        )

    def cookie(self, name: str, value: str, seconds: int | None = YEAR) -> Cookie:
        """A cookie of this site, out of scripts' reach; without a value it is taken back, without seconds it ends with
        the browser's session.
        """
        return Cookie(
            name=cookie_name(name, self.site.settings.secure),
            value=value,
            path="/",
            secure=self.site.settings.secure,
            http_only=True,
            max_age=seconds if value else 0,
            same_site=SameSite.LAX_MODE,
        )


def cookie_name(name: str, secure: bool) -> str:
    """The name under which a cookie travels: `__Host-` where browsers come by HTTPS."""
    return f"__Host-{name}" if secure else name


def etag(data: Mapping[str, Any]) -> str:
    """The entity tag of what is shown: it hashes the view, so it tells no more than the view does (P30)."""
    return f'"{hashlib.sha256(encode(data).encode()).hexdigest()[:20]}"'


def is_local(path: str) -> bool:
    """Whether an address leads to a page of this site, whatever browsers make of odd ones."""
    return path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path


def in_header(path: str) -> str:
    """A path as a header may hold it: its letters beyond ASCII, which may come from any address asked for, quoted."""
    return quote(path, safe="/?#[]@!$&'()*+,;=:%~")


def encode(data: object) -> str:
    """Compact JSON; frozen dataclasses are written as objects."""
    return json.dumps(data, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset | set):
        return sorted(value)
    raise TypeError(f"not JSON: {type(value).__name__}")


def _text(value: object) -> str:
    return value if isinstance(value, str) else encode(value)
