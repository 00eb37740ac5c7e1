"""What a submission is called, so that one form sent twice is one submission."""

import hashlib
from typing import Any, Final

from engine.platform.duels.receipts import canonical
from functions.web.visit import Visit

LONGEST: Final = 64  # characters


def request_id(visit: Visit, after: int, said: dict[str, Any]) -> str:
    """The name that the form gives itself; else that it follows `after` others and says these very things.

    The game keeps it, for all its players: a long name is kept as its hash.
    """
    named = visit.form.get("request")
    if named:
        return named if len(named) <= LONGEST else hashlib.sha256(named.encode()).hexdigest()
    return f"{after}/{hashlib.sha256(canonical(said).encode()).hexdigest()[:20]}"
