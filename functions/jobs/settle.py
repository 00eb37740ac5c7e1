"""What follows the end of a duel: one transaction, that takes effect once however often it is tried."""

from collections.abc import Callable
from typing import Final

from engine.decisions import Change, Decision, Job
from engine.platform.duels import settling
from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from functions import duel_ratings, duel_stakes, fair_play, linking, settlements
from functions.acting import act
from infra.records import DUEL
from infra.site import Site

Part = Callable[[Site, Duel, frozenset[MemberId]], tuple[Change, ...]]


def run(site: Site, job: Job) -> None:
    """Settle a duel, then what its kind asks for; what it shows against fair play counts at once (P27)."""
    over = site.store.get(DUEL, job.about["duel"])
    if over is None or over.value.stage != "ended":
        return
    duel = over.value
    how = fair_play.played(site, duel)
    found = fair_play.findings_of(site, duel, how)
    fast = fair_play.superhuman(found)
    settle(site, duel.id, fast)
    settlements.settle(site, duel, found)
    fair_play.enter_marks(site, duel, found, how)
    for player in duel.members:
        if player.sheets:
            linking.look_again(site, player.member)


def settle(site: Site, id: str, fast: frozenset[MemberId] = fair_play.NOBODY) -> None:
    """Enter a duel's result in lists, ratings and ledger: what is there already is left as it is."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, id)
        if row is None or row.value.stage != "ended":
            return Decision((), None)
        return Decision(tuple(change for part in PARTS for change in part(site, row.value, fast)), None)

    act(site, decide)


def _lists(site: Site, duel: Duel, fast: frozenset[MemberId]) -> tuple[Change, ...]:
    return settling.settle(duel).changes


PARTS: Final[tuple[Part, ...]] = (_lists, duel_ratings.settle, duel_stakes.settle)
