"""Decide, commit, and decide again when another commit came first or the answer was lost."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.decisions import Decision
from infra.store import Busy, Conflict, Store, Unknown

A = TypeVar("A")

TRIES: Final = 8
LONGEST_PAUSES: Final = (0.02, 0.04, 0.08, 0.16, 0.3, 0.6, 0.8)  # s: 2 s in all


def settle(
    store: Store,
    decide: Callable[[], Decision[A]],
    pause: Callable[[float], object],
    chance: Callable[[], float],
    tries: int = TRIES,
    then: Callable[[Decision[Any]], object] | None = None,
) -> A:
    """Commit what `decide` (which loads anew each time) decides; its answer, after at most `tries` attempts.

    Between attempts `pause` waits for the given seconds, drawn with `chance` (from 0 to 1) and at most 2 s in all.
    `then` gets the decision once it is committed: its jobs that are due can be sent to the queue. Raises what `decide`
    does (a Refusal) at once, and the last Conflict, Busy or Unknown when the tries are used up.
    """
    for attempt in range(tries):
        try:
            decision = decide()
            store.commit(decision)
            break
        except (Conflict, Busy, Unknown):
            if attempt == tries - 1:
                raise
            pause(chance() * LONGEST_PAUSES[min(attempt, len(LONGEST_PAUSES) - 1)])
    if then:
        then(decision)
    return decision.answer
