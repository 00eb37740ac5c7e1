"""A moderator's day in a real browser: thirty marks in the queue, a report dealt with, an answer judged (P29)."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from engine.decisions import Decision, Put
from engine.games import registry
from engine.games.draws import SeededDice
from engine.platform.duels.records import DuelId
from engine.platform.fair_play.records import Finding
from engine.platform.members import Lang, Member, MemberId
from engine.platform.moderation.records import MODERATOR
from engine.platform.names import take
from engine.platform.sessions import begin, session_id
from engine.platform.sieges.entering import Announce
from engine.platform.sieges.orders import SendOrders
from engine.times import DAY, HOUR, later
from functions import fair_play, moderating, reports, sieges
from functions.siege_texts import text_key
from infra.folding import forms
from infra.local.server import Machine
from infra.records import MEMBER, SIEGE
from infra.site import Site
from tests.web.conftest import Opener, overflow, violations

pytestmark = pytest.mark.browser

SIGNS = ("superhuman", "regular", "loads", "network")
LOOKS = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]


@pytest.fixture(scope="module")
def text(machine: Machine) -> str:
    """The site as a moderator finds it: thirty marks, reports, a frozen member who has answered; a reported text."""
    site = machine.site
    now = site.sources.now()
    for name in ("Mona", "Nils", "Anna", "Beth", "Carl"):
        _member(site, name, "fr" if name == "Nils" else "en", (MODERATOR,) if name in ("Mona", "Nils") else ())
    for n in range(32):
        sign = SIGNS[n % 4]
        detail = {"superhuman": {"n": 8, "median": 1400}, "regular": {"n": 8, "median": 5200}, "loads": {"n": 77}}
        series = (900, 1400, 2100) if sign in ("superhuman", "regular") else ()
        member, about = MemberId(("anna", "beth", "carl")[n % 3]), f"other{n}" if sign == "network" else ""
        for k in range(5):
            at = later(now, -n * HOUR - k * DAY)
            found = Finding(sign, member, DuelId(f"{n}g{k}"), at, about, detail.get(sign, {}), series)  # type: ignore[arg-type]
            fair_play.enter(site, replace(found, about=about or f"pair{n}"))
    text = _text(site)
    reports.tell(site, MemberId("carl"), "text", text, "It names my sister.")
    reports.tell(site, MemberId("carl"), "member", "beth", "Stalls in every game. " * 20)
    mona = site.store.get(MEMBER, "mona")
    assert mona is not None
    taken = moderating.take(site, mona.value, "freeze", "carl", "", "Eight games with a median of 1.4 s.", "r")
    moderating.answer(site, taken.id, MemberId("carl"), "I know the openings by heart.")
    return text


def _member(site: Site, name: str, lang: Lang, roles: tuple[str, ...]) -> None:
    id, now = MemberId(name.lower()), site.sources.now()
    member = Member(id, name, f"{id}@example.org", lang, "Europe/Paris", later(now, -90 * DAY), roles=roles)
    session = begin(member, session_id(f"cookie of {id}"), now)
    site.store.commit(Decision((Put(member, 0), Put(session, 0), *take(id, name, forms(name), {}, now)), None))


def _text(site: Site) -> str:
    """A text of a siege's first turn, as acts name it."""
    now = site.sources.now()
    anna = site.store.get(MEMBER, "anna")
    assert anna is not None
    wanted = Announce(anna.value.id, "trebuchet", "The Siege", 2, "days1", "UTC", 0, later(now, DAY), "r")
    id = sieges.announce(site, anna.value, wanted).id
    beth = site.store.get(MEMBER, "beth")
    assert beth is not None
    sieges.join(site, beth.value, id)
    row = site.store.get(SIEGE, id)
    assert row is not None
    site.store.commit(Decision((Put(replace(row.value, opens=now), row.version),), None))
    sieges.wake(site, id)
    game, dice = registry.game("trebuchet"), SeededDice(bytes(32), 1)
    while (siege := sieges.siege_row(site, id).value).last is None or siege.last < 1:
        for seat in siege.awaits:
            player = siege.seat(seat)
            assert player is not None
            view = game.view(game.load(siege.state or {}), seat)
            orders = game.write(game.think(view, {"policy": "random"}, dice).orders)
            written = "*Vile* words.\n\n> Quoted.\n\n" * 20 if siege.turn > 0 else None
            request = f"{siege.turn}/{seat}"
            sent = SendOrders(player.member, siege.turn, orders, written, False, request, site.sources.now())
            sieges.send(site, id, sent)
    return text_key(id, 1, "0.p1")


