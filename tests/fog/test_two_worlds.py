"""Two games that differ only in what one side may not know give that side the same bytes (P30, F20)."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.decisions import Json
from engine.games import registry
from engine.games.draws import SeededDice
from functions.web.routes import ROUTES
from infra.records import DUEL
from tests.support.browser import Answer, Browser
from tests.support.duelling import Duelling, duel, member, post_json, run_due
from tests.support.site import site_in

SHOWN: Final = (
    "/", "/awaiting/version", "/games", "/duels", "/history", "/members/beth", "/members/beth/history", "/preferences",
    "/play", "/play/relief", "/seasons", "/tournaments", "/statement", "/leaderboards", "/leaderboards/common",
    "/members/beth/ratings/feinthold",
)  # fmt: skip
OF_THE_GAME: Final = ("", "/version", "/version?beat", "/replay", "/download", "?sent=1", "?report=1", "/replay?eyes=b")
NEVER_OF_A_GAME: Final = (
    "/static/", "/favicon.ico", "/robots.txt", "/sign-in", "/welcome/", "/unsubscribe/", "/rules", "/_mail", "/turn/",
    "/sieges",
    "/import",
    "/moderation", "/decisions", "/account",  # in test_moderators
    "/seasons/<month>", "/tournaments/<id>",
    "/doctrines", "/bench", "/practice", "/challenges", "/front",  # in test_doctrines
)  # fmt: skip
QUIET_B: Final[tuple[Json, ...]] = (
    {"reinforce": [{"at": "hq_b", "units": 2, "decoys": 1}]},
    {"reinforce": [{"at": "hq_b", "units": 1, "decoys": 3}], "predict": "fwd_b"},
    {"entrench": [], "predict": "centre"},
    {},
)

World = list[str]


@pytest.fixture(autouse=True)
def plain_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commitments hide the orders they bind; here they are all alike, so that everything else can be compared."""
    monkeypatch.setattr("engine.platform.duels.orders.commit_to", lambda *_: "0" * 64)


def test_orders_sent_and_not_yet_played_change_nothing(tmp_path: Path, capsys: Any) -> None:
    def sent(orders: Json) -> Callable[[Duelling], None]:
        return lambda game: _accepted(game.send("b", orders))

    worlds = [_world(tmp_path / str(n), capsys, [sent(orders)]) for n, orders in enumerate(QUIET_B)]
    _same(worlds)


def test_hidden_events_of_a_turn_change_nothing(tmp_path: Path, capsys: Any) -> None:
    def played(orders: Json) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            _accepted(game.send("b", orders))
            _accepted(game.send("a", {"move": [{"from": "hq_a", "to": "fwd_a", "units": 2}]}))

        return act

    worlds = [_world(tmp_path / str(n), capsys, [played(orders)]) for n, orders in enumerate(QUIET_B)]
    _same(worlds)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_that_look_alike_to_one_side_are_alike(seed: int, tmp_path: Path, capsys: Any) -> None:
    scripts = _pair_of_games(seed, tmp_path / "search", capsys)
    _same([_world(tmp_path / str(n), capsys, script) for n, script in enumerate(scripts)])


def test_strangers_learn_nothing_of_a_running_game(tmp_path: Path, capsys: Any) -> None:
    def busy(game: Duelling) -> None:
        _accepted(game.send("a", {"move": [{"from": "hq_a", "to": "post_a", "units": 3}]}))
        _accepted(game.send("b", {"move": [{"from": "hq_b", "to": "fwd_b", "units": 1}], "scout": ["centre"]}))

    def idle(game: Duelling) -> None:
        _accepted(game.send("a", {}))
        _accepted(game.send("b", {}))

    worlds = [
        _world(tmp_path / str(n), capsys, [act], who="stranger") for n, act in enumerate((busy, idle, busy, idle))
    ]
    _same(worlds)


def test_the_test_can_fail(tmp_path: Path, capsys: Any) -> None:
    def played(units: int) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            _accepted(game.send("b", {"move": [{"from": "hq_b", "to": "fwd_b", "units": units}]} if units else {}))
            _accepted(game.send("a", {}))

        return act

    worlds = [_world(tmp_path / str(units), capsys, [played(units)]) for units in (0, 1)]
    with pytest.raises(AssertionError):
        _same(worlds)


def test_every_page_is_compared() -> None:
    compared = [*SHOWN, *(f"/games/<id>{rest.partition('?')[0]}" for rest in OF_THE_GAME)]
    for method, path, _ in ROUTES:
        if method == "GET" and not path.startswith(NEVER_OF_A_GAME) and path != "/":
            assert _filled(path) in compared, path


