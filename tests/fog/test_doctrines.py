"""Rules of a member's doctrine, and a Front before its day is final, reach nobody (P22, P24, P30).

Two worlds that differ in them alone give the same bytes: two doctrines that order alike, two maps of a Front.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games.feinthold.doctrine.house import HOUSE
from engine.platform import daily_front
from functions.web.routes import ROUTES
from tests.support.browser import Answer, Browser
from tests.support.duelling import duel, member, post_json, run_due
from tests.support.site import TestSite, site_in
from tests.support.solo import SoloGame, begin

Doctrine = Mapping[str, Any]
World = list[str]

NEVER: Final = {"is": "turn", "op": ">=", "n": 8}, {"is": "turn", "op": "<=", "n": 1}
RULES: Final = HOUSE["ram"]["rules"]
ALIKE: Final[tuple[Doctrine, ...]] = (
    {"version": 1, "name": "Vixen", "rules": RULES[:7]},
    {
        "version": 1,
        "name": "Vixen",
        "rules": [*RULES[:7], {"if": list(NEVER), "then": [{"do": "scout", "place": "my_hq"}]}],
    },
    {"version": 1, "name": "Vixen", "rules": [{**rule, "if": [*rule["if"], {"is": "always"}]} for rule in RULES[:7]]},
)
OTHERWISE: Final[Doctrine] = {"version": 1, "name": "Vixen", "rules": RULES[6:]}
SHOWN: Final = (
    "/doctrines", "/doctrines/1", "/bench", "/practice", "/challenges", "/challenges/beth:1", "/challenges/ai:ram",
    "/challenges/ranking", "/front", "/front/2026-09-21", "/front/archive", "/front/month/2026-09", "/", "/history",
    "/members/beth", "/members/beth/history",
)  # fmt: skip
OF_THE_GAME: Final = ("", "/version", "/replay", "/replay?step=2&eyes=b", "/download", "?report=1")
WHOLLY_OF_ITS_ADDRESS: Final = ("/bench/results", "/bench/game", "/doctrines/<number>/export")


@pytest.mark.parametrize("who", ["challenger", "stranger"])
def test_doctrines_that_order_alike_are_alike_to_the_last_byte(who: str, tmp_path: Path, capsys: Any) -> None:
    _same([_challenged(tmp_path / str(n), capsys, doctrine, who) for n, doctrine in enumerate(ALIKE)])


def test_the_test_can_fail(tmp_path: Path, capsys: Any) -> None:
    worlds = [_challenged(tmp_path / str(n), capsys, it, "challenger") for n, it in enumerate((ALIKE[0], OTHERWISE))]
    with pytest.raises(AssertionError):
        _same(worlds)


def test_stand_ins_that_order_alike_are_alike(tmp_path: Path, capsys: Any) -> None:
    _same([_stood_in(tmp_path / str(n), capsys, doctrine) for n, doctrine in enumerate(ALIKE)])


@pytest.mark.parametrize("who", ["beth", "stranger"])
def test_the_map_of_a_front_shows_nowhere_to_who_has_not_started(
    who: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = []
    made = daily_front.front
    for layout, seat in ((1, "a"), (7, "b"), (10, "a")):
        monkeypatch.setattr(
            "engine.platform.daily_front.front", lambda *args, n=layout, s=seat: replace(made(*args), layout=n, seat=s)
        )
        worlds.append(_fronted(tmp_path / f"{layout}", capsys, who))
    _same(worlds)


def test_every_page_of_these_is_compared() -> None:
    compared = {re.sub(r"\?.*", "", path) for path in SHOWN}
    for method, path, _ in ROUTES:
        if method == "GET" and path.startswith(("/doctrines", "/bench", "/practice", "/challenges", "/front")):
            example = re.sub("<number>", "1", path).replace("<id>", "beth:1").replace("<day>", "2026-09-21")
            assert example.replace("<month>", "2026-09") in compared or path in WHOLLY_OF_ITS_ADDRESS, path


def _challenged(folder: Path, capsys: Any, doctrine: Doctrine, who: str) -> World:
    """All that reaches the challenger, or somebody else, while a published doctrine is challenged, and after."""
    folder.mkdir(parents=True)
    site = site_in(folder)
    anna, beth = member(site, "Anna"), member(site, "Beth")
    readers = {"challenger": anna, "stranger": member(site, "Chris")}
    _publish(beth, doctrine)
    game = begin(site, anna, "/challenges", {"doctrine": "beth:1"})
    return _watch(site, game, capsys, readers[who])


def _stood_in(folder: Path, capsys: Any, doctrine: Doctrine) -> World:
    """All that reaches one player of a duel while the other one's default doctrine plays."""
    folder.mkdir(parents=True)
    site = site_in(folder)
    anna, beth = member(site, "Anna"), member(site, "Beth")
    _publish(beth, doctrine)
    beth.post("/doctrines/default", {"default": "1"})
    game = duel(site, anna, beth)
    return _watch(site, SoloGame(site, anna, game.id), capsys, anna, miss=True)


def _fronted(folder: Path, capsys: Any, who: str) -> World:
    """All that reaches who has not started today's Front, while another member plays it."""
    folder.mkdir(parents=True)
    site = site_in(folder)
    anna, beth = member(site, "Anna"), member(site, "Beth")
    _publish(beth, ALIKE[0])
    readers = {"beth": beth, "stranger": Browser()}
    day = anna.data("/front")["day"]
    game = begin(site, anna, "/front", {"day": day})
    got: World = []
    capsys.readouterr()
    _look(game, readers[who], got)
    assert post_json(anna, f"{game.path}/abandon", {}).status == 303
    run_due(site)
    _look(game, readers[who], got)
    return got


def _publish(browser: Browser, doctrine: Doctrine) -> None:
    saved = post_json(browser, "/doctrines/1", {"doctrine": doctrine})
    assert saved.status == 303, saved.text
    browser.post("/doctrines/1/publish")


def _watch(site: TestSite, game: SoloGame, capsys: Any, reader: Browser, miss: bool = False) -> World:
    got: World = []
    run_due(site)
    capsys.readouterr()
    step: Callable[[], object] = game.miss if miss else game.send
    for turn in range(8):
        _look(game, reader, got, SHOWN if turn == 1 else ())
        if miss:
            sent = game.send()
            assert sent.status == 200, sent.text
        if game.page["duel"]["stage"] == "ended":
            break
        step()
        run_due(site)
    _look(game, reader, got)
    got += [f"{mail.reference}\n{mail.subject}\n{mail.text}\n{mail.html}" for mail in site.post.letters]
    got += [re.sub(r'"ms": ?[\d.]+', '"ms": 0', line) for line in capsys.readouterr().out.splitlines()]
    return got


def _look(game: SoloGame, reader: Browser, got: World, others: Sequence[str] = SHOWN) -> None:
    for path in (*others, *(game.path + rest for rest in OF_THE_GAME)):
        for accept in ("text/html", "application/json"):
            got.append(f"{path} {accept}\n{_bytes(reader.get(path, accept))}")


def _bytes(answer: Answer) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(answer.headers.items()))
    return f"{answer.status}\n{headers}\n{len(answer.text)}\n{answer.text}"


def _same(worlds: list[World]) -> None:
    first, *others = worlds
    assert first
    for other in others:
        assert len(other) == len(first)
        for one, another in zip(first, other, strict=True):
            assert one == another