def as_(open_page: Opener, who: str, path: str, width: int = 1280, scheme: str = "light", **more: object) -> Page:
    """A page as a member sees it."""
    page = open_page("/rules", viewport={"width": width, "height": 800}, color_scheme=scheme, **more)
    address = page.url.partition("/rules")[0]
    page.context.add_cookies([{"name": "session", "value": f"cookie of {who}", "url": address}])
    page.goto(path)
    return page


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize("who", ["mona", "nils"])
def test_every_page_fits_and_is_accessible(open_page: Opener, text: str, who: str, width: int, scheme: str) -> None:
    page = as_(open_page, who, "/moderation", width, scheme)
    siege = text.split("/")[1]
    decision = page.goto("/moderation?of=answers") and page.locator("main .rows .what a").first.get_attribute("href")
    paths = [f"/moderation?of={of}" for of in ("marks", "reports", "answers", "jobs", "log")]
    paths += [f"/moderation/members/{id}" for id in ("anna", "carl")]
    paths += [f"/moderation/sieges/{siege}", f"/moderation/texts/{text.removeprefix('siege/')}", decision or ""]
    for path in paths:
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
        assert overflow(page) <= 0, path
        assert violations(page) == [], path


def test_the_queue_is_paged_and_leads_back(open_page: Opener, text: str) -> None:
    page = as_(open_page, "mona", "/moderation", 360)
    expect(page.locator("main .mark")).to_have_count(20)
    expect(page.locator(".tabs [aria-current] .tag")).to_have_text("30+")
    page.get_by_role("link", name="More", exact=True).click()
    expect(page.locator("main .mark")).to_have_count(12)
    where = page.url
    first = page.locator("main .mark").first
    first.locator(".act > summary").click()
    first.locator("textarea").fill("Seen, nothing in it.")
    first.locator("form button").click()
    expect(page.locator("main .notice")).to_contain_text("Mark dismissed.")
    assert page.url.replace("+", "%20").startswith(where)
    page.get_by_role("link", name="Back to the beginning").click()
    expect(page.locator("main .mark")).to_have_count(20)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_report_is_read_its_text_hidden_and_the_answer_judged(open_page: Opener, text: str, scripts: bool) -> None:
    place = text.removeprefix("siege/")
    if not scripts:
        place = place.replace("0.p1", "0.p2")
    who, path = ("anna" if scripts else "beth"), f"/sieges/{place.split('/')[0]}/turns/1"
    carl = as_(open_page, "carl", path, 360, java_script_enabled=scripts)
    post = carl.locator("article.post").filter(has_text="Anna" if scripts else "Beth").first
    if not scripts:
        post.locator("details.report-text summary").click()
        post.locator("textarea").fill("Mine too.")
        post.locator("form button").click()
        expect(carl.locator("main")).to_contain_text("The moderators will look at it.")

    mona = as_(open_page, "mona", "/moderation?of=reports", 360, java_script_enabled=scripts)
    line = mona.locator("main .mark").filter(has=mona.locator(f"a[href='/moderation/texts/{place}']")).first
    deed = line.locator("details.act").filter(has_text="Hide the text").first
    deed.locator("summary").click()
    deed.locator("textarea").fill("It names somebody.")
    deed.locator("button").click()
    expect(mona.locator("main .notice")).to_contain_text("Text hidden.")

    author = as_(open_page, who, "/decisions", 360, java_script_enabled=scripts)
    author.get_by_role("link", name="A text of yours was hidden").first.click()
    expect(author.locator("main")).to_contain_text("Vile words.")
    author.locator("textarea").fill("She is in the book.")
    author.locator("main form button").click()
    expect(author.locator("main .notice")).to_contain_text("Your answer was sent.")
    carl.goto(path)
    expect(carl.locator("main")).to_contain_text("Hidden by the moderators: It names somebody.")

    nils = as_(open_page, "nils", "/moderation?of=answers", 360, java_script_enabled=scripts)
    nils.get_by_role("link", name="Texte masqué").first.click()
    nils.locator("main textarea").fill("Elle est dans le livre.")
    nils.get_by_role("button", name="Annuler la décision").click()
    expect(nils.locator("main")).to_contain_text("Elle est dans le livre.")
    carl.goto(path)
    expect(carl.locator("main")).not_to_contain_text("It names somebody.")
