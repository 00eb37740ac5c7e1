"""Moderators see nothing hidden of a running game, nor does anybody learn of it by marks or times (P29, P30)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from engine.decisions import Json
from tests.fog.test_two_worlds_sieges import FIRST, THIRD, UNITS
from tests.support.browser import Answer, Browser
from tests.support.clubs import act, moderator, post
from tests.support.duelling import Duelling, duel, member, run_due
from tests.support.sieging import opened
from tests.support.site import site_in

OF_MODERATORS: Final = (
    "/moderation", "/moderation?of=log", "/moderation?of=reports", "/moderation?of=answers", "/moderation?of=jobs",
    "/moderation/members/anna", "/moderation/members/beth", "/moderation/games/{id}", "/games/{id}",
    "/games/{id}/version", "/games/{id}/replay", "/games/{id}/download", "/decisions",
)  # fmt: skip
OF_A_PLAYER: Final = (
    "/account", "/account/export", "/account/export/running", "/account/export/marks", "/account/delete", "/decisions",
)  # fmt: skip
OF_SIEGES: Final = (
    "/moderation/sieges/{id}", "/moderation/texts/{id}/1/0.p2", "/moderation/texts/{id}/1/0.p1", "/sieges/{id}",
    "/sieges/{id}/turns/0", "/sieges/{id}/version", "/moderation?of=reports",
)  # fmt: skip
SHEETS: Final[tuple[Json, ...]] = (
    {"move": [{"from": "hq_b", "to": "post_b", "units": 2, "decoys": 0}]},
    {"reinforce": [{"at": "hq_b", "units": 1, "decoys": 3}], "predict": "fwd_b"},
    {},
)


@pytest.fixture(autouse=True)
def plain_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commitments hide the orders they bind; here they are all alike, so that everything else can be compared."""
    monkeypatch.setattr("engine.platform.duels.orders.commit_to", lambda *_: "0" * 64)


def test_what_is_sent_and_when_it_is_sent_is_hidden_from_moderators(tmp_path: Path, capsys: Any) -> None:
    """What was sent, how fast, and whether it was sent at all: the page of a running game is the same."""

    def sent(orders: Json, seats: str, after: int) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            game.site.sources.move(after)
            for seat in seats:
                assert post(game, seat, orders if seat == "b" else {}).status == 200
            game.site.sources.move(3_600_000 - after)

        return act

    acts = [sent(SHEETS[0], "b", 500), sent(SHEETS[1], "b", 900_000), sent(SHEETS[2], "b", 1), sent({}, "", 7)]
    _same([_world(tmp_path / str(n), act, OF_MODERATORS, "mona", capsys) for n, act in enumerate(acts)])


def test_played_turns_are_hidden_from_them_too(tmp_path: Path, capsys: Any) -> None:
    def played(orders: Json) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            for seat in ("b", "a"):
                game.site.sources.move(40_000)
                assert post(game, seat, orders if seat == "b" else {}).status == 200

        return act

    _same([_world(tmp_path / str(n), played(o), OF_MODERATORS, "mona", capsys) for n, o in enumerate(SHEETS)])


def test_a_players_own_data_tell_nothing_of_the_other(tmp_path: Path, capsys: Any) -> None:
    def quick(orders: Json, after: int) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            game.site.sources.move(after)
            assert post(game, "b", orders).status == 200
            game.site.sources.move(3_600_000 - after)

        return act

    acts = [quick(orders, 300 + 90_000 * n) for n, orders in enumerate(SHEETS)]
    _same([_world(tmp_path / str(n), act, OF_A_PLAYER, "a", capsys) for n, act in enumerate(acts)])


def test_units_targets_and_texts_of_a_siege_are_hidden_from_them(tmp_path: Path, capsys: Any) -> None:
    """Where the living stand, what was sent, whether a text goes with it: a siege and its texts are the same."""
    sent: tuple[tuple[Json, dict[str, Any]], ...] = (
        ({"target": "A1"}, {"text": "A word."}),
        ({"target": "J14", "agree_end": True}, {}),
        ({"target": "C3"}, {"text": "We aim at C3. " * 90}),
    )
    worlds = []
    for n, (unit, (orders, more)) in enumerate(zip(UNITS, sent, strict=True)):
        folder = tmp_path / str(n)
        folder.mkdir()
        siege = opened(site_in(folder), 3)
        mona = moderator(siege.site, "Mona")
        for seat, placed in (("p1", FIRST), ("p3", THIRD), ("p2", unit)):
            assert siege.send(seat, placed).status == 200
        siege.run()
        assert siege.send("p2", orders, **more).status == 200
        capsys.readouterr()
        got = []
        for path in OF_SIEGES:
            for accept in ("text/html", "application/json"):
                got.append(f"{path}\n{_bytes(mona.get(path.format(id=siege.id), accept))}")
        about = f"siege/{siege.id}/1/0.p2"
        got.append(_bytes(act(mona, "hide_text", about)))
        got += [re.sub(r'"ms": ?[\d.]+', '"ms": 0', line) for line in capsys.readouterr().out.splitlines()]
        worlds.append(got)
    _same(worlds)


def test_the_test_can_fail(tmp_path: Path, capsys: Any) -> None:
    def stopped(times: int) -> Callable[[Duelling], None]:
        def act(game: Duelling) -> None:
            for _ in range(times):
                assert game.act("b", "abandon").status == 303

        return act

    with pytest.raises(AssertionError):
        _same([_world(tmp_path / str(n), stopped(n), OF_MODERATORS, "mona", capsys) for n in range(2)])


def _world(folder: Path, act: Callable[[Duelling], None], paths: tuple[str, ...], who: str, capsys: Any) -> list[str]:
    folder.mkdir(parents=True)
    site = site_in(folder)
    anna, beth = member(site, "Anna"), member(site, "Beth")
    mona = moderator(site, "Mona")
    game = duel(site, anna, beth)
    run_due(site)
    capsys.readouterr()
    reader: Browser = mona if who == "mona" else game.a
    act(game)
    run_due(site)
    capsys.readouterr()
    got = []
    for path in paths:
        for accept in ("text/html", "application/json"):
            got.append(f"{path}\n{_bytes(reader.get(path.format(id=game.id), accept))}")
    got += [re.sub(r'"ms": ?[\d.]+', '"ms": 0', line) for line in capsys.readouterr().out.splitlines()]
    return got


def _bytes(answer: Answer) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(answer.headers.items()))
    # Ids of forms and versions of records are drawn anew each time.
    text = re.sub(r"id0\d{13}", "id", answer.text)
    return f"{answer.status}\n{re.sub(r'content-length: .*', '', headers)}\n{text}"


def _same(worlds: list[list[str]]) -> None:
    first, *others = worlds
    for other in others:
        assert len(other) == len(first)
        for one, another in zip(first, other, strict=True):
            assert one == another
