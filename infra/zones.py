"""The time zones to choose from."""

import functools
from collections.abc import Mapping
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


def find(text: str) -> str | None:
    """The zone of this name, or of this city if only one has it; case does not matter, nor spaces for "_"."""
    return _by_text().get(text.strip().replace(" ", "_").lower())


@functools.cache
def _by_text() -> Mapping[str, str]:
    cities: dict[str, list[str]] = {}
    for name in zones():
        cities.setdefault(name.rpartition("/")[2].lower(), []).append(name)
    unique = {city: names[0] for city, names in cities.items() if len(names) == 1}
    return {**unique, **{name.lower(): name for name in zones()}}
