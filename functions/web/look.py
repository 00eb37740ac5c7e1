"""Language and theme, for who is not signed in too."""

from dataclasses import replace
from typing import Any, Final

from engine.decisions import Decision
from engine.platform import preferences
from engine.platform.members import Member
from engine.platform.preferences import Preferences
from engine.platform.sessions import may
from functions.acting import act
from functions.web.visit import Response, Visit, is_local
from infra.i18n import LANGS
from infra.records import MEMBER

CHOICES: Final = {"lang": LANGS, "theme": ("auto", "light", "dark")}


def choose(visit: Visit) -> Response[Any]:
    """Remember the language or theme on this browser and in the member's preferences, and go back to the page."""
    chosen = {name: visit.form.get(name) for name, known in CHOICES.items() if visit.form.get(name) in known}
    if chosen and may(visit.session, "settings"):
        member = visit.need_member()
        act(visit.site, lambda: _prefer(visit, member, chosen))
    answer = visit.redirect(_back(visit.form.get("back", "/")))
    answer.cookies += [visit.cookie(name, value) for name, value in chosen.items()]
    return answer


def _prefer(visit: Visit, member: Member, chosen: dict[str, Any]) -> Decision[Any]:
    row = visit.site.store.get(MEMBER, member.id)
    if row is None:
        return Decision((), None)
    now = row.value
    same = Preferences(now.name, (), now.lang, now.zone, now.muted, now.quiet, now.theme)
    return preferences.change(row, replace(same, **chosen), None, visit.site.sources.now())


def _back(path: str) -> str:
    return path if is_local(path) else "/"
