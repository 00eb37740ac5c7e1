"""Pages and mails: Jinja templates filled with plain data, in the reader's language and zone."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    ModuleLoader,
    StrictUndefined,
    pass_eval_context,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from engine.platform.members import Lang
from engine.times import DAY, HOUR, MINUTE, SECOND, Instant
from infra.i18n import ROOT, Translator, finder, translator

TEMPLATES: Final = ROOT / "templates"
COMPILED: Final = ROOT / "build" / "templates"
KEPT: Final = ROOT / "build" / "jinja"
STATIC: Final = TEMPLATES / "static"
NO_TOOLS: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class _Reader:
    lang: Lang
    zone: str


_reader: ContextVar[_Reader] = ContextVar("reader")


class Pages:
    """Renders templates; in `.html` files everything put in is escaped, in `.txt` files nothing is.

    Templates have `t(key, **args)`, `when(instant)`, `day(instant)`, `date("2026-11-30")`, `span(ms)`, `ago(ms)`,
    `num(number)`, `asset(name)` and `lang()`. A sentence is escaped as a whole unless its key ends in `.html`: that one
    holds markup, and only what fills it is escaped.
    """

    def __init__(self, compiled: bool = False, tools: Mapping[str, Any] = NO_TOOLS, kept: bool = False) -> None:
        """With `compiled`, from the modules that `infra.package` has made; else from the files, read again.

        Then with `kept`, what was compiled of a file is used for as long as the file is the same, also by later
        processes. `tools` are more names for the templates to use (`functions.web.boards.TOOLS`).
        """
        self._env = Environment(
            loader=ModuleLoader(COMPILED) if compiled else FileSystemLoader(TEMPLATES),
            autoescape=select_autoescape(["html", "svg"]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=not compiled,
            cache_size=-1,
            bytecode_cache=_kept() if kept else None,
        )
        helpers = {"t": _t, "when": _when, "day": _day, "date": _local, "span": _span, "ago": _ago, "num": _num}
        self._env.globals.update(helpers, asset=self.asset, lang=lambda: _reader.get().lang, **tools)
        self._env.filters.update(helpers)

    @property
    def environment(self) -> Environment:
        """The Jinja environment, for the build."""
        return self._env

    def render(self, template: str, lang: Lang, zone: str, data: Mapping[str, Any]) -> str:
        """The template filled with the data, in this language, its times in this zone."""
        token = _reader.set(_Reader(lang, zone))
        try:
            return self._env.get_template(template).render(data)
        finally:
            _reader.reset(token)

    def asset(self, name: str) -> str:
        """The address of a static file, under the hash of them all: it may be kept for ever."""
        if name not in self.assets:
            raise LookupError(f"no static file {name}")
        return f"/static/{self.fingerprint}/{name}"

    @cached_property
    def assets(self) -> Mapping[str, Path]:
        """The static files by name."""
        files = sorted(path for path in STATIC.rglob("*") if path.is_file())
        return {path.relative_to(STATIC).as_posix(): path for path in files}

    @cached_property
    def fingerprint(self) -> str:
        """The hash of all static files."""
        total = hashlib.sha256()
        for name, path in self.assets.items():
            total.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
        return total.hexdigest()[:12]


class _Kept(FileSystemBytecodeCache):
    """What was compiled, in a folder; where that can't be written to, each process compiles for itself."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled of a template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is kept of a template, if anything."""
        with suppress(OSError):
            super().load_bytecode(bucket)


def _kept() -> _Kept:
    """It tells contents of files and versions of Python apart; those of Jinja, and of this file, are in the names."""
    from importlib.metadata import version

    with suppress(OSError):
        KEPT.mkdir(parents=True, exist_ok=True)
    ours = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    return _Kept(str(KEPT), f"%s-{version('jinja2')}-{ours}")


def when(instant: Instant, t: Translator, zone: str) -> str:
    """An instant as a local date and time with the name of its zone: "Mon 30 Nov 2026, 14:05 CET"."""
    local = datetime.fromtimestamp(instant / 1000, UTC).astimezone(ZoneInfo(zone))
    name = local.strftime("%Z")
    return t("date.when", day=_date(local, t), time=f"{local:%H:%M}", zone=f"UTC{name}" if name[:1] in "+-" else name)


def day(instant: Instant, t: Translator, zone: str) -> str:
    """The local date of an instant: "Mon 30 Nov 2026"."""
    return _date(datetime.fromtimestamp(instant / 1000, UTC).astimezone(ZoneInfo(zone)), t)


def span(ms: int, t: Translator) -> str:
    """A length of time in its two largest units, rounded down: "2 d 3 h", "45 min", "0 s"."""
    left = max(0, ms)
    parts = []
    for key, size in (("date.d", DAY), ("date.h", HOUR), ("date.min", MINUTE), ("date.s", SECOND)):
        if left >= size:
            parts.append(t(key, count=left // size))
            left %= size
        elif parts:
            break
        if len(parts) == 2:
            break
    return " ".join(parts) or t("date.s", count=0)


def number(value: float, lang: Lang) -> str:
    """A number as the language writes it: 1016.5 is "1016,5" in French; whole numbers without a point."""
    text = str(int(value)) if value == int(value) else f"{value:.1f}"
    return (text.replace(".", ",") if lang == "fr" else text).replace("-", "\u2212")


def _date(local: datetime, t: Translator) -> str:
    weekday, month = t(f"date.weekday.{local.isoweekday()}"), t(f"date.month.{local.month}")
    return t("date.day", weekday=weekday, day=local.day, month=month, year=local.year)


@pass_eval_context
def _t(context: EvalContext, key: str, **args: Any) -> str:
    sentence = finder(_reader.get().lang)(key, args.get("n"))
    if not context.autoescape:
        return sentence.format(**args)
    return (Markup(sentence) if key.endswith(".html") else escape(sentence)).format(**args)


@pass_eval_context
def _when(context: EvalContext, instant: Instant) -> str:
    return _time(context, instant, when(instant, translator(_reader.get().lang), _reader.get().zone))


@pass_eval_context
def _day(context: EvalContext, instant: Instant) -> str:
    return _time(context, instant, day(instant, translator(_reader.get().lang), _reader.get().zone))


def _local(day: str) -> str:
    """A date of the site's own zone, as it is: "Mon 30 Nov 2026"."""
    text = _date(datetime.fromisoformat(day), translator(_reader.get().lang))
    return Markup('<time datetime="{}">{}</time>').format(day, text)


def _time(context: EvalContext, instant: Instant, text: str) -> str:
    if not context.autoescape:
        return text
    utc = f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(utc, _reader.get().zone, text)


def ago(ms: int, t: Translator) -> str:
    """How long ago something was, in its largest unit, rounded down: "2 d ago"."""
    unit = next((size for size in (DAY, HOUR, MINUTE) if ms >= size), SECOND)
    return t("date.ago", span=span(ms // unit * unit, t))


def _span(ms: int) -> str:
    return span(ms, translator(_reader.get().lang))


def _ago(ms: int) -> str:
    return ago(ms, translator(_reader.get().lang))


def _num(value: float) -> str:
    return number(value, _reader.get().lang)
