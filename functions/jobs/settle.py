"""What follows the end of a duel: one transaction, that takes effect once however often it is tried."""

from collections.abc import Callable
from typing import Final

from engine.decisions import Change, Decision, Job
from engine.platform.duels import settling
from engine.platform.duels.records import Duel
from functions import duel_ratings, duel_stakes, settlements
from functions.acting import act
from infra.records import DUEL
from infra.site import Site

Part = Callable[[Site, Duel], tuple[Change, ...]]


def run(site: Site, job: Job) -> None:
    """Settle a duel, then what games against a doctrine ask for."""
    settle(site, job.about["duel"])
    over = site.store.get(DUEL, job.about["duel"])
    if over is not None:
        settlements.settle(site, over.value)


def settle(site: Site, id: str) -> None:
    """Enter a duel's result in lists, ratings and ledger: what is there already is left as it is."""

    def decide() -> Decision[None]:
        row = site.store.get(DUEL, id)
        if row is None or row.value.stage != "ended":
            return Decision((), None)
        return Decision(tuple(change for part in PARTS for change in part(site, row.value)), None)

    act(site, decide)


def _lists(site: Site, duel: Duel) -> tuple[Change, ...]:
    return settling.settle(duel).changes


PARTS: Final[tuple[Part, ...]] = (_lists, duel_ratings.settle, duel_stakes.settle)
