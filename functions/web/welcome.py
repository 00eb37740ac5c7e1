"""A newcomer chooses a name, a language and a time zone, and is a member (P1, P4)."""

from typing import Any

from engine.decisions import Decision
from engine.errors import Malformed, Problem, Refusal
from engine.platform import sign_in
from engine.platform.addresses import mailbox_key
from engine.platform.gifts import gift_key, give
from engine.platform.members import MemberId
from engine.platform.sessions import session_id
from engine.platform.sign_in import Outcome, Profile, Use
from functions import returning
from functions.acting import act
from functions.web import guest, profile
from functions.web.entering import browser_key, entered, find, full_token, member_of, next_page, over
from functions.web.errors import problems
from functions.web.visit import Response, Visit
from infra.records import GIFT, NAME, SESSION
from infra.zones import zones


def show(visit: Visit, id: str) -> Response[Any]:
    """The form, once the mailbox is proven in this browser."""
    try:
        kept = sign_in.waiting(find(visit, id), browser_key(visit), visit.site.sources.now())
    except Refusal as refusal:
        return over(visit, refusal)
    if kept.value.session:
        return visit.redirect(next_page(kept.value.next))
    return _form(visit, id, {"name": "", "lang": visit.lang, "zone": visit.zone})


def join(visit: Visit, id: str) -> Response[Any]:
    """Become a member and be signed in; shown again with its problems if a field is wrong or the name is taken."""
    typed = {field: visit.form.get(field) for field in ("name", "lang", "zone")}
    try:
        chosen = _profile(visit, typed)
        outcome = _join(visit, id, chosen)
    except Malformed as error:
        return _form(visit, id, typed, error.problems)
    except Refusal as refusal:
        if refusal.code == "name_taken":
            return _form(visit, id, typed, refusal.problems)
        if refusal.code.startswith("sign_in_"):
            return over(visit, refusal)
        raise
    return entered(visit, id, outcome)


def _join(visit: Visit, id: str, chosen: Profile) -> Outcome:
    site, browser = visit.site, browser_key(visit)
    session = session_id(full_token(visit, id))
    row = guest.row_of(visit)
    member = row.value.id if row else MemberId(site.sources.id())

    def decide() -> Decision[Outcome]:
        now = site.sources.now()
        kept = sign_in.waiting(find(visit, id), browser, now)
        if there := member_of(visit, kept.value.address):
            again = Use(browser, None, "", session)
            return sign_in.use(kept, again, there.value, site.store.get(SESSION, session), (), now)
        held = {form: site.store.get(NAME, form) for form in chosen.forms}
        key = mailbox_key(site.settings.secret, kept.value.address)
        gift = gift_key(site.settings.secret, kept.value.address)
        known = site.store.get(GIFT, gift)
        given, formers = give(known, gift, member, now), returning.formers(site, known.value if known else None)
        joined = sign_in.join(kept, key, member, session, chosen, held, now, guest.row_of(visit), formers)
        return Decision((*joined.changes, *given), "signed_in")

    return act(site, decide)


def _profile(visit: Visit, typed: dict[str, str]) -> Profile:
    reader = profile.Reader([])
    name, forms = reader.read(profile.name, typed["name"], profile.NAMELESS)
    lang = reader.read(profile.lang, typed["lang"], visit.lang)
    zone = reader.read(profile.zone, typed["zone"], "")
    reader.finish()
    return Profile(name, forms, lang, zone)


def _form(visit: Visit, id: str, typed: dict[str, str], found: tuple[Problem, ...] = ()) -> Response[Any]:
    data = {**typed, "sign_in": id, "zones": zones(), "problems": problems(visit, found)}
    return visit.page("pages/sign_in/welcome.html", data, 422 if found else 200)
