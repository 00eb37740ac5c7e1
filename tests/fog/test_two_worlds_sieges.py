"""Two sieges that differ only in what a reader may not know give that reader the same bytes (P30, T4, T15, T16)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from engine.decisions import Json
from functions.web.routes import ROUTES
from tests.support.browser import Answer, Browser
from tests.support.duelling import member, post_json
from tests.support.sieging import Sieging, opened
from tests.support.site import site_in

SHOWN: Final = ("/", "/sieges", "/games", "/history", "/members/beth", "/preferences")
OF_THE_SIEGE: Final = (
    "", "/version", "/version?beat", "/turns/-1", "/turns/0", "/turns/1", "/turns/2", "/story", "/story/download",
    "/dice", "/download",
)  # fmt: skip
FIRST: Final = {"formation": [1, 4, 6], "centres": ["B2", "B5", "B8"]}
THIRD: Final = {"formation": [1, 4, 6], "centres": ["E2", "E5", "E8"]}
UNITS: Final[tuple[Json, ...]] = (
    {"formation": [1, 4, 6], "centres": ["H2", "H5", "H8"]},
    {"formation": [3, 4, 5], "centres": ["I8", "I5", "I2"]},
    {"formation": [4, 5, 8], "centres": ["H3", "I6", "H8"]},
)
SHOTS: Final[tuple[tuple[Json, dict[str, Any]], ...]] = (
    ({"target": "A1"}, {"text": "A word."}),
    ({"target": "J14", "agree_end": True}, {}),
    ({"target": "C3"}, {"text": "A much longer text, which says **where** we aim: C3. " * 40}),
    ({"target": "D4"}, {"follow": True}),
)

World = list[str]


@pytest.mark.parametrize("who", ["p1", "stranger"])
def test_where_the_living_stand_changes_nothing(tmp_path: Path, capsys: Any, who: str) -> None:
    worlds = [_world(tmp_path / str(n), capsys, who, unit, _firing({"target": "B13"})) for n, unit in enumerate(UNITS)]
    _same(worlds)


@pytest.mark.parametrize("who", ["p1", "stranger"])
def test_targets_and_texts_not_yet_published_change_nothing(tmp_path: Path, capsys: Any, who: str) -> None:
    worlds = [_world(tmp_path / str(n), capsys, who, UNITS[0], _sending(sent)) for n, sent in enumerate(SHOTS)]
    _same(worlds)


def test_a_unit_sent_and_not_yet_drawn_changes_nothing(tmp_path: Path, capsys: Any) -> None:
    worlds = []
    for n, unit in enumerate(UNITS):
        siege, reader = _siege(tmp_path / str(n), "p1")
        capsys.readouterr()
        assert siege.send("p2", unit).status == 200
        worlds.append(_look(siege, reader, capsys))
    _same(worlds)


def test_the_test_can_fail(tmp_path: Path, capsys: Any) -> None:
    worlds = [_world(tmp_path / at, capsys, "stranger", UNITS[0], _firing({"target": at})) for at in ("B13", "C13")]
    with pytest.raises(AssertionError):
        _same(worlds)


def test_every_page_is_compared() -> None:
    paths = [re.sub(r"/turns/-?\d", "/turns/<turn>", rest.partition("?")[0]) for rest in OF_THE_SIEGE]
    compared = [*SHOWN, "/sieges/new", *(f"/sieges/<id>{rest}" for rest in paths)]
    for method, path, _ in ROUTES:
        if method == "GET" and path.startswith("/sieges"):
            assert path in compared, path


def _world(folder: Path, capsys: Any, who: str, unit: Json, act: Callable[[Sieging], None]) -> World:
    """Everything that reaches one reader of a siege whose second player has this unit, before and after an act."""
    siege, reader = _siege(folder, who)
    for seat, orders in (("p1", FIRST), ("p3", THIRD), ("p2", unit)):
        assert siege.send(seat, orders).status == 200
    siege.run()
    assert siege.state.turn == 1
    capsys.readouterr()
    got = _look(siege, reader, capsys)
    act(siege)
    siege.run()
    return got + _look(siege, reader, capsys)


def _siege(folder: Path, who: str) -> tuple[Sieging, Browser]:
    folder.mkdir(parents=True)
    site = site_in(folder)
    siege = opened(site, 3)
    zoe = member(site, "Zoe")
    return siege, zoe if who == "stranger" else siege.players[who]


def _firing(orders: Json) -> Callable[[Sieging], None]:
    return lambda siege: _fire(siege, orders)


def _sending(sent: tuple[Json, dict[str, Any]]) -> Callable[[Sieging], None]:
    return lambda siege: _accepted(siege, "p2", sent)


def _fire(siege: Sieging, orders: Json) -> None:
    """All fire at the empty south, where nobody stands in any of the worlds."""
    for seat in ("p1", "p2", "p3"):
        assert siege.send(seat, orders).status == 200
    assert siege.state.turn == 2 and not (siege.state.state or {})["losses"]


def _accepted(siege: Sieging, seat: str, sent: tuple[Json, dict[str, Any]]) -> None:
    orders, more = sent
    assert siege.send(seat, orders, **more).status == 200


def _look(siege: Sieging, reader: Browser, capsys: Any) -> World:
    got: World = []
    capsys.readouterr()
    for path in (*SHOWN, *(siege.path + rest for rest in OF_THE_SIEGE)):
        for accept in ("text/html", "application/json"):
            got.append(f"{path} {accept}\n{_bytes(reader.get(path, accept))}")
    turn = siege.state.turn
    for body in ({"turn": turn, "orders": {"target": "Z99"}}, {"turn": turn - 1, "orders": FIRST}, {"orders": 7}):
        got.append(_bytes(post_json(reader, f"{siege.path}/orders", body)))
    to = f"{reader.cookies['session'].rpartition(' ')[2]}@example.org"
    for m in siege.site.post.letters:
        if m.to == to:
            got.append(f"{m.reference}\n{m.subject}\n{m.text}\n{m.html}\n{[p.data.hex() for p in m.pictures]}")
    got += [re.sub(r'"ms": ?[\d.]+', '"ms": 0', line) for line in capsys.readouterr().out.splitlines()]
    return got


def _bytes(answer: Answer) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(answer.headers.items()))
    text = re.sub(r"\bid\d{14}\b", "id", answer.text)  # drawn at random; here from the counter that versions come from
    return f"{answer.status}\n{headers}\n{len(answer.text)}\n{text}"


def _same(worlds: list[World]) -> None:
    first, *others = worlds
    assert first
    for other in others:
        assert len(other) == len(first)
        for one, another in zip(first, other, strict=True):
            assert one == another
