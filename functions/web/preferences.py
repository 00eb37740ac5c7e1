"""A member's own preferences: name, language, zone, mails, quiet hours, theme (P4)."""

from typing import Any, Final

from engine.decisions import Decision
from engine.errors import Malformed, Problem, Refusal
from engine.platform import preferences as rules
from engine.platform import sessions
from engine.platform.members import MAILS, Member, Quiet
from engine.platform.preferences import Preferences, Renaming, Theme
from engine.platform.rates import RENAMES
from functions.acting import act
from functions.limits import spending
from functions.web import profile
from functions.web.errors import problems
from functions.web.session import COOKIE
from functions.web.visit import Response, Visit
from infra.folding import forms
from infra.records import BLOCK, MEMBER, NAME
from infra.store import Row
from infra.zones import zones

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")
BLOCKS_SHOWN: Final = 50
USUAL_QUIET: Final = Quiet(22 * 60, 7 * 60)


def show(visit: Visit) -> Response[Any]:
    """The form, filled with what is preferred now."""
    member = _self(visit)
    return _page(visit, member, _filled(member))


def change(visit: Visit) -> Response[Any]:
    """Prefer what was sent, all of it or nothing; fields that were not sent stay as they are."""
    member = _self(visit)
    typed = _typed(visit, _filled(member))
    try:
        wanted = _wanted(member, typed)
        after = act(visit.site, lambda: _decide(visit, member, wanted))
    except Malformed as error:
        return _page(visit, member, typed, error.problems)
    except Refusal as refusal:
        if refusal.code != "name_taken":
            raise
        return _page(visit, member, typed, refusal.problems)
    answer = visit.redirect("/preferences?done=saved")
    answer.cookies += [visit.cookie("lang", after.lang), visit.cookie("theme", after.theme)]
    return answer


def try_again(visit: Visit) -> Response[Any]:
    """Send mails again to an address that is paused."""
    member = _self(visit)
    act(visit.site, lambda: rules.try_again(_row(visit, member)))
    return visit.redirect("/preferences?done=try-again")


def sign_out_everywhere(visit: Visit) -> Response[Any]:
    """End every session of the member, this one too."""
    member = _self(visit)
    act(visit.site, lambda: sessions.sign_out_everywhere(_row(visit, member), member.epoch))
    answer = visit.redirect("/sign-in")
    answer.cookies.append(visit.cookie(COOKIE, ""))
    return answer


def _self(visit: Visit) -> Member:
    member = visit.need_member()
    if not sessions.may(visit.session, "settings"):
        raise Refusal("sign_in_needed")
    return member


def _row(visit: Visit, member: Member) -> Row[Member]:
    row = visit.site.store.get(MEMBER, member.id)
    if row is None:
        raise Refusal("sign_in_needed")
    return row


def _decide(visit: Visit, member: Member, wanted: Preferences) -> Decision[Member]:
    store, now = visit.site.store, visit.site.sources.now()
    row = _row(visit, member)
    if wanted.name == row.value.name:
        return rules.change(row, wanted, None, now)
    old = forms(row.value.name)
    held = {form: store.get(NAME, form) for form in {*old, *wanted.forms}}
    renaming = Renaming(old, held, spending(visit.site, now, (RENAMES, member.id)))
    return rules.change(row, wanted, renaming, now)


def _wanted(member: Member, typed: dict[str, Any]) -> Preferences:
    reader = profile.Reader([])
    name, folded = reader.read(profile.name, typed["name"], profile.NAMELESS)
    lang = reader.read(profile.lang, typed["lang"], member.lang)
    zone = reader.read(profile.zone, typed["zone"], member.zone)
    quiet = reader.read(_quiet, f"{typed['quiet_start']} {typed['quiet_end']}", None) if typed["quiet"] else None
    theme = next((theme for theme in THEMES if theme == typed["theme"]), member.theme)
    reader.finish()
    return Preferences(name, folded, lang, zone, rules.kinds(typed["mail"]), quiet, theme)


def _quiet(text: str) -> Quiet | None:
    start, _, end = text.partition(" ")
    return profile.quiet(start, end)


def _filled(member: Member) -> dict[str, Any]:
    quiet = member.quiet or USUAL_QUIET
    return {
        "name": member.name,
        "lang": member.lang,
        "zone": member.zone,
        "theme": member.theme,
        "mail": tuple(kind for kind in MAILS if kind not in member.muted),
        "quiet": member.quiet is not None,
        "quiet_start": profile.clock(quiet.start),
        "quiet_end": profile.clock(quiet.end),
    }


def _typed(visit: Visit, filled: dict[str, Any]) -> dict[str, Any]:
    form = visit.form
    typed = {field: form.get(field) if field in form.typed else value for field, value in filled.items()}
    if "mail" in form.typed:
        typed["mail"] = tuple(kind for kind in MAILS if kind in form.all("mail"))
    typed["quiet"] = typed["quiet"] not in ("", "false", False)
    return typed


def _page(visit: Visit, member: Member, typed: dict[str, Any], found: tuple[Problem, ...] = ()) -> Response[Any]:
    blocks = visit.site.store.query(BLOCK, "", member.id, limit=BLOCKS_SHOWN).rows
    data = {
        **typed,
        "kinds": MAILS,
        "address": member.address,
        "bounced": member.bounced,
        "blocked": tuple({"id": row.value.other, "name": row.value.name} for row in blocks),
        "zones": zones(),
        "done": visit.query.get("done", "") if visit.query.get("done") in ("saved", "try-again") else "",
        "problems": problems(visit, found),
    }
    return visit.page("pages/preferences/preferences.html", data, 422 if found else 200)
