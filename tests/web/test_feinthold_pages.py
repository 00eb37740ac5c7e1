"""A Feinthold duel through its pages, without scripts: two browsers from the proposal to the replay."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.times import DAY
from tests.support.browser import Answer, Browser
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in
from tests.web.support import Document, read_page


@dataclass(frozen=True)
class Duel:
    """A duel with both players' browsers."""

    site: TestSite
    ada: Browser
    bruno: Browser
    path: str

    def form(self, browser: Browser) -> Document:
        return read_page(browser.get(self.path).text)

    def send(self, browser: Browser, do: str = "orders", **orders: str) -> Answer:
        """Fill fields of the form by what they are called after their number, and send it."""
        fields: dict[str, Any] = {}
        for name, value in self.form(browser).fields:
            fields.setdefault(name, []).append(value)
        for name, value in orders.items():
            fields[name] = value
        return browser.post(f"{self.path}/{do}", fields)


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    site = site_in(tmp_path)
    ada, bruno = Browser(), Browser(lang="fr", client="192.0.2.2")
    sign_up(ada, site, "ada@example.org", "Ada")
    sign_up(bruno, site, "bruno@example.org", "Bruno")
    ada.get("/duels")
    answer = ada.post("/duels", {"game": "feinthold", "pace": "days1", "opponent": "Bruno"})
    assert answer.status == 303, answer.seen
    return Duel(site, ada, bruno, answer.location)


def begun(duel: Duel) -> Duel:
    duel.bruno.get(duel.path)
    assert duel.bruno.post(f"{duel.path}/accept").status == 303
    return duel


def number(document: Document, kind: str, at: str, to: str = "") -> str:
    """The number of a line of the form."""
    end = "at" if kind == "reinforce" else "from"
    for name, value in document.fields:
        if name.startswith(f"orders.{kind}.") and name.endswith(f".{end}") and value == at:
            found = name.split(".")[2]
            if not to or (f"orders.{kind}.{found}.to", to) in document.fields:
                return found
    raise AssertionError((kind, at, to))


def hq(duel: Duel, browser: Browser) -> tuple[str, str]:
    """The own HQ and forward relay."""
    side = browser.data(duel.path)["you"]
    return f"hq_{side}", f"fwd_{side}"


def test_a_proposal_says_who_may_do_what(duel: Duel) -> None:
    assert "Withdraw" in duel.ada.get(duel.path).seen
    theirs = duel.bruno.get(duel.path)
    assert "Ada propose ce duel" in theirs.seen
    assert "Accepter" in theirs.seen
    assert "Refuser" in theirs.seen
    stranger = Browser().get(duel.path)
    assert "Sign in to accept" in stranger.seen
    read_page(stranger.text)


def test_orders_are_filled_in_kept_as_a_draft_sent_and_acknowledged(duel: Duel) -> None:
    begun(duel)
    home, relay = hq(duel, duel.ada)
    document = duel.form(duel.ada)
    units = f"orders.move.{number(document, 'move', home, relay)}.units:int"
    assert duel.send(duel.ada, "draft", **{units: "3"}).status == 303
    page = duel.ada.get(duel.path)
    assert (units, "3") in read_page(page.text).fields
    assert "orders sent" not in page.seen

    sent = duel.ada.follow(duel.send(duel.ada))
    assert "Orders received" in sent.seen
    assert "Move, HQ → Forward relay: 3 units" in sent.seen
    assert "4 sendings left" in sent.seen
    assert duel.ada.data(duel.path)["receipt"]["commitment"] in sent.text
    theirs = duel.bruno.get(duel.path)
    assert "ordres envoyés" in theirs.seen
    assert duel.ada.data(duel.path)["receipt"]["commitment"] in theirs.text


def test_refused_orders_come_back_as_typed_with_every_problem(duel: Duel) -> None:
    begun(duel)
    home, relay = hq(duel, duel.bruno)
    document = duel.form(duel.bruno)
    move, place = number(document, "move", home, relay), number(document, "reinforce", home)
    typed = {f"orders.move.{move}.units:int": "9", f"orders.reinforce.{place}.units:int": "5"}
    answer = duel.send(duel.bruno, **typed)
    assert answer.status == 422
    page = read_page(answer.text)
    assert set(typed.items()) <= set(page.fields)
    assert {f"move:{home}:{relay}", f"reinforce:{home}"} <= set(page.anchors) & set(page.ids)
    assert "3 points à corriger" in answer.seen  # the points too
    assert "9 unités devraient partir, il y en avait 4" in answer.seen
    assert "/rules/feinthold#orders" in answer.text
    answer = duel.send(duel.bruno, **{f"orders.move.{move}.units:int": "neuf"})
    assert (f"orders.move.{move}.units:int", "neuf") in read_page(answer.text).fields
    assert "écrivez un nombre entier" in answer.seen


