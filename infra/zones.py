"""The time zones to choose from."""

import functools
from importlib.resources import files
from typing import Final

REGIONS: Final = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


@functools.cache
def zones() -> tuple[str, ...]:
    """The names of the zones that a member may choose: "UTC" and those of the regions, sorted."""
    names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return ("UTC", *sorted(name for name in names if name.partition("/")[0] in REGIONS))


@functools.cache
def known() -> frozenset[str]:
    """The same, to look one up."""
    return frozenset(zones())
