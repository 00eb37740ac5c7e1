"""What is known of a mail: claimed before it is sent, so that none goes out twice (P8)."""

from dataclasses import dataclass
from typing import Literal

from engine.times import Instant


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail by its job's id: on its way (`claimed`), `sent`, or `unknown` if the mail server's answer was lost."""

    id: str
    notice: str
    to: str
    state: Literal["claimed", "sent", "unknown"]
    at: Instant
