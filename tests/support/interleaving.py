"""Something that happens between the reading and the writing of a decision."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.decisions import Decision, Drop, Put
from tests.support.site import TestSite


@contextmanager
def just_before_the_commit(site: TestSite, of: type, do: Callable[[], object]) -> Iterator[None]:
    """Once, when a change to a record of this type has been decided and is about to be written, this happens."""
    store, commit = site.store, site.store.commit
    waiting = [do]

    def interleaved(decision: Decision[Any]) -> None:
        if waiting and any(isinstance(c, Put | Drop) and isinstance(c.value, of) for c in decision.changes):
            waiting.pop()()
        commit(decision)

    store.commit = interleaved  # type: ignore[method-assign]
    yield
    store.commit = commit  # type: ignore[method-assign]
    assert not waiting
