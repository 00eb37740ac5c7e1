"""What pages and actions cost: few reads, one transaction, and never more because there is more to show."""

from pathlib import Path
from typing import Final

import pytest

from engine.decisions import Decision, Put
from engine.platform.members import Member, MemberId
from engine.times import DAY
from infra.records import MEMBER
from infra.remembering import Remembering
from infra.store import Conflict
from tests.support.costs import Cost, busy, cost, costs
from tests.support.duelling import post_json
from tests.support.sieging import announced
from tests.support.site import NOON, TestSite, site_in

ONE_TRANSACTION: Final = (
    "propose", "accept", "ready", "abandon", "rematch", "draft", "notes",
    "submission", "submission that closes the turn",
)  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cost]:
    return {found.name: found for found in costs(tmp_path_factory.mktemp("costs"))}


GAME_PAGES: Final = (
    "proposal", "ready room", "game", "game, JSON", "game, by a turn mail's link", "game, a stranger",
    "game, not signed in",
)  # fmt: skip


@pytest.mark.parametrize("name", GAME_PAGES)
def test_the_game_page_takes_at_most_six_reads(measured: dict[str, Cost], name: str) -> None:
    assert measured[name].reads <= 6


def test_once_it_is_over_two_more_tell_of_ratings_and_of_a_rematch(measured: dict[str, Cost]) -> None:
    assert measured["game over"].reads <= 8


def test_telling_of_the_next_game_takes_three_more(measured: dict[str, Cost]) -> None:
    assert measured["game after it, with the next game"].reads <= 9


def test_a_submission_is_one_transaction_on_the_game_its_turn_and_jobs(measured: dict[str, Cost]) -> None:
    first, last = measured["submission"], measured["submission that closes the turn"]
    assert (first.commits, first.written) == (1, ("duel",))
    assert last.commits == 1
    assert set(last.written) == {"duel", "turn", "job"}
    assert max(first.reads, last.reads) <= 5


@pytest.mark.parametrize("name", ONE_TRANSACTION)
def test_every_action_is_one_transaction(measured: dict[str, Cost], name: str) -> None:
    assert measured[name].commits == 1


def test_looking_writes_no_versioned_record(measured: dict[str, Cost]) -> None:
    """Counters of what was shown (P27) and the page's own sign of life are all that a GET leaves behind."""
    for name, found in measured.items():
        if name not in ONE_TRANSACTION:
            assert set(found.written) <= {"presence", "load", "shown"}, found


def test_live_refresh_is_cheap(measured: dict[str, Cost]) -> None:
    assert measured["live refresh"].reads <= 3


def test_other_pages_take_few_reads(measured: dict[str, Cost]) -> None:
    most = {
        "replay": 6,
        "download": 6,
        "history": 4,
        "member": 8,
        "preferences": 3,
        "rules": 2,
        "duels": 10,
        "home": 10,
    }
    for name, reads in most.items():
        assert measured[name].reads <= reads, name


@pytest.mark.parametrize(("path", "most"), [("/", 39), ("/games", 25), ("/duels", 44), ("/history", 23)])
def test_what_a_page_costs_is_bounded_however_much_there_is(tmp_path: Path, path: str, most: int) -> None:
    site = site_in(tmp_path)
    anna = busy(site, 60)
    assert cost(site, path, lambda: anna.get(path)).reads <= most


def test_ten_sieges_cost_one_query_and_eight_reads(tmp_path: Path) -> None:
    site = site_in(tmp_path)
    anna = announced(site, 2).players["p1"]
    before = cost(site, "/", lambda: anna.get("/")).reads
    for n in range(9):
        site.sources.move(DAY)
        form = {"name": f"Siege {n}", "seats": 3, "pace": "days3", "opens": site.sources.now() + 30 * DAY, "request": n}
        assert post_json(anna, "/sieges", form).status == 303
    assert cost(site, "/", lambda: anna.get("/")).reads == before + 7


def test_three_games_cost_little(tmp_path: Path) -> None:
    site = site_in(tmp_path)
    anna = busy(site, 3)
    assert cost(site, "/", lambda: anna.get("/")).reads <= 12


class TestRemembering:
    def test_a_record_read_twice_is_read_once(self, tmp_path: Path) -> None:
        site, store = _remembering(tmp_path)
        assert store.get(MEMBER, "ida") == store.get(MEMBER, "ida")
        assert store.get(MEMBER, "nobody") is store.get(MEMBER, "nobody") is None
        assert site.store.reads == 2

    def test_after_a_commit_it_reads_anew(self, tmp_path: Path) -> None:
        _, store = _remembering(tmp_path)
        row = store.get(MEMBER, "ida")
        assert row is not None
        store.commit(Decision((Put(_ida("Ida II"), row.version),), None))
        again = store.get(MEMBER, "ida")
        assert again is not None and again.value.name == "Ida II"

    def test_after_a_conflict_it_reads_anew(self, tmp_path: Path) -> None:
        site, store = _remembering(tmp_path)
        row = store.get(MEMBER, "ida")
        assert row is not None
        site.store.commit(Decision((Put(_ida("Ida II"), row.version),), None))
        with pytest.raises(Conflict):
            store.commit(Decision((Put(_ida("Ida III"), row.version),), None))
        again = store.get(MEMBER, "ida")
        assert again is not None and again.value.name == "Ida II"


def _remembering(folder: Path) -> tuple[TestSite, Remembering]:
    site = site_in(folder)
    site.store.commit(Decision((Put(_ida("Ida"), 0),), None))
    return site, Remembering(site.store)


def _ida(name: str) -> Member:
    return Member(MemberId("ida"), name, "ida@example.org", "en", "UTC", NOON)