def _filled(path: str) -> str:
    """The path of a route, as `SHOWN` has it."""
    for place, filled in (("/members/<id>", "/members/beth"), ("/play/<game>", "/play/relief")):
        path = path.replace(place, filled)
    return path.replace("/ratings/<board>", "/ratings/feinthold").replace(
        "/leaderboards/<board>", "/leaderboards/common"
    )


def _world(folder: Path, capsys: Any, acts: Iterable[Callable[[Duelling], None]], who: str = "a") -> World:
    """Everything that reaches one reader of a game: pages, JSON, headers, mails, and the log."""
    folder.mkdir(parents=True)
    game, chris = _begun(folder)
    site = game.site
    reader = {"a": game.a, "stranger": chris}[who]
    run_due(site)
    capsys.readouterr()
    got: World = []
    for act in acts:
        act(game)
        run_due(site)
        _look(game, reader, got)
        site.sources.move(3_600_000)
    to = f"{reader.cookies['session'].rpartition(' ')[2]}@example.org"
    got += [f"{m.reference}\n{m.subject}\n{m.text}\n{m.html}" for m in site.post.letters if m.to == to]
    got += [re.sub(r'"ms": ?[\d.]+', '"ms": 0', line) for line in capsys.readouterr().out.splitlines()]
    return got


def _begun(folder: Path) -> tuple[Duelling, Browser]:
    """The same duel every time, of the same members, and somebody who does not play."""
    site = site_in(folder)
    anna, beth, chris = (member(site, name) for name in ("Anna", "Beth", "Chris"))
    return duel(site, anna, beth), chris


def _look(game: Duelling, reader: Browser, got: World) -> None:
    for path in (*SHOWN, *(game.path + rest for rest in OF_THE_GAME)):
        for accept in ("text/html", "application/json"):
            got.append(f"{path} {accept}\n{_bytes(reader.get(path, accept))}")
    wrong = {"turn": game.page("a")["duel"]["turn"], "after": 0, "orders": {"move": [{"from": "hq_b", "to": "centre"}]}}
    for body in (wrong, {**wrong, "turn": 1}, {**wrong, "orders": 7}):
        got.append(_bytes(post_json(reader, f"{game.path}/orders", body)))


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


def _accepted(answer: Answer) -> None:
    assert answer.status == 200, answer.text


def _pair_of_games(seed: int, folder: Path, capsys: Any) -> list[list[Callable[[Duelling], None]]]:
    """Two scripts of up to five turns: side a does the same in both and sees the same, side b does not do the same."""
    random = Random(seed)
    game = registry.game("feinthold")
    folder.mkdir(parents=True)
    under_way, _ = _begun(folder)
    row = under_way.site.site.store.get(DUEL, under_way.id)
    assert row is not None and row.value.state is not None
    states = [game.load(row.value.state)] * 2
    scripts: list[list[Callable[[Duelling], None]]] = [[], []]
    for turn in range(1, 6):
        mine = _random_orders(game, states[0], "a", random)
        found = _alike(game, states, turn, mine, random)
        if found is None:
            break
        for n, (theirs, state) in enumerate(found):
            states[n] = state
            scripts[n].append(_turn(game.write(mine), game.write(theirs)))
        if game.standing(states[0]).outcome is not None:
            break
    capsys.readouterr()
    assert scripts[0]
    return scripts


def _alike(game: Any, states: list[Any], turn: int, mine: Any, random: Random) -> list[tuple[Any, Any]] | None:
    for _ in range(200):
        theirs = [_random_orders(game, state, "b", random) for state in states]
        after = [_resolve(game, state, turn, mine, sheet) for state, sheet in zip(states, theirs, strict=True)]
        if game.write(theirs[0]) != game.write(theirs[1]) and _seen_by_a(game, after[0]) == _seen_by_a(game, after[1]):
            return [(sheet, resolved.state) for sheet, resolved in zip(theirs, after, strict=True)]
    return None


def _resolve(game: Any, state: Any, turn: int, mine: Any, theirs: Any) -> Any:
    from engine.games.protocol import Sent

    return game.resolve(state, {"a": Sent(mine), "b": Sent(theirs)}, SeededDice(b"", turn))


def _seen_by_a(game: Any, resolved: Any) -> str:
    facts = [(f.code, dict(f.detail)) for f in resolved.facts if f.known_to is None or "a" in f.known_to]
    ended = game.standing(resolved.state).outcome is not None
    view = game.show(game.view(resolved.state, "all" if ended else "a"))
    return json.dumps([facts, view], sort_keys=True, default=dict)


def _random_orders(game: Any, state: Any, seat: str, random: Random) -> Any:
    return game.think(game.view(state, seat), {"policy": "random"}, SeededDice(random.randbytes(32), 1)).orders


def _turn(mine: Json, theirs: Json) -> Callable[[Duelling], None]:
    def act(game: Duelling) -> None:
        _accepted(game.send("b", theirs))
        _accepted(game.send("a", mine))

    return act
