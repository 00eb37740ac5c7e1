"""Language and theme, for who is not signed in too."""

from typing import Any, Final
from urllib.parse import urlsplit

from engine.decisions import Decision
from engine.platform import preferences
from engine.platform.members import Lang, Member
from engine.platform.preferences import Theme
from engine.platform.sessions import may
from functions.acting import act
from functions.web.visit import Response, Visit, is_local
from infra.i18n import LANGS
from infra.records import MEMBER

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")


def choose(visit: Visit) -> Response[Any]:
    """Remember the language or theme on this browser, and for the member who is signed in; back to the page."""
    lang = next((lang for lang in LANGS if lang == visit.form.get("lang")), None)
    theme = next((theme for theme in THEMES if theme == visit.form.get("theme")), None)
    if visit.member and may(visit.session, "settings"):
        _prefer(visit, visit.member, lang, theme)
    answer = visit.redirect(_back(visit.form.get("back", "/")))
    answer.cookies += [visit.cookie(name, value) for name, value in (("lang", lang), ("theme", theme)) if value]
    return answer


def _prefer(visit: Visit, member: Member, lang: Lang | None, theme: Theme | None) -> None:
    def decide() -> Decision[Any]:
        row = visit.site.store.get(MEMBER, member.id)
        return preferences.look(row, lang, theme) if row else Decision((), None)

    act(visit.site, decide)


def _back(path: str) -> str:
    return urlsplit(path).path if is_local(path) else "/"
