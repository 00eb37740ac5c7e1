"""Every roll of a finished duel can be recomputed from its download, by whoever has it (T17)."""

import io
import json
from pathlib import Path

import pytest

from engine.games.verify import main, verify
from tests.support.browser import Browser
from tests.support.duelling import duel, member, post_json, run_due
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


def test_a_feinthold_download_is_checked_by_the_program(site: TestSite) -> None:
    game = duel(site, member(site, "Anna"), member(site, "Beth"))
    for seat in ("a", "b"):
        assert game.send(seat, {}).status == 200
    assert post_json(game.a, f"{game.path}/abandon", {}).status == 303
    run_due(site)
    text = Browser().get(f"{game.path}/download", "application/json").text
    said = io.StringIO()
    assert main(io.BytesIO(text.encode()), said) == 0
    assert "0 differ" in said.getvalue()
    assert verify(json.loads(text)).rolls >= 2, "the layout and the proposer's side are drawn"


def test_a_relief_download_is_checked_too(site: TestSite) -> None:
    anna, beth = member(site, "Anna"), member(site, "Beth")
    form = {"game": "relief", "pace": "days1", "opponent": "Beth", "request": "r"}
    path = post_json(anna, "/duels", form).location
    assert post_json(beth, f"{path}/accept", {}).status == 303
    for who in (anna, beth):
        if "ready" in who.data(path)["may"]:
            post_json(who, f"{path}/ready", {})
    assert post_json(anna, f"{path}/abandon", {}).status == 303
    run_due(site)
    download = Browser().data(f"{path}/download")
    assert verify(download).honest and verify(download).rolls > 0


def test_a_changed_roll_is_found(site: TestSite) -> None:
    game = duel(site, member(site, "Anna"), member(site, "Beth"))
    for seat in ("a", "b"):
        game.send(seat, {})
    post_json(game.a, f"{game.path}/abandon", {})
    download = Browser().data(f"{game.path}/download")
    sides, value = download["turns"][0]["rolls"][0]
    download["turns"][0]["rolls"][0] = [sides, value % sides + 1]
    assert len(verify(download).differences) == 1
