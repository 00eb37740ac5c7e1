"""Pages: Jinja templates filled with plain data, in the reader's language and zone."""

from collections.abc import Mapping
from typing import Any, Protocol

from engine.platform.members import Lang


class Pages(Protocol):
    """Renders templates."""

    def render(self, template: str, lang: Lang, zone: str, data: Mapping[str, Any]) -> str:
        """The template filled with the data, in this language, its times in this zone."""
        ...
