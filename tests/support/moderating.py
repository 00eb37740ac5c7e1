"""Moderators and those they act on: fixtures for every test, and what is done around an act (P29)."""

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.faults import Crash, Fault, Faulty
from infra.store import StoreError
from tests.support.browser import Browser
from tests.support.clubs import answered, judged, member, moderator, staked
from tests.support.duelling import Duelling, post_json, run_due
from tests.support.jobs import Script
from tests.support.site import TestSite, site_in


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    """A new site, with nobody in it."""
    return site_in(tmp_path)


@pytest.fixture
def mod(site: TestSite) -> Browser:
    """A moderator who has played nobody."""
    return moderator(site, "Mona")


@pytest.fixture
def other_mod(site: TestSite) -> Browser:
    """Another one, who judges what `mod` did."""
    return moderator(site, "Nils")


@pytest.fixture
def game(site: TestSite) -> Duelling:
    """Anna's and Beth's duel, begun, 20 credits staked by each."""
    return staked(site, member(site, "Anna"), member(site, "Beth"), 20)


def undone(site: TestSite, id: str, concerned: Browser, judge: Browser) -> None:
    """Somebody concerned answers an act, another moderator undoes it, and what follows is done."""
    assert answered(concerned, id).status == 303
    verdict = judged(judge, id, "undone")
    assert verdict.status == 303, verdict.seen
    run_due(site)


def cup(site: TestSite, people: list[Browser], size: int = 4, fee: int = 20) -> str:
    """A tournament that these members have entered, begun if they fill it; the address of its page."""
    path = post_json(people[0], "/tournaments", {"size": size, "fee": fee, "request": f"{site.sources.now()}"}).location
    for browser in people[1:]:
        assert post_json(browser, f"{path}/join", {}).status == 303
    run_due(site)
    return path


def matches(browser: Browser, path: str) -> list[Any]:
    """The matches of a tournament, as its page has them."""
    return [match for row in browser.data(path)["rounds"] for match in row]


def match_game(site: TestSite, people: list[Browser], path: str, number: int) -> Duelling:
    """The game of a match, with its two players."""
    found = matches(people[0], path)[number]["duel"]
    seats = {}
    for browser in people:
        seat = browser.data(f"/games/{found}")["you"]
        if seat:
            seats[seat] = browser
    return Duelling(site, found, seats["a"], seats["b"])


def run_with(site: TestSite, faults: Iterable[Fault | None]) -> None:
    """Run what is due until the process crashes, the next commits failing so in order (None: that one goes well)."""
    store = Faulty(site.calm.store, Script(list(faults)), stale=False)
    with contextlib.suppress(Crash, StoreError):
        run_due(replace(site, site=replace(site.calm, store=store)))