def test_a_turn_is_told_to_each_side_in_its_language(duel: Duel) -> None:
    begun(duel)
    for browser in (duel.ada, duel.bruno):
        home, relay = hq(duel, browser)
        units = f"orders.move.{number(duel.form(browser), 'move', home, relay)}.units:int"
        assert duel.send(browser, **{units: "2"}).status == 303
    assert "Moved 2 units from your HQ to your forward relay." in duel.ada.get(duel.path).seen
    told = duel.bruno.get(duel.path).seen
    assert "Vous prenez votre relais avancé, neutre jusqu’ici." in told
    assert "L’adversaire prend le relais d’en face, neutre jusqu’ici." in told
    assert "Tour 2 sur 8" in told


def test_a_stranger_sees_nothing_of_a_running_game(duel: Duel) -> None:
    begun(duel)
    page = Browser().get(duel.path)
    assert "Only its two players see the map" in page.seen
    assert "fh-map" not in page.text
    assert "Turn 1 of 8" in page.seen


def test_the_ready_room_counts_down(duel: Duel) -> None:
    duel.ada.get("/duels")
    path = duel.ada.post("/duels", {"game": "feinthold", "pace": "blitz", "opponent": "Bruno"}).location
    duel.bruno.get(path)
    duel.bruno.post(f"{path}/accept")
    room = duel.ada.get(path)
    assert "Ready room" in room.seen
    assert "30 min" in room.seen
    duel.ada.post(f"{path}/ready")
    assert "You are ready" in duel.ada.get(path).seen


def test_after_the_end_anybody_replays_it_from_any_eyes(duel: Duel) -> None:
    begun(duel)
    for browser in (duel.ada, duel.bruno):
        home, relay = hq(duel, browser)
        units = f"orders.move.{number(duel.form(browser), 'move', home, relay)}.units:int"
        duel.send(browser, **{units: "2"})
    duel.bruno.get(duel.path)
    assert duel.bruno.post(f"{duel.path}/abandon").status == 303
    assert "Victory" in duel.ada.get(duel.path).seen
    assert "Défaite" in duel.bruno.get(duel.path).seen
    assert "Ada wins" in Browser().get(duel.path).seen
    for eyes in ("a", "b", "all"):
        for step in (0, 1):
            page = Browser().get(f"{duel.path}/replay?step={step}&eyes={eyes}")
            assert page.status == 200
            read_page(page.text)
            assert page.text.count("data-at=") == 7
    whole = Browser().get(f"{duel.path}/replay?step=1&eyes=all").seen
    assert whole.count("Moved 2 units from your HQ to your forward relay.") == 2
    assert whole.count("Move, HQ → Forward relay: 2 units") == 2


def test_a_lapsed_proposal_says_so(duel: Duel) -> None:
    duel.ada.get(duel.path)
    assert duel.ada.post(f"{duel.path}/withdraw").status == 303
    duel.site.sources.move(DAY)
    page = duel.bruno.get(duel.path)
    assert "La proposition a été retirée" in page.seen
    assert "Revoir la partie" not in page.seen


@pytest.mark.parametrize(("lang", "title"), [("en", "The rules of Feinthold"), ("fr", "Les règles de Feinthold")])
def test_the_rules_are_complete_and_work_out_the_seed_s_examples(duel: Duel, lang: str, title: str) -> None:
    page = Browser(lang=lang).get("/rules/feinthold")
    document = read_page(page.text)
    assert title in page.seen
    assert set(document.anchors) <= set(document.ids)
    assert len(set(document.ids)) == len(document.ids)
    assert page.text.count('class="fh-map') == 11  # ten layouts and the one explained
    examples = Browser().data("/rules/feinthold")["examples"]
    figures = [(e["own"], e["enemy"], e["result"], e["own_lost"], e["enemy_lost"]) for e in examples]
    assert figures == [
        (7, 6, "won", 3, 4),
        (6, 6, "tie", 6, 4),
        (5, 3, "won", 1, 3),
        (7, 7.5, "lost", 7, 4),
        (3, 3, "tie", 3, 2),
        (0, 0, "tie", 0, 0),
        (3, 3, "tie", 3, 3),
        (6, 6, "tie", 5, 6),
        (6, 6, "tie", 4, 6),
        (1, 4, "lost", 1, 0),
        (9, 4.5, "won", 2, 3),
        (2, 0, "won", 0, 0),
        (0, 0, "tie", 0, 0),
    ]


def test_there_are_no_rules_of_an_unknown_game(duel: Duel) -> None:
    assert Browser().get("/rules/chess").status == 404
    assert "Feinthold" in Browser().get("/rules").seen
