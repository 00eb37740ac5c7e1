"""Feinthold positions, and pages read as a browser without scripts reads them."""

import functools
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from engine.games import feinthold
from engine.games.draws import SeededDice
from engine.games.feinthold import State
from engine.games.protocol import Sent
from engine.platform.members import Lang
from engine.times import Instant
from functions.web.visit import Face
from tests.support.browser import Browser
from tests.support.people import sign_up
from tests.support.site import pages, site_in

NOW: Final = 1_790_000_000_000
FACE: Final = Face(
    lang="en", path="/games/d1", here="/games/d1", theme="light", csrf="token", now=Instant(NOW), member="m1",
    name="Ada", limited=False, stale=None, speed=1.0,
)  # fmt: skip
VOID: Final = {"input", "br", "meta", "link", "img", "hr", "rect", "line", "polygon", "stop"}
SHEETS: Final[tuple[Mapping[str, Any], ...]] = (
    {
        "a": {
            "reinforce": [{"at": "hq_a", "units": 2, "decoys": 1}],
            "move": [{"from": "hq_a", "to": "fwd_a", "units": 3}],
        },
        "b": {
            "reinforce": [{"at": "hq_b", "units": 2}],
            "move": [{"from": "hq_b", "to": "fwd_b", "units": 2}, {"from": "hq_b", "to": "post_b", "units": 1}],
            "predict": "fwd_a",
        },
    },
    {
        "a": {
            "reinforce": [{"at": "fwd_a", "units": 2}],
            "move": [
                {"from": "fwd_a", "to": "centre", "units": 2},
                {"from": "hq_a", "to": "post_a", "units": 1, "decoys": 1},
            ],
            "entrench": ["fwd_a"],
            "predict": "centre",
        },
        "b": {
            "reinforce": [{"at": "fwd_b", "units": 1, "decoys": 1}],
            "move": [{"from": "fwd_b", "to": "centre", "units": 1}, {"from": "hq_b", "to": "fwd_b", "units": 2}],
            "scout": ["fwd_a"],
        },
    },
)  # on layout 7, legal for two turns


def played(layout: int = 7, sheets: tuple[Mapping[str, Any], ...] = SHEETS) -> State:
    """The state after these turns."""
    state = feinthold.start({"layout": layout}, 2, SeededDice(b"", 0))
    for n, sheet in enumerate(sheets, 1):
        sent = {side: Sent(feinthold.parse(orders)) for side, orders in sheet.items()}
        state = feinthold.resolve(state, sent, SeededDice(b"", n)).state
    return state


def view(state: State, eyes: str) -> Mapping[str, Any]:
    """The view's JSON."""
    return feinthold.show(feinthold.view(state, eyes))


@functools.cache
def first_turn() -> Mapping[str, Any]:
    """The data of a game's page in its first turn, as the site itself gives them."""
    with tempfile.TemporaryDirectory() as folder:
        site = site_in(Path(folder))
        ada, bruno = Browser(), Browser(client="192.0.2.2")
        sign_up(ada, site, "ada@example.org", "Ada")
        sign_up(bruno, site, "bruno@example.org", "Bruno")
        ada.get("/duels")
        path = ada.post("/duels", {"game": "feinthold", "pace": "days1", "opponent": "Bruno"}).location
        bruno.get(path)
        bruno.post(f"{path}/accept")
        page: Mapping[str, Any] = ada.data(path)
        return page


def page_of(state: State, side: str, sheet: object = None, problems: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The same in the turn this state is in, for one side, with these orders in its form."""
    page = first_turn()
    return {
        **page,
        "duel": {**page["duel"], "turn": state.turn},
        "seats": [{**seat, "you": seat["seat"] == side} for seat in page["seats"]],
        "you": side,
        "view": view(state, side),
        "sheet": sheet or {},
        "problems": problems,
    }


def shown(page: Mapping[str, Any], lang: Lang = "en", template: str = "pages/game/show.html") -> str:
    """The page's HTML."""
    return pages().render(template, lang, "Europe/Paris", {"page": page, "visit": replace(FACE, lang=lang)})


def random_games(count: int, seed: bytes = b"pages") -> Iterator[State]:
    """States of games that both sides play by chance."""
    for game in range(count):
        state = feinthold.start({}, 2, SeededDice(seed, game))
        while state.end is None:
            yield state
            dice = SeededDice(seed, 1000 * game + state.turn)
            orders = {
                s: feinthold.think(feinthold.view(state, s), {"policy": "random"}, dice).orders for s in ("a", "b")
            }
            state = feinthold.resolve(state, {s: Sent(o) for s, o in orders.items()}, dice).state


@dataclass
class Document(HTMLParser):
    """The fields a page's order form would send, all ids, and where links within the page lead."""

    form: str = "/orders"
    fields: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    inside: bool = False
    select: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and given.get("href", "").startswith("#"):
            self.anchors.append(given["href"][1:])
        if tag == "form":
            self.inside = given.get("action", "").endswith(self.form)
        if tag not in VOID:
            self.open.append(tag)
        if self.inside:
            self._field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, f"</{tag}> closes <{self.open[-1:]}>"
        self.open.pop()
        if tag == "form":
            self.inside = False

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def _field(self, tag: str, given: Mapping[str, str]) -> None:
        if tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self.fields.append((given["name"], given.get("value", "")))
        elif tag == "select":
            self.select = given["name"]
            self.fields.append((given["name"], ""))
        elif tag == "option" and "selected" in given:
            self.fields[-1] = (self.select, given["value"])


def read_page(html: str) -> Document:
    """The page, read to its end; fails if a tag is left open or closed twice."""
    document = Document()
    document.feed(html)
    document.close()
    assert not document.open, document.open
    return document
