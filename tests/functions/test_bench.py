"""The test bench's pages (P3, F30)."""

import base64
import re
import time
import zlib
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refusal
from engine.games.feinthold.doctrine.house import HOUSE
from functions.web.packed import pack, unpack
from tests.functions.test_doctrine_pages import fields
from tests.support.browser import Browser
from tests.support.duelling import member, post_json
from tests.support.site import TestSite, site_in

RESULTS = "/bench/results?d="


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def test_sixty_games_by_ai_side_and_layout(site: TestSite) -> None:
    page = Browser().data(RESULTS + pack(HOUSE["pivot"]))
    assert page["games"] == sum(page["totals"].values()) == 60
    cells = [(c["ai"], c["side"], row["layout"]) for row in page["table"] for c in row["cells"]]
    assert len(set(cells)) == 60
    for result in ("won", "drawn", "lost"):
        assert page["totals"][result] == sum(page["all"][ai][result] for ai in HOUSE)
        assert page["totals"][result] == sum(page["by"][ai][side][result] for ai in HOUSE for side in "ab")


def test_what_each_rule_did(site: TestSite) -> None:
    page = Browser().data(RESULTS + pack(HOUSE["pivot"]))
    assert len(page["rules"]) == len(HOUSE["pivot"]["rules"])
    for rule, did in zip(HOUSE["pivot"]["rules"], page["rules"], strict=True):
        assert did["acted"] + did["skipped"] == did["true"] * len(rule["then"])
        assert did["trimmed"] <= did["acted"] and did["true"] <= page["turns"]


def test_it_answers_in_less_than_two_seconds(site: TestSite) -> None:
    path = RESULTS + pack(HOUSE["pivot"])
    browser = Browser()
    started = time.process_time()
    assert browser.get(path).status == 200
    assert time.process_time() - started < 2


def test_it_is_the_same_every_time_and_nothing_is_kept(site: TestSite) -> None:
    path = RESULTS + pack(HOUSE["ram"])
    one, other = Browser(), Browser()
    first = one.data(path)
    commits = site.store.commits
    assert one.data(path) | {"csrf": ""} == first | {"csrf": ""} == other.data(path) | {"csrf": ""}
    assert site.store.commits == commits + 2  # how often it was asked for


def test_guests_try_the_doctrine_of_their_form_without_an_account(site: TestSite) -> None:
    guest = Browser()
    guest.get("/bench")
    answer = guest.post("/bench", {**fields(HOUSE["ram"]), "do": "bench"})
    assert guest.follow(answer).status == 200
    assert unpack(re.search(r"d=([^&]*)", answer.location)[1]) == HOUSE["ram"]  # type: ignore[index]
    assert guest.post("/bench", {**fields(HOUSE["ram"]), "do": "add"}).status == 200


def test_a_refused_doctrine_comes_back_as_it_was_typed(site: TestSite) -> None:
    guest = Browser()
    guest.get("/bench")
    answer = guest.post("/bench", {**fields(HOUSE["ram"]), "doctrine.name": "", "do": "bench"})
    assert answer.status == 422 and "needs a name" in answer.seen
    again = post_json(guest, "/bench", {"doctrine": {"version": 1, "name": "x", "rules": []}})
    assert again.status == 422 and again.json["error"]["problems"][0]["code"] == "no_rules"


def test_every_cell_leads_to_the_replay_of_its_game(site: TestSite) -> None:
    guest = Browser()
    path = RESULTS + pack(HOUSE["pivot"])
    table = guest.data(path)["table"]
    links = re.findall(r'href="(/bench/game\?[^"]*)"', guest.get(path).text)
    assert len(set(links)) == 60
    for row in table[::4]:
        for cell in row["cells"]:
            query = f"&ai={cell['ai']}&side={cell['side']}&layout={row['layout']}"
            (link,) = (found for found in links if found.replace("&amp;", "&").endswith(query))
            game = guest.data(link.replace("&amp;", "&") + "&step=99&eyes=all")
            assert game["steps"] == game["step"] == cell["turns"]
            assert game["view"]["outcome"]["by"] == cell["end"]


def test_a_replay_is_seen_from_either_side_or_with_everything_shown(site: TestSite) -> None:
    guest = Browser()
    game = f"/bench/game?d={pack(HOUSE['pivot'])}&ai=ram&side=b&layout=7"
    for eyes in ("a", "b"):
        page = guest.data(f"{game}&step=2&eyes={eyes}")
        assert page["view"]["side"] == eyes and page["orders"]["ab".replace(eyes, "")] is None
    assert guest.data(f"{game}&step=2&eyes=all")["orders"]["a"] is not None
    for step in range(3):
        assert guest.get(f"{game}&step={step}&eyes=all").status == 200


def test_the_way_back_to_the_editor_has_the_doctrine_in_it(site: TestSite) -> None:
    anna = member(site, "Anna")
    packed = pack({**HOUSE["ram"], "name": "Unsaved"})
    page = anna.get(f"/bench?d={packed}&slot=2")
    assert 'action="/doctrines/2"' in page.text and 'value="Unsaved"' in page.text
    assert 'action="/bench"' in Browser().get(f"/bench?d={packed}&slot=2").text


@pytest.mark.parametrize(
    "text", ["", "x", "eNq1", "=" * 10, "A" * 7_000, pack({"version": 9}), pack({"name": float("nan")})]
)
def test_what_is_no_doctrine_is_not_found(site: TestSite, text: str) -> None:
    assert Browser().get(RESULTS + quote(text)).status == 404


@pytest.mark.parametrize("query", ["ai=ram&side=c&layout=1", "ai=me&side=a&layout=1", "ai=ram&side=a&layout=11", ""])
def test_other_games_are_not_found(site: TestSite, query: str) -> None:
    assert Browser().get(f"/bench/game?d={pack(HOUSE['ram'])}&{query}").status == 404


def test_half_a_character_in_an_address_is_not_found(site: TestSite) -> None:
    raw = b'{"version": 1, "name": "\\ud800", "rules": []}'
    packed = base64.urlsafe_b64encode(zlib.compress(raw)).decode()
    assert Browser().get(f"/bench?d={packed}").status == 404


def test_a_packed_bomb_is_refused() -> None:
    bomb = pack({"name": "x" * 30_000})
    assert unpack(bomb) == {}


@given(st.text(max_size=60))
def test_any_address_is_read_or_not_found(text: str) -> None:
    try:
        unpack(text)
    except Refusal as refusal:
        assert refusal.code == "not_found"


def test_it_may_be_asked_for_so_often_only(site: TestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.platform.rates import BENCH_FROM_CLIENT, Limit

    few = Limit(BENCH_FROM_CLIENT.name, 2, BENCH_FROM_CLIENT.span)
    monkeypatch.setattr("functions.web.bench.BENCH_FROM_CLIENT", few)
    statuses = [Browser().get(RESULTS + pack(HOUSE["ram"])).status for _ in range(3)]
    assert statuses == [200, 200, 429]
