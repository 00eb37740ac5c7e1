"""What would pay while payouts are stopped, where that is told instead of waited for (P17)."""

from typing import TypeVar

from engine.decisions import Decision, Hold
from engine.errors import Refusal
from engine.platform.ledger.records import Halt
from infra.records import HALT
from infra.site import Site

A = TypeVar("A")


def unless_halted(site: Site, decision: Decision[A]) -> Decision[A]:
    """The decision, if it pays nothing or payouts are not stopped; a read if it pays. Refused: `payouts_stopped`.

    Jobs that do nothing else need not ask: what they would pay is held, and they come again until payouts go on.
    """
    for change in decision.changes:
        if isinstance(change, Hold) and isinstance(change.value, Halt) and site.store.get(HALT, change.value.part):
            raise Refusal("payouts_stopped")
    return decision
