"""Voiding a challenge and removing a Front, as the month's standings see it: open, or over (P16, P26, P29)."""

from pathlib import Path
from typing import Any

import pytest

from engine.platform.local_days import begins, following, last_of, month_of
from engine.times import DAY, MINUTE, SECOND, Instant
from functions import fronts
from functions.worker import run_job
from infra.records import CHALLENGE_CHANGE, CHALLENGE_MONTH, CHALLENGER, CONTENDER, DUEL, FRONT_GAME, MONTHLY
from tests.support.browser import Browser
from tests.support.clubs import act, done, moderator
from tests.support.duelling import member, post_json, run_due
from tests.support.jobs import jobs
from tests.support.moderating import undone
from tests.support.site import TestSite, site_in
from tests.support.solo import SoloGame, begin, save

ZONE = "Europe/Paris"


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def mod(site: TestSite) -> Browser:
    return moderator(site, "Mona")


@pytest.fixture
def anna(site: TestSite) -> Browser:
    return member(site, "Anna")


@pytest.fixture
def beth(site: TestSite) -> Browser:
    """Another member, whose first doctrine is published."""
    browser = member(site, "Beth")
    save(browser, 1, name="Vixen")
    browser.post("/doctrines/1/publish")
    return browser


def lost(site: TestSite, browser: Browser, request: str = "1") -> SoloGame:
    """A rated challenge of Beth's doctrine, given up after a turn; not settled yet."""
    game = begin(site, browser, "/challenges", {"doctrine": "beth:1", "request": request})
    assert game.send().status == 200
    assert post_json(browser, f"{game.path}/abandon", {}).status == 303
    return game


def this_month(site: TestSite) -> str:
    return month_of(fronts.today(site.site, site.sources.now()))


def into_next_month(site: TestSite) -> None:
    site.sources.time = Instant(begins(following(last_of(this_month(site))), ZONE) + DAY)


def standing(site: TestSite, month: str, subject: str) -> tuple[int, int] | None:
    row = site.calm.store.get(CHALLENGE_MONTH, month, subject)
    return (row.value.rating, row.value.games) if row else None


def rating(site: TestSite, subject: str) -> int:
    kind: Any = CONTENDER if ":" in subject else CHALLENGER
    row = site.calm.store.get(kind, subject)
    assert row is not None
    rating: int = row.value.rating
    return rating


def test_voided_in_its_month_a_challenge_is_none_of_the_months(
    site: TestSite, mod: Browser, anna: Browser, beth: Browser
) -> None:
    game = lost(site, anna)
    run_due(site)
    month = this_month(site)
    assert (standing(site, month, "anna"), standing(site, month, "beth:1")) == ((9_840, 1), (10_160, 1))
    id = done(site, mod, "void", game.id)
    assert (standing(site, month, "anna"), standing(site, month, "beth:1")) == ((10_000, 0), (10_000, 0))
    undone(site, id, anna, moderator(site, "Nils"))
    assert (standing(site, month, "anna"), standing(site, month, "beth:1")) == ((9_840, 1), (10_160, 1))


def test_voided_later_it_leaves_its_month_and_moves_the_one_that_is_not_over(
    site: TestSite, mod: Browser, anna: Browser, beth: Browser
) -> None:
    game, month = lost(site, anna), this_month(site)
    run_due(site)
    into_next_month(site)
    lost(site, anna, "2")
    run_due(site)
    before = standing(site, this_month(site), "anna")
    done(site, mod, "void", game.id)
    after = standing(site, this_month(site), "anna")
    assert before is not None and after == (before[0] + 160, 1)
    assert after[0] == rating(site, "anna")
    assert (standing(site, month, "anna"), standing(site, month, "beth:1")) == ((9_840, 1), (10_160, 1))


def test_settled_after_a_later_challenge_it_counts_in_its_own_month(
    site: TestSite, anna: Browser, beth: Browser
) -> None:
    game, month = lost(site, anna), this_month(site)
    into_next_month(site)
    other = lost(site, member(site, "Chris"))
    assert run_job(site.site, f"settle/{other.id}")
    assert standing(site, this_month(site), "beth:1") == (10_160, 1)
    assert run_job(site.site, f"settle/{game.id}")
    assert standing(site, month, "anna") == (rating(site, "anna"), 1)
    first = standing(site, month, "beth:1")
    assert first is not None and first[1] == 1
    assert standing(site, this_month(site), "beth:1") == (rating(site, "beth:1"), 1)
    assert first[0] == 10_000 + rating(site, "beth:1") - 10_160


def test_voided_before_it_is_settled_it_moves_nothing_in_the_end(
    site: TestSite, mod: Browser, anna: Browser, beth: Browser
) -> None:
    game = lost(site, anna)
    assert act(mod, "void", game.id).status == 303
    (job,) = jobs(site, "moderate")
    run_job(site.site, job.id)  # tried too early: it comes again
    run_due(site)
    for _ in range(4):
        site.sources.move(2 * MINUTE)
        run_due(site)
    row, change = site.calm.store.get(DUEL, game.id), site.calm.store.get(CHALLENGE_CHANGE, "anna", game.id)
    assert row is not None and row.value.voided and change is not None and change.value.voided
    assert (rating(site, "anna"), rating(site, "beth:1")) == (10_000, 10_000)
    assert standing(site, this_month(site), "anna") == (10_000, 0)


@pytest.mark.parametrize("final", [True, False])
def test_a_front_removed_once_the_months_points_are_final_leaves_them(
    site: TestSite, mod: Browser, anna: Browser, final: bool
) -> None:
    last = last_of(this_month(site))
    site.sources.time = Instant(begins(following(last), ZONE) - 10 * MINUTE)
    game = begin(site, anna, "/front", {"day": last})
    game.finish()
    site.sources.time = Instant(begins(following(last), ZONE) + (15 * MINUTE if final else 30 * SECOND))
    run_due(site)
    done(site, mod, "remove_front", game.id)
    entry, month = site.calm.store.get(FRONT_GAME, last, "anna"), site.calm.store.get(MONTHLY, month_of(last), "anna")
    assert entry is not None and entry.value.why == "removed"
    assert month is not None and month.value.days == (1 if final else 0)
