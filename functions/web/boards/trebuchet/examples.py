"""The figures of the rules page: fields by number of players, and what each shot covers."""

from collections.abc import Mapping
from typing import Any

from engine.games.trebuchet.grid import size


def rules() -> Mapping[str, Any]:
    """What the rules page shows beside its text."""
    return {"fields": tuple({"players": n, "columns": size(n)[0], "rows": size(n)[1]} for n in (2, 4, 6, 8, 10, 12))}
